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

  function picked(field) {
    return field.querySelector(".nomic-pick");
  }

  function number(text) {
    if (text.trim() === "" || !Number.isFinite(Number(text))) throw new Unfit(text + " is no number");
    return Number(text);
  }

  // YAML's flow form, as a clone reads it: lists, maps, texts in quotation marks, and plain words.
  var PLAIN = /(?:[^- \n,[\]{}:#?&*!|>'"%@`]|-(?=[^ \n,[\]{}:#?]))[^ \n,[\]{}:#?]*(?:(?: +|:)(?=[^ \n,[\]{}:#?])[^ \n,[\]{}:#?]*)*/y;
  var ODD = /^(?:~|=|null|yes|no|on|off|true|false|\.nan|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:t|[ ]+)[0-9]{1,2}:.*|[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-f_]+|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|(?:[0-9][0-9_,]*(?:\.[0-9_]*)?|\.[0-9_]+)(?:e[-+]?[0-9]+)?|\.inf))$/i;
  var DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?$/;

  // What a plain word means; of one that is read now so, now so, undefined.
  function meant(word) {
    if (/^(?:true|false|null|-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?)$/.test(word)) return JSON.parse(word);
    return ODD.test(word) && !DAY.test(word) ? undefined : word;
  }

  function unescaped(token) {
    try {
      return JSON.parse(token);
    } catch (error) {
      throw new Unfit(token + " holds a \\ that means nothing; write \\\\ for it, and \\n where a line ends");
    }
  }

  function flow(text) {
    var at = 0;
    function next() {
      while (/\s/.test(text[at] || "")) at++;
      return text[at];
    }
    function taken(pattern) {
      pattern.lastIndex = at;
      var match = pattern.exec(text);
      if (match) at += match[0].length;
      return match && match[0];
    }
    function word(key) {
      var first = next(), token = taken(first === '"' ? /"(?:[^"\\\n]|\\.)*"/y : first === "'" ? /'(?:[^'\n]|'')*'/y : PLAIN);
      if (!token) throw new Unfit(first ? "“" + text.slice(at, at + 10) + "” stands where a value is expected; a text with a mark in it stands in double quotes" : "it ends too early: close what is open");
      if (first === '"') return unescaped(token);
      if (first === "'") return token.slice(1, -1).replace(/''/g, "'");
      var value = meant(token);
      if (key && (/^(?:-?[0-9]+|yes|no|on|off)$/i.test(token) || typeof value === "string")) return token;
      if (key || value === undefined) throw new Unfit(token + " is put in double quotes where a text is meant");
      return value;
    }
    function rest(close, one) {
      at++;
      while (next() !== close) {
        one();
        if (next() === ",") at++;
        else if (next() !== close) throw new Unfit("a comma or " + close + " is missing" + (text[at] ? " before “" + text.slice(at, at + 10) + "”" : " at its end"));
      }
      at++;
    }
    function value() {
      var list = [], map = Object.create(null), first = next();
      if (first === "[") rest("]", function () { list.push(value()); });
      else if (first === "{") rest("}", function () {
        var key = word(true);
        if (next() !== ":") throw new Unfit("a value is missing behind “" + key + "”: write it as {gold: 3}, with a space behind the colon");
        if (key in map) throw new Unfit(key + " stands there twice");
        at++;
        map[key] = value();
      });
      else return word(false);
      return first === "[" ? list : map;
    }
    var whole = value();
    if (next()) throw new Unfit("“" + text.slice(at, at + 10) + "” stands behind its end");
    return whole;
  }

  // Whether a text is a day, or a time, that a calendar has, from the year 1900 on.
  function real(text, when) {
    var moment = when === "day" ? text + "T00:00:00Z" : String(text), at = new Date(moment);
    return moment >= "1900" && at > -Infinity && at.toISOString() === moment.replace("Z", ".000Z");
  }

  function lower(value) {
    return String(value).toLowerCase();
  }

  // Why a value is none of those that are declared, as ``controls.py`` tells them; nothing where it may be one.
  function wrong(value, takes) {
    var shown = typeof value === "string" ? value : JSON.stringify(value), unknown = takes.of && shown + " is none of " + takes.of.join(", ");
    function first(reasons) {
      return reasons.filter(Boolean)[0] || "";
    }
    if (value === null) return takes.null === false ? "a value is needed" : "";
    if (takes.when && !real(value, takes.when)) return shown + " is no " + takes.when + " of the calendar; write it as " + (takes.when === "day" ? "2021-06-07" : "2021-06-07T00:00:00Z") + ", from the year 1900 on";
    if (takes.text && typeof value !== "string") return shown + " is no text; put it in double quotes";
    if (takes.number) {
      var least = takes.number[0], most = takes.number[1];
      if (typeof value !== "number") return shown + " is no number";
      if (takes.whole && !Number.isInteger(value)) return shown + " is no whole number";
      if (least !== null && value < least) return value + " is below " + least;
      if (most !== null && value > most) return value + " is above " + most;
    }
    if (takes.names && takes.names.map(lower).indexOf(lower(value)) < 0) return unknown;
    if (takes.of && !takes.names && takes.of.indexOf(value) < 0) return unknown;
    if (takes.each) {
      if (!Array.isArray(value)) return "it must be a list";
      return first(value.map(function (one) { return wrong(one, takes.each); }));
    }
    if (!takes.values && !takes.fields) return "";
    if (value !== Object(value) || Array.isArray(value)) return "it must be a map";
    return first(Object.keys(value).map(function (key) {
      var inner = takes.values || (Object.hasOwn(takes.fields, key) && takes.fields[key]);
      if (!inner) return key + " is none of " + Object.keys(takes.fields).join(", ");
      var named = takes.keys ? wrong(takes.keys.number && /^-?[0-9]+$/.test(key) ? Number(key) : key, takes.keys) : "", valued = wrong(value[key], inner);
      return named || (valued && key + ": " + valued);
    }).concat((takes.needed || []).map(function (key) { return key in value ? "" : key + " is missing"; })));
  }

  function held(field, value) {
    var amiss = wrong(value, JSON.parse(field.dataset.takes || "{}"));
    if (amiss) throw new Unfit(amiss);
    return value;
  }

  function parsed(field, text) {
    var like = field.dataset.such ? ". An example: " + field.dataset.such : "", plain = "plain" in field.dataset;
    try {
      if (plain && !/^\s*[[{"']/.test(text)) {
        if (/^- |:(?:\s|$)/m.test(text)) throw new Unfit("write a map as {gold: 3}, a list as [1, 2], and a text with such marks in double quotes");
        var word = meant(text.trim());
        return word === undefined || typeof word === "string" ? text : word;
      }
      if (!plain && !/^\s*[[{]/.test(text)) throw new Unfit("write a " + field.dataset.shape + " in " + (field.dataset.shape === "list" ? "[ ]" : "{ }"));
      return plain ? flow(text) : held(field, flow(text));
    } catch (error) {
      throw new Unfit(error.message + like);
    }
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

  // What a field says; what cannot be read, or is none of what it takes, names the field.
  function read(field) {
    try {
      return valued(field);
    } catch (error) {
      error.field = error.field || field;
      throw error;
    }
  }

  function valued(field) {
    var reads = field.dataset.reads;
    if (reads === "record") return record(field);
    if (reads === "entry") return entry(field);
    if (reads === "several") {
      var ticked = Array.from(field.querySelectorAll("input:checked"), function (box) { return JSON.parse(box.value); });
      return ticked.length || "needed" in field.dataset ? ticked : undefined;
    }
    try {
      if (reads === "lines" && picked(field) && picked(field).value) throw new Unfit(picked(field).value + " is chosen beneath it, and not added; press Add");
      var text = control(field).value;
      if (text === "") return undefined;
      if (reads === "number") return number(text);
      if (reads === "json") return JSON.parse(text);
      if (reads === "yaml") return parsed(field, text);
      return held(field, reads === "lines" ? listed(field, text) : text);
    } catch (error) {
      error.message = field.dataset.name + ": " + error.message;
      throw error;
    }
  }

  // A list: in [ ], as for a command, or with one on each line, or several with commas between them where it is told what they may be.
  function listed(field, text) {
    var each = JSON.parse(field.dataset.takes).each || {}, numbers = field.dataset.each === "number", known = (each.names || each.of || []).map(lower);
    if (/^\s*\[[^]*\]\s*$/.test(text)) return flow(text);
    return text.split("\n").flatMap(function (line) {
      var one = !each.of && !numbers && !each.when || known.includes(lower(line.trim()));
      return one ? line : line.split(",");
    }).map(function (word) { return word.trim(); }).filter(Boolean).map(function (word) {
      var of = (each.of || []).find(function (value) { return String(value) === word; });
      return numbers ? number(word) : of === undefined ? word : of;
    });
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

  // What is chosen beneath a list is a line of it once the button beside it is pressed: arrows only choose.
  function adding(button) {
    button.addEventListener("click", function () {
      var list = picked(button.parentNode), lines = control(button.parentNode);
      if (!list.value) return;
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
    note.id = "order-refused";
    form.hidden = false;
    unfold(form);
    form.querySelectorAll(".nomic-add").forEach(adding);

    function unmark() {
      note.hidden = true;
      form.querySelectorAll("[aria-describedby=order-refused]").forEach(function (each) {
        each.removeAttribute("aria-describedby");
        each.removeAttribute("aria-invalid");
      });
    }

    // Why it is not sealed stands where the reader is led: at the field that is amiss, else at the button.
    function mark(field) {
      var at = field ? control(field) : form.querySelector("[type=submit]");
      if (field) at.setAttribute("aria-invalid", "true");
      at.setAttribute("aria-describedby", note.id);
      if (field) field.firstElementChild.after(note);
      else at.before(note);
      note.hidden = false;
      at.focus();
      note.scrollIntoView({ block: "center" });
    }

    form.addEventListener("input", function () {
      unfold(form);
      delete form.dataset.sure;
      place.hidden = true; // what was sealed before is not what stands here now
      unmark();
    });
    place.querySelector(".nomic-copy").addEventListener("click", function () { copy(place); });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      unmark();
      sealed(form).then(function (armour) {
        show(place, form, armour);
      }, function (error) {
        var how = error instanceof Unfit ? "" : " In a clone it is done by: nomicgit order";
        note.textContent = "It is not sealed: " + error.message + "." + how;
        mark(error.field);
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
