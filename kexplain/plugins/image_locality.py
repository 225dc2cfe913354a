"""Nodes that hold the pod's images already start it sooner. Source: `plugins/imagelocality`."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.images import ImageState
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import MAX_NODE_SCORE, ExtensionPoint
from kexplain.framework.signing import Signature
from kexplain.objects.core import Pod

MIB = 1024 * 1024
#: Images below this size in all gain nothing; a container's image gains no more above the other one.
MIN_THRESHOLD = 23 * MIB
MAX_CONTAINER_THRESHOLD = 1000 * MIB


class ImageLocalityState(Struct, frozen=True):
    """The pod's images, repeated as often as they are used, and where in the cluster they are."""

    images: tuple[str, ...]
    states: Mapping[str, ImageState]
    containers: int
    nodes: int


class ImageLocality:
    """Ranks nodes by how much of the pod's images they hold, scaled down where few nodes hold them."""

    name = "ImageLocality"
    not_at = (ExtensionPoint.PRE_SCORE,)

    def __init__(self, features: Features = DEFAULT_FEATURES) -> None:
        self._scores_volumes = features.image_volumes_score
        self._counts_volumes = features.image_volumes_raise_the_ceiling
        self._counts_later_nodes = features.image_holders_are_kept_current
        self._scores_init_containers = features.init_container_images_score

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> ImageLocalityState:
        """Where the images are. Upstream has no PreScore here: its cache keeps this all the time."""
        names, counted = self._images(pod)
        return ImageLocalityState(names, cluster.image_states(names), counted, len(cluster.node_infos))

    def _images(self, pod: Pod) -> tuple[tuple[str, ...], int]:
        """The names of the pod's images, and for how many containers they count."""
        spec = pod.spec
        init_containers = (spec.init_containers or ()) if self._scores_init_containers else ()
        containers = (*init_containers, *(spec.containers or ()))
        images = [container.image or "" for container in containers]
        if self._scores_volumes:
            images += [volume.image.reference or "" for volume in spec.volumes or () if volume.image]
        names = tuple(normalized_image_name(image) for image in images)
        return names, len(images) if self._counts_volumes else len(containers)

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """The pod's images; where they are is the same for all pods of a cluster."""
        return Signature(self._images(pod))

    def scores_node_by_node(self, state: ImageLocalityState) -> bool:
        """Always."""
        return True

    def score(self, pod: Pod, state: ImageLocalityState, node_info: NodeInfo) -> int:
        """From 0 to 100 between the two thresholds."""
        total = sum(int(size * (holders / state.nodes)) for size, holders in self._held(state, node_info.name))
        ceiling = MAX_CONTAINER_THRESHOLD * state.containers
        total = min(max(total, MIN_THRESHOLD), ceiling)
        return MAX_NODE_SCORE * (total - MIN_THRESHOLD) // (ceiling - MIN_THRESHOLD)

    def _held(self, state: ImageLocalityState, name: str) -> Iterator[tuple[int, int]]:
        """Each of the images that the node of that name holds: its bytes, and how many nodes count as its holders."""
        for image in state.images:
            held = state.states.get(image)
            if held is not None and name in held.rank_by_node:
                ranks = held.rank_by_node
                yield held.size_bytes, len(ranks) if self._counts_later_nodes else ranks[name]

    def working(self, state: ImageLocalityState, node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """What the images that it holds come to, between the two thresholds."""
        held = [f"{size / MIB:.1f} × {holders}/{state.nodes}" for size, holders in self._held(state, node_info.name)]
        low, high = MIN_THRESHOLD // MIB, MAX_CONTAINER_THRESHOLD // MIB
        most = f"{high} × {state.containers}"
        share = f"{MAX_NODE_SCORE} × (images − {low}) / ({most} − {low}) = {raw[node_info.name]}"
        said = f"images = {' + '.join(held) or 0} Mi, at least {low} and at most {most}; {share}"
        return said if any(raw.values()) else ""


def normalized_image_name(name: str) -> str:
    """The name with a tag: without tag or digest, `latest` is meant."""
    return name if name.rfind(":") > name.rfind("/") else f"{name}:latest"
