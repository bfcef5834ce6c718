"""The models that exist, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gate.errors import ConfigError
from gate.models.base import Model


def _stand_in() -> Model:
    from gate.models.standin import StandIn

    return StandIn()


MODELS: Mapping[str, Callable[[], Model]] = {"stand-in": _stand_in}


def open_model(name: str) -> Model:
    """The model of that name. Raises ConfigError that lists the models there are."""
    if name not in MODELS:
        raise ConfigError(f"unknown model {name!r}: this version knows {', '.join(sorted(MODELS))}")
    return MODELS[name]()
