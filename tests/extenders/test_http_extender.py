from __future__ import annotations

import base64
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.errors import UsageError
from kexplain.extenders import post as extender_post
from kexplain.extenders.http_extender import HttpExtender
from kexplain.framework.extender import ExtenderConfig, ExtenderError, ExtenderTls
from kexplain.framework.postfilter import Candidate
from tests.factories import cluster, container, node, pod, spread

from .extender_server import AUTHORITY, CERTIFICATES, Answer, ExtenderServer, Raw, serving

NODES = [NodeInfo(node("n1")), NodeInfo(node("n2"))]
CLIENT = ExtenderTls(
    ca_file=str(AUTHORITY), cert_file=str(CERTIFICATES / "client.pem"), key_file=str(CERTIFICATES / "client.key")
)


def in_base64(file: Path) -> str:
    return base64.b64encode(file.read_bytes()).decode()


def config(url: str, **changes: Any) -> ExtenderConfig:
    verbs = {"filter_verb": "filter", "prioritize_verb": "prioritize", "preempt_verb": "preempt", "weight": 1}
    return ExtenderConfig(url_prefix=url, **{**verbs, **changes})


def filtered(server: ExtenderServer, **changes: Any) -> list[str]:
    answer = HttpExtender(config(server.url, **changes)).filter(pod("web"), NODES)
    return [node_info.name for node_info in answer.node_infos]


def failure(url: str, **changes: Any) -> str:
    with pytest.raises(ExtenderError) as caught:
        HttpExtender(config(url, **changes)).filter(pod("web"), NODES)
    return str(caught.value)


# ----------------------------------------------------------------------------------------------------- questions


def test_filter_sends_whole_nodes_unless_it_is_node_cache_capable() -> None:
    with serving(filter={"NodeNames": ["n1"], "Nodes": {"items": [{"metadata": {"name": "n2"}}]}}) as server:
        assert filtered(server) == ["n2"]
        assert filtered(server, node_cache_capable=True) == ["n1"]
    (_, whole), (_, names) = server.asked
    assert whole["Pod"]["metadata"] == {"name": "web", "namespace": "default"}
    assert whole["Pod"]["kind"] == "Pod"
    assert whole["NodeNames"] is None
    assert [item["metadata"]["name"] for item in whole["Nodes"]["items"]] == ["n1", "n2"]
    assert whole["Nodes"]["items"][0]["status"]["allocatable"] == {"cpu": "4", "memory": "8Gi", "pods": 110}
    assert (names["Nodes"], names["NodeNames"]) == (None, ["n1", "n2"])
    assert server.headers[0]["Content-Type"] == "application/json"


def test_fields_go_by_the_names_of_kubernetes() -> None:
    asking = pod(
        "web",
        containers=[container("100m", name="main", ports=["127.0.0.1:80"])],
        spread=[spread("zone", {"app": "web"}, max_skew=1)],
        nominated="n1",
    )
    with serving(filter={}) as server:
        HttpExtender(config(server.url)).filter(asking, NODES)
    sent = server.asked[0][1]["Pod"]
    assert sent["spec"]["containers"][0]["resources"] == {"requests": {"cpu": "100m"}}
    assert sent["spec"]["containers"][0]["ports"] == [{"containerPort": 80, "hostPort": 80, "hostIP": "127.0.0.1"}]
    constraint = sent["spec"]["topologySpreadConstraints"][0]
    # Whoever decodes this takes what is missing for zero.
    assert constraint["maxSkew"] == 1
    assert constraint["whenUnsatisfiable"] == "DoNotSchedule"
    assert constraint["labelSelector"] == {"matchLabels": {"app": "web"}}
    assert sent["status"] == {"nominatedNodeName": "n1"}


VICTIM = pod("low", node="n1", uid="7f3")
STANDING = cluster([node("n1"), node("n2")], [VICTIM, pod("other", node="n2", uid="8a1")])
OTHER = STANDING.node_info_by_name["n2"].pods[0].pod
CANDIDATES = [Candidate("n1", (VICTIM,), 1, ("default/budget",)), Candidate("n2", (OTHER,), 0)]


def test_preempt_sends_whole_victims_unless_it_is_node_cache_capable() -> None:
    answer = {"NodeNameToMetaVictims": {"n1": {"Pods": [{"UID": "7f3"}], "NumPDBViolations": 1}}}
    with serving(preempt=answer) as server:
        for capable in (False, True):
            extender = HttpExtender(config(server.url, node_cache_capable=capable))
            assert extender.process_preemption(pod("high"), CANDIDATES, STANDING) == {"n1": CANDIDATES[0]}
    (_, whole), (_, names) = server.asked
    assert whole["NodeNameToMetaVictims"] is None
    assert whole["NodeNameToVictims"]["n1"]["NumPDBViolations"] == 1
    assert whole["NodeNameToVictims"]["n1"]["Pods"][0]["metadata"]["name"] == "low"
    assert names["NodeNameToVictims"] is None
    assert names["NodeNameToMetaVictims"]["n2"] == {"Pods": [{"UID": "8a1"}], "NumPDBViolations": 0}


# ------------------------------------------------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        pytest.param({"NodeNames": ["n2", "n1"]}, ["n2", "n1"], id="its-own-order"),
        pytest.param({"nodenames": ["n2"]}, ["n2"], id="names-in-any-case"),
        pytest.param({"NodeNames": ["n1", "n1"]}, ["n1"], id="twice"),
        pytest.param({"NodeNames": []}, [], id="none"),
        pytest.param({"Error": ""}, [], id="nothing-said"),
        pytest.param({"NodeNames": None, "FailedNodes": None, "Error": None}, [], id="nulls"),
        pytest.param(None, [], id="null"),
        pytest.param(Raw(b' {"NodeNames": ["n1"]} and more'), ["n1"], id="only-the-first-value-is-read"),
        pytest.param({"NodeNames": None, "Nodes": {"Items": [{"metadata": {"name": "n1"}}]}}, ["n1"],
                     id="nodes-though-it-was-sent-names"),
    ],
)  # fmt: skip
def test_filter_answers(answer: object, left: list[str]) -> None:
    with serving(filter=answer) as server:
        assert filtered(server, node_cache_capable=True) == left


def test_filter_tells_why_nodes_failed() -> None:
    answer = {"FailedNodes": {"n1": "busy"}, "FailedAndUnresolvableNodes": {"n2": "no rack"}}
    with serving(filter=answer) as server:
        given = HttpExtender(config(server.url)).filter(pod(), NODES)
    assert (given.failed, given.failed_and_unresolvable) == ({"n1": "busy"}, {"n2": "no rack"})


def test_nodes_that_come_back_whole_hold_no_pods() -> None:
    standing = cluster([node("n1")], [pod("runs", node="n1")]).node_infos
    with serving(filter=lambda asked: {"Nodes": asked["Nodes"]}) as server:
        bare = HttpExtender(config(server.url)).filter(pod(), standing).node_infos[0]
        known = HttpExtender(config(server.url), bare_nodes=False).filter(pod(), standing).node_infos[0]
    assert (bare.name, bare.pods, bare.allocatable.cpu_milli) == ("n1", [], 4000)
    assert known is standing[0]


def test_priorities_add_up_by_node() -> None:
    answer = [{"Host": "n1", "Score": 3}, {"host": "n1", "score": 4}, {"Host": "gone", "Score": 10}, {"Host": "n2"}]
    with serving(prioritize=answer) as server:
        assert HttpExtender(config(server.url)).prioritize(pod(), NODES) == {"n1": 7, "gone": 10, "n2": 0}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param({"Error": "rack is on fire"}, "rack is on fire", id="error-in-the-answer"),
        pytest.param({"NodeNames": ["n9"]},
                     'extender "{url}" claims a filtered node "n9" which is not found in the input node list',
                     id="node-that-was-not-sent"),
        pytest.param({"Nodes": {"items": [{"metadata": {"name": "n9"}}]}},
                     'extender "{url}" claims a filtered node "n9" which is not found in the input node list',
                     id="whole-node-that-was-not-sent"),
        pytest.param({"Nodes": {"items": [{"metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "x"}}}]}},
                     'the answer cannot be used: "x" is not a quantity', id="bad-quantity"),
        pytest.param(Raw(b"{}", 500), "failed filter with extender at URL {url}/filter, code 500", id="500"),
        pytest.param(Raw(b"", 307, {"Location": "https://example.com/"}),
                     "failed filter with extender at URL {url}/filter, code 307", id="redirect-is-not-followed"),
        pytest.param(Raw(b""), "EOF", id="empty"),
        pytest.param(Raw(b"<html>"), "the answer is not JSON: Expecting value: line 1 column 1 (char 0)", id="html"),
        pytest.param(Raw(b"[" * 100_000), "the answer is not JSON: nested too deeply", id="deep"),
        pytest.param([], "the answer has a list where an object is expected", id="list"),
        pytest.param({"NodeNames": "n1"}, "the answer cannot be used: Expected `array | null`, got `str`"
                     " - at `$.nodenames`", id="wrong-type"),
        pytest.param(Raw(b'{"NodeNames"', content_length=99),
                     "the answer is not JSON: Expecting ':' delimiter: line 1 column 13 (char 12)", id="cut-off"),
        pytest.param(Raw(b"5\r\n{}", headers={"Transfer-Encoding": "chunked"}), "unexpected EOF", id="cut-off-chunk"),
    ],
)  # fmt: skip
def test_filter_failures(answer: object, message: str) -> None:
    with serving(filter=answer) as server:
        told = failure(server.url, node_cache_capable=not isinstance(answer, dict) or "Nodes" not in answer)
        assert told == message.format(url=server.url)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param({"n9": {"Pods": []}}, 'nodeinfo not found for node name "n9"', id="node-that-is-not-there"),
        pytest.param({"n1": {"Pods": [{"UID": "8a1"}]}},
                     "extender: {url} claims to preempt pod (UID: &{{8a1}}) on node: n1, but the pod is not found on "
                     "that node", id="pod-of-another-node"),
        pytest.param({"n1": {"Pods": [None]}},
                     "extender: {url} claims to preempt pod (UID: &{{}}) on node: n1, but the pod is not found on "
                     "that node", id="null"),
        pytest.param({"n1": {"Pods": [{"UID": 7}]}},
                     "the answer cannot be used: Expected `str | null`, got `int` - at `$.uid`", id="wrong-type"),
    ],
)  # fmt: skip
def test_preempt_failures(answer: object, message: str) -> None:
    with serving(preempt={"NodeNameToMetaVictims": answer}) as server:
        with pytest.raises(ExtenderError) as caught:
            HttpExtender(config(server.url)).process_preemption(pod("high"), CANDIDATES, STANDING)
        assert str(caught.value) == message.format(url=server.url)


def test_prioritize_failure() -> None:
    with serving(prioritize={"Host": "n1"}) as server, pytest.raises(ExtenderError, match="not a list, but an object"):
        HttpExtender(config(server.url)).prioritize(pod(), NODES)


# ---------------------------------------------------------------------------------------------------- connections


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that nobody listens on, and nobody else gets."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def test_connection_refused(closed_port: int) -> None:
    url = f"http://127.0.0.1:{closed_port}"
    refused = f"dial tcp 127.0.0.1:{closed_port}: connect: connection refused"
    assert failure(url) == f'Post "{url}/filter": {refused}'
    assert failure(f"{url}/") == f'Post "{url}/filter": {refused}'


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param("ftp://h", 'Post "ftp://h/filter": unsupported protocol scheme "ftp"', id="scheme"),
        pytest.param("extender", 'Post "extender/filter": unsupported protocol scheme ""', id="no-scheme"),
        pytest.param("http://h:99999", 'Post "http://h:99999/filter": Port out of range 0-65535', id="port"),
        pytest.param("http://u:secret@h:99999",
                     'Post "http://u:xxxxx@h:99999/filter": Port out of range 0-65535', id="password-is-hidden"),
    ],
)  # fmt: skip
def test_urls_that_cannot_be_asked(url: str, message: str) -> None:
    assert failure(url) == message


AWAITING = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
READING = "context deadline exceeded (Client.Timeout or context cancellation while reading body)"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(Raw(b"{}", wait_seconds=2), 'Post "{url}/filter": ' + AWAITING, id="silent"),
        pytest.param(Raw(b" " * 40, drip_seconds=0.05), READING, id="drop-by-drop"),
    ],
)
def test_time_is_bounded(answer: Raw, message: str) -> None:
    with serving(filter=answer) as server:
        assert failure(server.url, http_timeout="200ms") == message.format(url=server.url)


def test_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extender_post, "MAX_ANSWER_BYTES", 1 << 20)
    with serving(filter=Raw(b" " * ((1 << 20) + 1))) as server:
        assert failure(server.url) == "the answer is larger than 1 MiB"


def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch, closed_port: int) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{closed_port}")
    with serving(filter={"NodeNames": ["n1"]}) as server:
        assert filtered(server, node_cache_capable=True) == ["n1"]


def test_credentials_in_the_url_are_sent() -> None:
    with serving(filter={}) as server:
        filtered(ExtenderServer(server.url.replace("//", "//me:s%40fe@"), {}))
    assert server.headers[0]["Authorization"] == "Basic bWU6c0BmZQ=="


# ----------------------------------------------------------------------------------------------------------- TLS

OWN = {name: in_base64(CERTIFICATES / f"client.{kind}") for name, kind in (("cert_data", "pem"), ("key_data", "key"))}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"tls_config": ExtenderTls(ca_file=str(AUTHORITY))}, id="authority-in-a-file"),
        pytest.param(
            {"tls_config": ExtenderTls(ca_data=in_base64(AUTHORITY), ca_file="/gone")}, id="data-goes-before-files"
        ),
        pytest.param(
            {"tls_config": ExtenderTls(ca_file=str(AUTHORITY), server_name="extender.test")}, id="server-name"
        ),
        pytest.param({"tls_config": ExtenderTls(insecure=True)}, id="insecure"),
        pytest.param({"enable_https": True}, id="enable-https-without-authority-checks-nothing"),
    ],
)
def test_https(changes: dict[str, Any]) -> None:
    with serving(tls=True, filter={"NodeNames": ["n1"]}) as server:
        assert filtered(server, node_cache_capable=True, **changes) == ["n1"]


@pytest.mark.parametrize(
    "tls",
    [
        pytest.param(CLIENT, id="files"),
        pytest.param(
            ExtenderTls(ca_file=str(AUTHORITY), cert_data=OWN["cert_data"], key_data=OWN["key_data"]), id="data"
        ),
    ],
)
def test_client_certificate(tls: ExtenderTls) -> None:
    with serving(tls=True, wants_client=True, filter={"NodeNames": ["n1"]}) as server:
        assert filtered(server, node_cache_capable=True, tls_config=tls) == ["n1"]
        # A certificate counts only together with its key.
        for lacking in (replace(tls, cert_file="", cert_data=""), replace(tls, key_file="", key_data="")):
            assert failure(server.url, tls_config=lacking).startswith(f'Post "{server.url}/filter": tls: ')


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({}, "x509: unable to get local issuer certificate", id="unknown-authority"),
        pytest.param({"tls_config": ExtenderTls(ca_file=str(AUTHORITY), server_name="other.test")},
                     "x509: Hostname mismatch, certificate is not valid for 'other.test'.", id="other-name"),
    ],
)  # fmt: skip
def test_certificates_are_checked(changes: dict[str, Any], message: str) -> None:
    with serving(tls=True, filter={}) as server:
        told = f'Post "{server.url}/filter": tls: failed to verify certificate: {message}'
        assert failure(server.url, **changes) == told
        assert server.asked == []


def test_plain_server_asked_over_tls() -> None:
    with serving(filter={}) as server:
        assert ": tls: " in failure(server.url.replace("http:", "https:"), enable_https=True)


@pytest.mark.parametrize(
    ("tls", "message"),
    [
        pytest.param(ExtenderTls(ca_file="/gone"), "No such file or directory: '/gone'", id="no-file"),
        pytest.param(ExtenderTls(ca_data="bm90IFBFTQ=="), "no start line", id="not-a-certificate"),
        pytest.param(ExtenderTls(ca_file=str(AUTHORITY), insecure=True),
                     "specifying a root certificates file with the insecure flag is not allowed", id="both"),
        pytest.param(replace(CLIENT, key_data=in_base64(CERTIFICATES / "server.key")), "KEY_VALUES_MISMATCH",
                     id="key-of-another"),
    ],
)  # fmt: skip
def test_certificates_that_cannot_be_used(tls: ExtenderTls, message: str) -> None:
    with pytest.raises(UsageError, match="its TLS configuration cannot be used") as caught:
        HttpExtender(config("https://h", tls_config=tls))
    assert message in caught.value.message


def test_answers_may_depend_on_the_question() -> None:
    keep_last: Answer = lambda asked: {"NodeNames": asked["NodeNames"][-1:]}  # noqa: E731
    with serving(filter=keep_last) as server:
        assert filtered(server, node_cache_capable=True) == ["n2"]
