"""The plugin of kubectl for one platform, in one archive: `python .github/release/archive.py PLATFORM DIST OUT`.

DIST has the wheel. On Linux and macOS the archive holds one file, which runs with each Python that PYTHONS names, all
that are promised unless it is set; on Windows a program that needs none, and what belongs to it.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHONS = os.environ.get("PYTHONS", "python3.11 python3.12 python3.13 python3.14").split()
#: It then looks for a Python that it has been packed for.
SHEBANG = "#!/usr/bin/env python3"
#: The earliest moment that a ZIP file can name.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def main() -> None:
    """Make the archive, once the program in it has answered."""
    platform, dist, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    (wheel,) = dist.glob("*.whl")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        windows = platform.startswith("windows-")
        program = _frozen(folder) if windows else _packed(folder, wheel)
        _try(program)
        shutil.copy(ROOT / "LICENSE", program.parent)
        archive = out / f"kubectl-kexplain-{platform}.{'zip' if windows else 'tar.gz'}"
        (_zip if windows else _tar)(program.parent, archive)


def _packed(folder: Path, wheel: Path) -> Path:
    """One file with the wheel and all that it imports, for each of the Pythons."""
    program = folder / "archive" / "kubectl-kexplain"
    program.parent.mkdir()
    pythons = [word for each in PYTHONS for word in ("--python", each)]
    words = ["--script", "kubectl-kexplain", "--output-file", str(program), "--python-shebang", SHEBANG, *pythons]
    subprocess.run([sys.executable, "-m", "pex", f"{wheel}[expressions]", *words], check=True)
    return program


def _frozen(folder: Path) -> Path:
    """A program with a Python of its own, from the kexplain that is installed here."""
    words = ["--name", "kubectl-kexplain", "--collect-all", "kexplain", "--copy-metadata", "kexplain", "--noconfirm"]
    places = ["--distpath", str(folder), "--workpath", str(folder / "work"), "--specpath", str(folder)]
    entry = str(ROOT / "kexplain" / "__main__.py")
    subprocess.run([sys.executable, "-m", "PyInstaller", "--log-level", "WARN", *words, *places, entry], check=True)
    suffix = ".exe" if os.name == "nt" else ""
    return folder / "kubectl-kexplain" / f"kubectl-kexplain{suffix}"


def _try(program: Path) -> None:
    """That it says its version, has its manual with it, and decides what the README shows."""
    for words in (["version"], ["help", "json"], ["rules"]):
        subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL)
    case = ROOT / "fixtures" / "insufficient-cpu-different-reasons"
    done = subprocess.run([program, case / "pod.yaml", "--cluster", case], stdout=subprocess.PIPE, check=False)
    if done.returncode != 1 or b"does not fit on any of 4 nodes" not in done.stdout:
        sys.exit(f"{program.name} does not say what the README says that it says")


def _tar(folder: Path, archive: Path) -> None:
    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
        return entry

    # Without a name and a time, which gzip would otherwise write.
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as made,
    ):
        for path in sorted(folder.iterdir()):
            made.add(path, path.name, filter=plain)


def _zip(folder: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), ZIP_EPOCH)
            entry.external_attr = (path.stat().st_mode & 0xFFFF) << 16
            made.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
