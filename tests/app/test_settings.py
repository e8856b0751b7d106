"""The environment is read strictly: a wrong name, a wrong value, and what is unsafe in production refuse to start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.settings import SettingsRefused, load, page


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch):
    """No setting from outside the test."""
    for name in list(os.environ):
        if name.startswith("TODAS_") or name == "DATABASE_URL":
            monkeypatch.delenv(name)


def test_without_any_setting_the_embedded_database_and_port_8000_are_used():
    settings = load()
    assert (settings.database_url, settings.state_dir, settings.host, settings.port) == (
        None,
        Path(".todas"),
        "127.0.0.1",
        8000,
    )
    assert not settings.allow_seeds


def test_a_setting_is_read_from_its_name(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TODAS_PORT", "9000")
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://todas@db/todas")
    settings = load()
    assert (settings.port, settings.database_url) == (9000, "postgresql+asyncpg://todas@db/todas")


def test_every_fault_is_named_with_its_setting(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TODAS_PORTT", "9000")
    monkeypatch.setenv("TODAS_PORT", "many")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///todas")
    with pytest.raises(SettingsRefused) as refused:
        load()
    lines = str(refused.value).splitlines()
    assert lines[0] == "TODAS_PORTT: no such setting"
    assert sorted(line.partition(":")[0] for line in lines) == ["DATABASE_URL", "TODAS_PORT", "TODAS_PORTT"]


@pytest.mark.parametrize("given", ["http://a.test, http://b.test,", '["http://a.test", "http://b.test"]'])
def test_a_list_is_given_with_commas_or_as_json(monkeypatch: pytest.MonkeyPatch, given: str):
    monkeypatch.setenv("TODAS_CORS_ORIGINS", given)
    assert load().cors_origins == ["http://a.test", "http://b.test"]


@pytest.mark.parametrize(
    ("name", "given", "example"),
    [
        ("TODAS_CORS_ORIGINS", '["http://a.test"', "http://localhost:5173,https://play.example.org"),
        ("TODAS_TRUSTED_PROXIES", "[1]", "10.0.0.2,172.16.0.0/12"),
        ("TODAS_PORT", "http", "8000"),
        ("DATABASE_URL", "todas", "postgresql://todas:password@localhost/todas"),
    ],
)
def test_a_wrong_value_is_one_line_with_an_example(
    monkeypatch: pytest.MonkeyPatch, name: str, given: str, example: str
):
    monkeypatch.setenv(name, given)
    with pytest.raises(SettingsRefused) as refused:
        load()
    (line,) = str(refused.value).splitlines()
    assert line.startswith(f"{name}: ")
    assert line.endswith(f"; for example {example}")


def test_a_password_is_not_printed_with_a_fault(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "mysql://todas:hunter2@db/todas")
    with pytest.raises(SettingsRefused) as refused:
        load()
    assert "hunter2" not in str(refused.value)


def test_a_password_is_not_printed_with_the_settings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://todas:hunter2@db/todas")
    assert "hunter2" not in repr(load())


def test_seeds_are_refused_in_production(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TODAS_ALLOW_SEEDS", "1")
    assert load().allow_seeds
    monkeypatch.setenv("TODAS_ENVIRONMENT", "production")
    with pytest.raises(SettingsRefused, match="TODAS_ALLOW_SEEDS is not allowed"):
        load()


def test_the_documented_page_is_the_generated_one():
    documented = Path(__file__).parents[2].joinpath("docs/settings.md")
    assert documented.read_text(encoding="utf-8") == page()
