"""The bargains that the documentation shows, played by people who cheat, leave, rest, or bear another name."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from support.places import ROOT

from language.tiny import played, rule

BLOCK = re.compile(r'^(`{3,})\w+ title="(?P<path>[^"]+)"\n(?P<text>.*?)^\1$', re.MULTILINE | re.DOTALL)
PEOPLE = rule(
    """
    variables: {puissance: {of: player, type: integer, default: 10}}
    actions: {leave: {idle: true}, rest: {}, come-back: {idle: true}, be-called: {with: {new: text}}}
    """,
    """
    def do_leave(actor):
        destroy(actor)

    def do_rest(actor):
        put(actor, idle=True)

    def do_come_back(actor):
        put(actor, idle=False)

    def do_be_called(actor, new):
        refuse(apply({"rename-player": {"from": name(actor), "to": new}}))
    """,
    title="People",
)


def shown(page: str, path: str) -> str:
    """A rule that a page of the documentation shows."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    [only] = [each["text"] for each in BLOCK.finditer(text) if each["path"] == path]
    return only


def cheated(folder: Path, rules: dict[str, str], steps: str, **state: str) -> list[str]:
    """The failures of steps among four players, who have what ``state`` says."""
    lines = "\n".join(f"  - {line.strip()}" for line in steps.split("\n") if line.strip())
    head = "name: cheated\nplayers: [ana, ben, cy, dee]\nemperor: null\n"
    laid = (
        f"state: {{players: {{{', '.join(f'{who}: {has}' for who, has in state.items())}}}}}\n"
        if state
        else ""
    )
    return list(played(folder, {"1-core/20-people.md": PEOPLE, **rules}, f"{head}{laid}steps:\n{lines}\n"))


def sealed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


AUCTIONS = {"2-dynastic/10-auctions.md": shown("mechanics.md", "2-dynastic/10-auctions.md")}
CONTRACTS = {
    **AUCTIONS,
    "2-dynastic/20-contracts.md": shown("mechanics.md", "2-dynastic/20-contracts.md"),
}
MARKET = {"2-dynastic/90-the-market.md": shown("write-a-rule.md", "game/ruleset/2-dynastic/90-the-market.md")}
ANA, BEN = sealed("a1 ana 7 the moon is low"), sealed("a1 ben 7 thistle and thorn")
BIDS = f"""
{{by: dee, act: auction, with: {{apples: 2}}}}
{{by: ana, act: bid, with: {{auction: a1, sealed: {ANA}}}}}
"""
ANA_OPENS = "{by: ana, act: open-bid, with: {bid: b1, amount: 7, words: the moon is low}"
BEN_BIDS = f"{{by: ben, act: bid, with: {{auction: a1, sealed: {BEN}}}"
BEN_OPENS = "{by: ben, act: open-bid, with: {bid: b2, amount: 7, words: thistle and thorn}"

AT_AUCTION = {
    "a bid after another was opened": f"""
        {{at: +3d}}
        {ANA_OPENS}}}
        {BEN_BIDS}, refused: no more bids}}
    """,
    "the digest of somebody else": f"""
        {{by: ben, act: bid, with: {{auction: a1, sealed: {ANA}}}}}
        {{at: +3d}}
        {ANA_OPENS}}}
        {{by: ben, act: open-bid, with: {{bid: b2, amount: 7, words: the moon is low}}, refused: not what you have sealed}}
        {{by: ben, act: open-bid, with: {{bid: b1, amount: 7, words: the moon is low}}, refused: not your bid}}
        {{at: +5d, expect: {{players.ana.apples: 5, players.ben.coins: 9, players.dee.coins: 18}}}}
    """,
    "more than one has, and it keeps nobody from winning": f"""
        {{by: ben, act: bid, with: {{auction: a1, sealed: {sealed("a1 ben 99 thistle and thorn")}}}}}
        {{at: +3d}}
        {{by: ben, act: open-bid, with: {{bid: b2, amount: 99, words: thistle and thorn}}, refused: that takes 98}}
        {ANA_OPENS}}}
        {{at: +5d, expect: {{players.ana.apples: 5, players.ben.apples: 3}}}}
    """,
    "what was bid spent before it is paid": f"""
        {{at: +3d}}
        {ANA_OPENS}, expect: {{players.ana.coins: 3}}}}
        {ANA_OPENS}, refused: that takes 6, expect: {{players.ana.coins: 3}}}}
    """,
    "a second bid, and one on one's own apples": f"""
        {{by: ana, act: bid, with: {{auction: a1, sealed: {BEN}}}, refused: bid already}}
        {{by: dee, act: bid, with: {{auction: a1, sealed: {BEN}}}, refused: your own auction}}
        {{by: cy, act: bid, with: {{auction: a1, sealed: seven}}, refused: 64}}
    """,
    "words that anybody guesses": f"""
        {{by: ben, act: bid, with: {{auction: a1, sealed: {sealed("a1 ben 7 oak")}}}}}
        {{at: +3d, by: ben, act: open-bid, with: {{bid: b2, amount: 7, words: oak}}, refused: twelve letters}}
    """,
    "equal bids: the first has it": f"""
        {BEN_BIDS}}}
        {{at: +4d}}
        {BEN_OPENS}}}
        {ANA_OPENS}}}
        {{at: +5d, expect: {{players.ana.apples: 5, players.ben.coins: 10, players.dee.coins: 17, bids.b1: {{absent: true}}}}}}
    """,
    "nobody opens: the seller has it back, and the deposits": """
        {at: +5d, expect: {players.dee.apples: 3, players.dee.coins: 11, players.ana.coins: 9, auctions.a1: {absent: true}}}
    """,
    "an opening when all is over": f"""
        {{at: +5d}}
        {ANA_OPENS}, refused: bid}}
    """,
    "a bidder who rests opens all the same": f"""
        {{by: ana, act: rest}}
        {{at: +3d}}
        {ANA_OPENS}}}
        {{at: +5d, expect: {{players.ana.apples: 5}}}}
    """,
    "a bidder of another name": """
        {by: ana, act: be-called, with: {new: zoe}}
        {at: +3d, by: zoe, act: open-bid, with: {bid: b1, amount: 7, words: the moon is low}}
        {at: +5d, expect: {players.zoe.apples: 5}}
    """,
    "the highest bidder leaves, and the next has it": f"""
        {BEN_BIDS}}}
        {{at: +3d}}
        {ANA_OPENS}}}
        {BEN_OPENS}}}
        {{by: ana, act: leave}}
        {{at: +5d, expect: {{players.ben.apples: 5, players.ben.coins: 3, players.dee.coins: 24}}}}
    """,
    "the seller leaves": f"""
        {BEN_BIDS}}}
        {{by: dee, act: leave}}
        {{at: +3d}}
        {ANA_OPENS}}}
        {{at: +5d, expect: {{players.ana.apples: 5, players.ana.coins: 3, players.ben.coins: 9, bids.b2: {{absent: true}}}}}}
    """,
}
GIVES = '\'do("give", me, to="players/ben", amount=2)\''
SIGNED = f"""
{{by: ana, act: draw-up, with: {{terms: {{ana: {GIVES}, ben: 'do("give", me, to="players/ana", amount=5)'}}}}}}
{{by: ben, act: sign, with: {{contract: c1}}}}
"""
BY_CONTRACT = {
    "kept twice": SIGNED
    + """
        {by: ben, act: keep, with: {contract: c1}, expect: {players.ana.coins: 13, players.ben.coins: 7}}
        {by: ben, act: keep, with: {contract: c1}, refused: true, expect: {players.ben.coins: 7}}
    """,
    "a party leaves, and nobody else is bound": SIGNED
    + """
        {by: ben, act: leave}
        {by: cy, act: keep, with: {contract: c1}, refused: not all of its parties, expect: {players.ana.coins: 10}}
        {by: ana, act: withdraw, with: {contract: c1}, expect: {contracts.c1: {absent: true}}}
    """,
    "a party rests, and nothing of it is done": SIGNED
    + """
        {by: ben, act: rest}
        {by: ana, act: keep, with: {contract: c1}, refused: idle, expect: {players.ana.coins: 10, players.ben.coins: 10}}
        {by: ben, act: come-back}
        {by: ana, act: keep, with: {contract: c1}, expect: {players.ana.coins: 13}}
    """,
    "a party of another name": SIGNED
    + """
        {by: ben, act: be-called, with: {new: zoe}}
        {by: cy, act: keep, with: {contract: c1}, expect: {players.ana.coins: 13, players.zoe.coins: 7}}
    """,
    "a party that cannot pay": SIGNED
    + """
        {by: ben, act: give, with: {to: cy, amount: 9}}
        {by: ana, act: keep, with: {contract: c1}, refused: coins, expect: {players.ana.coins: 10, players.ben.coins: 1}}
    """,
    "signed for somebody else": f"""
        {{by: ben, act: draw-up, with: {{terms: {{ana: {GIVES}}}}}, expect: {{contracts.c1.signers: []}}}}
        {{by: ben, act: keep, with: {{contract: c1}}, refused: not all of its parties}}
        {{by: ben, act: sign, with: {{contract: c1}}, refused: says nothing of you}}
        {{by: ben, act: withdraw, with: {{contract: c1}}, refused: not signed it}}
    """,
    "a clause that reaches for others": """
        {by: ben, act: draw-up, with: {terms: {ben: 'do("give", "players/ana", to=me, amount=9)'}}}
        {by: ben, act: keep, with: {contract: c1}, refused: does nothing as ana}
        {by: ben, act: draw-up, with: {terms: {ben: 'gain(me, "coins", 9)'}}}
        {by: ben, act: keep, with: {contract: c2}, refused: writes by their actions}
        {by: ben, act: draw-up, with: {terms: {ben: 'do("sign", "players/ana", contract="contracts/c1")'}}}
        {by: ben, act: keep, with: {contract: c3}, refused: does nothing as ana}
    """,
    "a clause that signs, keeps and withdraws by itself": """
        {by: ben, act: draw-up, with: {terms: {ben: 'do("keep", me, contract="contracts/c1")'}}}
        {by: cy, act: keep, with: {contract: c1}, refused: true}
    """,
}
OFFER = """
{by: ben, act: offer, with: {amount: 3, price: 4}, expect: {players.ben.puissance: 7}}
"""
AT_MARKET = {
    "an owner who rests is paid": OFFER + """
        {by: ben, act: rest}
        {by: ben, act: withdraw, with: {offer: o1}, refused: idle}
        {by: cy, act: buy, with: {offer: o1}, expect: {players.ben.coins: 14, players.cy.puissance: 13}}
    """,
    "an owner of another name is paid, and may take it back": OFFER + """
        {by: ben, act: offer, with: {amount: 1, price: 1}}
        {by: ben, act: be-called, with: {new: zoe}}
        {by: zoe, act: withdraw, with: {offer: o2}, expect: {players.zoe.puissance: 7}}
        {by: cy, act: buy, with: {offer: o1}, expect: {players.zoe.coins: 14}}
    """,
    "an owner who has left: it can be had all the same": OFFER + """
        {by: ben, act: leave}
        {by: cy, act: withdraw, with: {offer: o1}, refused: not your offer}
        {by: cy, act: buy, with: {offer: o1}, expect: {players.cy.puissance: 13, players.cy.coins: 6, offers.o1: {absent: true}}}
    """,
    "sold twice, taken back when sold, nothing, a fraction and less than nothing": OFFER + """
        {by: cy, act: buy, with: {offer: o1}}
        {by: dee, act: buy, with: {offer: o1}, refused: offers}
        {by: ben, act: withdraw, with: {offer: o1}, refused: offers}
        {by: ben, act: offer, with: {amount: 0, price: 1}, refused: amount}
        {by: ben, act: offer, with: {amount: 1.5, price: 1}, refused: amount}
        {by: ben, act: offer, with: {amount: 1, price: -1}, refused: price}
        {by: ben, act: offer, with: {amount: 8, price: 1}, refused: that takes 8}
    """,
}  # fmt: skip


@pytest.mark.parametrize("way", AT_AUCTION)
def test_at_an_auction(tmp_path: Path, way: str) -> None:
    assert cheated(tmp_path, AUCTIONS, BIDS + AT_AUCTION[way]) == []


@pytest.mark.parametrize("way", BY_CONTRACT)
def test_by_contract(tmp_path: Path, way: str) -> None:
    assert cheated(tmp_path, CONTRACTS, BY_CONTRACT[way]) == []


@pytest.mark.parametrize("way", AT_MARKET)
def test_at_the_market(tmp_path: Path, way: str) -> None:
    assert cheated(tmp_path, MARKET, AT_MARKET[way]) == []


def test_interest_of_shares_and_of_people_who_rest(tmp_path: Path) -> None:
    rules = {**AUCTIONS, "2-dynastic/30-interest.md": shown("mechanics.md", "2-dynastic/30-interest.md")}
    steps = """
{by: dee, act: rest}
{at: 2021-07-01T00:00:00Z, expect: {players.ana.coins: 33, players.ben.coins: 31, players.cy.coins: 31, players.dee.coins: 99}}
{at: 2021-08-01T00:00:00Z, expect: {players.ana.coins: 33, players.ben.coins: 34, players.cy.coins: 34, players.dee.coins: 99}}
"""
    # of 90 ana holds a third and no more, of 95 more than that
    has = {"ana": "{coins: 30}", "ben": "{coins: 31}", "cy": "{coins: 29}", "dee": "{coins: 99}"}
    assert cheated(tmp_path, rules, steps, **has) == []
