"""What ``nomicgit --help`` lists: the sections and their commands, with the first words of each.

It stands here once more, beside the faces, that neither the help nor a misspelled command loads them.
The faces of a section stand in the module of its name.
"""

from __future__ import annotations

from collections.abc import Mapping

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Begin": {
        "new": "Found a game: its folder, its repository, its rules and players, in one commit.",
        "editions": "List the rulesets that a game can begin with.",
        "me": "Say who plays at this clone, once for all; without a name, tell it.",
        "completion": "Print a script that completes commands and options in a shell.",
    },
    "Look": {
        "status": "Show the dynasty, what is pending, why, until when, and what needs your vote.",
        "actions": "Show what may be done now, with what and at what cost; and what not, why, and from when.",
        "rules": "List the rules, or show one, named by its title, number or slug.",
        "state": "Show the gamestate: the players, or what stands at a path.",
        "log": "Show the journal, newest first: when, who, what, with which dice.",
        "posts": "List the posts, newest first; or show one with its comments, tally and changes.",
        "try": "Try a pending matter: what its enactment would change now, and what stands against it.",
    },
    "Play": {
        "join": "Join the game, or ask to: where the rules say so, an admin then adds you.",
        "propose": "Submit a proposal.",
        "cfj": "Raise a Call for Judgement.",
        "vote": "Vote on a pending matter: its number, an icon (for, against, …), and what you have to say.",
        "resolve": "Enact a matter if it may be enacted, else fail it if it may be failed.",
        "dov": "Declare that you have achieved victory.",
        "ascend": "Begin a new dynasty: its theme, and whatever else the rules let an address decide.",
        "post": "Make an entry in the game's blog.",
        "comment": "Comment on a post.",
        "roll": "Roll dice in the open: DICE6, 2DICE6, or what else the rules know.",
        "idle": "Make somebody idle; yourself, where nobody is named.",
        "unidle": "Make somebody active again; yourself, where nobody is named.",
        "set": "Set a variable that the rules give into people's hands.",
        "undo": "Take back an alteration that broke the rules, by the commit of its deed.",
        "act": "Do an action that the rules declare, with its parameters.",
        "sync": "Bring this clone and the others together: fetch, lay own deeds anew, push.",
    },
    "Write": {
        "new-rule": "Write the beginning of a rule and of a scenario that shows it, on the branch at hand.",
        "check": "Find everything that is wrong with a game, or with a branch that is to be proposed.",
        "rehearse": "Play scenarios in scratch games and say which come out as they must.",
    },
    "In secret": {
        "keys": "Show who keeps the game's secrets, and keep their key in this clone.",
        "order": "Seal an action for whoever keeps the game's key: nobody else can read what it is.",
        "letters": "Show what you were told in private, what secrets you may see, and what your orders did.",
        "keep": "Make the keeper's round: let the clock run, take orders, resolve, push, write letters.",
    },
    "On GitHub": {
        "steward": "Let deeds come of what people did on GitHub, push them, and tell what became of it.",
        "rehouse": "Say anew where the game lives on GitHub, and how it is played there.",
        "forms": "Show the issue forms by which people act on GitHub, one for each action.",
        "preview": "Judge a pull request of the game's place on GitHub, and say what its enactment would do.",
        "setup": "Bar the game's branch on GitHub, and make the place of the steward's secrets.",
        "doctor": "Find what is not as the game needs it at its place on GitHub, and say what to do.",
    },
    "Keep": {
        "verify": "Replay the whole history: does every commit hold what its deed makes?",
        "receive": "Let lawful pushes alone into the repository that others push to.",
        "signers": "Show or change by which SSH keys players sign, or say whether deeds are signed.",
        "announce": "Tell what is new where the game is heard of: chats, mailboxes, whatever apprise knows.",
        "mend": "Put the game back to what lawful deeds had made of it by an earlier commit.",
        "restore": "Put the ruleset back to that of an earlier commit: the one deed outside the law.",
        "site": "The game's pages, feeds and data, written out; how a site is made, and whether one is so.",
        "restorers": "Say who may restore the game, or who may from now on: each NAME, and nobody else.",
        "physics": "Say under which physics the game is played, or play under another NUMBER from now on.",
    },
}
MODULES = {
    name: f"nomicgit.cli.faces.{title.lower().replace(' ', '_')}"
    for title, commands in SECTIONS.items()
    for name in commands
}
"""Which module declares a command."""
