"""What is looked at of a game after a deed is what stands there then, whatever was looked at before it."""

from __future__ import annotations

from pathlib import Path

from support.keyed import KeyedGame

from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.game import new_id

START = 1623024000
PLAYERS = ["ana", "ben", "cy", "dee", "eli"]


def test_a_post_that_was_looked_for_before_it_was_there_is_seen(tmp_path: Path) -> None:
    """In a game with keys deeds are done on other files than everybody sees."""
    game = KeyedGame.founded(tmp_path / "game", "crypt", Founding(START, PLAYERS, "ana", ["ben"], [])).game
    for number, author in enumerate(("cy", "dee", "eli"), 1):
        post = f"posts/{number}"
        assert game.tree.entity(post) is None
        given = {"title": f"Post {number}", "changes": []}
        game.act(Deed(new_id(START + number), author, "propose", given, START + number))
        seen = game.repository.file(game.tree.tree, f"game/posts/2021/06/000{number}-post-{number}.md")
        assert seen is not None
        assert (game.tree.entity(post) or {})["author"] == author
        assert game.looked_at(START + number).store.value(post, "status") == "pending"
