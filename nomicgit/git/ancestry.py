"""Ancestry: which commit is meant, what leads to what, and what lies between, as Git itself says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from nomicgit.git import trees
from nomicgit.git.branch import Branch, is_ref
from nomicgit.git.layout import Layout
from nomicgit.git.objects import OID, Commit, Objects, check_oid
from nomicgit.git.process import command, log, run, try_run
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Ambiguous, Malformed, NomicError, Outage, Refused, in_a_line, printable

if TYPE_CHECKING:
    from nomicgit.git.walked import Walked

_REVISION = late(r"([^\x00-\x20~^:?*\[\\]+?)((?:[~^]|@\{).*)?")
_SHORT = late(r"[0-9a-f]{7,39}")
SHARED = ("refs/heads/", "refs/remotes/", "refs/tags/", "refs/nomicgit/")
"""Where references lie that all work trees of a clone have in common."""
_NEAR, _PLAIN = 20, 1 << 20
"""So many commits of a line are read here before Git is asked about it, each of at most so many bytes."""
_STOOD = 1000  # lines of the reflog, the latest


def _so_called(name: str) -> list[str]:
    """The references that go by a name, those that are meant first; by a full name goes one alone."""
    if name.startswith("refs/"):
        return [name]
    return [
        f"refs/heads/{name}", f"refs/remotes/{name}", f"refs/tags/{name}", f"refs/{name}", f"refs/remotes/{name}/HEAD"
    ]  # fmt: skip


class Ancestry:
    """What can be asked about the commits of a repository, and about the references that name them."""

    _layout: Layout
    _objects: Objects
    _branch: Branch

    def references(self, under: str) -> dict[str, str]:
        """The references below a prefix that ends with a slash, by name, with their commits. Git is asked only where one of them
        names another, say, or what is packed.
        """
        plain = self._branch.below(under)
        if plain is not None and all(self._objects.loose_size(oid) is not None for oid in plain.values()):
            return plain
        listed = run(
            command(self._layout, "for-each-ref", "--format=%(refname) %(objectname)", under)
        ).decode("utf-8", "surrogateescape")
        return dict(line.rsplit(" ", 1) for line in listed.splitlines())

    def stood(self) -> Iterator[Commit]:
        """The commits at which this clone has stood, the latest first, as far as its reflog and the objects are still there."""
        listed = try_run(log(self._layout, "--walk-reflogs", f"--max-count={_STOOD}", "--format=%H", "HEAD"))
        for oid in dict.fromkeys(listed.stdout.decode("ascii").split()):
            with suppress(NomicError):
                yield self._objects.commit(oid)

    def committed(self) -> Iterator[Commit]:
        """Those of them that were committed here, and not carried here by Git from elsewhere, the latest first."""
        for oid in dict.fromkeys(self._branch.committed(_STOOD)):
            with suppress(NomicError, Outage):
                yield self._objects.commit(oid)

    def leads_to(self, older: str, newer: str) -> bool:
        """Whether a commit is another's ancestor, or the same."""
        return self.merge_base(older, newer) == older

    def _near(self, older: str, newer: str) -> list[str] | None:
        """The commits by first parents from one to another that lies close behind it, newest first, without the older; None where
        that is not seen here, and Git is to be asked.
        """
        way: list[str] = []
        following = newer
        with suppress(NomicError, Outage):
            while len(way) < _NEAR:
                commit = self._objects.commit(following, _PLAIN)
                if commit.oid == older:
                    return way
                if not commit.parents:
                    break
                way.append(following)
                following = commit.parents[0]
        return None

    def _forked(self, one: str, other: str) -> tuple[str, list[str]] | None:
        """The commit from which two lines part, and what is only in the first, newest first; None where one of them has a merge
        on its way there, or the way is long, and Git is to be asked.
        """
        ways, following = ([one], [other]), [one, other]
        with suppress(NomicError, Outage):
            for _ in range(_NEAR):
                for way, beside in (ways, ways[::-1]):
                    if way[-1] in beside:
                        self._objects.commit(way[-1], _PLAIN)  # which Git would miss too
                        return way[-1], ways[0][: ways[0].index(way[-1])]
                for at, oid in enumerate(following):
                    parents = self._objects.commit(oid, _PLAIN).parents if oid else ()
                    following[at] = parents[0] if len(parents) == 1 else ""
                    ways[at].extend(parents if len(parents) == 1 else ())
        return None

    def resolve(self, name: str) -> str | None:
        """The commit that a person means by a revision: by its id, or the beginning of it, before a branch so called; by a
        branch before anything else. Ambiguous where a tag, or another reference, of that name leads elsewhere.
        """
        if OID.fullmatch(name):
            with suppress(Malformed):
                return self._objects.commit(name).oid
        if _SHORT.fullmatch(name) and (meant := self._beginning(name)):
            return meant
        if (match := _REVISION.fullmatch(name)) and match[1] != "HEAD":
            so_called = [ref for ref in _so_called(match[1]) if self._is_there(ref)]
            self._refuse_ambiguous(match[1], so_called)
            if not so_called and match[1].startswith("refs/"):
                return None
            name = (so_called or [match[1]])[0] + (match[2] or "")
        return self._commit_at(name)

    def _is_there(self, ref: str) -> bool:
        try:
            return is_ref(ref) and self._branch.at(ref) is not None
        except Malformed:  # such as one that names another
            return True

    def _at(self, name: str) -> str | None:
        """What a reference holds that all work trees share, by its full name; None where it is none, or is not there."""
        return self._branch.at(name) if name.startswith(SHARED) and is_ref(name) else None

    def _refuse_ambiguous(self, name: str, refs: Sequence[str]) -> None:
        """Refuse a name by which several references go that do not lead to one commit."""
        if len(refs) > 1 and len({self._commit_at(ref) for ref in refs}) > 1:
            raise Ambiguous.of(
                f"{printable(name, 60)} may mean {' or '.join(printable(ref, 80) for ref in refs)}, which differ",
                mend=f"say which by its full name, such as {printable(refs[0], 80)}",
            )

    def _commit_at(self, name: str) -> str | None:
        """The commit that Git finds by a name."""
        if not name or not name.isprintable():
            return None
        with suppress(NomicError, Outage):  # Git finds more: what a tag stands for, say
            if (oid := self._at(name)) is not None:
                return self._objects.commit(oid, _PLAIN).oid
        line = command(
            self._layout, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        )
        done = try_run(line)
        oid = done.stdout.decode("ascii", "replace").strip()
        return oid if not done.returncode and OID.fullmatch(oid) else None

    def _beginning(self, digits: str) -> str | None:
        """The one commit whose id begins so; None where there is none, or more."""
        listed = try_run(command(self._layout, "rev-parse", f"--disambiguate={digits}")).stdout.decode(
            "ascii", "replace"
        )
        commits = []
        for oid in listed.split():
            with suppress(Malformed):
                commits.append(self._objects.commit(oid).oid)
        return commits[0] if len(commits) == 1 else None

    def walked(self, tip: str, path: str = "") -> Iterator[Walked]:
        """The first-parent history of ``tip``, newest first, with the files that each commit touches.

        Of a path: only the commits that touch it, with it alone.
        """
        from nomicgit.git.walked import walk_history  # here: few commands read all of it

        check_oid(tip)
        return walk_history(self._layout, tip, path)

    def beyond(self, base: str, tip: str) -> Iterator[Commit]:
        """The commits that lead to ``tip`` and not to ``base``, by whatever parents."""
        for oid in self.ids_beyond(base, tip)[::-1]:
            yield self._objects.commit(oid)

    def ids_beyond(self, base: str | None, tip: str, *how: str) -> list[str]:
        """The ids of these commits, oldest first, as Git lists them, whatever it takes for a commit; all, where there is no base."""
        for oid in (base or tip, tip):
            check_oid(oid)
        if base == tip:
            return []
        if base is not None and (parting := self._forked(tip, base)) is not None:
            return parting[1][::-1]
        line = command(self._layout, "rev-list", "--reverse", *how, tip, *([f"^{base}"] if base else []))
        return run(line).decode("ascii").split()

    def first_with(self, oid: str, base: str | None, tip: str) -> str:
        """The oldest commit beyond a base (None: of all) that brings an object, or is it; the tip where Git cannot tell."""
        for each in (oid, base or tip, tip):
            check_oid(each)
        between = (tip, *([f"^{base}"] if base else []))
        order = ("--reverse", "--topo-order")
        brings = ("-t", "-m", "--root", "--no-patch", f"--find-object={oid}")  # but no commit's whole tree
        try:
            all_of_it = (
                run(log(self._layout, *order, "--format=%H %T", *between)).decode("ascii").splitlines()
            )
            there = run(log(self._layout, *order, "--format=%H", *brings, *between)).decode("ascii").split()
        except NomicError:
            return tip
        bringing = {*there, *(each.split()[0] for each in all_of_it if oid in each.split())}
        return next((each.split()[0] for each in all_of_it if each.split()[0] in bringing), tip)

    def sizes(self, oids: Iterable[str]) -> dict[str, int]:
        """How many bytes each of these objects has; what is not here is left out."""
        loose = {oid: self._objects.loose_size(oid) for oid in oids}
        asked = "".join(f"{oid}\n" for oid, size in loose.items() if size is None).encode()
        line = command(self._layout, "cat-file", "--batch-check=%(objectname) %(objectsize)")
        listed = run(line, given=asked).decode("ascii") if asked else ""
        rows = (each.split(" ") for each in listed.splitlines())
        packed = {oid: int(size) for oid, size in rows if size.isdecimal()}
        return {oid: size for oid, size in loose.items() if size is not None} | packed

    def brought(self, base: str, tip: str) -> list[tuple[int, str, str]]:
        """The files that the history of ``tip`` has and that of ``base`` has not, the largest first: how many bytes each has,
        unpacked, its id, and where it lies.
        """
        for oid in (base, tip):
            check_oid(oid)
        listed = run(command(self._layout, "rev-list", "--objects", tip, f"^{base}"))
        rows = (row.partition(" ") for row in listed.decode("utf-8", "surrogateescape").split("\n") if row)
        paths = {oid: path for oid, blank, path in rows if blank}
        line = command(self._layout, "cat-file", "--batch-check=%(objecttype) %(objectsize) %(objectname)")
        answered = run(line, given="".join(f"{oid}\n" for oid in paths).encode()).decode("ascii").splitlines()
        kinds = (row.split(" ") for row in answered)
        return sorted(
            ((int(size), oid, paths[oid]) for kind, size, oid in kinds if kind == "blob"), reverse=True
        )

    def merge_base(self, one: str, other: str) -> str | None:
        """The newest commit that is in the histories of both; None where they have nothing in common."""
        for oid in (one, other):
            check_oid(oid)
        if (parting := self._forked(one, other)) is not None:
            return parting[0]
        for older, newer in ((one, other), (other, one)):
            if self._near(older, newer) is not None:
                return older
        line = command(self._layout, "merge-base", one, other)
        done = try_run(line)
        if done.returncode > 1:
            said = in_a_line(done.stderr.decode("utf-8", "replace"))
            raise Refused.of(f"`git merge-base` failed: {said}", mend="fetch what is missing and try again")
        return done.stdout.decode("ascii", "replace").strip() or None

    def first_after(self, base: str, tip: str) -> str | None:
        """The oldest commit on the way to ``tip``, by first parents, that ``base`` has not; None where there is none."""
        for oid in (base, tip):
            check_oid(oid)
        if (parting := self._forked(tip, base)) is not None:
            return parting[1][-1] if parting[1] else None
        if (way := self._near(base, tip)) is not None:
            return way[-1] if way else None
        if self._near(tip, base) is not None:
            return None
        oids = run(command(self._layout, "rev-list", "--first-parent", "--reverse", f"{base}..{tip}"))
        return oids.partition(b"\n")[0].decode("ascii", "replace") or None

    def touching(self, base: str, tip: str, path: str) -> str | None:
        """The newest commit in the history of ``tip`` and not in that of ``base`` that gives a folder what none of its
        parents has there; None where there is none.
        """
        for oid in (base, tip):
            check_oid(oid)
        line = ("rev-list", "--full-history", tip, f"^{base}", "--", path)
        for oid in run(command(self._layout, *line)).decode("ascii", "replace").split():
            commit = self._objects.commit(oid)
            there = [
                trees.entry(self._objects, self._objects.commit(parent).tree, path)
                for parent in commit.parents
            ]
            if trees.entry(self._objects, commit.tree, path) not in (there or [None]):
                return oid
        return None
