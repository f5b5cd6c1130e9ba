"""The table at which events become deeds: a game in a scratch clone, and what is known of the forge.

It plays in a worker, for the law decides here; what it gives is plain data, and its deeds stand in the clone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from nomicgit.clones import resolving
from nomicgit.git import Repository
from nomicgit.ground.clock import instant
from nomicgit.ground.problems import NomicError, Place, Refused
from nomicgit.law.declarations import Action
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import Type
from nomicgit.outlook import meant, overview, voters
from nomicgit.outlook.overview import Outlook
from nomicgit.physics.deed import Account, Deed, Origin
from nomicgit.physics.deed import Thread as OfForge
from nomicgit.physics.deeds import petitions
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record.game import AHEAD, Game, Recorded, new_id
from nomicgit.record.tree import RULESET
from nomicgit.steward import marks
from nomicgit.steward.accounts import People
from nomicgit.steward.asking import EVERYWHERE, WELCOMED, Do, HandIn, Tell, in_words, lacking
from nomicgit.steward.deciding import decide, edited_since, for_good
from nomicgit.steward.doorbell import FORGE, Doorbell
from nomicgit.steward.events import Event
from nomicgit.steward.past import Past
from nomicgit.steward.proposing import Branches
from nomicgit.steward.questions import when
from nomicgit.steward.seen import Issue, Person, Pull
from nomicgit.steward.steps import Done, Heard, Hitch, Step, Told

if TYPE_CHECKING:
    from nomicgit.sealing.keys import Key
    from nomicgit.steward.secrets import Secrets

NOT_TAKEN = "this is set aside, for the forge does not take it into the repository. Edit it, or push, and it is tried anew.\n{}"
NOT_MERGED = "this is enacted without merging its branch, whose history the forge does not take. The law is the same.\n{}"


class Table:
    """A game with its doorbell. ``told`` are the keys of what the steward has told already, by thread."""

    def __init__(
        self,
        repository: Repository,
        doorbell: Doorbell,
        threads: Sequence[Pull | Issue],
        keys_told: Mapping[int, Collection[str]],
        now: int,
        key: Key | None = None,
        said: str = "",
    ) -> None:
        self.repository, self.doorbell, self.now = repository, doorbell, now
        self.game = Game.open(repository.git_dir)
        self.secrets = self._secrets(key, said)
        self.threads = {thread.number: thread for thread in threads}
        self.all_comments = doorbell.all_comments
        self.branch = self.game.repository.branch.removeprefix("refs/heads/")
        self.people = People(self.game.tree, doorbell.players)
        self._told = {number: set(keys) for number, keys in keys_told.items()}
        self._branches = Branches(repository)
        self._posts = {number: post for post, number in self._pending()}
        self._seen: tuple[str, Outlook] | None = None
        self.refused: Mapping[str, str] = {}
        """Why the forge does not take the deeds of some events, and resolutions of some posts, by their ids."""

    def _secrets(self, key: Key | None, said: str) -> Secrets | None:
        """What is done with the key, where the game has one and it is at hand."""
        if key is None or not self.keeps_secrets:
            return None
        from nomicgit.steward.secrets import (
            Secrets,
        )  # here: most games have no keys, and need none of what seals

        return Secrets(self.repository, key, since=self.game.last(), said=said)

    # ---- what is known

    @property
    def keeps_secrets(self) -> bool:
        """Whether the game has keys."""
        return self.game.tree.has_keys

    @property
    def takes_orders(self) -> bool:
        """Whether what is sealed can be opened here."""
        return self.secrets is not None

    @property
    def site(self) -> str:
        """The address of the game's site."""
        return self.doorbell.site

    @cached_property
    def past(self) -> Past:
        """What the record tells of the forge: read when something is new."""
        return Past.read(self.repository, self.game.head.oid)

    @property
    def actions(self) -> Mapping[str, Action]:
        """The actions of the law in force."""
        return self.game.law.declared.actions

    def type_at(self, path: str) -> Type | None:
        """The type of what the law in force declares at a path."""
        return meant.type_at(self.game.law, path)

    def declares(self, variable: str) -> bool:
        """Whether the law declares such a variable of matters."""
        return self.game.law.variable("posts", variable) is not None

    def player(self, person: Person | None) -> str | None:
        """The player whose account it is."""
        return self.people.player(person)

    def since(self, person: Person) -> int:
        """Since when the account is known as a player's."""
        return max(self.past.known.get(person.id, 0), self.people.since(person))

    def news_of(self, person: Person) -> Account | None:
        """The account, where the record does not have it as it is."""
        return self.people.news_of(person)

    def free_name(self, wanted: str, person: Person) -> str | None:
        """The id under which somebody may join who wants a name."""
        return self.people.free_name(wanted, person)

    def voted_at(self, player: str, post: int) -> int:
        """When a player voted last on a post."""
        return self.past.voted_at(player, post)

    def waits(self, person: Person) -> bool:
        """Whether somebody has asked to join, and waits for an answer."""
        name = self.people.guest(person)
        return name is not None and any(each.who == name for each in petitions.waiting(self.game.world()))

    def outlook(self) -> Outlook:
        """How the game stands, after all that was done."""
        if self._seen is None or self._seen[0] != self.game.head.oid:
            self._seen = self.game.head.oid, overview.outlook(self.game, self._at(), votes=False)
        return self._seen[1]

    def wants_vote(self, player: str) -> tuple[int, ...]:
        """The pending posts that need a player's vote."""
        return voters.wants_vote(self.game.looked_at(self._at()), player)

    def _at(self) -> int:
        return max(self.now, self.game.last())

    def ballot(self, player: str, post: int) -> str:
        """The icon that a player cast last on a post."""
        said = [each for each in self.game.tree.comments(f"posts/{post}") if each.get("icon")]
        return next((str(each["icon"]) for each in reversed(said) if each["by"] == player), "")

    def content_at(self, thread: int, post: int) -> int:
        """Since when a post says what it says."""
        return self.past.content_at(thread, post)

    def holds(self, commit: str) -> bool:
        """Whether the game's own branch has a commit."""
        return self.repository.leads_to(commit, self.game.head.oid)

    def same(self, post: Mapping[str, Any], commit: str) -> bool | None:
        """Whether a commit says what a post brings."""
        return self._branches.same(self.game.head.oid, post, commit)

    def shows_other(self, thread: int, post: Mapping[str, Any]) -> bool:
        """Whether a thread shows something else than its pending post brings: an edit that the law refused, or none took in."""
        pull = self.threads.get(thread)
        if not isinstance(pull, Pull) or post.get("status") != "pending" or not post.get("branch_head"):
            return False
        return self._branches.show_other(self.game.head.oid, post, pull)

    def changes(self, head: str, block: Collection[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The changes of a branch and a block."""
        return self._branches.changes(self.game.head.oid, head, tuple(block))

    def rule_of(self, where: Place) -> Placed | None:
        """The rule of a place: whose file it is, or whose title or slug it names."""
        rules = self.game.ruleset.rules
        of_file = (rule for rule in rules if where.file == f"{RULESET}{rule.path}")
        named = (rule for rule in rules if where.rule and where.rule in (rule.slug, rule.title))
        return next(of_file, None) or next(named, None)

    def told(self, thread: int, key: str) -> bool:
        """Whether something was told on a thread."""
        return key in self._told.get(thread, ())

    def post(self, thread: int) -> tuple[int, Mapping[str, Any]] | None:
        """The post of a thread."""
        known = self.threads.get(thread)
        if known is not None and not self.past.is_of(thread, known.at):
            return None  # the thread of another repository, in which the game lived before
        number = self._posts.get(thread)
        if number is None and thread in self.past.begun:
            number = self._begun(thread)
        fields = self.game.tree.entity(f"posts/{number}") if number else None
        return None if number is None or fields is None else (number, fields)

    def numbered(self, post: int) -> tuple[int, Mapping[str, Any]] | None:
        """The post of a number, whether or not it has a thread."""
        fields = self.game.tree.entity(f"posts/{post}")
        return None if fields is None else (post, fields)

    def _begun(self, thread: int) -> int | None:
        """The post that a thread became long ago: it is not pending any more."""
        for name in self.game.tree.ids("posts"):
            kept = (self.game.tree.entity(f"posts/{name}") or {}).get("forge")
            if isinstance(kept, Mapping) and isinstance(kept.get(FORGE), int):
                self._posts.setdefault(kept[FORGE], int(name))
        return self._posts.get(thread)

    def _pending(self) -> Iterator[tuple[int, int]]:
        """The pending posts that have a thread, each with its number there."""
        for number in (self.game.tree.entity("open") or {}).get("pending", []):
            kept = (self.game.tree.entity(f"posts/{number}") or {}).get("forge")
            if isinstance(kept, Mapping) and isinstance(kept.get(FORGE), int):
                yield number, kept[FORGE]

    def pending(self) -> dict[int, int]:
        """The pending posts that have a thread: the post's number by the thread's."""
        return {thread: post for post, thread in self._pending()}

    # ---- what is done

    def take(self, event: Event) -> Done | Told | Heard:
        """Let an event become what it asks for."""
        return self._taken(event) or Heard(event.id, event.number)

    def _taken(self, event: Event) -> Done | Told | Heard | None:
        begun = self.threads[event.number].at
        aside, heard = as_it_stands("aside", event), as_it_stands("heard", event)
        if any(self.told(event.number, key) for key in (event.key, aside, heard)):
            return None
        if self.past.answer_to(event.id, begun) is not None:
            tell = edited_since(self, event, self.past.used[event.id][0])
            return self.tells(event.number, tell, event.id) if tell is not None else None
        if event.id in self.refused:
            text = NOT_TAKEN.replace("{}", self.refused[event.id])
            return self.tells(event.number, Tell((aside,), text, event.who), event.id)
        match decide(self, event, self.threads[event.number]):
            case Do() as do:
                return self._done(event, do)
            case Tell() as tell:
                return self.tells(event.number, tell, event.id)
            case HandIn() as order:
                assert self.secrets is not None
                self.secrets.hand_in(event, order)
                return Heard(event.id, event.number, waits=True)
            case None:
                once = for_good(event, self.threads[event.number])
                return Heard(event.id, event.number, heard) if once else None

    def in_secret(self) -> Iterator[Step]:
        """What waited for the key, and the orders that were handed in."""
        if self.secrets is not None:
            yield from self.secrets.orders(self.now)
            self._reopen()

    def letters(self) -> Iterator[Step]:
        """What everybody may know of the secrets, in their letters."""
        if self.secrets is not None:
            yield from self.secrets.letters(self.now)

    def _reopen(self) -> None:
        """Look at the game where it stands now, after deeds that were done with the key."""
        unmerged = self.game.unmerged
        self.game = Game.open(self.repository.git_dir)
        self.game.unmerged = unmerged

    def _act(self, deed: Deed) -> Recorded:
        """Carry a deed out; with the key where it needs that, and it is at hand."""
        if deed.action == Outside.MAILBOX and self.secrets is not None:
            self.secrets.vouch(deed)
        try:
            return self.game.act(deed)
        except NeedsKey:
            if self.secrets is None:
                raise
        try:
            return self.secrets.act(deed, self.game.unmerged)
        finally:
            self._reopen()

    def tells(self, thread: int, tell: Tell, event: str | None = None) -> Told | None:
        """What is told on a thread; nothing where it was before."""
        if any(self.told(thread, key) for key in tell.keys):
            return None
        self._told.setdefault(thread, set()).update(tell.keys)
        self._told.setdefault(EVERYWHERE, set()).update(key for key in tell.keys if key.startswith(WELCOMED))
        whom = (tell.whom.login,) if tell.whom is not None else ()
        return Told(thread, tell.keys, tell.text, whom, tell.refusal, event)

    def _done(self, event: Event, do: Do) -> Done | Told | None:
        thread = OfForge(FORGE, event.number) if do.thread else None
        origin = Origin(do.events, do.account, thread)
        at = min(do.at, self.now + AHEAD)
        given = dict(do.given) if do.proof else self.game.with_ids(do.action, do.given)
        deed = Deed(
            new_id(at),
            do.actor,
            do.action,
            given,
            at,
            branch=do.branch,
            origin=origin,
            proof=do.proof,
        )
        try:
            recorded = self._act(deed)
        except NomicError as wrong:
            of_files = do.branch and not isinstance(wrong, Refused)
            more = (*self._not_yet(do), *lacking(self, do, wrong))
            words = str(wrong) if of_files else "\n".join((in_words(self, wrong), *more))
            text = (do.else_ or "{}").replace("{}", words)
            keys = tuple(event.key if each == event.id else each for each in do.events)
            return self.tells(event.number, Tell(keys, text, event.who), event.id)
        done = self._noted(recorded)
        return Done(recorded.commit, done.actor, done.action, do.answer, event.id, event.number)

    def _not_yet(self, do: Do) -> Iterator[str]:
        """From when a matter may be resolved that somebody wanted to resolve, and could not."""
        for matter in self.outlook().matters if do.action == resolving.RESOLVE else ():
            if str(matter.number) == do.given.get("matter"):
                yield f"Post {matter.number}: {when(matter)}."

    def _noted(self, recorded: Recorded) -> Deed:
        """The deed that was recorded; from now on it is known with what it says of the forge."""
        deed = recorded.outcome.deed
        self.past.note(deed, recorded.commit)
        if self.people.others(self.game.tree):
            self.people = People(self.game.tree, self.doorbell.players)
        elif deed.origin is not None and deed.origin.account is not None and deed.actor is not None:
            self.people.learn(deed.actor, deed.origin.account)
        result = recorded.outcome.result
        if (
            deed.origin is not None
            and deed.origin.thread is not None
            and isinstance(result, str)
            and result.startswith("posts/")
        ):
            self._posts[deed.origin.thread.number] = int(result.partition("/")[2])
        return deed

    def outvoted(self, thread: int) -> Told | None:
        """What those are told, once, whose votes the law keeps though what they voted on was edited since."""
        its_post = self.post(thread) if thread in self.threads else None
        since = self.past.edited.get(its_post[0]) if its_post is not None else None
        if its_post is None or since is None or its_post[1].get("status") != "pending":
            return None
        number, post = its_post
        last = {
            said["by"]: said["at"] for said in self.game.tree.comments(f"posts/{number}") if said.get("icon")
        }
        names = [name for name, at in last.items() if name != post.get("author") and instant(at) < since]
        key = f"edited-{str(post.get('hash'))[:12]}"
        logins = [login for name in names if name and (login := self.people.login(name))]
        if not logins or self.told(thread, key):
            return None
        text = f"post {number} was edited after you voted on it. By the law your votes stand: look whether they still should."
        return Told(thread, (key,), text, tuple(logins))

    def left_unmerged(self, why: Mapping[str, str]) -> Iterator[Told]:
        """What is told where a matter was enacted without merging its branch, whose history the forge does not take."""
        for thread, number in self._posts.items() if why else ():
            post = self.game.tree.entity(f"posts/{number}") or {}
            if post.get("status") != "enacted":
                continue
            heads = (post.get("branch_head"), self.repository.resolve(f"refs/pull/{thread}/head"))
            if (head := next((head for head in heads if head in why), None)) is not None:
                tell = Tell((f"unmerged-{head[:12]}",), NOT_MERGED.replace("{}", why[head]), refusal=False)
                if step := self.tells(thread, tell):
                    yield step

    def resolve(self, post: int, outcome: str, by: str) -> Done | Hitch:
        """Enact or fail a matter in the name of an admin; what the law refuses after all is said."""
        deed = resolving.resolution(self.game, post, outcome, by, self.now)
        try:
            recorded = self._act(replace(deed, branch=self._moved(post)))
        except NomicError as wrong:
            return Hitch(f"post {post} could be {outcome}, but not by {by}: {wrong}")
        done = self._noted(recorded)
        return Done(recorded.commit, done.actor, done.action, resolve=post)

    def head_of(self, thread: int) -> str | None:
        """Where the branch of a pull request stands; None for what is none, or was not looked at."""
        known = self.threads.get(thread)
        return (
            known.head_sha if isinstance(known, Pull) else self.repository.resolve(f"refs/pull/{thread}/head")
        )

    def _moved(self, post: int) -> str | None:
        """The head of a matter's branch where it was moved without saying anything else; it becomes a parent."""
        fields = self.game.tree.entity(f"posts/{post}") or {}
        thread = (fields.get("forge") or {}).get(FORGE)
        head = self.head_of(thread) if isinstance(thread, int) else None
        if head is None or head == fields.get("branch_head") or not fields.get("branch_head"):
            return None
        with suppress(NomicError):
            if self.same(fields, head):
                return self.repository.commit(head).oid
        return None


def as_it_stands(what: str, event: Event) -> str:
    """The key under which an event is set aside, or left alone, as it stands: once somebody edits it, or pushes, it is another."""
    return f"{what}-{event.id}-{marks.key_of(event.text, str(event.state), str(event.commit))}"
