"""What becomes of a workload, and the finding that says why, as one."""

from msgspec.structs import replace

from kexplain.lint.findings import Finding, Severity
from kexplain.lint.registry import RULES
from kexplain.lint.rules.verdicts import RULES as VERDICTS

#: Rules on which a workload finds no place: what they find is what keeps it from one.
_EXPLAIN_VERDICTS = {each.id for each in RULES if each.needs_cluster and each.severity is Severity.ERROR}
_EXPLAIN_VERDICTS -= {each.id for each in VERDICTS}
#: What may be about a preference, and is what keeps a workload out if it is the only one about the field to blame.
_MAY_EXPLAIN_VERDICTS = ("node-affinity-no-node", "topology-key-no-node")


def add_verdict(findings: list[Finding], found: Finding, outcome: str) -> None:
    """A finding on what becomes of a workload; one that says what is wrong with the same field says that, too.

    Without an outcome it is about no field in particular, and stands by itself. The others are those on the same
    manifest, whose fields may stand in several files.
    """
    # A node selector and the affinity beside it are one question to the nodes.
    fields = (found.field, found.field.replace(".nodeSelector", ".affinity.nodeAffinity.required"))
    beside = [each for each in findings if outcome and found.field and each.field.startswith(fields)]
    errors = [each for each in beside if each.rule in _EXPLAIN_VERDICTS and each.severity is Severity.ERROR]
    warnings = [each for each in beside if each.rule in _MAY_EXPLAIN_VERDICTS and each.severity is Severity.WARNING]
    if errors:
        joined = replace(errors[0], message=f"{errors[0].message} ({outcome})", also=(found.rule,))
        findings[findings.index(errors[0])] = joined
    elif len(warnings) == 1:
        (each,) = warnings
        message = f"{each.message} ({outcome})"
        findings[findings.index(each)] = replace(
            each, rule=found.rule, severity=found.severity, message=message, also=(each.rule,)
        )
    else:
        findings.append(found)
