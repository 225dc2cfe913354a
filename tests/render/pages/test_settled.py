"""What became of pods that were evicted."""

from kexplain.render.pages.settled import sheets
from kexplain.report.settled import LeftPending, SettledQueue


def test_of_evicted_pods_that_wait_what_is_wrong_is_said_where_it_is_known() -> None:
    pending = {key: LeftPending("0/1 nodes are available", None) for key in ("ns/a", "ns/b")}
    _, evicted = sheets(SettledQueue({}, ("ns/a", "ns/b"), pending), {"ns/a": "no room on node n1"})
    assert [row[1] for row in evicted.rows] == [
        "recreated, pending: no room on node n1",
        "recreated, pending: 0/1 nodes are available",
    ]
