"""What 1.22, the last release that read Policies, does."""

from kexplain.config.releases.release import Behaviour, behaviour_of

POLICY_RELEASE = "1.22"


def policy_behaviour() -> Behaviour:
    """That of the release, its gates as they are by default."""
    return behaviour_of(POLICY_RELEASE)
