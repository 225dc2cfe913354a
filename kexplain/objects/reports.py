"""What the status of a custom resource says has failed."""

from kexplain.objects.meta import KubernetesObject


class Report(KubernetesObject, frozen=True, kw_only=True):
    """A resource of a kind that nothing else is read of, with what it `said` last."""

    of_kind: str
    said: str

    @property
    def kind(self) -> str:
        return self.of_kind
