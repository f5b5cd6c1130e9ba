// Sealing of orders: what a form says becomes the order that `nomicgit order` would make, encrypted in this page to the keeper.
// Nothing leaves the page but what the reader hands in.
(function () {
  "use strict";

  var STEP = 512, MOST = 65536; // bytes of an order's padding, and of an order at most
  var ADDRESS = 8000, ISSUE = 65000; // letters of an address, and of a text, that the forge takes

  // What the reader can mend here.
  class Unfit extends Error {}

  // Canonical JSON (RFC 8785): what JSON.stringify writes of texts and numbers, its keys in order.
  function canonical(value) {
    if (typeof value === "string" && /\p{Surrogate}/u.test(value)) throw new Unfit("a text has half a character in it");
    if (typeof value === "number" && !Number.isFinite(value)) throw new Unfit("a number is none");
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
    return "{" + Object.keys(value).sort().map(function (name) {
      return canonical(name) + ":" + canonical(value[name]);
    }).join(",") + "}";
  }

  // A text behind its length, with zeros up to the next step, so that its length is not told.
  function padded(text) {
    var size = 4 + text.length, whole = new Uint8Array(Math.ceil(size / STEP) * STEP);
    new DataView(whole.buffer).setUint32(0, text.length);
    whole.set(text, 4);
    return whole;
  }

  function hex(number) {
    return number.toString(16).padStart(2, "0");
  }

  // When it was made, in nanoseconds, and chance: by the first a player's orders are taken in turn.
  function nonce(now) {
    var chance = Array.from(crypto.getRandomValues(new Uint8Array(8)), hex).join("");
    return (BigInt(now) * 1000000n).toString(16).padStart(16, "0") + "-" + chance;
  }

  function control(field) {
    return field.querySelector("input, select:not(.nomic-pick), textarea");
  }

  function number(text) {
    if (text.trim() === "" || !Number.isFinite(Number(text))) throw new Unfit(text + " is no number");
    return Number(text);
  }

  function such(field) {
    return field.dataset.such ? ", such as " + field.dataset.such : "";
  }

  function parsed(field, text) {
    var value, shape = field.dataset.shape;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if ("plain" in field.dataset && !/^\s*[[{"]/.test(text)) return text;
      throw new Unfit(field.dataset.name + " is not written as JSON" + such(field));
    }
    if (shape && (value !== Object(value) || Array.isArray(value) !== (shape === "list")))
      throw new Unfit(field.dataset.name + " must be a " + shape + such(field));
    return value;
  }

  function within(place) {
    return Array.from(place.children).filter(function (each) { return each.dataset.name; });
  }

  // The values of the fields in a place that were filled in, by their names; nothing where none was.
  function record(place) {
    var values = {};
    within(place).forEach(function (field) {
      var value = read(field);
      if (value !== undefined) values[field.dataset.name] = value;
    });
    return Object.keys(values).length ? values : undefined;
  }

  function read(field) {
    var reads = field.dataset.reads;
    if (reads === "record") return record(field);
    if (reads === "entry") return entry(field);
    if (reads === "several") {
      var ticked = Array.from(field.querySelectorAll("input:checked"), function (box) { return JSON.parse(box.value); });
      return ticked.length || "needed" in field.dataset ? ticked : undefined;
    }
    var text = control(field).value;
    if (text === "") return undefined;
    if (reads === "number") return number(text);
    if (reads === "json") return parsed(field, text);
    if (reads !== "lines") return text;
    var lines = text.split("\n").map(function (line) { return line.trim(); }).filter(Boolean);
    return field.dataset.each === "number" ? lines.map(number) : lines;
  }

  function entry(field) {
    var chosen = record(field);
    if (chosen === undefined) return undefined;
    var details = field.querySelector("fieldset[data-of]:not([disabled])");
    return Object.assign(chosen, details ? record(details) : {});
  }

  // The details of the row that was chosen are asked for, and of no other.
  function unfold(form) {
    form.querySelectorAll("[data-reads=entry]").forEach(function (field) {
      var chosen = record(field);
      field.querySelectorAll(":scope > fieldset[data-of]").forEach(function (details) {
        details.hidden = details.disabled = !chosen || details.dataset.of !== chosen.action;
      });
    });
  }

  // What is chosen beneath a list is a line of it.
  function picking(list) {
    list.addEventListener("change", function () {
      var lines = list.parentNode.querySelector("textarea");
      lines.value += (lines.value && !lines.value.endsWith("\n") ? "\n" : "") + list.value + "\n";
      list.value = "";
      lines.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  // What its author may not mean: these are asked once more.
  function doubtful(form, by, given) {
    var doubts = [], known = Array.from(form.querySelectorAll("datalist option"), function (one) { return one.value.toLowerCase(); });
    if (!given && within(form).length) doubts.push("nothing is filled in");
    if ("openly" in form.dataset && !(given && given[form.dataset.openly])) {
      doubts.push("once it is done, everybody sees it with your name");
    }
    if (Array.from(form.querySelectorAll("[data-name] select"), function (one) { return one.value; }).indexOf(JSON.stringify(by)) >= 0) {
      doubts.push("it names you yourself");
    }
    if (known.length && known.indexOf(by.toLowerCase()) < 0) doubts.push("nobody here is called " + by);
    return doubts;
  }

  async function sealed(form) {
    var now = Date.now(), by = form.elements.by.value.trim(), given = record(form);
    var doubts = doubtful(form, by, given);
    if (doubts.length && !("sure" in form.dataset)) {
      form.dataset.sure = "";
      throw new Unfit(doubts.join(", and ") + ". Press Seal once more where that is meant");
    }
    var text = new TextEncoder().encode(canonical({
      game: form.dataset.game, term: Number(form.dataset.term), by: by, action: form.dataset.action,
      with: given || {}, nonce: nonce(now), at: new Date(now).toISOString().replace(/\.[0-9]+Z$/, "Z")
    }));
    var plain = padded(text), encrypter = new nomicAge.Encrypter();
    if (plain.length > MOST) throw new Unfit("it is larger than the 64 KiB that an order may have. Make it shorter");
    encrypter.addRecipient(form.dataset.recipient);
    var armour = nomicAge.armor.encode(await encrypter.encrypt(plain));
    if (form.dataset.forge && armour.length > ISSUE) {
      throw new Unfit("it is larger than what a form of the forge takes. Make it shorter, or hand it in from a clone: nomicgit order --push");
    }
    return armour;
  }

  // By the form's own address, filled in; where that would be too long the order is copied, and pasted there.
  function show(place, form, armour) {
    var link = place.querySelector(".nomic-hand-in"), text = place.querySelector(".nomic-armour");
    text.value = armour;
    if (link) {
      var filled = form.dataset.forge + "&order=" + encodeURIComponent(armour), long = filled.length > ADDRESS;
      link.href = long ? form.dataset.forge : filled;
      link.textContent = long ? "Copy it, and paste it into the form on GitHub" : "Hand it in on GitHub";
      link.onclick = long ? function () { copy(place); } : null;
    }
    place.hidden = false;
    place.focus();
  }

  async function copy(place) {
    var text = place.querySelector(".nomic-armour"), button = place.querySelector(".nomic-copy");
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      button.textContent = "Copied";
    } catch (error) {
      button.textContent = "Select and copy it";
    }
  }

  function ready(form) {
    var note = document.querySelector(".nomic-unsealed"), place = document.querySelector(".nomic-sealed");
    note.hidden = true;
    note.setAttribute("role", "alert");
    form.hidden = false;
    unfold(form);
    form.querySelectorAll(".nomic-pick").forEach(picking);
    form.addEventListener("input", function () {
      unfold(form);
      delete form.dataset.sure;
      place.hidden = note.hidden = true; // what was sealed before is not what stands here now
    });
    place.querySelector(".nomic-copy").addEventListener("click", function () { copy(place); });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      note.hidden = true;
      sealed(form).then(function (armour) {
        show(place, form, armour);
      }, function (error) {
        var how = error instanceof Unfit ? "" : " In a clone it is done by: nomicgit order";
        note.textContent = "It is not sealed: " + error.message + "." + how;
        note.hidden = false;
      });
    });
  }

  function start() {
    if (window.isSecureContext && window.nomicAge && window.crypto && crypto.getRandomValues && window.BigInt) {
      document.querySelectorAll("form.nomic-order").forEach(ready);
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
