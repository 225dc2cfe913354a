"""What makes the pods in question is asked for by name, up the chain, and what is known is not asked for again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kexplain.case.owners import with_owners
from kexplain.load import Loaded
from kexplain.load.live.api_resources import Resource, owners_of
from kexplain.load.loaded import Nowhere, Segment
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.meta import KubernetesObject
from tests.factories import controlled_by, pod


def _job(owner: str) -> Job:
    owners = [{"apiVersion": "batch/v1", "kind": "CronJob", "name": owner, "controller": True}]
    return msgspec.convert({"metadata": {"name": "etl-1", "namespace": "default", "ownerReferences": owners}}, Job)


CRON_JOB = msgspec.convert({"metadata": {"name": "etl", "namespace": "default"}}, CronJob)


class _Source:
    """A cluster with a job of a cron job."""

    namespace = ""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def read(self, resources: Sequence[Resource]) -> Loaded:
        self.asked += [f"{each.qualified} {each.namespace} {each.field_selector}" for each in resources]
        objects: list[KubernetesObject] = [_job("etl"), CRON_JOB]
        loaded = Loaded()
        kinds = {each.record for each in resources}
        loaded.add(Segment("", Nowhere(), [obj for obj in objects if type(obj) in kinds]))
        return loaded

    def events(self, pods: object, claims: object = ()) -> Loaded:
        raise AssertionError(pods, claims)

    def failures(self, controllers: object) -> Loaded:
        raise AssertionError(controllers)


def test_the_chain_is_followed_to_its_end() -> None:
    source = _Source()
    found = with_owners(Loaded(), [pod("x", owner=controlled_by("Job", "etl-1", api_version="batch/v1"))], source)
    assert source.asked == ["jobs.batch default metadata.name=etl-1", "cronjobs.batch default metadata.name=etl"]
    assert {type(obj) for obj in found.objects} == {Job, CronJob}
    again = with_owners(found, [pod("y", owner=controlled_by("Job", "etl-1", api_version="batch/v1"))], source)
    assert (again, len(source.asked)) == (found, 2)


def test_nobody_is_asked_for_what_has_no_owner_that_is_known() -> None:
    source = _Source()
    rollout = controlled_by("CloneSet", "web", api_version="apps.kruise.io/v1alpha1")
    with_owners(Loaded(), [pod("x"), pod("y", owner=rollout)], source)
    assert source.asked == []


def test_many_of_one_kind_are_read_at_once() -> None:
    (few,) = owners_of([("Job", "lab", "a")])
    assert few.field_selector == "metadata.name=a"
    (many,) = owners_of([("Job", "lab", str(number)) for number in range(20)])
    assert (many.namespace, many.field_selector) == ("lab", "")
