"""The options that say which scheduler decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import UsageError

#: In place of a file: no configuration at all.
NO_CONFIG = "default"

_VALUES = {"true": True, "false": False}


def parse_feature_gates(texts: Sequence[str]) -> dict[str, bool]:
    """Gates by name, of texts such as `A=true,B=false`; of a gate named twice the last counts.

    Raises UsageError on anything else.
    """
    gates = {}
    for item in (item.strip() for text in texts for item in text.split(",") if item.strip()):
        name, _, value = item.partition("=")
        if value.lower() not in _VALUES:
            raise UsageError(f'--feature-gates: "{item}" is not GATE=true or GATE=false')
        gates[name.strip()] = _VALUES[value.lower()]
    return gates


def after_change(
    settings: SchedulerSettings,
    *,
    config: str,
    policy: str,
    max_pd_volumes: int | None,
    kubernetes_version: str,
    feature_gates: Mapping[str, bool],
) -> SchedulerSettings:
    """The settings with what is given in place of what was; a configuration displaces a Policy, and the reverse.

    A Policy displaces a release too, for it has its own.
    """
    if config and policy:
        raise UsageError("--to-config and --to-policy exclude each other")
    if settings.policy and not (config or policy) and (kubernetes_version or feature_gates):
        raise UsageError(
            "--to-kubernetes-version and --to-feature-gates do not go with a Policy",
            "--to-config default takes the Policy away",
        )
    if config:
        settings = replace(settings, config="" if config == NO_CONFIG else config, policy="", max_pd_volumes=None)
    elif policy:
        settings = replace(
            settings, config="", policy=policy, max_pd_volumes=max_pd_volumes, kubernetes_version="", feature_gates={}
        )
    return replace(
        settings,
        kubernetes_version=kubernetes_version or settings.kubernetes_version,
        feature_gates={**settings.feature_gates, **feature_gates},
    )


def told(settings: SchedulerSettings) -> Iterator[str]:
    """The options that say what the settings are, beside the release."""
    if settings.config:
        yield f"--config {settings.config}"
    if settings.policy:
        yield f"--policy {settings.policy}"
    if settings.max_pd_volumes is not None:
        yield f"--max-pd-volumes {settings.max_pd_volumes}"
    if settings.feature_gates:
        gates = (f"{name}={'true' if value else 'false'}" for name, value in settings.feature_gates.items())
        yield f"--feature-gates {','.join(gates)}"
