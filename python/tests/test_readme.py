"""The tour of the README and the docstrings are run, output and all."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import farchive
import farchive._batch

README = Path(__file__).parent.parent / "README.md"


def run(name: str, text: str) -> int:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    test = parser.get_doctest(text, {}, name, name, 0)
    lines: list[str] = []
    runner.run(test, out=lines.append)
    assert not lines, "".join(lines)
    return len(test.examples)


def test_the_tour_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    assert run("README.md", "\n".join(blocks)) >= 30


@pytest.mark.parametrize("module", [farchive, farchive._batch])
def test_docstrings_run(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted > 0 and found.failed == 0
