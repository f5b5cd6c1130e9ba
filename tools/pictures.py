"""The pictures of the documentation: a form, the steward's report and a game's site, as a browser shows what the program makes.

    python tools/pictures.py docs/pictures

It plays a few minutes on the fake forge of the tests and takes the real texts. The frame around them only looks like a forge's.
"""

from __future__ import annotations

import html
import io
import json
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import markdown  # type: ignore[import-untyped]
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.doorstep import Doorstep, doorstep
from support.served import served
from support.sites import build
from support.visiting import game

from nomicgit.ground import files
from nomicgit.record import forms

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
    text = door.report(pull).replace("<details>", "<details open markdown=1>")
    return page(
        f"<div class=head>github-actions <b>bot</b> commented</div><div class=box>{rendered(text)}</div>"
    )


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
SECONDS = 1.2  # a page: the picture comes to rest within five


def site(scratch: Path, browser: Browser) -> bytes:
    """Some pages of a game's site one after another, once; it ends with the first."""
    crypt = game(scratch / "crypt", "The Crypt", *DEEDS)
    pictures = []
    with served(build(crypt / "mkdocs.yml", scratch / "site")) as there:
        shown = browser.new_page(viewport={"width": 1240, "height": 760})
        for uri in SHOWN:
            shown.goto(there.address + uri)
            shown.wait_for_timeout(500)
            pictures.append(Image.open(io.BytesIO(shown.screenshot())).resize((930, 570)))
    stream, long = io.BytesIO(), int(SECONDS * 1000)
    pictures[0].save(
        stream, "WEBP", save_all=True, append_images=pictures[1:], duration=long, loop=1, quality=80
    )
    return stream.getvalue()


def main(folder: Path) -> None:
    """Draw the pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, doorstep(Path(scratch)) as door:
        game = door.game()
        data = game.repository.file(game.head.tree, forms.FOLDER + forms.file_of("spend-favour"))
        assert data is not None
        pages = {"form.png": form(data), "report.png": report(door)}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, text in pages.items():
            shown = browser.new_page(viewport={"width": 672, "height": 400})
            shown.set_content(text)
            shown.screenshot(path=folder / name, full_page=True)
            print(folder / name)
        with tempfile.TemporaryDirectory() as scratch:
            (folder / "site.webp").write_bytes(site(Path(scratch), browser))
        print(folder / "site.webp")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
