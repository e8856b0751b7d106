#!/bin/sh
# Starts the service in a container, or anywhere else `todas` is installed.
#
#   entrypoint.sh migrate            bring the schema up to date, then end
#   entrypoint.sh serve [OPTION...]  serve; the process becomes `todas serve` and takes the signals itself
#   entrypoint.sh migrate serve      the one, then the other: for a single container with nobody to order them
set -eu

if [ "${1:-}" = migrate ] && [ $# -gt 1 ]; then
	todas migrate
	shift
fi
[ $# -gt 0 ] || set -- serve
exec todas "$@"
