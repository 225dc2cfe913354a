"""The forms in which people paste a message: what clients, logs, chats, trackers and terminals make of it."""

from __future__ import annotations

import html
import json
import textwrap
from collections.abc import Callable, Mapping

Form = Callable[[str], str]

POD, NAMESPACE = "web-0", "shop"
_KLOG = "0102 03:04:05.678901       1"
_DESCRIBE = (
    "  Type     Reason            Age                 From               Message\n"
    "  ----     ------            ----                ----               -------\n"
    "  Warning  FailedScheduling  2m4s (x5 over 22m)  default-scheduler  "
)


def _around(before: str, behind: str = "") -> Form:
    return lambda message: f"{before}{message}{behind}"


def _lines(before: str, width: int, indent: str = "") -> Form:
    """Broken at spaces, each line with the same before it."""

    def form(message: str) -> str:
        lines = textwrap.wrap(message, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
        return "\n".join(before + line for line in lines)

    return form


def _cut_lines(before: str, width: int) -> Form:
    """Broken wherever the width ends, as terminals do."""

    def form(message: str) -> str:
        whole = before + message
        return "\n".join(whole[at : at + width] for at in range(0, len(whole), width))

    return form


def _go(message: str) -> str:
    return '"' + message.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _yaml(message: str) -> str:
    return "'" + message.replace("'", "''") + "'"


def _with(template: str, quote: Callable[[str], str]) -> Form:
    """The template with the message, quoted so, for MESSAGE."""
    return lambda message: template.replace("MESSAGE", quote(message))


def _json(value: object, **options: int) -> Form:
    """JSON with the message wherever the value has MESSAGE."""

    def form(message: str) -> str:
        return json.dumps(_filled(value, message), **options)  # type: ignore[arg-type]

    return form


def _filled(value: object, message: str) -> object:
    if isinstance(value, dict):
        return {key: _filled(inner, message) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, message) for inner in value]
    return value.replace("MESSAGE", message) if isinstance(value, str) else value


def _framed(message: str) -> str:
    lines = textwrap.wrap(message, 70, break_on_hyphens=False, break_long_words=False)
    return "\n".join(["╭" + "─" * 72 + "╮", *(f"│ {line:70} │" for line in lines), "╰" + "─" * 72 + "╯"])


def _folded(message: str) -> str:
    """As kubectl prints YAML: quoted where it must be, broken at 80 columns."""
    quoted = _yaml(message) if ": " in message or message[:1] in "'\"{[" else message
    return "\n      ".join(textwrap.wrap(f"message: {quoted}", 72, break_on_hyphens=False, break_long_words=False))


_EVENT = {
    "apiVersion": "v1",
    "kind": "Event",
    "metadata": {"name": "web-0.17f2", "namespace": NAMESPACE},
    "involvedObject": {"kind": "Pod", "name": POD, "namespace": NAMESPACE},
    "reason": "FailedScheduling",
    "message": "MESSAGE",
    "source": {"component": "default-scheduler"},
    "type": "Warning",
}
_LOGGED = f'E{_KLOG} schedule_one.go:1016] "Error scheduling pod; retrying" err=MESSAGE pod="{NAMESPACE}/{POD}"'

CHATS: Mapping[str, Form] = {
    "bare": _around(""),
    "spaces-around": _around("\n\n   ", "   \n\n"),
    "windows-line-end": _around("", "\r\n"),
    "quoted": _around("> "),
    "quoted-twice": _around("> > "),
    "quoted-tight": _around(">"),
    "slack-quote": _around("&gt; "),
    "discord-quote": _around(">>> "),
    "spoiler": _around("||", "||"),
    "fence": _around("```\n", "\n```"),
    "fence-in-line": _around("```", "```"),
    "fence-with-language": _around("```console\n", "\n```"),
    "fence-of-tildes": _around("~~~\n", "\n~~~"),
    "indented": _around("    "),
    "tab": _around("\t"),
    "backticks": _around("`", "`"),
    "backticks-in-prose": _around("We see `", "` on every pod."),
    "two-backticks": _around("``", "``"),
    "quotation": _around('It says "', '" and nothing else.'),
    "curly-quotation": _around("It says \u201c", "\u201d all day"),
    "low-quotation": _around("Es hei\u00dft \u201e", "\u201c, mehr nicht"),
    "guillemets": _around("\u00ab", "\u00bb"),
    "single-quotation": _around("error '", "'"),
    "parentheses": _around("(", ")"),
    "brackets": _around("[", "]"),
    "bold": _around("**", "**"),
    "italics": _around("*", "*"),
    "underlined": _around("_", "_"),
    "struck": _around("~~", "~~"),
    "bold-label": _around("**Message:** "),
    "item": _around("- "),
    "item-star": _around("* "),
    "item-bullet": _around("• "),
    "item-number": _around("1. "),
    "item-parenthesis": _around("2) "),
    "item-checked": _around("- [ ] "),
    "heading": _around("### "),
    "sign": _around("⚠️ "),
    "emoji": _around(":warning: "),
    "cross": _around("❌ "),
    "arrow": _around("--> "),
    "label": _around("Error: "),
    "label-message": _around("Message: "),
    "label-alone": _around("Error message:\n"),
    "prose-before": _around("Since this morning none of our pods comes up: "),
    "prose-above": _around("Hi all,\n\nour pods are pending since yesterday.\n\n", "\n\nAny ideas?"),
    "prose-right-above": _around("Our pods are pending with\n", "\nand I do not know why"),
    "prose-behind": _around("", "\nWhat can I do about it?"),
    "question-marks": _around("", " ???"),
    "html-code": lambda message: f"<p>We see <code>{html.escape(message)}</code></p>",
    "html-pre": lambda message: f"<pre><code>{html.escape(message)}\n</code></pre>",
    "html-item": lambda message: f"<li>{html.escape(message)}</li>",
    "html-breaks": lambda message: f"pending:<br/>{html.escape(message)}<br>help",
    "html-numbers": lambda message: message.replace("'", "&#39;").replace('"', "&#34;").replace("<", "&lt;"),
    "html-apostrophes": lambda message: message.replace("'", "&#x27;").replace('"', "&quot;"),
    "html-curly": lambda message: message.replace("'", "&rsquo;"),
    "html-table": lambda message: f"<tr><td>web-0</td><td>{html.escape(message)}</td></tr>",
    "slack": _around("bob  [10:32 AM]\n"),
    "slack-app": _around("kubewatch APP  10:32 AM\n*FailedScheduling*: ", "\n1 reply"),
    "chat-time": _around("[10:32] <bob> "),
    "whatsapp": _around("[02/01/26, 10:32:01] Bob: "),
    "jira-code": _around("{code}\n", "\n{code}"),
    "jira-code-of": _around("{code:java}\n", "\n{code}"),
    "jira-code-in-line": _around("{code}", "{code}"),
    "jira-noformat": _around("{noformat}\n", "\n{noformat}"),
    "jira-noformat-in-line": _around("{noformat}", "{noformat}"),
    "jira-quote": _around("{quote}", "{quote}"),
    "jira-monospaced": _around("{{", "}}"),
    "jira-line": _around("bq. "),
    "jira-table": _around("||Reason||Message||\n|FailedScheduling|", "|"),
    "jira-colour": _around("{color:red}", "{color}"),
    "bbcode": _around("[code]", "[/code]"),
    "bbcode-quote": _around("[quote]\n", "\n[/quote]"),
    "rst": _around("It says::\n\n    ", "\n"),
    "rst-literal": _around(".. code-block:: text\n\n   "),
    "asciidoc": _around("----\n", "\n----"),
    "markdown-table": _around("| Type | Reason | Message |\n|---|---|---|\n| Warning | FailedScheduling | ", " |"),
    "curly-apostrophes": lambda message: message.replace("'", "\u2019"),
    "curly-quotation-within": lambda message: message.replace('"', "\u201c", 1).replace('"', "\u201d", 1),
    "no-break-spaces": lambda message: message.replace(" ", "\u00a0"),
    "narrow-spaces": lambda message: message.replace(", ", ",\u202f"),
    "zero-width": lambda message: message.replace(" ", " \u200b", 1),
    "gap": lambda message: message.replace(", ", ",    ", 1),
    "no-full-stop": lambda message: message.removesuffix("."),
    "exclamation": lambda message: message.rstrip(".") + "!",
    "escaped-marks": lambda message: message.replace("_", "\\_").replace("<", "\\<").replace("*", "\\*"),
    "twice": lambda message: f"{message}\n{message}",
    "age-behind": _around("", "   5m ago"),
    "times-behind": _around("", " (x5 over 10m)"),
}

TERMINALS: Mapping[str, Form] = {
    "colour": _around("\x1b[31;1m", "\x1b[0m"),
    "colour-without-escape": _around("[31m", "[0m"),
    "colour-as-typed": _around("^[[33m", "^[[0m"),
    "colour-printed": _around("\\x1b[33m", "\\x1b[0m"),
    "hyperlink": _around("\x1b]8;;https://example.com\x1b\\", "\x1b]8;;\x1b\\"),
    "wrapped-40": _lines("", 40),
    "wrapped-60": _lines("", 60),
    "wrapped-80": _lines("", 80),
    "wrapped-100": _lines("", 100),
    "wrapped-120": _lines("", 120),
    "wrapped-indented": _lines("    ", 70),
    "wrapped-hanging": _lines("", 70, "      "),
    "wrapped-quoted": _lines("> ", 72),
    "wrapped-commented": _lines("# ", 72),
    "wrapped-slashes": _lines("// ", 72),
    "wrapped-stars": _lines(" * ", 72),
    "wrapped-diff": _lines("+ ", 72),
    "wrapped-behind-a-bar": _lines("│ ", 72),
    "wrapped-bar-of-ascii": _lines("| ", 72),
    "cut-at-60": _cut_lines("", 60),
    "cut-at-80": _cut_lines("", 80),
    "cut-at-132": _cut_lines("", 132),
    "cut-at-80-behind-columns": _cut_lines("  Warning  FailedScheduling  2m4s  default-scheduler  ", 80),
    "framed": _framed,
    "terraform": lambda message: f"╷\n│ Error: {message}\n│\n│   with helm_release.web\n╵",
    "terraform-wrapped": _lines("│ ", 76),
    "commented": _around("# "),
    "commented-slashes": _around("// "),
    "commented-block": _around("/* ", " */"),
    "diff": _around("+"),
    "pytest": _around("E   AssertionError: "),
    "go-test": _around("    web_test.go:12: "),
    "line-number": _around("  12: "),
    "line-number-bar": _around("12 | "),
    "prompt": _around("$ kubectl describe pod web-0 | tail -1\n", "\n$ "),
    "windows-prompt": _around("PS C:\\work> kubectl get events\n"),
    "columns": _around("Warning  FailedScheduling  2m  default-scheduler  "),
    "columns-of-one-space": _around("Warning FailedScheduling 2m default-scheduler "),
    "columns-of-tabs": _around("Warning\tFailedScheduling\t2m\tdefault-scheduler\t"),
    "describe": _around("Events:\n" + _DESCRIBE),
    "describe-wrapped": lambda message: _DESCRIBE + textwrap.fill(message, 50, break_on_hyphens=False),
    "describe-wrapped-in-column": lambda message: (
        _DESCRIBE + textwrap.fill(message, 120, subsequent_indent=" " * 69, break_on_hyphens=False)
    ),
    "describe-escaped": lambda message: (f"Events:\n{_DESCRIBE}{message}\n").replace("\n", "\\n"),
    "describe-escaped-twice": lambda message: _go(f"Events:\n{_DESCRIBE}{message}\n").replace("\\", "\\\\"),
    "describe-in-json": lambda message: json.dumps({"output": f"Events:\n{_DESCRIBE}{message}\n"}),
    "describe-glued": lambda message: (
        f"Events: Type Reason Age From Message ---- ------ ---- ---- ------- Warning "
        f"FailedScheduling 2m default-scheduler {message}"
    ),
    "describe-of-old": _around(
        "  FirstSeen\tLastSeen\tCount\tFrom\t\t\tSubObjectPath\tType\t\tReason\t\t\tMessage\n"
        "  ---------\t--------\t-----\t----\t\t\t-------------\t--------\t------\t\t\t-------\n"
        "  5m\t\t3s\t\t22\tdefault-scheduler\t\t\tWarning\t\tFailedScheduling\t"
    ),
    "get-events": _around(
        "LAST SEEN   TYPE      REASON             OBJECT      MESSAGE\n"
        "5m12s       Warning   FailedScheduling   pod/web-0   "
    ),
    "get-events-of-all": _around(
        "NAMESPACE   LAST SEEN   TYPE      REASON             OBJECT      MESSAGE\n"
        "shop        5m12s       Warning   FailedScheduling   pod/web-0   "
    ),
    "get-events-wide": _around(
        "LAST SEEN   TYPE      REASON             OBJECT      SUBOBJECT   SOURCE              MESSAGE   FIRST SEEN   "
        "COUNT   NAME\n5m12s       Warning   FailedScheduling   pod/web-0               default-scheduler   ",
        "   7m   3   web-0.17f2",
    ),
    "get-events-of-old": _around(
        "LASTSEEN   FIRSTSEEN   COUNT     NAME      KIND      SUBOBJECT   TYPE      REASON             SOURCE"
        "              MESSAGE\n"
        "1m         9m          31        web-0     Pod                   Warning   FailedScheduling   "
        "default-scheduler   "
    ),
    "custom-columns": _around("REASON             OBJECT   MESSAGE\nFailedScheduling   web-0    "),
    "events-by-jsonpath": _around("2026-01-02T03:04:05Z\tWarning\tFailedScheduling\tweb-0\t"),
    "watched": _around("3s          Warning   FailedScheduling    Pod/web-0   "),
    "k9s": lambda message: f"│ shop   12s   Warning   FailedScheduling   pod/web-0   default-scheduler   {message} │",
    "k9s-cut": lambda message: f"│ 12s  FailedScheduling  {message}          │\n│ 14s  Pulled  there already    │",
    "lens": _around("Events\n", "\nSource\ndefault-scheduler\nCount\n5\nLast seen\n3m"),
    "dashboard": _around("web-0\nshop\nPending\n", "\n5 minutes ago"),
    "rancher": _around("Unschedulable: "),
    "rancher-brackets": _around("Pending [Unschedulable] "),
    "argo-cd": _around("FailedScheduling\t", "\t5\t2026-01-02 03:04:05\t2026-01-02 03:14:05"),
    "argo-workflows": _around("Pending: Unschedulable: "),
    "tekton": _around('pod status "PodScheduled":"False"; message: "', '"'),
    "gitlab": _around('Unschedulable: "', '"'),
    "airflow": _around("[2026-01-02, 03:04:05 UTC] {pod_manager.py:1} WARNING - Pod Event: web-0 - FailedScheduling: "),
    "jenkins": _around("[Warning][shop/web-0][FailedScheduling] "),
    "jupyterhub": _around("2026-01-02T03:04:05Z [Warning] "),
    "jupyterhub-of-old": _around("2026-01-02 03:04:05+00:00 [Warning] "),
    "github-actions": _around("2026-01-02T03:04:05.1234567Z ##[error]"),
    "github-actions-command": _around("::error::"),
    "helm": _around("client.go:486: [debug] "),
    "skaffold": _around(" - shop:deployment/web: "),
    "skaffold-pod": _around("    - pod/web-0: "),
    "datadog": _around("3 **FailedScheduling**: ", "\n_Events emitted by the default-scheduler_"),
    "alert": _around("[FIRING:1] PodPending shop/web-0 ("),
}

LOGS: Mapping[str, Form] = {
    "klog": _with(_LOGGED, _go),
    "klog-unschedulable": _with(
        f'I{_KLOG} schedule_one.go:867] "Unable to schedule pod; no fit; waiting" pod="{NAMESPACE}/{POD}" err=MESSAGE',
        _go,
    ),
    "klog-behind-a-bracket": _around(f"W{_KLOG} factory.go:9] "),
    "klog-of-old": _around(f"I{_KLOG} factory.go:9] Unable to schedule shop web-0: no fit: ", "; waiting"),
    "klog-error-of-old": _around(f"E{_KLOG} factory.go:9] Error scheduling shop/web-0: ", "; retrying"),
    "klog-event": _around(
        f'I{_KLOG} event.go:2] Event(v1.ObjectReference{{Kind:"Pod", Namespace:"shop", Name:"web-0", UID:"7f", '
        'APIVersion:"v1", ResourceVersion:"9", FieldPath:""}): type: \'Warning\' reason: \'FailedScheduling\' '
    ),
    "klog-occurred": _with(
        f'I{_KLOG} event.go:307] "Event occurred" object="shop/web-0" fieldPath="" kind="Pod" apiVersion="v1" '
        'type="Warning" reason="FailedScheduling" message=MESSAGE',
        _go,
    ),
    "klog-of-a-string": _with(f"I{_KLOG} klogx.go:87] MESSAGE", _go),
    "klog-wrapped": lambda message: _cut_lines("", 90)(_LOGGED.replace("MESSAGE", _go(message))),
    "klog-in-italics": lambda message: f"*{_LOGGED.replace('MESSAGE', _go(message))}*",
    "logfmt": _with("ts=2026-01-02T03:04:05Z level=warn msg=MESSAGE pod=shop/web-0", _go),
    "logfmt-event": _with(
        'time="2026-01-02T03:04:05Z" level=warning msg="event" reason=FailedScheduling note=MESSAGE name=web-0', _go
    ),
    "zap": _around(
        "2026-01-02T03:04:05.678Z\tERROR\tcontroller.provisioning\t", '\t{"commit": "1f", "pod": "shop/web-0"}'
    ),
    "zap-error": _with(
        '2026-01-02T03:04:05.678Z\tERROR\tcontroller\tReconciler error\t{"pod": "shop/web-0", "error": MESSAGE}', _go
    ),
    "zap-json": _json({"level": "ERROR", "time": "2026-01-02T03:04:05.6Z", "message": "MESSAGE", "Pod": {"name": POD}}),
    "zap-json-error": _json(
        {"level": "ERROR", "message": "could not schedule pod", "Pod": {"name": POD}, "error": "MESSAGE"}
    ),
    "msg-json": _json({"ts": 1767323045.67, "v": 0, "msg": "MESSAGE", "pod": "shop/web-0"}),
    "event-exporter": _json({**_EVENT, "count": 5, "clusterName": ""}),
    "event-indented": _json(_EVENT, indent=2),
    "event-in-a-list": _json({"apiVersion": "v1", "kind": "List", "items": [_EVENT]}, indent=4),
    "event-cut-out": lambda message: f'    "message": {json.dumps(message)},\n    "reason": "FailedScheduling",',
    "fluent-bit": lambda message: json.dumps(
        {"log": _LOGGED.replace("MESSAGE", _go(message)) + "\n", "stream": "stderr", "time": "2026-01-02T03:04:05Z"}
    ),
    "fluent-bit-plain": _json({"log": f"I{_KLOG} event.go:2] MESSAGE\n", "stream": "stderr"}),
    "fluent-bit-json": lambda message: json.dumps(
        {"log": json.dumps({"level": "error", "message": message}) + "\n", "kubernetes": {"pod_name": "karpenter-7f"}}
    ),
    "loki": _around('{app="kube-scheduler",namespace="kube-system"} '),
    "loki-time": _around("2026-01-02 03:04:05.678\t"),
    "loki-line": lambda message: (
        '2026-01-02T03:04:05Z {app="events"} name=web-0 kind=Pod reason=FailedScheduling type=Warning msg='
        + _go(message)
    ),
    "stackdriver": _json(
        {
            "insertId": "1f",
            "jsonPayload": {"reason": "FailedScheduling", "message": "MESSAGE", "involvedObject": {"name": POD}},
            "logName": "projects/p/logs/events",
            "severity": "WARNING",
        },
        indent=2,
    ),
    "stackdriver-text": _json({"textPayload": "MESSAGE", "severity": "ERROR"}),
    "stackdriver-yaml": lambda message: f"jsonPayload:\n  message: {_yaml(message)}\n  reason: FailedScheduling",
    "cloudwatch": _json({"@timestamp": "2026-01-02 03:04:05.678", "@message": "MESSAGE"}),
    "cloudwatch-line": _around("1767323045678 "),
    "cloudwatch-nested": lambda message: json.dumps(
        {"@message": json.dumps({"log": message, "stream": "stdout"}), "@logStream": "7f"}
    ),
    "elastic": _json({"_source": {"kubernetes": {"event": {"message": "MESSAGE", "reason": "FailedScheduling"}}}}),
    "elastic-flat": _with("kubernetes.event.message: MESSAGE", str),
    "splunk": _with("reason=FailedScheduling type=Warning message=MESSAGE count=5", _go),
    "cri": _around("2026-01-02T03:04:05.678901234Z stderr F "),
    "syslog": _around("Jan  2 03:04:05 host-1 kube-scheduler[123]: "),
    "syslog-new": _around("<11>1 2026-01-02T03:04:05.678Z host-1 kube-scheduler 123 - - "),
    "journal-klog": _around(f"Jan 02 03:04:05 host-1 kubelet[123]: E{_KLOG} kubelet.go:9] "),
    "stern": _around("kube-scheduler-cp kube-scheduler "),
    "kubectl-prefix": _around("[pod/kube-scheduler-cp/kube-scheduler] "),
    "compose": _around("scheduler-1  | "),
    "python-log": _around("2026-01-02 03:04:05,678 - WARNING - kube - "),
    "java-log": _around("2026-01-02 03:04:05.678  WARN 1 --- [main] c.e.Pods : "),
    "spring-thread": _around("03:04:05.678 [pool-1] WARN PodWatcher - "),
    "log4j": _around("26/01/02 03:04:05 WARN ExecutorPodsAllocator: "),
    "ruby-log": _around("W, [2026-01-02T03:04:05.678901 #1]  WARN -- : "),
    "nginx-time": _around("2026/01/02 03:04:05 "),
    "time-of-day": _around("03:04:05 "),
    "time-in-brackets": _around("[2026-01-02 03:04:05] "),
    "level-in-brackets": _around("[WARN] "),
    "time-of-excel": _around("1/2/2026 3:04:05 AM "),
    "unix-time": _around("1767323045.678 "),
    "rfc-1123": _around("Fri, 02 Jan 2026 03:04:05 GMT "),
    "condition": lambda message: (
        '  conditions:\n  - lastProbeTime: null\n    lastTransitionTime: "2026-01-02T03:04:05Z"\n    '
        f'{_folded(message)}\n    reason: Unschedulable\n    status: "False"\n    type: PodScheduled'
    ),
    "condition-in-a-line": lambda message: f"message: {_yaml(message)}",
    "condition-double": lambda message: f"message: {json.dumps(message)}",
    "condition-folded": lambda message: "message: >-\n  " + "\n  ".join(textwrap.wrap(message, 70)),
    "condition-literal": _around("message: |-\n  ", "\nreason: Unschedulable"),
    "condition-jsonpath": lambda message: json.dumps(
        [{"lastProbeTime": None, "message": message, "reason": "Unschedulable", "status": "False"}]
    ),
    "condition-of-go": _with("{Type:PodScheduled Status:False Reason:Unschedulable Message:MESSAGE}", str),
    "condition-of-go-quoted": _with(
        'v1.PodCondition{Type:"PodScheduled", Status:"False", Reason:"Unschedulable", Message:MESSAGE}', _go
    ),
    "event-of-go": _with(
        "&Event{ObjectMeta:{web-0.17f2  shop},Reason:FailedScheduling,Message:MESSAGE,Source:EventSource{"
        "Component:default-scheduler,Host:,},Count:1,Type:Warning,}",
        str,
    ),
    "python-repr": lambda message: repr({"type": "PodScheduled", "message": message, "reason": "Unschedulable"}),
    "python-tuple": lambda message: repr(("FailedScheduling", message, 27)),
    "python-bytes": lambda message: repr(message.encode()),
    "ruby-hash": _with('{:reason=>"FailedScheduling", :message=>MESSAGE}', _go),
    "csv": lambda message: '2026-01-02,Warning,FailedScheduling,"' + message.replace('"', '""') + '",web-0',
    "csv-of-semicolons": lambda message: 'Warning;FailedScheduling;"' + message.replace('"', '""') + '";5',
    "json-in-json": lambda message: json.dumps({"body": json.dumps({"message": message})}),
    "json-in-quotes": lambda message: "'" + json.dumps({"message": message}) + "'",
    "json-unicode": lambda message: json.dumps({"message": message}).replace("'", "\\u0027"),
    "shell-json": lambda message: "echo '" + json.dumps({"message": message}).replace("'", "'\\''") + "'",
    "go-error": _around("2026/01/02 03:04:05 error: pod shop/web-0 is not running: "),
    "e2e": _around("STEP: Waiting for pod web-0 @ 01/02/26 03:04:05.678\n  ", "\n  STEP: Deleting it"),
    "e2e-event": _around(
        "Jan  2 03:04:05.678: INFO: At 2026-01-02 03:04:05 +0000 UTC - event for web-0: {default-scheduler } "
        "FailedScheduling: "
    ),
    "robot": _around("Events: [FailedScheduling] "),
    "operator": _around("failed to reconcile: pod web-0 is Unschedulable: "),
    "operator-errors": _around("1 error occurred:\n\t* "),
    "spark": _around("Pod status changed: phase: Pending; reason: Unschedulable; message: "),
}

FORMS: Mapping[str, Form] = {**CHATS, **TERMINALS, **LOGS}
