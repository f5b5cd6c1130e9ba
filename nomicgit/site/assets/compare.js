// The law of two times side by side, from the site's own data: each rule's lines say from when until when they stood.
(function () {
  "use strict";

  var make; // the page's own script has it, which has run before anything begins here
  var NEAR = 2; // lines that stand around what differs

  // A month, a day, an hour, a minute or a second as it is written; nothing where there is none such, as the 30th of February.
  function time(text) {
    var at = /^[0-9]{4}-[0-9]{2}(-[0-9]{2}(T[0-9]{2}(:[0-9]{2}){0,2}Z?)?)?$/.test(text) ? text.replace("Z", "") : "";
    var day = new Date(at + "0000-01-01T00:00:00Z".slice(at.length));
    return at && !isNaN(day) && day.toISOString().slice(0, at.length) === at ? at : "";
  }

  // A change of the law, told by its deed too: of some minutes there are several.
  function when(turn) {
    return turn.at.slice(0, 16).replace("T", " ") + " UTC, deed " + turn.commit;
  }

  function stood(line, place) {
    return line[1] <= place && (line[2] === null || place < line[2]);
  }

  // Rows of what stood then and then: what is gone beside what came, what stays on both sides.
  function paired(lines, from, to) {
    var rows = [], gone = [], came = [];
    function put() {
      for (var i = 0; i < Math.max(gone.length, came.length); i++) rows.push([gone[i], came[i], true]);
      gone = [];
      came = [];
    }
    lines.forEach(function (line) {
      var then = stood(line, from), now = stood(line, to);
      if (then && now) { put(); rows.push([line[0], line[0], false]); }
      else if (then) gone.push(line[0]);
      else if (now) came.push(line[0]);
    });
    put();
    return rows;
  }

  // What is called differently from dynasty to dynasty has its plain name, as in old texts; what stands between marks of code is code.
  function side(text, tag) {
    var cell = make("td", {}), parts = (text || "").replace(/\{\{terms\.(\w+)\}\}/g, "$1").split(/(`+)(.+?)\1/);
    var inside = parts.filter(function (_, at) { return at % 3 !== 1; }).map(function (part, at) { return at % 2 ? make("code", {}, [part]) : part; });
    if (text !== undefined) cell.append(tag ? make(tag, {}, text ? inside : [" "]) : make("span", {}, inside));
    return cell;
  }

  // What parts a rule's file is no line of it.
  function said(line) {
    return !/^(?:---$|```|~~~)/.test(line[0]);
  }

  function drawn(rows, heads) {
    var body = make("tbody", {}), skipped = false;
    rows.forEach(function (row, at) {
      var near = rows.slice(Math.max(0, at - NEAR), at + NEAR + 1).some(function (other) { return other[2]; });
      if (!near) { skipped = true; return; }
      if (skipped) body.append(make("tr", {}, [make("td", { colspan: "2", class: "nomic-none" }, ["…"])]));
      skipped = false;
      body.append(make("tr", {}, [side(row[0], row[2] && "del"), side(row[1], row[2] && "ins")]));
    });
    var head = make("thead", {}, [make("tr", {}, heads.map(function (head) { return make("th", { scope: "col" }, [head]); }))]);
    return make("table", { class: "nomic-sides" }, [head, body]);
  }

  function shown(law, root, ends, into, status) {
    var turned = ends[0].place > ends[1].place ? " The earlier law stands left." : "";
    var from = ends[turned ? 1 : 0], to = ends[turned ? 0 : 1];
    var some = law.rules.filter(function (rule) {
      return rule.changed.some(function (place) { return from.place < place && place <= to.place; });
    });
    var question = into.question = {}; // whoever chooses again before all is there sees what they chose last
    Promise.all(some.map(function (rule) { return nomicgit.read(root + rule.file); })).then(function (texts) {
      if (into.question !== question) return;
      var parts = [], heads = [from, to].map(when);
      texts.forEach(function (text, at) {
        var rows = paired(text.lines.lines.filter(said), from.place, to.place), rule = some[at];
        if (!rows.some(function (row) { return row[2]; })) return;
        var was = rows.some(function (row) { return row[0] !== undefined; });
        var is = rows.some(function (row) { return row[1] !== undefined; });
        var heading = make("h2", {}, [make("a", { href: root + rule.url }, [rule.title]), was && is ? "" : is ? " (new)" : " (gone)"]);
        var table = drawn(rows, heads);
        var whole = make("details", {}, [make("summary", {}, [is ? "What it says" : "What it said"])]);
        if (!was || !is) whole.append(table);
        parts.push(heading, was && is ? table : whole);
      });
      into.replaceChildren.apply(into, parts);
      var many = parts.length / 2;
      status.textContent = (many ? many + (many > 1 ? " rules differ." : " rule differs.") : "No rule differs.") + turned;
    });
  }

  function choice(law, name, place) {
    var select = make("select", {}), dynasties = make("optgroup", { label: "Dynasties" }), turns = make("optgroup", { label: "Changes of the law" });
    function option(group, turn, text) {
      var one = make("option", { value: turn.place }, [text]);
      one.selected = turn.place === place && !select.querySelector("[selected]");
      group.append(one);
    }
    function named(turn, text) { option(dynasties, turn, text + " (deed " + turn.commit + ")"); }
    law.dynasties.forEach(function (each) {
      var last = law.turns.filter(function (turn) { return turn.place >= each.from && (each.until === null || turn.place < each.until); });
      if (!last.length) return;
      if (last[0] !== law.turns[0]) named(last[0], each.name + ", when it began");
      named(last[last.length - 1], each.name + (each.until === null ? ", now" : ", at its end"));
    });
    law.turns.slice().reverse().forEach(function (turn) {
      option(turns, turn, when(turn) + ": " + turn.name);
    });
    select.append(dynasties, turns);
    return [make("label", {}, [name + " ", select]), select];
  }

  function comparing(table) {
    if (table.dataset.compared) return;
    table.dataset.compared = "yes";
    var address = new URL(table.dataset.law, location), root = new URL("../", address).href;
    nomicgit.read(address).then(function (file) {
      var law = file.law, given = new URL(location.href).searchParams, turns = law.turns;
      var last = turns[turns.length - 1], notes = [];
      // The law that the address names, by the place of a deed or by a time; ``other`` where it names none, of which a note tells.
      function of(name, other, called) {
        var when = given.get(name), at = time(when || ""), place = /^[1-9][0-9]*$/.test(when || "") ? Number(when) : 0;
        if (!when) return other;
        var before = turns.filter(function (turn) { return at ? turn.at.slice(0, at.length) <= at : turn.place <= place; });
        if ((at && at > law.at.slice(0, at.length)) || place > law.deeds) {
          notes.push("The address names “" + when + "”, which has not come yet: " + called + " stands in its place.");
          return other;
        }
        if (at && !before.length) notes.push("There was no game yet at " + when + ": the law of its founding stands in its place.");
        if (!at && !place) notes.push("The address names “" + when + "”, which is no time and no deed’s number: " + called + " stands in its place.");
        return before.length ? before[before.length - 1] : at || place ? turns[0] : other;
      }
      var from = of("from", turns[turns.length - 2] || last, "the law before its latest change"), to = of("to", last, "the law of now");
      var one = choice(law, "Compare the law of", from.place), other = choice(law, "with that of", to.place);
      var amiss = make("p", { class: "nomic-banner", role: "alert" }, [notes.join(" ")]);
      var status = make("p", { role: "status" }), into = make("div", { class: "nomic-compared" });
      function show() {
        var ends = [one[1], other[1]].map(function (select) {
          return turns.filter(function (turn) { return turn.place === Number(select.value); })[0];
        });
        shown(law, root, ends, into, status);
      }
      [one[1], other[1]].forEach(function (select) {
        select.addEventListener("change", function () {
          var at = new URL(location.href);
          at.searchParams.set("from", one[1].value);
          if (Number(other[1].value) === last.place) at.searchParams.delete("to");
          else at.searchParams.set("to", other[1].value);
          history.replaceState(history.state, "", at);
          amiss.remove();
          show();
        });
      });
      table.before(make("div", { class: "nomic-tools" }, [one[0], other[0]]), notes.length ? amiss : "", status, into);
      show();
    });
  }

  function begin() {
    make = nomicgit.make;
    document.querySelectorAll("[data-law]").forEach(comparing);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
  if (window.document$) window.document$.subscribe(begin);
})();
