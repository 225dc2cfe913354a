"""Which webhooks admission asks. Source: admissionregistration/validation, apiserver `webhook`, release 1.36.

Deviation: of the expressions of matchConditions, only syntax, variables and types of results are checked, since the
functions of Kubernetes are not known.
"""

from urllib.parse import urlsplit

from kexplain.cel.conditions import condition_problem
from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import dns_subdomain
from kexplain.validation.rows import judge, names_differ


def _check_resources(resources: Field) -> None:
    resources.require()
    names = resources.strings
    with_all_parts: set[str] = set()
    parts_of_all: set[str] = set()
    is_last_whole = False
    for resource in resources.items():
        if not resource.require():
            continue
        name, slash, part = resource.string.partition("/")
        if not slash:
            is_last_whole = name != "*"
            continue
        for is_covered, by in ((name in with_all_parts, f"{name}/*"), (part in parts_of_all, f"*/{part}")):
            resource.reject_if(is_covered, f"{shown(resource.string)} is covered by {by} already")
        if part == "*":
            with_all_parts.add(name)
        if name == "*":
            parts_of_all.add(part)
    resources.reject_if(len(names) > 1 and "*/*" in names, "must have nothing else beside */*")
    resources.reject_if("*" in names and is_last_whole, "must have no other whole resource beside *")


def _check_url(url: Field) -> None:
    try:
        parts = urlsplit(url.string)
    except ValueError:
        url.reject(f"{shown(url.string)} is no URL")
        return
    url.reject_if(parts.scheme != "https", f"{shown(url.string)} does not begin with https://")
    url.reject_if(not parts.netloc.rpartition("@")[2], f"{shown(url.string)} names no host")
    for part, what in ((parts.username, "a user"), (parts.fragment, "a fragment"), (parts.query, "a query")):
        url.reject_if(part, f"{shown(url.string)} has {what}, which is not valid here")


def _check_path(path: Field) -> None:
    if path.string != "//" and not path.string.startswith("/"):
        path.reject(f"{shown(path.string)} does not begin with /")
    for step in path.string[1:].removesuffix("/").split("/"):
        if problem := dns_subdomain(step) if step else "has an empty part":
            path.reject(f"{shown(path.string)}: {problem}")


def check_conditions(conditions: Field, *variables: str) -> None:
    """Conditions under which admission asks, which can read these variables."""
    conditions.no_more_than(64)
    for condition in conditions.items():
        expression = condition.child("expression")
        if not expression.string.strip():
            expression.reject("is required")
        elif problem := condition_problem(expression.string.strip(), variables):
            expression.reject(problem)
        judge(condition, "webhooks.condition")
    names_differ(conditions, "name")
