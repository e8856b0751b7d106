"""Hands of 16 tiles that are one tile away, by what they win on. No two need a fifth copy of a kind."""

WAITS_5C = "123b 456b 123d 456d 88d 46c"
ALSO_WAITS_5C = "789b 678b 789d 678d 22d 46c"
WAITS_5C_WITH_A_PAIR = "123b 456b 123d 456d 55c 88c"
"""Wins on 5c and 8c, and can pung either."""
WAITS_36C = "123b 456b 123d 456d 88d 45c"
EYE_ON_78C = "678c 678c 123b 456b 123d 9d"
"""With joker 9d: five sets and a joker to pair with anything, two natural 7c among them."""
