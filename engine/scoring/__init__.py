"""Valuing wins and sharing out points (rules 7 to 9)."""
