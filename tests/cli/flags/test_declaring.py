from __future__ import annotations

import pytest
import typer

from kexplain.cli.flags.declaring import flags_of, function_of, option, utf8
from kexplain.cli.requests.diff import Request


def test_an_option_is_called_as_its_field_is_unless_it_says_otherwise() -> None:
    assert option(help="").spelled("to_cluster") == ("--to-cluster",)
    assert option("-n", help="").spelled("namespace") == ("-n", "--namespace")
    assert option("--as", help="").spelled("as_user") == ("--as",)


def test_what_is_given_fills_its_group_and_the_rest_keeps_its_default() -> None:
    asked: list[Request] = []
    given = {flag.field.name: None for flag in flags_of(Request)} | {"to_config": "new.yaml", "nodes": ["n.yaml"]}
    function_of(Request, asked.append)(**given)
    (request,) = asked
    assert (request.change.to_config, request.cluster.files, request.report.top) == ("new.yaml", ["n.yaml"], 10)


def test_formats_follow_the_kind_of_report() -> None:
    (output,) = [flag for flag in flags_of(Request) if flag.field.name == "output"]
    assert output.declaration.help.startswith("text, json, yaml, markdown or html. Also csv. ")


def test_a_name_is_text() -> None:
    assert utf8("jöe") == "jöe"
    with pytest.raises(typer.BadParameter, match="not UTF-8"):
        utf8("\udcff")
