"""Asks an extender over HTTP or HTTPS. Source: scheduler `extender.go`.

Where it differs from kube-scheduler: it connects directly, whatever proxies the environment names; it follows no
redirect; an answer has a limit; and a node in an answer that was not asked about is an error also where nodes are
sent whole. A pod without a uid, as manifests have none, goes by `namespace/name`.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from kexplain.cluster import Cluster, NodeInfo
from kexplain.errors import UsageError
from kexplain.extenders import wire
from kexplain.extenders.post import Question, post, tls_context
from kexplain.framework.extender import ExtenderConfig, ExtenderError, ExtenderFiltered, without_password
from kexplain.framework.postfilter import Candidate
from kexplain.objects.core import Pod
from kexplain.objects.quantity import QuantityError


class HttpExtender:
    """An extender behind a URL.

    `bare_nodes`: of nodes that come back whole, plugins score what came back, which holds no pods; before 1.33 they
    looked the nodes up again.
    """

    def __init__(self, config: ExtenderConfig, *, bare_nodes: bool = True) -> None:
        """Raises UsageError on certificates that cannot be used, with which kube-scheduler would not start."""
        self.config = config
        self._bare_nodes = bare_nodes
        try:
            self._tls = tls_context(config)
        except (OSError, ValueError) as fault:
            raise UsageError(f"{config.name}: its TLS configuration cannot be used: {fault}") from fault

    def filter(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> ExtenderFiltered:
        """Which of these nodes will do."""
        config = self.config
        result = wire.decoded_filter(self._ask(config.filter_verb, self._args(pod, node_infos)))
        if result.error:
            raise ExtenderError(result.error)
        if config.node_cache_capable and result.nodenames is not None:
            left = self._sent(result.nodenames, node_infos)
        else:
            left = self._returned(result.nodes, node_infos)
        return ExtenderFiltered(left, result.failednodes or {}, result.failedandunresolvablenodes or {})

    def _args(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> bytes:
        nodes = [node_info.node for node_info in node_infos]
        return wire.encoded_args(pod, nodes, names_only=self.config.node_cache_capable)

    def _sent(self, names: Sequence[str], node_infos: Sequence[NodeInfo]) -> tuple[NodeInfo, ...]:
        """The nodes of these names, each once."""
        by_name = {node_info.name: node_info for node_info in node_infos}
        for name in names:
            if name not in by_name:
                extender = f'extender "{without_password(self.config.url_prefix)}"'
                raise ExtenderError(
                    f'{extender} claims a filtered node "{name}" which is not found in the input node list'
                )
        return tuple(by_name[name] for name in dict.fromkeys(names))

    def _returned(self, value: object, node_infos: Sequence[NodeInfo]) -> tuple[NodeInfo, ...]:
        """The nodes that came back whole; kube-scheduler continues with them as they came back."""
        nodes = wire.decoded_nodes(value) or ()
        left = self._sent([node.name for node in nodes], node_infos)
        if not self._bare_nodes:
            return left
        try:
            return tuple({node.name: NodeInfo(node) for node in nodes}.values())
        except QuantityError as fault:
            raise ExtenderError(f"the answer cannot be used: {fault}") from fault

    def prioritize(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> Mapping[str, int]:
        return wire.decoded_priorities(self._ask(self.config.prioritize_verb, self._args(pod, node_infos)))

    def process_preemption(
        self, pod: Pod, candidates: Sequence[Candidate], cluster: Cluster
    ) -> Mapping[str, Candidate]:
        """The candidates that it leaves, with the victims that it names."""
        question = wire.encoded_candidates(pod, candidates, names_only=self.config.node_cache_capable)
        by_name = {candidate.node_name: candidate for candidate in candidates}
        left = {}
        for name, (uids, violations) in wire.decoded_victims(self._ask(self.config.preempt_verb, question)).items():
            node_info = cluster.node_info_by_name.get(name)
            if node_info is None:
                raise ExtenderError(f'nodeinfo not found for node name "{name}"')
            victims = tuple(self._victim(uid, node_info) for uid in uids)
            sent = by_name.get(name)
            # Whose budgets other victims draw on is not worked out anew.
            is_as_sent = sent is not None and (sent.victims, sent.pdb_violations) == (victims, violations)
            left[name] = sent if sent and is_as_sent else Candidate(name, victims, violations)
        return left

    def _victim(self, uid: str, node_info: NodeInfo) -> Pod:
        for pod_info in node_info.pods:
            if pod_info.pod.uid == uid:
                return pod_info.pod
        claimed = f"claims to preempt pod (UID: &{{{uid}}}) on node: {node_info.name}"
        extender = f"extender: {without_password(self.config.url_prefix)}"
        raise ExtenderError(f"{extender} {claimed}, but the pod is not found on that node")

    def _ask(self, verb: str, body: bytes) -> bytes:
        """The body of the answer. Raises ExtenderError, no later than the timeout."""
        config = self.config
        url = f"{config.url_prefix.rstrip('/')}/{verb}"
        server_name = config.tls_config.server_name if config.tls_config else ""
        status, answer = post(Question(url, body, self._tls, server_name), config.timeout_seconds)
        if status != HTTPStatus.OK:
            raise ExtenderError(f"failed {verb} with extender at URL {without_password(url)}, code {status}")
        return answer
