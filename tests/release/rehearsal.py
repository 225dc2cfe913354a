"""A release, rehearsed: `python -m tests.release.rehearsal OUT` ends with the files of a release in OUT.

A bare repository on this machine is pushed a tag; the workflow that the tag holds runs step by step, with the archive
of each platform made on this one; and what comes out is installed as its channels say. What cannot be tried here are
GitHub's parts: attestations, the index, the image, and programs on other systems.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import yaml

from .workflow import Runner, clean_environment

ROOT = Path(__file__).parents[2]
REPOSITORY = "example/kexplain"
VERSION = "9.8.7"
#: Takes this machine's hours, and is what runs the rehearsal.
LEFT_OUT = frozenset({"Everything holds"})
#: Puts the files of a draft where OUT says, and its notes beside them.
GH = """#!/bin/sh
test "$1 $2 $4 $5" = "release create --draft --verify-tag" || exit 1
git -C "$SERVER" rev-parse --quiet --verify "refs/tags/$3" > /dev/null || exit 1
shift 7
test "$1" = --notes-file && cp "$2" "$OUT/notes.md" && shift 2 && cp "$@" "$OUT"
"""


class Rehearsal:
    """One server, one tag, one workflow."""

    def __init__(self, folder: Path, out: Path) -> None:
        """`folder` is for this run alone, and `out` gets the files of the release."""
        self._folder, self._out = folder, out
        self._server, self._artifacts, self._index = folder / "server", folder / "artifacts", folder / "index"
        self._attested: set[str] = set()

    def tag(self) -> None:
        """Push a commit that starts a version, and its tag, to a server of its own."""
        _git(self._folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self._server))
        # What is being worked on counts, too, as long as git knows of it.
        head = _git(ROOT, "stash", "create").strip() or "HEAD"
        checkout = self._folder / "checkout"
        _git(self._folder, "clone", "--quiet", "--no-checkout", str(ROOT), str(checkout))
        _git(checkout, "fetch", "--quiet", str(ROOT), _git(ROOT, "rev-parse", head).strip())
        _git(checkout, "checkout", "--quiet", "FETCH_HEAD")
        for words in (["own", REPOSITORY], ["start", VERSION]):
            subprocess.run([sys.executable, ".github/release/release.py", *words], cwd=checkout, check=True)
        _git(checkout, "commit", "--quiet", "--all", "--message", f"Release {VERSION}")
        _git(checkout, "tag", "--annotate", "--message", VERSION, f"v{VERSION}")
        _git(checkout, "push", "--quiet", str(self._server), "HEAD:refs/heads/main", f"v{VERSION}")

    def run(self, pythons: Mapping[str, Path]) -> list[str]:
        """Run the workflow of the tag, and return the steps that were run."""
        environment = clean_environment(self._folder, [path.parent for path in pythons.values()])
        gh = self._folder / "bin" / "gh"
        gh.parent.mkdir()
        gh.write_text(GH)
        gh.chmod(0o755)
        gh.with_name("python").symlink_to(next(iter(pythons.values())))
        for each in (self._artifacts, self._index):
            each.mkdir()
        runner = Runner(
            contexts={"github.ref_name": f"v{VERSION}", "github.repository": REPOSITORY, "github.token": "none"},
            actions={
                "actions/checkout": self._checkout,
                "actions/setup-python": lambda workspace, given: None,  # they are on the PATH
                "actions/upload-artifact": self._upload,
                "actions/download-artifact": self._download,
                "actions/attest": self._attest,
                "pypa/gh-action-pypi-publish": self._publish,
            },
            environment={
                **environment,
                "PYTHONS": " ".join(pythons),
                "OUT": str(self._out),
                "SERVER": str(self._server),
            },
            left_out=LEFT_OUT,
        )
        workflow = self._folder / "release.yml"
        workflow.write_text(_git(self._server, "show", f"v{VERSION}:.github/workflows/release.yml"))
        runner.run(workflow, self._folder / "jobs")
        return runner.ran

    def try_channels(self) -> None:
        """Install what came out, each in one line, and have it decide what the README shows."""
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=self._out, check=True)
        listed = (self._out / "SHA256SUMS").read_text().splitlines()
        names = {line.partition("  ")[2] for line in listed}
        assert names | {"SHA256SUMS", "notes.md"} == {path.name for path in self._out.iterdir()}
        assert names <= self._attested, "files that nothing attests"
        for kind in ("*.whl", "*.tar.gz"):
            (package,) = self._index.glob(kind)
            self._try(_installed(self._folder / kind[2:5], str(package)))
        self._try(_installed(self._folder / "git", f"kexplain @ git+file://localhost{self._server}@v{VERSION}"))
        unpacked = self._folder / "unpacked"
        with tarfile.open(self._out / "kubectl-kexplain-linux-amd64.tar.gz") as archive:
            archive.extractall(unpacked, filter="data")
        self._try(unpacked / "kubectl-kexplain")
        with zipfile.ZipFile(self._out / "kubectl-kexplain-windows-amd64.zip") as archive:
            assert {"LICENSE", "_internal/base_library.zip"} <= {*archive.namelist()}
        self._check_manifests()

    def _check_manifests(self) -> None:
        """Both name the files of this release, with their checksums."""
        krew = yaml.safe_load((self._out / "kexplain.yaml").read_text())["spec"]
        formula = (self._out / "kexplain.rb").read_text()
        at = f"https://github.com/{REPOSITORY}/releases/download/v{VERSION}/"
        assert krew["version"] == f"v{VERSION}"
        for platform in krew["platforms"]:
            name = platform["uri"].removeprefix(at)
            assert platform["sha256"] == hashlib.sha256((self._out / name).read_bytes()).hexdigest()
            assert name.endswith(".zip") or f'url "{at}{name}"\n      sha256 "{platform["sha256"]}"' in formula

    def _try(self, program: Path) -> None:
        """That a program of this version decides."""
        case = ROOT / "fixtures" / "insufficient-cpu-different-reasons"
        assert VERSION in subprocess.check_output([program, "version"], text=True)
        words: list[str | Path] = [program, case / "pod.yaml", "--cluster", case]
        done = subprocess.run(words, cwd=self._folder, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        assert "does not fit on any of 4 nodes" in done.stdout

    def _checkout(self, workspace: Path, given: Mapping[str, str]) -> None:
        assert given["persist-credentials"] == "False"
        _git(workspace, "clone", "--quiet", "--branch", f"v{VERSION}", f"file://{self._server}", ".")

    def _upload(self, workspace: Path, given: Mapping[str, str]) -> None:
        shutil.copytree(workspace / given["path"], self._artifacts / given["name"])
        assert any((self._artifacts / given["name"]).iterdir())

    def _download(self, workspace: Path, given: Mapping[str, str]) -> None:
        assert "name" in given or given["merge-multiple"] == "True"
        for each in self._artifacts.iterdir():
            if given.get("name", each.name) == each.name:
                shutil.copytree(each, workspace / given["path"], dirs_exist_ok=True)

    def _attest(self, workspace: Path, given: Mapping[str, str]) -> None:
        subjects = {path.name for path in workspace.glob(given["subject-path"])}
        assert subjects
        self._attested |= subjects

    def _publish(self, workspace: Path, given: Mapping[str, str]) -> None:
        assert given == {}
        shutil.copytree(workspace / "dist", self._index, dirs_exist_ok=True)


def _git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@example.com", "-c", "advice.detachedHead=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def _installed(folder: Path, what: str) -> Path:
    """The program in an environment with nothing else, after one line of pip."""
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", what], check=True)
    return folder / "bin" / "kexplain"


def _pythons() -> dict[str, Path]:
    """Those of the promised Pythons that can be had here, by name."""
    found = {}
    for name in ("python3.11", "python3.12", "python3.13", "python3.14"):
        path = shutil.which(name)
        asked = path and subprocess.run(
            [path, "-c", "import sys; print(sys._base_executable)"], capture_output=True, text=True, check=False
        )
        if asked and asked.returncode == 0:
            found[name] = Path(asked.stdout.strip())
    return found


def main(out: Path) -> None:
    """Rehearse, and say what was run."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        rehearsal = Rehearsal(Path(name), out.resolve())
        rehearsal.tag()
        ran = rehearsal.run(_pythons())
        rehearsal.try_channels()
    print(*ran, f"rehearsed: {len(ran)} steps, {len([*out.iterdir()])} files in {out}", sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
