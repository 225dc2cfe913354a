from __future__ import annotations

import pytest

from kexplain.cli.flags.scheduler import CycleFlags, SchedulerFlags, parse_feature_gates
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import UsageError


@pytest.mark.parametrize(
    ("texts", "gates"),
    [
        ([], {}),
        (["A=true,B=false"], {"A": True, "B": False}),
        ([" A = TRUE", "A=false"], {}),
        (["A=true", "A=False,"], {"A": False}),
    ],
)
def test_feature_gates(texts: list[str], gates: dict[str, bool]) -> None:
    if gates or not texts:
        assert parse_feature_gates(texts) == gates
    else:
        with pytest.raises(UsageError, match='feature_gates: "A = TRUE" is not GATE=true or GATE=false'):
            parse_feature_gates(texts)


def test_settings() -> None:
    assert SchedulerFlags().settings() == SchedulerSettings()
    flags = CycleFlags(policy="p.json", max_pd_volumes=3, no_preemption=True, call_extenders=True)
    expected = SchedulerSettings(policy="p.json", max_pd_volumes=3, preempts=False, calls_extenders=True)
    assert flags.settings() == expected
