"""What stands behind a component that runs, as far as is known, and does not do its part."""

from __future__ import annotations

from collections.abc import Collection

from kexplain.cluster import Cluster
from kexplain.diagnosis.blamed import blamed
from kexplain.diagnosis.caretakers import Caretaker, Subject, caretaker
from kexplain.diagnosis.components import components, of_caretaker, publisher, registered, worst_of
from kexplain.diagnosis.culprits import WITH_PODS, Care, care_for
from kexplain.objects.csi_migration import IN_TREE_PLUGIN_BY_NAME
from kexplain.objects.other_resources import OtherResource
from kexplain.objects.well_known import DEFAULT_NAMESPACE
from kexplain.patterns import regex
from kexplain.words import shortened

#: Names in what somebody says: those that no word of a sentence is.
_NAME = regex(r"[a-z0-9][a-z0-9.]*-[a-z0-9.-]*[a-z0-9]")
#: The most of their words.
_MOST = 160


def provisioner_of(name: str, cluster: Cluster, said: str = "") -> Care | None:
    """Who makes the volumes of a driver, and does not; where that runs, what stands behind it.

    That is what is named in what is `said` of a claim, or is in its namespace, and is not as it should be; rights that
    are not given; or what else of its project does not run. None where nothing is amiss, as far as is known.
    """
    plugin = IN_TREE_PLUGIN_BY_NAME.get(name)
    driver = plugin.driver if plugin else name
    who = caretaker(Subject.DRIVER, driver) if driver and " " not in driver else None
    found = of_caretaker(who, cluster, ()) if who else []
    if by := caretaker(Subject.CAPACITY, publisher(driver, cluster)) if not found else None:
        # Its sidecar says who makes volumes, whatever the driver is called.
        who, found = by, of_caretaker(by, cluster, ())
    # A driver may be called anything: what a node has registered is there.
    is_known = who and (found or not registered(driver, cluster))
    care = care_for(Subject.DRIVER, driver, "makes its volume", who, None, cluster, ()) if who and is_known else None
    own = {each.namespace for each in found[:1]} - {"kube-system", DEFAULT_NAMESPACE}
    return care or _behind({*_NAME.findall(said)}, own, cluster)


def _behind(names: Collection[str], own: Collection[str], cluster: Cluster) -> Care | None:
    """What of these names, or else of its own namespace, says that it has failed, or what does not run there."""
    every = [each for each in cluster.listers.every(OtherResource) if each.failure]
    meant = [each for each in every if each.name in names] or [each for each in every if each.namespace in own]
    if meant:
        who = blamed("says", meant[0], said=shortened(meant[0].failure, _MOST).removesuffix("."))
        return Care(Subject.DRIVER, meant[0].name, who, who.does, None)
    others = [worst_of(by, cluster) for by in components(cluster) if by[0] in own and by[1] not in ("Job", "Pod")]
    broken = filter(lambda each: each.state in WITH_PODS, filter(None, others))
    worst = min(broken, key=lambda each: (WITH_PODS.index(each.state), each.name), default=None)
    if worst is None:
        return None
    role = Caretaker("", f"{worst.kind} {worst.name}")
    return Care(Subject.DRIVER, role.role, role, "runs beside its provisioner", worst)
