"""Jobs and cron jobs.

Source: batch/validation `ValidateJob`, `ValidateCronJobCreate`, registry/batch/job `generateSelector`, release 1.36.
"""

from functools import cache
from zoneinfo import available_timezones

from kexplain.objects.json_values import shown
from kexplain.objects.well_known import JOB_NAME_LABELS, JOB_UID_LABELS
from kexplain.patterns import regex
from kexplain.validation.field import Field
from kexplain.validation.metadata import final_name
from kexplain.validation.names import dns_label
from kexplain.validation.row_paths import fields_at
from kexplain.validation.rows import at_most, judge
from kexplain.validation.workloads import matches

_MAX_CRON_NAME = 52
_ZONE_PART = regex(r"[A-Za-z0-9._+-]{1,14}")
_INTERVAL = regex(r"(\d{1,10})(?:-(\d{1,10}))?")
#: All of the database, whose files are read for it.
_time_zones = cache(available_timezones)


def _check_selected(spec: Field) -> None:
    labels = spec.descend("template", "metadata", "labels")
    labels.reject_if(not matches(spec.child("selector"), labels.mapping), "must match the selector")


def _check_generated(spec: Field) -> None:
    selector, labels = spec.child("selector"), spec.descend("template", "metadata", "labels")
    name = final_name(spec.holder().child("metadata"))
    for key in JOB_NAME_LABELS:
        if name and labels.key(key).is_set and labels.key(key).string != name:
            labels.key(key).reject(f"is generated: leave it out, or let it be {name}")
    generated = {**dict.fromkeys(JOB_UID_LABELS, ""), **dict.fromkeys(JOB_NAME_LABELS, name)}
    selector.reject_if(not matches(selector, generated), "is generated: leave it out, or set manualSelector: true")


def _check_hostname(job: Field) -> None:
    metadata = job.child("metadata")
    hostname = f"{final_name(metadata)}-{job.descend('spec', 'completions').number() - 1}"
    if problem := dns_label(hostname):
        metadata.child("name").reject(f"the last pod's hostname {shown(hostname)} {problem}")


def _check_length(metadata: Field) -> None:
    message = f"must be at most {_MAX_CRON_NAME} characters long, since its jobs are named after it"
    metadata.child("name").reject_if(len(final_name(metadata)) > _MAX_CRON_NAME, message)


def _zone_problem(text: str) -> str | None:
    parts = text.split("/")
    if any(part in (".", "..") or part[:1] == "-" or not _ZONE_PART.fullmatch(part) for part in parts):
        return "is not a time zone"
    if text.lower() == "local":
        return "is not a time zone that is the same everywhere"
    known = _time_zones()
    # Without a database of time zones there is nothing to hold it against.
    return None if not known or text in known else "is not a time zone, such as Europe/Berlin"


# ------------------------------------------------------------------------------------------------ the spec


def _check_completions(spec: Field) -> None:
    """Both are 1 where neither is there."""
    is_left_out = not spec.child("completions").is_set and not spec.child("parallelism").is_set
    defaults = {"completions": 1, "parallelism": 1} if is_left_out else {}
    judge(spec.with_value({**spec.mapping, **defaults}), "jobs.completions")


def _check_order(values: Field) -> None:
    found = [value.number() for value in values.items()]
    values.reject_if(found != sorted(found), "must be in ascending order")


def _check_success_rule(rule: Field) -> None:
    count, indexes = rule.child("succeededCount"), rule.child("succeededIndexes")
    completions = fields_at(rule, "outer completions")[0].number()
    total = _count_indexes(indexes.string, completions)
    if total is None:
        indexes.reject(f"{shown(indexes.string)} is not a list such as 1,3-5 of indexes below {completions}")
    count.not_negative()
    at_most(count, min(completions, total or 0) if indexes.is_set else completions)


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
