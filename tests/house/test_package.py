"""What is built is what is installed elsewhere: it holds what is needed and nothing else, and plays where nothing else is."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable
from email import message_from_bytes
from email.message import Message
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from support.consoles import hold_to
from support.places import ROOT

from nomicgit.forge import setup

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source, as they would be released."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def elsewhere(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel, what it says that it needs to play with secrets, and nothing besides."""
    home = tmp_path_factory.mktemp("elsewhere")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    [packages] = home.glob("lib/python*/site-packages")
    for name in needed([*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["sealed"]]):
        copy(name, packages)
    [wheel] = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)
    subprocess.run([*pip, "check"], check=True, capture_output=True)
    return home / "bin"


def needed(requirements: Iterable[str]) -> set[str]:
    """The names of what is required, and of what those require in turn, but for what they would only with an extra."""
    wanted = [Requirement(each) for each in requirements]
    names = {each.name for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})}
    return names.union(*(needed(distribution(name).requires or ()) for name in names))


def copy(name: str, packages: Path) -> None:
    """Copy an installed distribution, file by file as it lists them."""
    for file in distribution(name).files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts:
            target = packages / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(Path(str(file.locate())).read_bytes())


def tracked(folder: str) -> set[str]:
    """The files that Git keeps, or would keep, under a folder."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return set(listed.stdout.split("\0")) - {""}


@pytest.mark.slow
def test_the_wheel_holds_the_program_and_its_licence_and_nothing_else(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    about = {name for name in names if ".dist-info/" in name}
    assert names - about == tracked("nomicgit")
    licences = {name.partition(".dist-info/")[2] for name in about if "/licenses/" in name}
    assert licences == {f"licenses/{path}" for path in PROJECT["license-files"]}
    assert {*names} >= {"nomicgit/site/assets/age.LICENSE.txt", "nomicgit/site/assets/card.LICENSE.txt"}


def test_the_wheel_of_this_installation_is_the_one_that_is_built(built: Path) -> None:
    """Hatchling builds it by itself: the same files, but for what each says of who built it."""
    [(path, ours)] = ((path, data) for path, data in setup.program().items() if path.endswith(".whl"))
    [theirs] = built.glob("*.whl")
    assert path.rpartition("/")[2] == theirs.name
    read, wanted = (
        {name: archive.read(name) for name in archive.namelist() if not name.endswith(("/WHEEL", "/RECORD"))}
        for archive in (zipfile.ZipFile(io.BytesIO(ours)), zipfile.ZipFile(theirs))
    )
    assert read.keys() == wanted.keys()
    assert [name for name in read if read[name] != wanted[name] and not name.endswith("/METADATA")] == []


@pytest.mark.slow
def test_a_release_names_the_place_that_it_comes_from_and_no_other_build_does(
    built: Path, tmp_path: Path
) -> None:
    home = "https://forge.example/court/nomicgit"
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, env={**os.environ, "PROJECT_URL": f"{home}/"}
    )
    assert urls(built) == []
    at = f"{home}/blob/v{PROJECT['version']}"
    assert urls(tmp_path) == [
        f"Changelog, {at}/CHANGELOG.md",
        f"Documentation, {at}/docs/index.md",
        f"Issues, {home}/issues",
        f"Source, {home}",
    ]
    for page in ("CHANGELOG.md", "docs/index.md"):
        assert (ROOT / page).is_file()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert described(built) == readme
    assert described(tmp_path).replace(f"]({at}/", "](") == readme
    led = re.findall(r"\]\(([^)]*)\)", described(tmp_path))
    assert [link for link in led if not link.startswith("https://")] == []
    pages = [link.removeprefix(f"{at}/").partition("#")[0] for link in led if link.startswith(f"{at}/")]
    assert len(pages) > 12
    assert [page for page in pages if not (ROOT / page).is_file()] == []


def urls(folder: Path) -> list[str]:
    """What the wheel in a folder says of the project's addresses."""
    return sorted(metadata(folder).get_all("Project-URL", []))


def described(folder: Path) -> str:
    """What the wheel in a folder shows of itself on a package index."""
    said = metadata(folder).get_payload(decode=True)
    assert isinstance(said, bytes)
    return said.decode("utf-8")


def metadata(folder: Path) -> Message:
    """What the wheel in a folder says of itself."""
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


@pytest.mark.slow
def test_the_source_holds_what_git_keeps(built: Path) -> None:
    [source] = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names - tracked(".") == {"PKG-INFO"}
    assert {"README.md", "LICENSE", "pyproject.toml", "Makefile", "tests/house/test_package.py"} <= names


@pytest.mark.slow
def test_readmes_session_runs_from_the_wheel_alone(elsewhere: Path, tmp_path: Path) -> None:
    hold_to("README.md", tmp_path, elsewhere)


def test_it_is_the_wheel_that_plays(elsewhere: Path, tmp_path: Path) -> None:
    asked = (
        "import importlib.util, nomicgit; print(nomicgit.__file__);"
        "print([name for name in ('pytest', 'mkdocs', 'httpx') if importlib.util.find_spec(name)])"
    )
    said = subprocess.run(
        [elsewhere / "python", "-c", asked], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert said[0].startswith(str(elsewhere.parent))
    assert said[1] == "[]"


def test_the_types_are_told() -> None:
    assert (ROOT / "nomicgit" / "py.typed").exists()


def test_the_version_is_cited_once_it_is_released_with_its_day_and_its_address() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    released = PROJECT["version"] in headings
    assert cited.get("version") == (PROJECT["version"] if released else None)
    assert {"date-released", "repository-code"} & cited.keys() == (
        {"date-released", "repository-code"} if released else set()
    )
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert ("git clone ADDRESS" in readme) is not released


def test_the_rules_of_the_editions_ask_for_nothing_and_the_program_for_its_notice() -> None:
    """A founded game is a copy of an edition, and holds no licence."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert PROJECT["license"].split(" AND ")[:2] == [
        cited["license"],
        "MIT-0",
    ]  # whose words are cited are the program's
    program, rules = (
        " ".join((ROOT / path).read_text(encoding="utf-8").split()) for path in PROJECT["license-files"][:2]
    )
    notice = "The above copyright notice and this permission notice shall be included"
    assert notice in program
    assert notice not in rules
    assert rules.startswith("MIT No Attribution Copyright")
    terms = "THE SOFTWARE IS PROVIDED"
    assert program.partition(terms)[2] == rules.partition(terms)[2]


def test_the_hooks_before_a_commit_are_the_linters_of_make_check() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repo["repo"] for repo in hooks] == ["local"]
    entries = [hook["entry"].removeprefix(".venv/bin/") for hook in hooks[0]["hooks"]]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    jobs = re.findall(
        r"^\t\$\(BIN\)/(.*)$", makefile.partition("check: ")[2].partition("\n\n")[0], re.MULTILINE
    )
    assert jobs == ["ruff format --check", "ruff check", "mypy"]
    assert entries == [*jobs, "actionlint"]


def test_the_hooks_before_a_commit_look_at_the_files_of_make_check() -> None:
    """The whole tree, whatever is committed; mypy, which is slow, where what it reads is."""
    [repo] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    *linters, types, _ = repo["hooks"]
    for hook in (*linters, types):
        assert hook["pass_filenames"] is False, hook["id"]
    which = {"files", "exclude", "types", "types_or", "exclude_types", "stages"}
    assert [which & hook.keys() for hook in (*linters, types)] == [set(), set(), {"files"}]
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]["files"]
    read = {path for folder in checked for path in tracked(folder) if path.endswith((".py", ".pyi"))}
    assert len(read) > 300
    assert [path for path in {*read, "pyproject.toml"} if not re.search(types["files"], path)] == []
