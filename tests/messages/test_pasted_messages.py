"""Messages found in what people paste."""

from __future__ import annotations

import time
from time import process_time

import pytest

from kexplain.messages.message import parse_message
from kexplain.messages.pasted_messages import _pieces, pasted
from kexplain.messages.rows import Pasted

MESSAGE = (
    "0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient cpu. preemption: not eligible."
)
ROW = Pasted(MESSAGE, "FailedScheduling", "pod", "web-0")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(MESSAGE, [Pasted(MESSAGE)], id="message"),
        pytest.param(f"\n{MESSAGE}\n\n  {MESSAGE}\n", [Pasted(MESSAGE)] * 2, id="messages"),
        pytest.param(
            "Insufficient cpu there: 0/3 nodes available: 3 insufficient cpu\npreemption: not eligible.",
            [Pasted("0/3 nodes available: 3 insufficient cpu preemption: not eligible.")],
            id="typed",
        ),
        pytest.param(
            f"# Warning  FailedScheduling  2s  default-scheduler  {MESSAGE.replace('2 Insuff', '# 2 Insuff')}",
            [Pasted(MESSAGE, "FailedScheduling", reporter="default-scheduler")],
            id="comment-of-code",
        ),
        pytest.param(
            f"{MESSAGE} |\ntoo little\n| 0/2 nodes are available: 2 Too many pods. |\nfull",
            [Pasted(MESSAGE), Pasted("0/2 nodes are available: 2 Too many pods.")],
            id="table-of-a-page",
        ),
        pytest.param(
            "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untole\nContainer image is there",
            [Pasted("0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untole")],
            id="cut-before-another-line",
        ),
        pytest.param(f"Try again ({MESSAGE})", [Pasted(MESSAGE)], id="in-parentheses"),
        pytest.param(
            "I get 2 node(s) had volume node affinity conflict on staging.",
            [Pasted("node(s) had volume node affinity conflict")],
            id="reason-in-a-sentence",
        ),
        pytest.param(
            'ERROR\tprovisioner\tCould not schedule pod, no nodepools found\t{"commit": "c", "pod": "shop/web-0"}',
            [Pasted("Could not schedule pod, no nodepools found", "", "pod", "web-0", "shop")],
            id="fields-behind-the-message",
        ),
        pytest.param(
            'Could not schedule pod, no nodepools found {"commit": "c", "pod": "shop/web-0"}',
            [Pasted("Could not schedule pod, no nodepools found", "", "pod", "web-0", "shop")],
            id="fields-one-space-behind",
        ),
        pytest.param(
            "`No expansion options\n`\nThe autoscaler knows better",
            [Pasted("No expansion options")],
            id="mark-of-code-on-the-next-line",
        ),
        pytest.param(
            "Could not schedule pod, unsatisfiable topology constraint for pod affinity, key=zone",
            [Pasted("Could not schedule pod, unsatisfiable topology constraint for pod affinity, key=zone")],
            id="no-name-behind-pod",
        ),
        pytest.param(
            f"Warning  FailedScheduling  2m (x5 over 22m)  default-scheduler  {MESSAGE}",
            [Pasted(MESSAGE, "FailedScheduling", reporter="default-scheduler")],
            id="row-of-describe",
        ),
        pytest.param(
            f"Warning FailedScheduling 2m default-scheduler {MESSAGE}",
            [Pasted(MESSAGE, "FailedScheduling", reporter="default-scheduler")],
            id="one-space-between",
        ),
        pytest.param(
            f"  Warning  FailedScheduling  2m    {MESSAGE}", [Pasted(MESSAGE, "FailedScheduling")], id="no-reporter"
        ),
        pytest.param(
            "Normal  NotTriggerScaleUp  1m  cluster-autoscaler  pod didn't trigger scale-up: 1 max node group size",
            [
                Pasted(
                    "pod didn't trigger scale-up: 1 max node group size",
                    "NotTriggerScaleUp",
                    reporter="cluster-autoscaler",
                )
            ],
            id="autoscaler",
        ),
        pytest.param(
            "Name:         web-0\nNamespace:    shop\nConditions:\n  Type  Status\nEvents:\n"
            "  Type     Reason            Age   From               Message\n"
            "  ----     ------            ----  ----               -------\n"
            f"  Warning  FailedScheduling  11s   default-scheduler  {MESSAGE}\n",
            [Pasted(MESSAGE, "FailedScheduling", "", "web-0", "shop", "default-scheduler")],
            id="describe",
        ),
        pytest.param("Name:  web-0\nEvents:  <none>\n", [], id="describe-without-events"),
        pytest.param(
            "LAST SEEN   TYPE      REASON             OBJECT      MESSAGE\n"
            f"5m12s       Warning   FailedScheduling   pod/web-0   {MESSAGE}\n",
            [ROW],
            id="get-events",
        ),
        pytest.param(
            "NAMESPACE   LAST SEEN   TYPE      REASON             OBJECT      MESSAGE\n"
            f"shop        <unknown>   Warning   FailedScheduling   pod/web-0   {MESSAGE}\n",
            [ROW._replace(namespace="shop")],
            id="get-events-of-all-namespaces",
        ),
        pytest.param(
            "LAST SEEN   TYPE   REASON   OBJECT   SUBOBJECT   SOURCE   MESSAGE   FIRST SEEN   COUNT   NAME\n"
            f"5m12s   Warning   FailedScheduling   pod/web-0     default-scheduler  {MESSAGE}  5m12s  1   web-0.1\n",
            [ROW],
            id="get-events-wide",
        ),
        pytest.param(
            f"5m (x3 over 7m)   Warning   FailedScheduling   Pod/web-0   {MESSAGE}", [ROW], id="kubectl-events"
        ),
        pytest.param(
            f"Warning  FailedScheduling  3s  default-scheduler  {MESSAGE}\nNormal   Scheduled   2m  a.io/some-sched",
            [Pasted(MESSAGE, "FailedScheduling", reporter="default-scheduler")],
            id="row-cut-behind-its-reporter",
        ),
        pytest.param(
            "Warning  FailedScheduling  3s  default-scheduler  0/5 no",
            [Pasted("0/5 no", "FailedScheduling", reporter="default-scheduler")],
            id="cut-within-its-first-words",
        ),
        pytest.param(
            "0/3 nodes available \u2014 3 node(s) had volume node affinity conflict\u2026 The disk is elsewhere.",
            [Pasted("0/3 nodes available \u2014 3 node(s) had volume node affinity conflict")],
            id="left-out-before-prose",
        ),
        pytest.param(
            "// says\n//\n//\t0/3 nodes are available: 3 node(s) had taint that the pod didn't tolerate\n//\n// of it",
            [Pasted("0/3 nodes are available: 3 node(s) had taint that the pod didn't tolerate")],
            id="paragraph-of-a-comment",
        ),
        pytest.param(
            'said := `Failed to schedule pod, incompatible with nodepool, daemonset overhead={"pods":"2"}, no instance '
            'type satisfied resources NodePool="a"`\ngot := parsed(said)',
            [
                Pasted(
                    'Failed to schedule pod, incompatible with nodepool, daemonset overhead={"pods":"2"}, no instance '
                    'type satisfied resources NodePool="a"'
                )
            ],
            id="closed-by-its-mark",
        ),
        pytest.param(
            '"message": "Could not schedule pod, incompatible with nodepool \\"a\\",\n     daemonset '
            'overhead={\\"pods\\":\\"5\\"},\n     did not tolerate b=c:NoSchedule",\n"commit": "1f"',
            [
                Pasted(
                    'Could not schedule pod, incompatible with nodepool "a", daemonset overhead={"pods":"5"}, did not '
                    "tolerate b=c:NoSchedule"
                )
            ],
            id="string-of-json-over-lines",
        ),
        pytest.param(f"> {MESSAGE}", [Pasted(MESSAGE)], id="quoted-as-in-a-mail"),
        pytest.param(f'it says "{MESSAGE}", and then?', [Pasted(MESSAGE)], id="quotation-marks"),
        pytest.param(f"we get `{MESSAGE}` since today", [Pasted(MESSAGE)], id="code-in-prose"),
        pytest.param(
            f"{MESSAGE} What can I do?".replace(" preemption: not eligible.", ""),
            [Pasted(MESSAGE.replace(" preemption: not eligible.", ""))],
            id="prose-behind",
        ),
        pytest.param(
            f'I0102 03:04:05.6       1 schedule_one.go:9] "Unable to schedule pod; no fit; waiting" pod="shop/web-0" '
            f'err="{MESSAGE}"',
            [Pasted(MESSAGE, "", "pod", "web-0", "shop")],
            id="klog",
        ),
        pytest.param(
            'E0102 03:04:05.6       1 x.go:9] "Error scheduling pod; retrying" err="running \\"VolumeBinding\\" filter '
            'plugin: could not find v1.PersistentVolume \\"pv-1\\"" pod="shop/web-0"',
            [
                Pasted(
                    'running "VolumeBinding" filter plugin: could not find v1.PersistentVolume "pv-1"',
                    "",
                    "pod",
                    "web-0",
                    "shop",
                )
            ],
            id="klog-with-escapes",
        ),
        pytest.param(
            'I0102 03:04:05.6       1 event.go:2] Event(v1.ObjectReference{Kind:"Pod", Namespace:"shop", '
            "Name:\"web-0\"}): type: 'Normal' reason: 'NotTriggerScaleUp' pod didn't trigger scale-up: 1 not ready "
            "for scale-up",
            [
                Pasted(
                    "pod didn't trigger scale-up: 1 not ready for scale-up", "NotTriggerScaleUp", "pod", "web-0", "shop"
                )
            ],
            id="klog-of-an-event",
        ),
        pytest.param(
            '{"level":"ERROR","message":"could not schedule pod","Pod":{"name":"web-0"},"error":"incompatible with '
            'nodepool \\"a\\", did not tolerate b=c:NoSchedule"}',
            [Pasted('incompatible with nodepool "a", did not tolerate b=c:NoSchedule', "", "pod", "web-0")],
            id="log-in-json",
        ),
        pytest.param(
            '{"level":"ERROR","message":"failed launching nodeclaim","NodeClaim":{"name":"c-1"},"error":"insufficient '
            'capacity, zone a"}',
            [Pasted("failed launching nodeclaim: insufficient capacity, zone a")],
            id="log-in-json-with-an-error",
        ),
        pytest.param(
            'ten minutes ago Scale-up failed for group a: Code="Refused" Message="Quota {\\"id\\":7}."',
            [Pasted('Scale-up failed for group a: Code="Refused" Message="Quota {\\"id\\":7}."')],
            id="strings-of-its-own-with-strings-in-them",
        ),
        pytest.param(
            "karpenter-0 manager 2021-01-02T03:04:05.678Z Failed to evict pod a/b due to PDB violation\n"
            "karpenter-0 manager 2021-01-02T03:04:06.678Z Failed to evict pod a/c due to PDB violation",
            [
                Pasted("Failed to evict pod a/b due to PDB violation"),
                Pasted("Failed to evict pod a/c due to PDB violation"),
            ],
            id="log-behind-the-name-of-its-pod",
        ),
        pytest.param(
            '{"noScaleDown": {"reason": {"messageId": "no.scale.down.in.backoff"}}}',
            [Pasted("no.scale.down.in.backoff")],
            id="decision-to-keep-nodes",
        ),
        pytest.param(
            "Kueue says `'couldn''t assign flavors to pod set main: flavor a not found'`.",
            [Pasted("couldn't assign flavors to pod set main: flavor a not found")],
            id="yaml-in-backticks",
        ),
        pytest.param(
            "    message: '0/3 nodes are available: 1 node(s) didn''t match Pod''s node affinity/selector, 2\n"
            "      Insufficient cpu. preemption: 0/3 nodes are\n"
            "      available: 3 Preemption is not helpful for scheduling.'\n"
            "    reason: Unschedulable\n"
            '    status: "False"\n',
            [
                Pasted(
                    "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 Insufficient cpu. "
                    "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
                )
            ],
            id="lines-of-yaml",
        ),
        pytest.param(
            "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untoler\nated taint {a: b}.\n\nWhat now?\n",
            [Pasted("0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {a: b}.")],
            id="cut-within-a-word",
        ),
        pytest.param(
            "0/3 nodes are\navailable: 3 Insufficient cpu.",
            [Pasted("0/3 nodes are available: 3 Insufficient cpu.")],
            id="wrapped-within-the-first-words",
        ),
        pytest.param(
            "0/2 nodes are available: 2 Insufficient cpu.\nWe have two nodes of 4 CPUs each\n",
            [Pasted("0/2 nodes are available: 2 Insufficient cpu.")],
            id="prose-below",
        ),
        pytest.param(
            "$ kubectl describe pod a\nName:   a\nNamespace:   x\nEvents:\n"
            f"  Warning  FailedScheduling  1s  default-scheduler  {MESSAGE}\n"
            "$ kubectl describe pod b\nName:   b\nNamespace:   y\nEvents:\n"
            f"  Warning  FailedScheduling  1s  default-scheduler  {MESSAGE}\n"
            "me@host:~$ kubectl get nodes\n",
            [
                Pasted(MESSAGE, "FailedScheduling", "", "a", "x", "default-scheduler"),
                Pasted(MESSAGE, "FailedScheduling", "", "b", "y", "default-scheduler"),
            ],
            id="several-pods",
        ),
        pytest.param(
            f"Warning  FailedScheduling  1s  karpenter  (combined from similar events): {MESSAGE}",
            [Pasted(MESSAGE, "FailedScheduling", reporter="karpenter")],
            id="combined",
        ),
        pytest.param(
            "NotTriggerScaleUp: pod didn't trigger scale-up: 1 not ready for scale-up",
            [Pasted("pod didn't trigger scale-up: 1 not ready for scale-up", "NotTriggerScaleUp")],
            id="reason-before",
        ),
        pytest.param("all is well\nso far", [], id="no-message-at-all"),
        pytest.param("the child did not tolerate the noise of its\nbrother", [], id="words-that-only-begin-alike"),
        pytest.param(
            "(No nodes are available that\nmatch all of the following predicates:: PodFitsHostPorts (1).)",
            [Pasted("No nodes are available that match all of the following predicates:: PodFitsHostPorts (1).")],
            id="in-parentheses",
        ),
        pytest.param(
            "s) had untole, 2 Insufficient cpu, 1 Too many pods. preemption: 0/3 nodes are available: 3 Preemption is "
            "not helpful for scheduling.', 27, 'default-scheduler')]",
            [
                Pasted(
                    "0/3 nodes are available: 2 Insufficient cpu, 1 Too many pods. preemption: 0/3 nodes are "
                    "available: 3 Preemption is not helpful for scheduling."
                )
            ],
            id="without-its-beginning",
        ),
        pytest.param(
            "- insufficient memory\n- `insufficient example.com/npu`, or\n- node(s) were unschedulable",
            [
                Pasted("insufficient memory"),
                Pasted("insufficient example.com/npu"),
                Pasted("node(s) were unschedulable"),
            ],
            id="a-list-of-reasons",
        ),
        pytest.param(
            "  2m  2m  4  {default-scheduler }  Warning  FailedScheduling  pod (web-0) failed to fit in any node\n"
            "fit failure on node (a): Node didn't have enough resource: CPU, requested: 9, used: 2, capacity: 4",
            [
                Pasted(
                    "pod (web-0) failed to fit in any node fit failure on node (a): Node didn't have enough resource: "
                    "CPU, requested: 9, used: 2, capacity: 4",
                    "FailedScheduling",
                )
            ],
            id="node-by-node",
        ),
        pytest.param(
            "text = 'node(s) didn\\'t match Pod\\'s node affinity/selector: 0/1 nodes are available: 1 node(s) "
            "didn\\'t match Pod\\'s node affinity/selector.'",
            [Pasted("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.")],
            id="escaped-apostrophes",
        ),
        pytest.param(
            "says = ('0/2 nodes are available: 1 Insufficient cpu, '\n        '1 Insufficient memory.')",
            [Pasted("0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.")],
            id="strings-of-a-program",
        ),
        pytest.param(
            '{"message": "The node was low on resource: memory.", "count": 1},\n{"message": "no nodes available to '
            'schedule pods", "count": 2}',
            [Pasted("The node was low on resource: memory."), Pasted("no nodes available to schedule pods")],
            id="a-closed-string-is-complete",
        ),
        pytest.param(
            f"it says `untolerated taint {{a: b}}`, and then\n{MESSAGE}\nwithout `cannot allocate all claims`",
            [Pasted("node(s) had untolerated taint {a: b}"), Pasted(MESSAGE), Pasted("cannot allocate all claims")],
            id="quoted-beside-a-message",
        ),
        pytest.param(
            'the log has "0/2 nodes are available:\n2 Too many pods." and goes on',
            [Pasted("0/2 nodes are available: 2 Too many pods.")],
            id="a-quotation-of-two-lines",
        ),
        pytest.param(
            f"`{MESSAGE}` or `Failed to schedule pod, no nodepools found`",
            [Pasted(MESSAGE), Pasted("Failed to schedule pod, no nodepools found")],
            id="two-in-a-line",
        ),
        pytest.param(
            'E0102 03:04:05.6 7 m:8] "Failed to prepare dynamic resources" err="no \\"npu\\" there" pod="shop/web-0"',
            [Pasted('Failed to prepare dynamic resources: no "npu" there', "", "pod", "web-0", "shop")],
            id="klog-and-its-error",
        ),
        pytest.param(
            'the event says "didn\'t satisfy existing pods anti-affinity rules", and had untolerated taint {a: b}.',
            [
                Pasted("node(s) didn't satisfy existing pods anti-affinity rules"),
                Pasted("node(s) had untolerated taint {a: b}"),
            ],
            id="without-its-subject",
        ),
        pytest.param(
            f"- alerts (shop): 'Pod/web-7f FailedScheduling (x9): {MESSAGE.rstrip('.')}'",
            [Pasted(MESSAGE.rstrip("."), "FailedScheduling", "pod", "web-7f")],
            id="within-a-quotation",
        ),
        pytest.param(
            'Error from server (Forbidden): error when creating "web.yaml":\npods "web" is forbidden: exceeded quota: '
            "team,\nrequested: pods=1, used: pods=9, limited: pods=9",
            [
                Pasted(
                    'Error from server (Forbidden): error when creating "web.yaml": pods "web" is forbidden: exceeded '
                    "quota: team, requested: pods=1, used: pods=9, limited: pods=9"
                )
            ],
            id="refused-in-three-lines",
        ),
        pytest.param(
            '{"noScaleUp": {"unhandledPodGroups": [{"napFailureReasons": [{"messageId": "no.scale.up.nap.disabled"}],\n'
            '"rejectedMigs": [{"reason": {"parameters": ["NodeAffinity", "x y"],\n"messageId": '
            '"no.scale.up.mig.failing.predicate"}}]}]}}',
            [Pasted("no.scale.up.nap.disabled"), Pasted("no.scale.up.mig.failing.predicate: NodeAffinity, x y")],
            id="decisions-of-gke",
        ),
        pytest.param(
            "message: '0/2 nodes are available: 2 node(s) didn''t match Pod''s node\\n      affinity/selector.'\\n    "
            "reason: Unschedulable",
            [Pasted("0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.")],
            id="yaml-in-a-string",
        ),
        pytest.param(
            "the log said Unschedulable pod ignored in scale-up loop, because it's\nconsuming ProvisioningRequest a/b "
            "that is in Accepted state.",
            [
                Pasted(
                    "Unschedulable pod ignored in scale-up loop, because it's consuming ProvisioningRequest a/b that "
                    "is in Accepted state."
                )
            ],
            id="by-its-first-words-only",
        ),
        pytest.param(
            'incompatible with nodepool "a", daemonset overhead={"pods":"12"}, did not tolerate b=c:NoSchedule',
            [
                Pasted(
                    'incompatible with nodepool "a", daemonset overhead={"pods":"12"}, did not tolerate b=c:NoSchedule'
                )
            ],
            id="numbers-are-no-pods",
        ),
        pytest.param(
            "I0102 03:04:05.6       1 e.go:4] pod triggered scale-up: [{a 1->2 (max: 3)}]\n"
            "I0102 03:04:05.7       1 request.go:9] Waited for 1s",
            [Pasted("pod triggered scale-up: [{a 1->2 (max: 3)}]")],
            id="next-line-of-a-log",
        ),
        pytest.param(
            '[["Reason", "0/1 nodes are available:\n  1 Too many pods. preemption: 0/1 nodes are available: 1 No\n'
            '  preemption victims found for incoming pod."]], "format": "vertical"}',
            [
                Pasted(
                    "0/1 nodes are available: 1 Too many pods. preemption: 0/1 nodes are available: 1 No preemption "
                    "victims found for incoming pod."
                )
            ],
            id="rows-of-a-table-in-json",
        ),
        pytest.param(
            'Could not schedule pod, no nodepools found\t{"pod": "shop/web-0"}\n'
            "example.com/a/b/scheduling.(*Scheduler).Solve\n\texample.com/a/b@v1.2.3/scheduling/scheduler.go:45",
            [Pasted("Could not schedule pod, no nodepools found", "", "pod", "web-0", "shop")],
            id="stack-trace",
        ),
        pytest.param('[   12.34] unit[5]: [a]: the "b" not found', [], id="names-of-logs-are-no-reasons"),
        pytest.param(
            "Warning FailedScheduling 9s default-scheduler 0/1 nodes are available: 1 Too many pods.Now list them:\n"
            "$ kubectl get pods",
            [Pasted("0/1 nodes are available: 1 Too many pods.", "FailedScheduling", reporter="default-scheduler")],
            id="prose-without-a-space",
        ),
        pytest.param(
            "it says pod has unbound PersistentVolumeClaims (repeated 3 times) for both of them",
            [Pasted("pod has unbound PersistentVolumeClaims (repeated 3 times)")],
            id="prose-behind-parentheses",
        ),
        pytest.param(
            "I0102 03:04:05.6 1 u.go:7] Pod db-0 will be scheduled after low priority pods are preempted on n-1. "
            "Ignoring in scale up.",
            [Pasted("Pod db-0 will be scheduled after low priority pods are preempted on n-1. Ignoring in scale up.")],
            id="ignored-in-scale-up",
        ),
        pytest.param(
            "E0102 03:04:05.6 1 u.go:7] Failed to scale up: no node group",
            [Pasted("Failed to scale up: no node group")],
            id="a-failure-in-a-log",
        ),
        pytest.param(
            "Cannot schedule pods: Too many pods.\nPodUnschedulable\nCannot schedule pods: Insufficient cpu.",
            [Pasted("Cannot schedule pods: Too many pods."), Pasted("Cannot schedule pods: Insufficient cpu.")],
            id="a-list-of-the-console",
        ),
        pytest.param(
            "+#   message: '2/2 tasks in gang unschedulable: pod group is not ready,\n+#     2 minAvailable'",
            [Pasted("2/2 tasks in gang unschedulable: pod group is not ready, 2 minAvailable")],
            id="comments-in-a-diff",
        ),
        pytest.param(
            "Why 0/2 nodes are available: 2 Too many pods. preemption: 0/2 nodes are available: 2 Preemption is not "
            "helpful for scheduling ?",
            [
                Pasted(
                    "0/2 nodes are available: 2 Too many pods. preemption: 0/2 nodes are available: 2 Preemption is "
                    "not helpful for scheduling"
                )
            ],
            id="a-question",
        ),
        pytest.param(
            "Node scale up in zones z-a associated with this pod failed: IP space exhausted. Pod is at risk of not "
            "being scheduled. Who can help?",
            [Pasted("Node scale up in zones z-a associated with this pod failed: IP space exhausted.")],
            id="prose-behind-a-failed-scale-up",
        ),
        pytest.param(
            "I0102 03:04:05.6 1 s.go:7] Unable to schedule a/b: no fit: 0/2 nodes are available: 2 Too many pods.; "
            "retrying",
            [Pasted("0/2 nodes are available: 2 Too many pods")],
            id="what-the-log-does-next",
        ),
        pytest.param(
            "  message: '0/2 nodes are available: 2 node(s) didn''t match Pod''s node\n    affinity/selector.'",
            [Pasted("0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.")],
            id="apostrophes-of-yaml",
        ),
        pytest.param(
            "I0102 03:04:05.6 1 s.go:7] Skipping n-1 - node group min size reached (current: 1, min: 1)",
            [Pasted("Skipping n-1 - node group min size reached (current: 1, min: 1)")],
            id="a-group-at-its-minimum",
        ),
        pytest.param(
            "INFO: db-0 Pending [{PodScheduled False Unschedulable 0/4 nodes are available: 4 Too many pods.}]",
            [Pasted("0/4 nodes are available: 4 Too many pods.")],
            id="brackets-that-close-behind-it",
        ),
        pytest.param(
            'Waiting for deployment "a" rollout to finish: 0 of 1 updated replicas are available...\n'
            'error: deployment "a" exceeded its progress deadline',
            [
                Pasted('Waiting for deployment "a" rollout to finish: 0 of 1 updated replicas are available...'),
                Pasted('deployment "a" exceeded its progress deadline'),
            ],
            id="what-kubectl-says-of-a-rollout",
        ),
        pytest.param(
            "Error: INSTALLATION FAILED: context deadline exceeded",
            [Pasted("INSTALLATION FAILED: context deadline exceeded")],
            id="a-release-that-did-not-come-up",
        ),
        pytest.param(
            "*0/5 nodes are available: 5 node(s) didn't match node selector.*\nRepo steps:",
            [Pasted("0/5 nodes are available: 5 node(s) didn't match node selector.")],
            id="a-line-in-italics",
        ),
        pytest.param(
            "**Warning  Unschedulable  kai-scheduler  No nodes with enough resources were found: 2 node(s) didn't have "
            "enough resources: GPUs.**",
            [Pasted("No nodes with enough resources were found: 2 node(s) didn't have enough resources: GPUs.")],
            id="a-line-in-bold",
        ),
        pytest.param(
            'I0102 03:04:05.6 1 e.go:7] "Event occurred" object="a/b" kind="Pod" reason="FilteringFailed" '
            'message="no available node, all node scores do not meet"',
            [Pasted("no available node, all node scores do not meet")],
            id="an-event-that-an-extender-logs",
        ),
        pytest.param(
            "Events:\n  Warning  FailedScheduling  pod has unbound immediate PersistentVolumeClaims\n",
            [Pasted("pod has unbound immediate PersistentVolumeClaims", "FailedScheduling")],
            id="a-row-without-its-age",
        ),
        pytest.param(
            "W0102 03:04:05.6 1 state.go:7] Failed adding 3 nodes (3 unseen previously) to group blue due to Full.now; "
            'errorMessages=[]string{"AWS cannot provision any more instances for this node group"}',
            [
                Pasted(
                    "Failed adding 3 nodes (3 unseen previously) to group blue due to Full.now; "
                    'errorMessages=[]string{"AWS cannot provision any more instances for this node group"}'
                )
            ],
            id="a-log-whose-text-has-a-string",
        ),
        pytest.param(
            '{"message":"could not schedule pod","Pod":{"name":"web-0","namespace":"shop"},"error":"all available '
            'instance types exceed limits for nodepool: \\"a\\"; no nodepools found","errorCauses":[{"error":"all '
            'available instance types exceed limits for nodepool: \\"a\\""},{"error":"no nodepools found"}]}',
            [
                Pasted(
                    'all available instance types exceed limits for nodepool: "a"; no nodepools found',
                    kind="pod",
                    name="web-0",
                    namespace="shop",
                )
            ],
            id="errors-told-twice",
        ),
        pytest.param(
            '"}, {"error":"no nodepools found"},{"error":"all available instance types exceed limits for nodepool: '
            '\\"a\\""}]}',
            [Pasted("no nodepools found"), Pasted('all available instance types exceed limits for nodepool: "a"')],
            id="errors-one-by-one",
        ),
        pytest.param(
            "What may be wrong:\n\n    insufficient cpu  \n    had untolerated taint  \n",
            [Pasted("insufficient cpu"), Pasted("node(s) had untolerated taint")],
            id="reasons-line-by-line",
        ),
        pytest.param(
            "look for `found provisionable pod(s)` -> `created nodeclaim` (with its types) -> `launched nodeclaim`",
            [Pasted("found provisionable pod(s)"), Pasted("created nodeclaim"), Pasted("launched nodeclaim")],
            id="one-behind-the-other-in-quotation-marks",
        ),
        pytest.param(
            "## 4. Pods stuck with `volume node affinity conflict`\nMove them.",
            [Pasted("node(s) had volume node affinity conflict")],
            id="a-part-of-a-reason-in-a-heading",
        ),
        pytest.param(
            "| Pending: volume node affinity conflict | the volume is elsewhere |",
            [Pasted("node(s) had volume node affinity conflict")],
            id="a-part-of-a-reason-in-a-table",
        ),
        pytest.param(
            'FailedScheduling  karpenter  Failed to schedule pod, incompatible with nodepool "a",\n'
            '  daemonset overhead={"cpu":"1m","pods":"2"}, incompatible requirements,\n'
            '  label "b/c" does not have known values;\n'
            '  all available instance types exceed limits for nodepool "d";\n  no nodepools found',
            [
                Pasted(
                    'Failed to schedule pod, incompatible with nodepool "a", daemonset overhead={"cpu":"1m","pods":"2"}'
                    ', incompatible requirements, label "b/c" does not have known values; all available instance '
                    'types exceed limits for nodepool "d"; no nodepools found',
                    "FailedScheduling",
                )
            ],
            id="broken-behind-commas",
        ),
        pytest.param(
            "either `node(s) had untolerated taint`, or `node(s) didn't satisfy existing pods anti-affinity rules`",
            [
                Pasted("node(s) had untolerated taint"),
                Pasted("node(s) didn't satisfy existing pods anti-affinity rules"),
            ],
            id="words-of-a-reason-are-no-pod",
        ),
        pytest.param(
            'After: "insufficient quota for resource-type in flavor blue in ClusterQueue"',
            [Pasted("insufficient quota for resource-type in flavor blue in ClusterQueue")],
            id="a-resource-called-after-what-it-is",
        ),
    ],
)
def test_messages_are_found(text: str, found: list[Pasted]) -> None:
    assert list(pasted(text).messages) == found


def test_lines_without_a_message_are_kept_aside() -> None:
    assert pasted("all is well\nso far") == ([], ["all is well", "so far"])


def test_many_unknown_reasons_are_read_in_a_moment() -> None:
    reasons = ", ".join(f"{number} node(s) were odd in way{number}" for number in range(600))
    before = time.process_time()
    (found,) = pasted(f"pod didn't trigger scale-up: {reasons}").messages
    assert len(parse_message(found.message).parts) == 600
    assert time.process_time() - before < 4


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x" * 20_000, id="a-word"),
        pytest.param("(" * 20_000, id="brackets"),
        pytest.param("0/3 nodes are available:" + " " * 64_000 + "1 Insufficient cpu.", id="blanks-within"),
        pytest.param(" " * 32_000 + "x" + " " * 32_000 + "y", id="blanks"),
        pytest.param("\n" * 64_000 + "0/3 nodes are available: 3 Insufficient cpu.", id="lines"),
        pytest.param("{" * 9_000 + '"' * 9_000 + "}" * 9_000, id="strings"),
    ],
)
def test_texts_that_nobody_writes_are_read_in_a_moment(text: str) -> None:
    before = process_time()
    pasted(text)
    assert process_time() - before < 5


@pytest.mark.parametrize("gap", [" ", "\t"])
@pytest.mark.parametrize("size", [32_767, 32_768, 32_769, 100_000])
def test_a_line_that_is_longer_than_any_message_is_read_in_pieces(size: int, gap: str) -> None:
    line = f"some{gap}" * (size // 5) + "words"[: size % 5]
    pieces = [*_pieces(line)]
    assert "".join(pieces) == line
    assert max(map(len, pieces)) <= 32_768
    assert len(pieces) <= -(-size // 32_764)
    assert (len(pieces) == 1) is (size <= 32_768)
    assert all(each.startswith(gap) for each in pieces[1:] if gap == " ")


def test_a_message_behind_a_long_line_is_found_in_a_moment() -> None:
    """Which took minutes, as each of its words was taken for the beginning of a message."""
    labels = ", ".join(f'"k-{number}": [{{"key": "pool", "values": ["general"]}}]' for number in range(2_000))
    began = process_time()
    found = pasted(f"{labels}\n0/3 nodes are available: 3 Insufficient cpu.")
    assert [each.message for each in found.messages] == ["0/3 nodes are available: 3 Insufficient cpu."]
    assert process_time() - began < 4
