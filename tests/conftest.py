"""How Hypothesis is used throughout: every run draws the same examples, and none fails because a machine is slow."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")
