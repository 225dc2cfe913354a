"""Jobs and cron jobs.

Source: batch/validation `ValidateJob`, `ValidateCronJobCreate`, registry/batch/job `generateSelector`, release 1.36.
"""

from functools import cache
from zoneinfo import available_timezones

from kexplain.objects.json_values import shown
from kexplain.objects.well_known import JOB_NAME_LABELS, JOB_UID_LABELS
from kexplain.patterns import regex
from kexplain.validation import rows
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_inherited_labels, check_metadata, final_name
from kexplain.validation.names import dns_label
from kexplain.validation.rows import judge
from kexplain.validation.workloads import matches

_MAX_CRON_NAME = 52
_ZONE_PART = regex(r"[A-Za-z0-9._+-]{1,14}")
_INTERVAL = regex(r"(\d{1,10})(?:-(\d{1,10}))?")


def check_job(job: Field) -> None:
    """A job; unless its selector is manual, an API server generates it, and labels of the template with it."""
    check_metadata(job.child("metadata"))
    spec = job.child("spec")
    labels = spec.descend("template", "metadata", "labels")
    check_inherited_labels(job.child("metadata"), labels)
    selector = spec.child("selector")
    if spec.child("manualSelector").flag:
        if selector.require("is required where manualSelector is true"):
            judge(selector, "labels.label_selector")
            labels.reject_if(not matches(selector, labels.mapping), "must match the selector")
        else:
            labels.reject("cannot be selected without a selector")
    else:
        _check_generated(job, selector, labels)
    _check_job_spec(spec)
    name, completions = job.descend("metadata", "name"), spec.child("completions")
    if spec.child("completionMode").value == "Indexed" and completions.number() > 0:
        hostname = f"{final_name(job.child('metadata'))}-{completions.number() - 1}"
        if problem := dns_label(hostname):
            name.reject(f"the last pod's hostname {shown(hostname)} {problem}")


def _check_generated(job: Field, selector: Field, labels: Field) -> None:
    """What an API server generates must be left out, or be what it would generate."""
    judge(selector, "labels.label_selector")
    name = final_name(job.child("metadata"))
    for key in JOB_UID_LABELS:
        labels.key(key).forbid("is generated from the job's uid, which nobody knows yet: leave it out")
    for key in JOB_NAME_LABELS:
        if name and labels.key(key).is_set and labels.key(key).string != name:
            labels.key(key).reject(f"is generated: leave it out, or let it be {name}")
    generated = {**dict.fromkeys(JOB_UID_LABELS, ""), **dict.fromkeys(JOB_NAME_LABELS, name)}
    selector.reject_if(not matches(selector, generated), "is generated: leave it out, or set manualSelector: true")


def check_cron_job(cron_job: Field) -> None:
    """A cron job."""
    metadata, spec = cron_job.child("metadata"), cron_job.child("spec")
    check_metadata(metadata)
    judge(spec, "jobs.cron_job_spec")
    if len(final_name(metadata)) > _MAX_CRON_NAME:
        metadata.child("name").reject(
            f"must be at most {_MAX_CRON_NAME} characters long, since its jobs are named after it"
        )


def _zone_problem(text: str) -> str | None:
    parts = text.split("/")
    if any(part in (".", "..") or part[:1] == "-" or not _ZONE_PART.fullmatch(part) for part in parts):
        return "is not a time zone"
    if text.lower() == "local":
        return "is not a time zone that is the same everywhere"
    known = _time_zones()
    # Without a database of time zones there is nothing to hold it against.
    return None if not known or text in known else "is not a time zone, such as Europe/Berlin"


@cache
def _time_zones() -> set[str]:
    """All of the database, whose files are read for it."""
    return available_timezones()


# ------------------------------------------------------------------------------------------------ the spec


def _check_template(spec: Field) -> None:
    # The spec of a template is not defaulted.
    _check_job_spec(spec, is_defaulted=False)


def _check_job_spec(spec: Field, *, is_defaulted: bool = True) -> None:
    judge(spec, "jobs.spec")
    # Both are 1 where neither is there.
    is_left_out = is_defaulted and not spec.child("completions").is_set and not spec.child("parallelism").is_set
    defaults = {"completions": 1, "parallelism": 1} if is_left_out else {}
    judge(spec.with_value({**spec.mapping, **defaults}), "jobs.completions")
    judge(spec, "jobs.failure_policy")
    success = spec.child("successPolicy")
    if success.is_set and spec.child("completionMode").value == "Indexed":
        _check_success_policy(spec, success.child("rules"))
    judge(spec.child("template"), "pod_spec.pod_template")
    judge(spec, "jobs.policies")


def _check_order(values: Field) -> None:
    found = [value.number() for value in values.items()]
    values.reject_if(found != sorted(found), "must be in ascending order")


def _check_success_policy(spec: Field, rules: Field) -> None:
    judge(rules, "jobs.success_rules")
    completions = spec.child("completions").number()
    for rule in rules.items():
        count, indexes = rule.child("succeededCount"), rule.child("succeededIndexes")
        judge(rule, "jobs.success_rule")
        total = _count_indexes(indexes.string, completions)
        if total is None:
            indexes.reject(f"{shown(indexes.string)} is not a list such as 1,3-5 of indexes below {completions}")
        count.not_negative()
        judge(count, rows.at_most(min(completions, total or 0) if indexes.is_set else completions))


def _count_indexes(text: str, completions: int) -> int | None:
    """How many indexes a list such as `1,3-5` names; None if it is none, or not in order."""
    total, last = 0, -1
    for interval in text.split(",") if text else ():
        match = _INTERVAL.fullmatch(interval)
        if match is None:
            return None
        first, end = int(match[1]), int(match[2] or match[1])
        if not last < first <= end < completions or (match[2] and first == end):
            return None
        total += end - first + 1
        last = end
    return total
