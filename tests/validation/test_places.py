"""Problems stand where their values stand in the text."""

from __future__ import annotations

from pathlib import Path

from kexplain.load.text.plain_values import read_plain
from kexplain.validation.check import check

TEXT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: Web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      restartPolicy: always
      containers:
      - name: app
        imagee: nginx
        image: nginx
        resources:
          requests:
            cpu: 2
            memory: 1x
          limits:
            cpu: 1
"""


def test_every_problem_has_its_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "web.yaml"
    file.write_text(TEXT, encoding="utf-8")
    (document,) = read_plain(str(file))
    places = {problem.field: document.locate(problem.path) for problem in check(document.value)}
    container = "spec.template.spec.containers[0]"
    assert places == {
        "metadata.name": (4, 9),
        "spec.template.spec.restartPolicy": (12, 22),
        f"{container}.imagee": (15, 17),
        f"{container}.resources.requests": (19, 18),
        f"{container}.resources.requests[memory]": (20, 21),
    }
