"""Measurements of Todas beside its peers: `make bench-engine` and `make bench-move`."""
