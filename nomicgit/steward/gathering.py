"""What is to be told of a reading of the forge itself, and what is to be fetched for it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomicgit.ground.problems import printable
from nomicgit.ground.remedies import beside, command, remedy
from nomicgit.steward.doorbell import Doorbell
from nomicgit.steward.seen import News, Pull


def passed_over(bell: Doorbell, news: News) -> Iterator[str]:
    """What of a reading was as it should not be, and is no reason to stop."""
    if news.called and news.called.casefold() != bell.repository.casefold():
        mend = remedy("say so in the record:", command("nomicgit", "rehouse", "--github", news.called))
        yield f"the repository is called {news.called} now{beside(mend)}"
    for number in news.unread:
        if number not in news.denied:
            yield f"thread {number} is deleted, moved, or could not be read: nothing of it is taken up"


def denied(news: News) -> Iterator[str]:
    """What the steward may not read at all: nothing of that is taken up until it may, and then all of it is."""
    if news.denied:
        numbers = ", ".join(map(str, sorted(news.denied)))
        why = "; ".join(dict.fromkeys(printable(said, 200) for said in news.denied.values()))
        yield f"the token may not read these threads: {numbers} ({why}); give it the permission that is missing"


def looked_at(pulls: Iterable[Pull]) -> list[str]:
    """The commits that reviews looked at and that are no head now."""
    commits = dict.fromkeys(
        review.commit
        for pull in pulls
        for review in pull.reviews
        if review.commit not in (None, pull.head_sha)
    )
    return [commit for commit in commits if commit is not None]
