"""What short texts may look like."""

from __future__ import annotations

import pytest

from kexplain.validation import names
from kexplain.validation.cron_schedule import schedule_problem
from kexplain.validation.field import Rule

LONG = "a" * 64


@pytest.mark.parametrize(
    ("rule", "sound", "unsound"),
    [
        (names.dns_label, ["a", "0", "a-0", LONG[1:]], ["", "A", "a.b", "-a", "a-", "a_b", LONG, "a\n"]),
        (names.dns_subdomain, ["a", "a.b-c.0", "a" * 253], ["", "A", "a..b", ".a", "a.", "a_b", "a" * 254]),
        (names.search_domain, ["_a", "a_b.c", "_a._b"], ["", "a__", "-a", "A"]),
        (
            names.label_key,
            ["a", "A_b.C-d", "x.y/z", "a/B"],
            ["", "/a", "a/", "a/b/c", "a b", "-a", "X/y", LONG, f"a/{LONG}"],
        ),
        (names.label_value, ["", "a", "A_b.C-0"], [" ", "a b", "-a", "a-", LONG, "é"]),
        (names.annotation_key, ["A", "X.Y/z"], ["a b", "a/b/c"]),
        (names.port_name, ["http", "a", "1a", "a-1", "a" * 15], ["", "1", "1-2", "-a", "a-", "a--b", "A", "a" * 16]),
        (names.config_key, ["a", "A_b.c", ".a", "-"], ["", "a b", "..", "..a", ".", "a/b"]),
        (names.environment_name, ["A", "a b", "1", "-", "~"], ["", "A=B", "é", "a\tb"]),
        (names.header_name, ["X-A", "1"], ["", "a b", "a_b"]),
        (names.sysctl_name, ["a", "a.b", "net/ipv4.conf_x"], ["", "A", "a..b", ".a", "a-", "a b"]),
        (names.domain_path, ["a.b/c", "a/B~%"], ["", "a", "a/", "/a", "A/b", "a/b c"]),
        (names.percentage, ["0%", "250%"], ["", "%", "1", "-1%", "1.5%", "1 %"]),
        (
            names.ip,
            ["1.2.3.4", "::1", "fe80::1"],
            ["", "1.2.3", "01.2.3.4", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3.4/8"],
        ),
        (names.relative_path, ["", "a/b", "a/..b"], ["/a", "..", "a/../b"]),
        (names.file_path, ["a", "a/b", ".a"], ["/a", "..", "..a", "a/.."]),
        (names.prefix_of(names.dns_label), ["a-", "web-", "a"], ["-", "AB-", "a_b-"]),
        (
            schedule_problem,
            [
                "* * * * *",
                "*/5 0-23/2 1,15 jan-MAR mon",
                "? 0 1 1 0",
                "@daily",
                "@every 90s",
                "5/15 * * * *",
                ",1 * * * *",
            ],
            [
                "",
                "* * * *",
                "60 * * * *",
                "* * 0 * *",
                "* * * 13 *",
                "* * * * 7",
                "5-1 * * * *",
                "*/0 * * * *",
                "@never",
                "@every x",
                "a * * * *",
            ],
        ),
    ],
)
def test_rule(rule: Rule, sound: list[str], unsound: list[str]) -> None:
    assert {text: rule(text) for text in sound} == dict.fromkeys(sound)
    assert [text for text in unsound if not rule(text)] == []
