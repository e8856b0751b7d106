"""The rules of Filipino Mahjong: pure, without clock, chance or IO.

Live play, replay, recovery and reconnection all fold events through the one `evolve`.
"""
