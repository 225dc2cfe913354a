"""What `import kexplain` offers."""

import pydoc
import subprocess
import sys

import kexplain


def test_only_what_there_is_to_use_is_listed() -> None:
    assert dir(kexplain) == sorted(kexplain.__all__)
    assert all(getattr(kexplain, name) is not None for name in dir(kexplain))


def test_a_function_stays_one_once_its_room_is_imported() -> None:
    code = "import kexplain; kexplain.load_case; print(callable(kexplain.explain), callable(kexplain.explain))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_help_shows_the_functions() -> None:
    text = pydoc.plain(pydoc.render_doc(kexplain))
    assert "explain(case: 'Case'" in text
    assert "walk(decision: 'Decision'" in text
    assert "TYPE_CHECKING" not in text
