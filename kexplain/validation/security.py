"""Security contexts of pods and containers.

Source: core/validation `ValidateSecurityContext`, `validatePodSpecSecurityContext`, `validateHostUsers`,
`validateWindowsHostProcessPod`, `validateLinux`, `validateWindows`, release 1.36 with its default feature gates
and privileged containers allowed.
"""

from kexplain.patterns import regex
from kexplain.validation.containers import all_containers
from kexplain.validation.field import Field

_MAX_CREDENTIAL = 64 << 10

_CONTROL = regex(r"[\x00-\x1f\x7f]")
_NET_BIOS = regex(r'[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}')
_DNS_PART = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_DNS_DOMAIN = regex(rf"{_DNS_PART}(?:\.{_DNS_PART})*")
_NOT_IN_USER = regex(r'["/\\:;|=,+*?<>@\[\]]')


# ------------------------------------------------------------------------------------- operating systems


def check_host_processes(spec: Field) -> None:
    """Windows containers that are processes of the host: all of them or none."""
    own, containers = spec.descend("securityContext", "windowsOptions", "hostProcess").value, all_containers(spec)
    count = 0
    for container in containers:
        option = container.descend("securityContext", "windowsOptions", "hostProcess")
        if own is not None and option.is_set and option.value is not own:
            option.reject(f"must be the same as the pod's, which is {str(own).lower()}")
        count += (option.value if option.is_set else own) is True
    if not count:
        return
    spec.reject_if(count != len(containers), "all containers must be host processes if one is")
    if not spec.child("hostNetwork").flag:
        spec.child("hostNetwork").reject("must be true where containers are host processes")


def _check_credential(credential: Field) -> None:
    if credential.is_set and not 0 < len(credential.string.encode()) <= _MAX_CREDENTIAL:
        credential.reject(f"must have 1 to {_MAX_CREDENTIAL} characters")


def _windows_user(text: str) -> str | None:
    domain, backslash, user = text.rpartition("\\")
    if not text or _CONTROL.search(text) or "\\" in domain:
        return "is not a Windows user: no control characters, at most one backslash"
    known = _NET_BIOS.fullmatch(domain) or _DNS_DOMAIN.fullmatch(domain)
    if backslash and (not known or len(domain.encode()) >= 256):
        return "does not begin with a NetBIOS or DNS domain"
    if not user.strip(". ") or len(user.encode()) > 104 or _NOT_IN_USER.search(user):
        return 'is not a Windows user: at most 104 characters, not only dots and spaces, none of "/\\:;|=,+*?<>@[]'
    return None
