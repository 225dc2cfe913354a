"""The folders of tests mirror those of the package, by name."""

from __future__ import annotations

import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
#: Beside folders and what begins with a dot.
TOP_LEVEL = {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "pyproject.toml"}
PACKAGE = TESTS.parent / "kexplain"

#: Folders that test the package as a whole, or hold tools.
OTHER_FOLDERS = {
    "benchmarks",
    "browser",
    "conformance",
    "contributing",
    "documents",
    "fuzzing",
    "golden",
    "incidents",
    "kustomize",
    "mutation",
    "pictures",
    "property",
    "recorder",
    "release",
    "schema",
    "upstream",
}

#: Tests of several modules together, named after what they show.
ACROSS_MODULES = {
    "bound/test_incidents_word_for_word",
    "diagnosis/test_incidents_word_for_word",
    "queues/test_work_of_incidents",
    "bound/test_said",
    "cli/test_agent_questions",
    "cli/test_bounds",
    "cli/test_call_extenders",
    "cli/test_command_line",
    "cli/test_imports",
    "cli/test_platforms",
    "config/releases/test_differences",
    "config/releases/test_gates",
    "diagnosis/test_derived",
    "diagnosis/test_faults",
    "explanation/test_incidents",
    "diagnosis/test_said",
    "explain/test_said",
    "explanation/test_no_word_steers",
    "diagnosis/test_fields_decide",
    "lint/test_breadth",
    "lint/test_formats",
    "lint/test_trees",
    "load/live/test_connecting",
    "load/live/test_events",
    "load/live/test_failures",
    "load/live/test_fleet",
    "load/live/test_lint",
    "load/live/test_growth",
    "load/live/test_pending",
    "load/live/test_plugin",
    "load/live/test_rights",
    "load/live/test_same_report",
    "load/live/test_snapshot",
    "load/live/test_when",
    "load/live/test_workloads",
    "load/test_faults",
    "messages/test_forms",
    "plugins/test_waking",
    "plugins/test_workings",
    "remedies/test_fields_decide",
    "remedies/test_said",
    "remedies/test_situations",
    "render/test_extenders",
    "render/test_formats",
    "render/test_html_pages",
    "scheduler/test_binding",
    "validation/test_admission",
    "validation/test_limits",
    "validation/test_places",
    "validation/test_recorded",
    "validation/test_rules",
    "validation/test_seldom",
    "world/test_claims_of_pods",
    "world/test_recorded",
}

#: Modules without a test of their name, and where they are tested instead; the first pattern that fits counts.
TESTED_ELSEWHERE = {
    "__main__": "cli/test_command_line.py",
    "admission/amounts": "admission/test_limit_range.py",
    "admission/request_notes": "admission/test_chain.py",
    "admission/daemon_tolerations": "admission/test_workloads.py",
    "admission/pod_level": "admission/test_defaults.py",
    "api": "render/test_formats.py",
    "bounds": "test_bounds.py",
    "case/*": "golden/test_golden.py",
    "cli/*": "cli/test_command_line.py",
    "cluster/listers": "plugins/test_default_selector.py",
    "cluster/*": "property/test_cluster.py",
    "config/component/*": "config/component/test_configured_scheduler.py",
    "config/policy/*": "config/policy/test_policy_scheduler.py",
    "diagnosis/pool_members": "diagnosis/test_circles.py",
    "diagnosis/wishes": "diagnosis/test_circles.py",
    "diagnosis/*": "diagnosis/test_diagnose.py",
    "config/scheduler_settings": "config/releases/test_release.py",
    "cel/*": "cel/test_selectors.py",
    "errors": "load/test_faults.py",
    "explain/*": "golden/test_golden.py",
    "explanation/*": "golden/test_golden.py",
    "extenders/*": "extenders/test_http_extender.py",
    "framework/evidence/*": "golden/test_golden.py",
    "framework/extender": "scheduler/test_extenders.py",
    "framework/features": "config/releases/test_release.py",
    "framework/traits": "config/releases/test_release.py",
    "framework/binding": "scheduler/test_binding.py",
    "framework/permitting": "scheduler/test_group_cycle.py",
    "framework/placing_groups": "scheduler/test_group_cycle.py",
    "scheduler/group_trials": "scheduler/test_group_cycle.py",
    "framework/post_filtering": "framework/test_filtering.py",
    "framework/pre_filtering": "framework/test_filtering.py",
    "framework/scoring": "plugins/test_workings.py",
    "framework/status": "framework/test_filtering.py",
    "framework/trace": "scheduler/test_cycle.py",
    "lint/rules/*": "lint/test_pages.py",
    "messages/subjects": "report/test_plugin_page.py",
    "lint/*": "lint/test_breadth.py",
    "load/json_patch": "remedies/test_steps.py",
    "load/kustomize/*": "load/kustomize/test_build.py",
    "load/live/*": "load/live/test_connecting.py",
    "load/object_collector": "load/test_faults.py",
    "load/quantity_checks": "load/test_faults.py",
    "load/raw_manifests": "lint/test_engine.py",
    "load/decoding": "load/test_faults.py",
    "load/snapshot/new_names": "load/snapshot/test_redaction.py",
    "load/snapshot/public_words": "load/snapshot/test_redaction.py",
    "load/text/*": "load/text/test_yaml.py",
    "messages/paraphrases": "cli/commands/test_event.py",
    "messages/other_texts": "messages/test_texts.py",
    "messages/part": "messages/test_message.py",
    "messages/heads": "messages/test_pasted_messages.py",
    "messages/quotations": "messages/test_pasted_messages.py",
    "messages/rows": "messages/test_pasted_messages.py",
    "messages/text": "messages/test_texts.py",
    "objects/untrusted": "queues/test_kueue.py",
    "objects/container_sums": "objects/test_requests.py",
    "objects/events": "load/live/test_events.py",
    "objects/pod_claims": "plugins/test_volume_binding.py",
    "objects/node_selectors": "objects/test_selectors.py",
    "objects/tolerations": "objects/test_selectors.py",
    "objects/*": "load/test_faults.py",
    "parameters": "cli/test_command_line.py",
    "patterns": "test_patterns.py",
    "plugins/default_binder": "scheduler/test_binding.py",
    "plugins/devices/*": "plugins/devices/test_allocator.py",
    "plugins/legacy/node_resources_scorer": "config/policy/test_policy_scheduler.py",
    "framework/signing": "scheduler/test_signing.py",
    "grouping": "test_grouping.py",
    "plugins/affinity_counts": "plugins/test_inter_pod_affinity.py",
    "plugins/label_signing": "scheduler/test_signing.py",
    "plugins/volume_signing": "scheduler/test_signing.py",
    "plugins/migrated_plugins": "plugins/test_node_volume_limits.py",
    "plugins/out_of_tree": "config/component/test_configured_scheduler.py",
    "plugins/pin_index": "plugins/test_node_affinity.py",
    "plugins/spread_counts": "plugins/test_pod_topology_spread.py",
    "plugins/storage_capacity": "plugins/test_volume_binding.py",
    "plugins/volume_binder": "plugins/test_volume_binding.py",
    "plugins/volume_claims": "plugins/test_volume_binding.py",
    "plugins/volume_counting": "plugins/test_node_volume_limits.py",
    "plugins/volume_matching": "plugins/test_volume_binding.py",
    "remedies/*": "golden/test_golden.py",
    "report/*": "golden/test_golden.py",
    "render/findings/*": "lint/test_formats.py",
    "render/*": "golden/test_golden.py",
    "scheduler/event_message": "scheduler/test_cycle.py",
    "validation/*": "validation/test_pod_spec.py",
    "admission/limits": "validation/test_admission.py",
    "admission/updates": "world/test_world.py",
    "shell": "test_shell.py",
    "words": "golden/test_golden.py",
    "world/*": "world/test_world.py",
}


def _modules() -> set[str]:
    files = (file for file in PACKAGE.rglob("*.py") if file.name != "__init__.py")
    return {file.relative_to(PACKAGE).with_suffix("").as_posix() for file in files}


def _packages() -> set[str]:
    return {file.parent.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("__init__.py")}


def _tests() -> set[str]:
    """Test files in folders that mirror one of the package, without suffix."""
    files = (file.relative_to(TESTS) for file in TESTS.glob("*/**/test_*.py"))
    return {file.with_suffix("").as_posix() for file in files if file.parts[0] not in OTHER_FOLDERS}


def _module_of(test: str) -> str:
    """The module of that name; the folder itself where the test has the folder's name."""
    folder, _, name = test.rpartition("/")
    name = name.removeprefix("test_")
    return folder if folder.endswith(f"/{name}") else f"{folder}/{name}"


def test_every_folder_has_its_counterpart() -> None:
    folders = {file.rpartition("/")[0] for file in _tests()}
    assert [folder for folder in sorted(folders) if not (PACKAGE / folder).is_dir()] == []


def test_every_test_is_named_after_its_module() -> None:
    named = _modules() | _packages()
    strays = {test for test in _tests() if _module_of(test) not in named}
    assert sorted(strays - ACROSS_MODULES) == []
    assert sorted(ACROSS_MODULES - strays) == []


def test_every_module_has_a_test_or_a_reason_to_have_none() -> None:
    untested = _modules() - {_module_of(test) for test in _tests()}
    reasons = {module: next((each for each in TESTED_ELSEWHERE if fnmatch(module, each)), "") for module in untested}
    assert sorted(module for module, reason in reasons.items() if not reason) == []
    assert sorted(TESTED_ELSEWHERE.keys() - set(reasons.values())) == []
    assert [test for test in TESTED_ELSEWHERE.values() if not (TESTS / test).is_file()] == []


@pytest.mark.skipif(not (TESTS.parent / ".git").exists() or not shutil.which("git"), reason="no checkout")
def test_nothing_strays_into_the_top_level() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=TESTS.parent, capture_output=True, text=True, check=True).stdout
    assert {each for each in listed.splitlines() if "/" not in each and not each.startswith(".")} == TOP_LEVEL
