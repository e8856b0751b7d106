"""The rules of Filipino Mahjong: pure, without clock, chance or IO. Live play and replay fold events through one evolve."""
