"""Runs every file of tests/cases through the Python API: blocking, with asyncio, and with a driver of our own."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.pumped import Pumped
from tests.scripted import Script, reducers
from wf_core import (
    PreparedSubgraph,
    RunState,
    WfError,
    Workflow,
    WorkflowValidationError,
    dump_run_state,
    execute_workflow,
    execute_workflow_result,
    execute_workflow_result_async,
    resume_workflow_result,
    resume_workflow_result_async,
)
from wf_core.errors import DocumentError
from wf_core.reducers import ReducerDefinition
from wf_core.runtime.machine import Run
from wf_core.validation import ValidationIssueCode, validate_workflow

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


def load(path: Path) -> dict[str, Any]:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return case


def differs(expected: Any, found: Any, place: str = "") -> str | None:
    """Where two JSON values differ, kinds included; None when they are equal. Key order is not compared."""
    if type(expected) is not type(found):
        return f"{place}: expected {expected!r}, found {found!r}"
    if isinstance(expected, dict):
        if expected.keys() != found.keys():
            return f"{place}: expected keys {list(expected)}, found {list(found)}"
        return next((d for key in expected if (d := differs(expected[key], found[key], f"{place}.{key}"))), None)
    if isinstance(expected, list):
        if len(expected) != len(found):
            return f"{place}: expected {len(expected)} items, found {len(found)}: {found!r}"
        return next((d for i, x in enumerate(expected) if (d := differs(x, found[i], f"{place}[{i}]"))), None)
    return None if expected == found else f"{place}: expected {expected!r}, found {found!r}"


def subset(expected: dict[str, Any] | None, found: Any, place: str) -> str | None:
    """Where the attributes of a record differ from what is expected of them."""
    if expected is None or found is None:
        return None if expected is found else f"{place}: expected {expected!r}, found {found!r}"
    return next(
        (d for key, value in expected.items() if (d := differs(value, getattr(found, key), f"{place}.{key}"))),
        None,
    )


def trace_differs(expected: list[Any], run: RunState) -> str | None:
    found = [[entry.frame_id, entry.node_id, entry.outcome] for entry in run.trace]
    if len(expected) != len(found):
        return f"trace: expected {len(expected)} entries, found {found}"
    for i, wanted in enumerate(expected):
        if isinstance(wanted, list):
            difference = differs(wanted, found[i], f"trace[{i}]")
        else:
            difference = subset(wanted, run.trace[i], f"trace[{i}]")
        if difference:
            return f"{difference} (in {found})"
    return None


@dataclass
class Runner:
    """One case with one driver."""

    case: dict[str, Any]
    driver: str

    def __post_init__(self) -> None:
        self.script = Script(self.case.get("replies", {}), newest_first=self.case.get("order") == "reversed")
        self.workflow = Workflow.model_validate(self.case["workflow"])
        self.registry = self.handlers(self.workflow)
        children = {key: Workflow.model_validate(doc) for key, doc in self.case.get("subgraphs", {}).items()}
        self.reducers = reducers(self.case.get("reducers", {}))
        self.subgraphs = {
            key: PreparedSubgraph(child, self.handlers(child), self.reducers) for key, child in children.items()
        }

        self.pumped = Pumped(self.workflow, self.script, self.reducers, self.subgraphs)

    def handlers(self, workflow: Workflow) -> dict[str, Any]:
        make = self.script.blocking if self.driver == "blocking" else self.script.overlapping
        return {definition.name: make(definition.name) for definition in workflow.node_defs}

    def start(self) -> RunState:
        if self.driver == "machine":
            self.pumped.start(self.case.get("input", {}), self.case.get("options", {}))
            return self.pumped.state()
        arguments = (self.workflow, self.case.get("input", {}), self.registry)
        options: dict[str, Any] = {
            "reducers": self.reducers,
            "subgraphs": self.subgraphs,
            **self.case.get("options", {}),
        }
        if self.driver == "blocking":
            return execute_workflow_result(*arguments, **options)
        return asyncio.run(execute_workflow_result_async(*arguments, **options))

    def resume(self, run: RunState, **answer: Any) -> RunState:
        prepared: dict[str, Any] = {"reducers": self.reducers, "subgraphs": self.subgraphs}
        if self.driver == "blocking":
            return resume_workflow_result(self.workflow, run, self.registry, **prepared, **answer)
        return asyncio.run(resume_workflow_result_async(self.workflow, run, self.registry, **prepared, **answer))

    def apply(self, run: RunState, entry: dict[str, Any]) -> RunState:
        if self.driver == "machine":
            self.pumped.apply(entry)
            return self.pumped.state()
        if "resume" in entry:
            given = entry["resume"]
            more = {"interrupt_id": given["interrupt"]} if "interrupt" in given else {}
            return self.resume(run, resume_payload=given["payload"], resume_outcome=given["outcome"], **more)
        if "cancel" in entry:
            return run.cancel(entry["cancel"])
        assert entry.get("retry"), f"unknown script entry {entry}"
        resumed = self.resume(run)
        if run.status == "completed":
            assert resumed is run, "a completed run is given back"
            Run.from_state(self.workflow, run, reducers=self.reducers, subgraphs=self.subgraphs).retry()
        return resumed

    def refused(self, run: RunState, entry: dict[str, Any]) -> Exception:
        """Applies an entry that must be refused and change nothing."""
        before = dump_run_state(run)
        with pytest.raises(Exception) as caught:
            self.apply(run, entry)
        after = self.pumped.state() if self.driver == "machine" else run
        assert dump_run_state(after) == before, "a refused event changed the run"
        return caught.value

    def run(self) -> tuple[RunState, Exception | None]:
        run = self.start()
        entries = self.case.get("script", [])
        rejection = None
        for i, entry in enumerate(entries):
            last = i == len(entries) - 1
            if entry.get("refused") or (last and "rejected" in self.case["expect"]):
                rejection = self.refused(run, entry)
            else:
                run = self.apply(run, entry)
        return run, rejection


def refusals(workflow: Workflow, children: dict[str, Workflow], custom: dict[str, ReducerDefinition]) -> list[Any]:
    """What only shows when everything is put together, which is before the first handler would run."""
    prepared: dict[str, PreparedSubgraph[Any]] = {
        key: PreparedSubgraph(child, {}, custom) for key, child in children.items()
    }
    try:
        execute_workflow(workflow, {}, {}, reducers=custom, subgraphs=prepared)
    except WorkflowValidationError as error:
        return [] if error.report is None else list(error.report.errors)
    except WfError:
        return []  # No handler is registered here, so a sound workflow fails at its first call.
    return []


def check_issues(case: dict[str, Any]) -> None:
    workflow = Workflow.model_validate(case["workflow"])
    children = {key: Workflow.model_validate(doc) for key, doc in case.get("subgraphs", {}).items()}
    custom = reducers(case.get("reducers", {}))
    report = validate_workflow(workflow, reducers=custom, subgraphs=children or None)
    issues = report.issues
    if report.ok:
        issues = [*issues, *refusals(workflow, children, custom)]
    expected = case["expect"]["issues"]
    listed = {issue["code"] for issue in expected}
    found = [
        {"code": str(issue.code), "path": issue.path, "message": issue.message}
        for issue in issues
        if str(issue.severity) == "error" or str(issue.code) in listed
    ]
    assert len(found) == len(expected), found
    for wanted, issue in zip(expected, found, strict=True):
        assert {key: issue[key] for key in wanted} == wanted


def check(expect: dict[str, Any], runner: Runner, run: RunState, rejection: Exception | None) -> None:
    found = {
        "status": str(run.status),
        "outcome": run.outcome,
        "output": run.output,
        "state": run.state,
        "calls": runner.script.calls,
    }
    failed_by = f"; error: {run.error}" if run.error is not None and expect["status"] != "failed" else ""
    for key in ("status", "calls", "outcome", "state", "output"):
        if key in expect:
            difference = differs(expect[key], found[key], key)
            assert difference is None, f"{difference}{failed_by}"
    for key in ("error", "interrupt"):
        if key in expect:
            assert subset(expect[key], getattr(run, key), key) is None, subset(expect[key], getattr(run, key), key)
    if "trace" in expect:
        assert trace_differs(expect["trace"], run) is None, trace_differs(expect["trace"], run)
    if "rejected" in expect:
        assert rejection is not None
        if "message" in expect["rejected"]:
            assert expect["rejected"]["message"] in str(rejection)
        if "code" in expect["rejected"]:
            assert getattr(rejection, "code", None) == expect["rejected"]["code"]


def check_problems(case: dict[str, Any]) -> None:
    with pytest.raises(DocumentError) as caught:
        Workflow.model_validate(case["workflow"])
    found = [problem._asdict() for problem in caught.value.problems]
    expected = case["expect"]["problems"]
    assert len(found) == len(expected), found
    for wanted, problem in zip(expected, found, strict=True):
        assert {key: problem[key] for key in wanted} == wanted


def drivers(path: Path) -> tuple[str, ...]:
    """Documents need no driver, calls overtake one another with asyncio only, only our own driver moves the clock."""
    case = load(path)
    if not case["expect"].get("status"):
        return ("document",)
    replies = [reply for replies in case.get("replies", {}).values() for reply in replies]
    moves_the_clock = "deadline_ms" in case.get("options", {}) or any("tick_ms" in e for e in case.get("script", []))
    if moves_the_clock or any("cancelled" in reply for reply in replies):
        return ("machine",)
    return ("asyncio", "machine") if "order" in case else ("blocking", "asyncio", "machine")


@pytest.mark.parametrize(
    ("path", "driver"),
    [pytest.param(path, driver, id=f"{path.stem}-{driver}") for path in CASES for driver in drivers(path)],
)
def test_case(path: Path, driver: str) -> None:
    case = load(path)
    if "problems" in case["expect"]:
        check_problems(case)
    elif "issues" in case["expect"]:
        check_issues(case)
    else:
        runner = Runner(case, driver)
        run, rejection = runner.run()
        check(case["expect"], runner, run, rejection)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_file_says_what_it_pins(path: Path) -> None:
    case = load(path)
    known = {
        "title",
        "why",
        "workflow",
        "subgraphs",
        "reducers",
        "input",
        "replies",
        "order",
        "options",
        "script",
        "expect",
    }
    assert set(case) <= known
    assert case["title"]
    assert case["why"]
    assert {"status", "issues", "problems"} & set(case["expect"])


def test_case_titles_are_all_different() -> None:
    titles = [load(path)["title"] for path in CASES]
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


def test_every_validation_code_has_a_case() -> None:
    covered = {issue["code"] for path in CASES for issue in load(path)["expect"].get("issues", [])}
    # A document with such a condition does not parse: `document_condition_and_needs_arguments`.
    covered.add("empty_condition_args")
    assert sorted({str(code) for code in ValidationIssueCode} - covered) == []
