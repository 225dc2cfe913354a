"""Whether there are nodes as a pod wants them: labels, taints, topology, names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Surroundings, Workload
from kexplain.objects.core import Affinity, NodeSelectorRequirement, NodeSelectorTerm, Toleration
from kexplain.objects.core.placement import PREFERRED, REQUIRED
from kexplain.objects.node_selectors import is_empty_node_term, parse_node_term
from kexplain.objects.problem import Path, Problem, WordEdit, slip_edit
from kexplain.objects.selectors import SelectorError, make_requirement
from kexplain.objects.tolerations import tolerates
from kexplain.objects.well_known import NOT_READY, RENAMED_LABELS, UNREACHABLE
from kexplain.tables import sections
from kexplain.words import ask, clauses, did_you_mean, near, slip_of, some

#: Taints that Kubernetes itself sets now and then: that no node has one at the moment says nothing.
_TRANSIENT = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "node.cilium.io/")
_KEYS_BY_DOMAIN = sections("public-keys")
#: Whose labels people make up.
_FREE_DOMAINS = ("node-role.kubernetes.io", "")
_OPERATORS = frozenset({"Equal", "Exists", "Lt", "Gt"})


# ------------------------------------------------------------------------------------------------ node labels


def _node_selector(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    wanted = workload.spec.node_selector or {}
    asked = {key: NodeSelectorRequirement(key=key, operator="In", values=(value,)) for key, value in wanted.items()}
    if wanted and around.may_come(*asked.values()):
        return
    absent = {key: value for key, value in wanted.items() if value not in around.label_values.get(key, ())}
    missing = [(key, value) for key, value in absent.items() if not around.may_come(asked[key])]
    for key, value in missing:
        hint = _nearest_label(key, (value,), around.label_values)
        message = clauses(f"no node has the label {key}={value}", hint)
        yield Problem(workload.at("nodeSelector", key), message, edit=_mended(key, value, missing, wanted, around))
    if wanted and not missing and not any(wanted.items() <= node.labels.items() for node in around.nodes):
        yield Problem(
            workload.at("nodeSelector"), f"no node has all of these labels: {', '.join(map('='.join, wanted.items()))}"
        )


def _mended(
    key: str, value: str, missing: Sequence[tuple[str, str]], wanted: Mapping[str, str], around: Surroundings
) -> WordEdit | None:
    """The value that is meant beyond doubt, if it is all that keeps some node from matching."""
    meant = slip_of(value, around.label_values.get(key, ()))
    asked = {**wanted, key: meant}
    if not meant or len(missing) > 1 or not any(asked.items() <= node.labels.items() for node in around.nodes):
        return None
    return WordEdit(meant)


def _nearest_label(key: str, values: Iterable[str], known: Mapping[str, set[str]]) -> str:
    """What a node carries that may have been meant."""
    if key in known:
        there = sorted(known[key])
        close = [each for value in values for each in near(value, there)]
        return ask(f"{key}={close[0]}") if close else _values_there(key, there)
    now = RENAMED_LABELS.get(key, "")
    if close := [now] if now in known else near(key, known):
        return ask(f"{close[0]} ({some(sorted(known[close[0]]))})")
    alike = [f"{each}={value}" for each, there in known.items() for value in values if value in there]
    # A value that one label alone has, such as the name of a pool, says which label was meant.
    return ask(*alike) if len(alike) == 1 else f"no node has any label {key}"


def _values_there(key: str, values: Iterable[str]) -> str:
    return f"nodes have {key}={some(sorted(values))}"


def _node_affinity(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """Required terms that no node meets; the first expression that leaves no node is to blame."""
    for index, term in enumerate(workload.spec.required_node_terms):
        if is_empty_node_term(term) or _is_there(term, around):
            continue
        at = workload.at("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms", index)
        for place, expression in enumerate(term.match_expressions or ()):
            if not _is_met(expression, around):
                message = clauses(f"no node meets {_expression(expression)}", _nearest_of(expression, around))
                yield Problem((*at, "matchExpressions", place), message)
                break
        else:
            what = "no node meets all expressions of this term" if term.match_expressions else "no node has these names"
            yield Problem(at, what)


def _is_there(term: NodeSelectorTerm, around: Surroundings) -> bool:
    """Whether some node meets a term, or one that may come; or the term is none."""
    try:
        if any(parse_node_term(term).matches(node) for node in around.nodes):
            return True
    except SelectorError:
        return True
    return not term.match_fields and around.may_come(*(term.match_expressions or ()))


def _is_met(expression: NodeSelectorRequirement, around: Surroundings) -> bool:
    requirement = make_requirement(expression.key, expression.operator, expression.values or ())
    return around.may_come(expression) or any(requirement.matches(node.labels) for node in around.nodes)


def _expression(expression: NodeSelectorRequirement) -> str:
    values = f" ({', '.join(expression.values)})" if expression.values else ""
    return f"{expression.key} {expression.operator}{values}"


def _nearest_of(expression: NodeSelectorRequirement, around: Surroundings) -> str:
    if expression.operator in ("In", "Exists"):
        return _nearest_label(expression.key, expression.values or (), around.label_values)
    there = around.label_values.get(expression.key)
    return _values_there(expression.key, there) if there else ""


def _misspelt_labels(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """Keys that are one slip of the pen off one that Kubernetes or a provider sets; of a cluster other rules tell."""
    for path, key in _node_label_keys(workload) if not around.nodes else ():
        if meant := _likely_key(key):
            message = f"{key} is no label of nodes; did you mean {meant}?"
            yield Problem(path, message, is_about_key=path[-1] == key, edit=WordEdit(meant))


def _likely_key(key: str) -> str:
    """The known key that a slip of the pen has made of it, in its name or in its domain; empty if there is none."""
    domain, _, name = key.rpartition("/")
    known = _KEYS_BY_DOMAIN.get(domain)
    if domain in _FREE_DOMAINS or name in (known or ()):
        return ""
    if known is not None:
        return f"{domain}/{meant}" if (meant := slip_of(name, known)) else ""
    meant = slip_of(domain, [each for each, keys in _KEYS_BY_DOMAIN.items() if name in keys])
    return f"{meant}/{name}" if meant else ""


def _retired_labels(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    keys = [*_node_label_keys(workload)]
    # Of several terms one is enough: beside one with the new label, another with the old one is for older nodes.
    terms = [(path[:-3], key) for path, key in keys if "nodeAffinity" in path]
    for path, key in keys:
        successor = RENAMED_LABELS.get(key)
        # Many providers go on setting them: where a node carries one, it works.
        if successor is None or key in around.label_values:
            continue
        if "nodeAffinity" not in path or not any(new == successor and term != path[:-3] for term, new in terms):
            message, is_key = f"{key} is deprecated, and nodes may lack it; use {successor}", path[-1] == key
            yield Problem(path, message, is_about_key=is_key, edit=WordEdit(successor))


def _node_label_keys(workload: Workload) -> Iterator[tuple[Path, str]]:
    """The keys of node labels that a pod depends on, wherever they are."""
    spec = workload.spec
    yield from ((workload.at("nodeSelector", key), key) for key in spec.node_selector or {})
    at = workload.at("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")
    for index, term in enumerate(spec.required_node_terms):
        for place, expression in enumerate(term.match_expressions or ()):
            yield (*at, index, "matchExpressions", place, "key"), expression.key
    at = workload.at("affinity", "nodeAffinity", PREFERRED)
    for index, weighted in enumerate(spec.preferred_nodes or ()):
        for place, expression in enumerate(weighted.preference.match_expressions or ()):
            yield (*at, index, "preference", "matchExpressions", place, "key"), expression.key
    yield from topology_keys(workload)


def topology_keys(workload: Workload) -> Iterator[tuple[Path, str]]:
    """Every topology key, and where it stands."""
    for index, constraint in enumerate(workload.spec.topology_spread_constraints or ()):
        yield workload.at("topologySpreadConstraints", index, "topologyKey"), constraint.topology_key
    affinity = workload.spec.affinity or Affinity()
    for name, rules in (("podAffinity", affinity.pod_affinity), ("podAntiAffinity", affinity.pod_anti_affinity)):
        if rules is None:
            continue
        for index, term in enumerate(rules.required or ()):
            yield workload.at("affinity", name, REQUIRED, index, "topologyKey"), term.topology_key
        for index, weighted in enumerate(rules.preferred or ()):
            at = workload.at("affinity", name, PREFERRED, index, "podAffinityTerm", "topologyKey")
            yield at, weighted.pod_affinity_term.topology_key


def _topology_key(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    for path, key in topology_keys(workload):
        if (
            key
            and key not in around.label_values
            and not around.may_come(NodeSelectorRequirement(key=key, operator="Exists"))
        ):
            message = clauses(f"no node has the label {key}", did_you_mean(key, around.label_values))
            yield Problem(path, message, edit=slip_edit(key, around.label_values))


# ------------------------------------------------------------------------------------------------ tolerations


def _misspelt_taint(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """Keys that no taint has, one slip of the pen off one that a taint has."""
    for index, toleration in enumerate(workload.spec.tolerations or ()):
        key = toleration.key or ""
        if meant := _meant_taint(key, workload, around):
            path = workload.at("tolerations", index, "key")
            yield Problem(path, f"no node has a taint {key}; did you mean {meant}?", edit=WordEdit(meant))


def _meant_taint(key: str, workload: Workload, around: Surroundings) -> str:
    """The key of a taint that is meant; empty where the pod tolerates that one, too, or the key is that of a taint."""
    known = {taint.key for taint in around.taints}
    if not key or key in known or key.startswith(_TRANSIENT):
        return ""
    return slip_of(key, known - {each.key for each in workload.spec.tolerations or ()})


def _toleration(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    taints = around.taints
    for index, toleration in enumerate(workload.spec.tolerations or ()):
        key = toleration.key or ""
        # What no API server takes is for others to say first.
        if toleration.operator and toleration.operator not in _OPERATORS:
            continue
        if not key or key.startswith(_TRANSIENT) or any(tolerates(toleration, taint) for taint in taints):
            continue
        if _meant_taint(key, workload, around):
            continue
        alike = sorted({str(taint) for taint in taints if taint.key == key})
        hint = f"there is {some(alike)}" if alike else did_you_mean(key, {taint.key for taint in taints})
        message = clauses(f"no node has a taint that {_toleration_text(toleration)} tolerates", hint)
        yield Problem(workload.at("tolerations", index), message)


def _toleration_text(toleration: Toleration) -> str:
    value = f"={toleration.value}" if toleration.value else ""
    return f"{toleration.key}{value}{f':{toleration.effect}' if toleration.effect else ''}"


def _repeated_toleration(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    seen: dict[Toleration, int] = {}
    for index, toleration in enumerate(workload.spec.tolerations or ()):
        alike = replace(toleration, operator=toleration.operator or "Equal", value=toleration.value or "")
        if alike in seen:
            yield Problem(workload.at("tolerations", index), f"repeats tolerations[{seen[alike]}]")
        else:
            seen[alike] = index


def _tolerates_lost_nodes(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    if (
        workload.runs_everywhere
        or (workload.replicas or 0) < 1
        or workload.obj.kind in ("Job", "CronJob", "Pod", "PodTemplate")
    ):
        return
    for index, toleration in enumerate(workload.spec.tolerations or ()):
        everlasting = toleration.toleration_seconds is None and toleration.effect in (None, "", "NoExecute")
        if everlasting and (key := _lost_node_key(toleration)):
            message = f"tolerates {key} forever, so pods on a lost node are never replaced"
            yield Problem(workload.at("tolerations", index), message)


def _lost_node_key(toleration: Toleration) -> str:
    if not toleration.key:
        return "every NoExecute taint" if toleration.operator == "Exists" else ""
    return toleration.key if toleration.key in (UNREACHABLE, NOT_READY) else ""


# ------------------------------------------------------------------------------------------------------- names


def _node_name(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    name = workload.spec.node_name
    if not name:
        return
    missing = around.has_cluster and name not in {node.name for node in around.nodes}
    fate = "which does not exist" if missing else "whether it has room or not"
    yield Problem(workload.at("nodeName"), f"no scheduler is asked: the pod goes to {name}, {fate}")


RULES = (
    Rule("node-selector-no-node", _node_selector), Rule("node-affinity-no-node", _node_affinity),
    Rule("misspelt-node-label", _misspelt_labels), Rule("retired-node-label", _retired_labels),
    Rule("topology-key-no-node", _topology_key), Rule("misspelt-taint", _misspelt_taint),
    Rule("toleration-no-taint", _toleration), Rule("toleration-repeated", _repeated_toleration),
    Rule("toleration-of-lost-nodes", _tolerates_lost_nodes), Rule("node-name-set", _node_name),
)  # fmt: skip
