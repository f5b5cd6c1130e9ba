"""The pictures of the documentation, as a browser shows what the program makes: a form, the steward's report, what it says where
somebody has pressed Merge, a game's site and its inbox; and the way of a deed, drawn.

    python tools/pictures.py docs/pictures

It plays a few minutes on the fake forge of the tests and takes the real texts. The frame around them only looks like a forge's.
Each of those pictures says in itself what it shows, so that a test finds the one that shows what is said no more.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import flow
import markdown  # type: ignore[import-untyped]
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from hostile.small import git_in
from support.doorstep import Doorstep, doorstep
from support.served import served
from support.sites import build
from support.visiting import game

from nomicgit.ground import files
from nomicgit.record import forms, mkdocs_yml

CHROMIUM = "/usr/bin/chromium"
STYLE = """
body{font:14px/1.5 sans-serif;color:#1f2328;background:#fff;margin:0;padding:16px;width:640px}
.box{border:1px solid #d1d9e0;border-radius:6px;padding:16px}
.head{background:#f6f8fa;border:1px solid #d1d9e0;border-bottom:0;border-radius:6px 6px 0 0;padding:6px 16px;color:#59636e}
.head+.box{border-radius:0 0 6px 6px}
table{border-collapse:collapse;margin:8px 0}td,th{border:1px solid #d1d9e0;padding:4px 12px;text-align:left}
code,pre{background:#f0f1f3;border-radius:6px;padding:2px 5px;font-size:12px}pre{padding:10px}
label{display:block;font-weight:600;margin:14px 0 4px}small{display:block;color:#59636e;margin-bottom:4px}
input,select,textarea{font:inherit;width:100%;box-sizing:border-box;border:1px solid #d1d9e0;border-radius:6px}
input,select,textarea{padding:5px 10px;background:#fff}
b.must{color:#d1242f}h3{margin:0}p.about{color:#59636e;margin:0 0 10px}
button{margin-top:16px;background:#1f883d;color:#fff;border:0;border-radius:6px;padding:6px 16px;font:inherit}
"""


def page(inner: str) -> str:
    """A page of the look of a forge."""
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><body>{inner}"


def rendered(text: str) -> str:
    """Markdown as a forge shows it: there every mark may be escaped."""
    text = re.sub(r"\\([!-/:-@\[-`{-~])", lambda mark: f"&#{ord(mark[1])};", text)
    return str(markdown.markdown(text, extensions=["tables", "fenced_code", "md_in_html"]))


def form(data: bytes) -> str:
    """An issue form as a forge shows it."""
    told: Any = files.read(data)
    body = "".join(map(_field, told["body"]))
    head = f"<h3>{html.escape(told['name'])}</h3><p class=about>{html.escape(told['description'])}</p>"
    title = f"<label>Add a title <b class=must>*</b></label><input value='{html.escape(told['title'])}'>"
    return page(f"<div class=box>{head}{title}{body}<button>Create</button></div>")


def _field(field: Mapping[str, Any]) -> str:
    given = field["attributes"]
    if field["type"] == "markdown":
        return rendered(given["value"])
    must = " <b class=must>*</b>" if field.get("validations", {}).get("required") else ""
    about = f"<small>{rendered(given['description'])[3:-4]}</small>" if "description" in given else ""
    shown = html.escape(str(given.get("value", "")))
    match field["type"]:
        case "dropdown":
            chosen = given["options"][given["default"]] if "default" in given else "Selections: "
            control = f"<select><option>{html.escape(chosen)}</select>"
        case "textarea":
            control = f"<textarea rows=2>{shown}</textarea>"
        case _:
            control = f"<input value='{shown}'>"
    return f"<label>{html.escape(given['label'])}{must}</label>{about}{control}"


def report(door: Doorstep) -> str:
    """The steward's report on a proposal with five votes."""
    pull = door.propose("cy", "Moonlight", body="It is dark in the crypt.")
    door.run()
    door.review("dee", pull, "APPROVED", "It is about time.")
    door.review("eli", pull, "CHANGES_REQUESTED", "Too bright for a vampire.")
    door.say("ana", pull, ":deferential:")
    door.say("fox", pull, ":for: with pleasure")
    door.run()
    return said(door.report(pull).replace("<details>", "<details open markdown=1>"))


def stopped(door: Doorstep) -> str:
    """What everybody sees once somebody has pressed Merge."""
    pull = door.propose("eli", "Sunlight")
    door.run()
    door.github.merge(door.github.owner, pull)
    assert door.run().stopped
    [alarm] = [each for each in door.github.threads.values() if each.title == "The game has stopped"]
    return said(f"### {alarm.title}\n\n{alarm.body}")


def said(text: str) -> str:
    """What the steward has said on a thread, as a forge shows it."""
    return page(
        f"<div class=head>github-actions <b>bot</b> commented</div><div class=box>{rendered(text)}</div>"
    )


def pages(scratch: Path) -> dict[str, str]:
    """What the pictures of a forge show, by their names; a clone of the game as it was then lies in ``court``."""
    with doorstep(scratch, restore={"by": ["ben"], "of": 1}) as door:
        game = door.game()
        data = game.repository.file(game.head.tree, forms.FOLDER + forms.file_of("spend-favour"))
        assert data is not None
        shown = {"form.png": form(data), "report.png": report(door)}
        git_in(scratch, "clone", "-q", str(door.github.repo.path), "court")
        (scratch / "court/docs").mkdir()
        (scratch / "court/mkdocs.yml").write_text(
            mkdocs_yml.SETTINGS.format(name="The Court", separator=" "), "utf-8"
        )
        return shown | {"stopped.png": stopped(door)}


def digest(shown: str) -> str:
    """What a picture says in itself of the page that it shows; commits are others each time."""
    return hashlib.sha256(re.sub("[0-9a-f]{10,40}", "", shown).encode()).hexdigest()


MOON = {
    "add-rule": {"title": "Moonlight", "text": "While the moon is up, no Vampire Lord explores the lair."}
}
DEEDS: tuple[tuple[str, ...], ...] = (
    ("propose", "--as", "cy", "--title", "Moonlight", "--body", "It is dark in the crypt.", "--change", json.dumps(MOON)),
    ("vote", "--as", "ben", "1", "for", "It is about time."),
    ("vote", "--as", "dee", "1", "against", "Too bright for a vampire."),
    ("vote", "--as", "ana", "1", "for"),
    ("act", "--as", "dee", "explore", "room=E3", "name=Ossuary", "description=Bones."),
    ("act", "--as", "eli", "explore", "room=E5", "name=Gallery", "description=Pictures of bones."),
    ("propose", "--as", "eli", "--title", "No More Bones", "--body", "Enough.", "--change", "{repeal: sepulchres}"),
)  # fmt: skip
SHOWN = ("posts/1/", "gamestate/#collection-rooms", "ruleset/#rule-votes", "")
SHOWS = "Shows"
"""Under which word a picture has the digest of its page."""
SECONDS = 1.2  # a page: the picture comes to rest within five


def site(there: str, browser: Browser) -> bytes:
    """Some pages of a game's site one after another, once; it ends with the first."""
    shown = browser.new_page(viewport={"width": 1240, "height": 760})
    pictures = []
    for uri in SHOWN:
        shown.goto(there + uri)
        shown.wait_for_timeout(500)
        pictures.append(Image.open(io.BytesIO(shown.screenshot())).resize((930, 570)))
    stream, long = io.BytesIO(), int(SECONDS * 1000)
    pictures[0].save(
        stream, "WEBP", save_all=True, append_images=pictures[1:], duration=long, loop=1, quality=80
    )
    return stream.getvalue()


def inbox(there: str, browser: Browser) -> Image.Image:
    """A player's inbox on the site of a game on a forge."""
    shown = browser.new_page(viewport={"width": 900, "height": 640})
    shown.goto(f"{there}me/ben/")
    shown.wait_for_timeout(500)
    return Image.open(io.BytesIO(shown.screenshot()))


def kept(picture: Image.Image, path: Path, shows: str = "") -> None:
    """Lay a picture down, small, with the digest of what it shows."""
    about = PngInfo()
    about.add_text(SHOWS, shows)
    picture.convert("P", palette=Image.Palette.ADAPTIVE).save(path, pnginfo=about, optimize=True)


def main(folder: Path) -> None:
    """Draw the pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "flow.svg").write_text(flow.drawn(), encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, text in pages(Path(scratch, "forge")).items():
            shown = browser.new_page(viewport={"width": 672, "height": 400})
            shown.set_content(text)
            kept(Image.open(io.BytesIO(shown.screenshot(full_page=True))), folder / name, digest(text))
        with served(build(Path(scratch, "forge/court/mkdocs.yml"), Path(scratch, "court"))) as there:
            kept(inbox(there.address, browser), folder / "inbox.png")
        crypt = game(Path(scratch, "crypt"), "The Crypt", *DEEDS)
        with served(build(crypt / "mkdocs.yml", Path(scratch, "site"))) as there:
            (folder / "site.webp").write_bytes(site(there.address, browser))
        browser.close()


if __name__ == "__main__":
    for role in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{role}_NAME": "Tester", f"GIT_{role}_EMAIL": "tester@example.org"}
    main(Path(sys.argv[1]))
