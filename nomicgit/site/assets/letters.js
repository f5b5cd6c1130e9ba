// A mailbox in this browser: its key is made here and cannot be taken out; letters to it are fetched from this site, opened
// and shown here, and go nowhere.
(function () {
  "use strict";

  var STORE = "mailboxes", SEEN = "seen";
  var LONG = 600, LINES = 12, BEGINS = 80; // letters and lines of a message that is shown whole, and letters of its beginning
  var BROKEN = "it is damaged, or somebody has laid something else there. The keeper's next round writes it anew; where it stays so, " +
               "tell them";
  var MARK = new TextEncoder().encode("nomicgit/1/letter\n"), SIGNATURE = 64; // bytes

  // What nobody sees, and what turns the direction of writing about, but for what joins emoji and letters written together.
  var JOINED = "[\\u0600-\\u1fff\\u2070-\\u{10ffff}]";
  var UNSEEN = new RegExp("(?![\\n\\t\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|(?<!" + JOINED + ")[\\u200c\\u200d]|[\\u200c\\u200d](?!" +
                          JOINED + ")", "gu");

  var visits = {}; // what each player had seen when this page was opened

  function asked(request) {
    return new Promise(function (done, failed) {
      request.onsuccess = function () { done(request.result); };
      request.onerror = function () { failed(request.error); };
    });
  }

  // What this browser keeps of a game: the mailboxes of each of its players who was here, the newest last, and what they have
  // seen. None is ever given up: letters go to a former one as long as the newest waits.
  function opened(game) {
    var request = indexedDB.open("nomicgit " + game, 1);
    request.onupgradeneeded = function () {
      request.result.createObjectStore(STORE);
      request.result.createObjectStore(SEEN);
    };
    return asked(request);
  }

  function kept(db, store, name) {
    return asked(db.transaction(store).objectStore(store).get(name));
  }

  function keep(db, store, name, value) {
    return asked(db.transaction(store, "readwrite").objectStore(store).put(value, name));
  }

  function element(name, text, inside) {
    var made = document.createElement(name);
    if (text) made.textContent = text.replace(UNSEEN, "\ufffd");
    (inside || []).forEach(function (each) { made.appendChild(each); });
    return made;
  }

  // A key that nobody can take out of this browser, and what everybody may know of it.
  async function mailbox() {
    var pair = await crypto.subtle.generateKey({ name: "X25519" }, false, ["deriveBits"]);
    return { key: pair.privateKey, recipient: await nomicAge.identityToRecipient(pair.privateKey) };
  }

  async function boxesOf(db, name) {
    return [].concat(await kept(db, STORE, name) || []);
  }

  async function given(address) {
    var answer = await fetch(address, { cache: "no-store" });
    if (!answer.ok) throw new Error("the site did not give it (" + answer.status + ")");
    return answer;
  }

  // The players for whom letters lie there.
  async function listing() {
    var answer = await given("there.json");
    try {
      var names = await answer.json();
      if (Array.isArray(names)) return names;
    } catch (error) { /* said below */ }
    throw new Error("the site's list of letters is damaged: whoever builds the site builds it anew");
  }

  // A player's letter; null where the site has none, which it is not asked for then.
  async function fetched(name) {
    var there = await listing();
    if (!there.includes(name)) return null;
    return new Uint8Array(await (await given(encodeURIComponent(name) + ".age")).arrayBuffer());
  }

  async function inflated(bytes) {
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  function bytesOf(base64) {
    return Uint8Array.from(atob(base64), function (each) { return each.charCodeAt(0); });
  }

  async function signed(place, signature, text) {
    var whole = new Uint8Array(MARK.length + text.length);
    whole.set(MARK);
    whole.set(text, MARK.length);
    var key = await crypto.subtle.importKey("raw", bytesOf(place.dataset.signer), "Ed25519", false, ["verify"]);
    return crypto.subtle.verify("Ed25519", key, signature, whole);
  }

  // What a file holds for a mailbox; null where it is for another.
  function decrypted(box, file) {
    var decrypter = new nomicAge.Decrypter();
    decrypter.addIdentity(box.key);
    return decrypter.decrypt(file).catch(function (error) {
      if (/no identity matched/.test(error.message)) return null;
      throw new Error(BROKEN);
    });
  }

  // That a mailbox waits in the name that is asked for is said before all else: who has registered it may be somebody else.
  function tellOf(page, name) {
    page.querySelectorAll(".nomic-in-name").forEach(function (each) { each.hidden = each.dataset.of !== name; });
  }

  function isTold(page) {
    return Boolean(page.querySelector(".nomic-in-name:not([hidden])"));
  }

  // A letter's text, as the keeper wrote it, and nobody else; and whether it goes to the newest mailbox here.
  async function unsealed(place, boxes, file) {
    var found = await Promise.all(boxes.map(function (box) { return decrypted(box, file); }));
    var plain = found.find(Boolean);
    if (!plain) {
      throw new Error("it goes to no mailbox of yours in this browser. " + (isTold(place) ? "A new one waits in your name, as said above: " +
                      "if it is the one below, your letters come to it by themselves" : "Where the one below is not registered yet, register " +
                      "it; where you read letters elsewhere, nothing is to be done here"));
    }
    var size = new DataView(plain.buffer, plain.byteOffset).getUint32(0), body = plain.subarray(4, 4 + size);
    var text = await inflated(body.slice(SIGNATURE)).catch(function () { return null; });
    if (!text || !await signed(place, body.slice(0, SIGNATURE), text)) throw new Error("it is not as the keeper wrote it: tell them");
    return { letter: JSON.parse(new TextDecoder().decode(text)), newest: Boolean(found[found.length - 1]) };
  }

  var SAID = new Map([[true, "yes"], [false, "no"], [null, "nothing"]]);

  // A value as people say it: a list with commas, a map by its names, what lies within another one in brackets.
  function words(value, within) {
    if (value === null || typeof value !== "object") return SAID.has(value) ? SAID.get(value) : String(value);
    var text = Array.isArray(value) ? value.map(function (each) { return words(each, true); }).join(", ") : said(value);
    return within ? "(" + text + ")" : text;
  }

  function said(values) {
    return Object.entries(values).map(function (pair) { return pair[0] + ": " + words(pair[1], true); }).join(", ");
  }

  function time(text) {
    var made = element("time", text.replace("T", " ").replace("Z", " UTC"));
    made.setAttribute("datetime", text);
    return made;
  }

  // Words as they were said, their lines kept.
  function plain(text) {
    var made = element("span", text);
    made.className = "nomic-plain";
    return made;
  }

  // The same; a long one is folded behind its beginning, so that it buries nothing that comes after.
  function folded(text) {
    var begins = text.split("\n").slice(0, 2).join(" ").slice(0, BEGINS);
    if (text.length <= LONG && text.split("\n").length <= LINES) return plain(" " + text);
    return element("details", "", [element("summary", begins + " …"), plain(text)]);
  }

  function told(each) {
    return [time(each.at), folded(each.text)];
  }

  function ordered(each) {
    var asked = said(each.with || {});
    var came = each.refused ? "refused: " + each.refused : ["done"].concat(each.dice, each.failures).join("; ");
    var whose = each.nonce ? " an order in your name: " : " in your name, without an order, by who has the key: ";
    return [time(each.at), element("span", whose), element("code", each.action),
            plain((asked ? " (" + asked + ")" : "") + ": " + came)];
  }

  // By what this browser knows a line again: it keeps none.
  async function marked(each) {
    var digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(each)));
    return Array.from(new Uint8Array(digest, 0, 12), function (byte) { return byte.toString(16).padStart(2, "0"); }).join("");
  }

  // The lines of a part of a letter, each once, with how often it stands there.
  async function lines(rows) {
    var all = new Map();
    for (var each of rows) {
      var mark = await marked(each), known = all.get(mark);
      all.set(mark, { said: each, mark: mark, times: known ? known.times + 1 : 1 });
    }
    return Array.from(all.values());
  }

  // Lines, newest first; those that were not shown before are marked.
  function listed(rows, before, shown) {
    return element("ul", "", rows.slice().reverse().map(function (each) {
      var often = each.times > 1 ? [element("span", " (said " + each.times + " times)")] : [];
      var line = element("li", "", shown(each.said).concat(often));
      if (!before.has(each.mark)) {
        var mark = element("span", "new");
        mark.className = "nomic-mark";
        line.prepend(mark, " ");
      }
      return line;
    }));
  }

  function seen(letter) {
    var rows = letter.sees.filter(function (each) {
      return each.value !== null && each.value !== "" && (typeof each.value !== "object" || Object.keys(each.value).length);
    });
    return element("ul", "", rows.map(function (each) {
      return element("li", "", [plain(each.of.replace(/^players\//, "") + ", " + each.name.replace(/_/g, " ") + ": " + words(each.value))]);
    }));
  }

  // An action as this site lists it, with the way to its page; by its name alone where the rules had no such action when this
  // site was built.
  function action(page, name) {
    var known = Array.from(page.querySelectorAll(".nomic-ways li")).find(function (each) { return each.dataset.action === name; });
    return known ? Array.from(known.cloneNode(true).childNodes) : [element("code", name)];
  }

  function shut(page, each) {
    var why = ": " + (each.sealed ? "only the keeper can say whether this is open" : each.why_not);
    return element("li", "", action(page, each.action).slice(0, 1).concat(
      element("span", why), each.earliest ? [element("span", "; from "), time(each.earliest)] : []));
  }

  // What I may do now, as of when the letter was written: what is open, then what is not.
  function may(page, letter) {
    if (!letter.may) return [];
    var open = letter.may.actions.filter(function (each) { return each.now; });
    var rest = letter.may.actions.filter(function (each) { return !each.now; });
    var since = element("p", "", [element("span", "In private, as far as your letter tells, as of "), time(letter.may.at), element("span", ":")]);
    var closed = element("details", "", [element("summary", "What you may not do now (" + rest.length + ")"),
      element("ul", "", rest.map(function (each) { return shut(page, each); }))]);
    return [element("h2", "What you may do now"), since,
      open.length ? element("ul", "", open.map(function (each) { return element("li", "", action(page, each.action)); }))
        : element("p", "Nothing.")].concat(rest.length ? closed : []);
  }

  function part(title, list) {
    return [element("h2", title), list.children.length ? list : element("p", "Nothing yet.")];
  }

  function show(page, place, letter, heard, orders, before) {
    var left = letter.left, last = left && "No more letters are written to you: you are no player since " +
      left.at.replace("T", " ").replace("Z", " UTC") + " (" + left.what + ").";
    place.replaceChildren.apply(place, [].concat(
      last ? element("p", last) : [],
      may(page, letter),
      part("What you were told", listed(heard, before, told)),
      part("What became of your orders", listed(orders, before, ordered)),
      part("What you may see now", seen(letter))));
    place.hidden = false;
  }

  function say(text) {
    var note = document.querySelector(".nomic-letter-note");
    note.textContent = text;
    note.hidden = !text;
  }

  async function read(page, db, name) {
    var boxes = await boxesOf(db, name), place = page.querySelector(".nomic-letter");
    place.hidden = true;
    tellOf(page, name);
    register(page, boxes[boxes.length - 1]);
    if (!boxes.length) return say("There is no mailbox of " + name + " in this browser yet.");
    say("");
    var file = await fetched(name);
    if (!file) return say("No letter lies here for you yet: one comes with the keeper's next round after you are registered.");
    var opened = await unsealed(page, boxes, file), letter = opened.letter;
    page.querySelector(".nomic-mailbox").hidden = opened.newest; // the game knows it, whatever else is wrong
    if (letter.player !== name || letter.game !== page.dataset.game) throw new Error("it is somebody else's: tell the keeper");
    var past = await kept(db, SEEN, name) || { term: 0, at: "", lines: [] };
    if (letter.term < past.term || (letter.term === past.term && letter.at < past.at)) {
      throw new Error("it is older than the one that you have seen here, of " + past.at + ". Where it stays so for longer than it takes " +
                      "to build the site, somebody has put it back: tell the keeper");
    }
    visits[name] = visits[name] || new Set(past.lines);
    var heard = await lines(letter.told), orders = await lines(letter.orders);
    if (page.querySelector("#letters-by").value !== name) return; // somebody else is asked for meanwhile
    show(page, place, letter, heard, orders, visits[name]);
    var marks = heard.concat(orders).map(function (each) { return each.mark; });
    await keep(db, SEEN, name, { term: letter.term, at: letter.at, lines: marks });
  }

  // Nothing of a letter stays where another player is named.
  function clear(page) {
    page.querySelector(".nomic-letter").hidden = page.querySelector(".nomic-mailbox").hidden = true;
    page.querySelector(".nomic-letter").replaceChildren();
    tellOf(page, "");
    say("");
  }

  async function copy(button, text) {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch (error) {
      button.textContent = "Select and copy it";
    }
  }

  // How the mailbox that is here is made known to the game.
  function register(page, box) {
    var place = page.querySelector(".nomic-mailbox"), link = place.querySelector("a");
    place.hidden = !box;
    if (!box) return;
    place.querySelector("code").textContent = box.recipient;
    var said = place.querySelector(".nomic-said"), name = page.querySelector("#letters-by").value;
    if (said) said.textContent = "nomicgit letters --mailbox " + box.recipient + " --as " + name;
    if (link) link.href = page.dataset.forge + "&mailbox=" + encodeURIComponent(box.recipient);
  }

  async function able() {
    try {
      await mailbox();
      return Boolean(window.isSecureContext && window.DecompressionStream);
    } catch (error) {
      return false;
    }
  }

  async function ready(page) {
    if (!await able()) return;
    var db, who = page.querySelector("#letters-by"), without = document.querySelector(".nomic-unsealed");
    try {
      db = await opened(page.dataset.game);
    } catch (error) {
      without.firstChild.textContent = "This browser keeps nothing of this site, by its settings or since its window is private, and so " +
                                       "no mailbox either. Let it keep data of this site; or in a clone: ";
      return;
    }
    without.hidden = true;
    page.hidden = false;

    function open() {
      read(page, db, who.value).catch(function (error) { say("Your letter could not be opened: " + error.message + "."); });
    }

    page.querySelector(".nomic-open").addEventListener("submit", function (event) {
      event.preventDefault();
      open();
    });
    who.addEventListener("change", function () { clear(page); });
    page.querySelectorAll(".nomic-copy").forEach(function (button) {
      button.addEventListener("click", function () { copy(button, page.querySelector(".nomic-said").textContent); });
    });
    page.querySelector(".nomic-make").addEventListener("click", async function () {
      if (!who.reportValidity()) return;
      await keep(db, STORE, who.value, (await boxesOf(db, who.value)).concat(await mailbox()));
      await open();
      page.querySelector(".nomic-mailbox").focus();
    });
    if (who.value) open();
  }

  function start() {
    if (location.protocol === "file:") {
      document.querySelector(".nomic-unsealed").hidden = true;
      document.querySelector(".nomic-in-folder").hidden = false;
    } else if (window.nomicAge) document.querySelectorAll(".nomic-letters").forEach(ready);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
