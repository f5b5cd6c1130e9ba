// Tables, what values were and what is new, times in the reader's own zone, light paper, and what a folder lacks of a server.
(function () {
  "use strict";

  // What a cell is sorted by; "" where it has no value.
  function key(cell) {
    var time = cell.querySelector("time"), none = cell.querySelector(".nomic-none");
    if (time) return time.getAttribute("datetime");
    return none && none.textContent === cell.textContent.trim() ? "" : cell.textContent.trim();
  }

  function isNumber(text) {
    return text !== "" && !isNaN(Number(text));
  }

  function compare(a, b) {
    if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
    return a.localeCompare(b, undefined, { numeric: true });
  }

  // Names begin with the first, numbers with the highest, times with the latest.
  function beginsDown(rows, column) {
    return rows.every(function (row) {
      var cell = row.cells[column], text = key(cell);
      return text === "" || isNumber(text) || cell.querySelector("time");
    });
  }

  function each(list, what) {
    Array.from(list).forEach(what);
  }

  function sort(table, column, head, down) {
    var body = table.tBodies[0];
    var rows = Array.from(body.rows);
    rows.sort(function (a, b) {
      var x = key(a.cells[column]), y = key(b.cells[column]);
      if (x === "" || y === "") return (x === "") - (y === "");
      return down ? compare(y, x) : compare(x, y);
    });
    rows.forEach(function (row) { body.appendChild(row); });
    table.querySelectorAll("th[aria-sort]").forEach(function (each) { each.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  }

  // How one looks at a table stands in the address: what it is sorted by, which rows, and which columns are left out.
  var NARROW = 2; // columns that a phone has room for
  var LONG = 23; // letters of a value and its name from which on it has a line of a card for itself
  var SOME = 8; // cards of a long list
  var FEW = 5; // rows and columns, of which nobody needs to choose

  function put(name, values) {
    var at = new URL(location.href);
    at.searchParams.delete(name);
    values.forEach(function (value) { if (value) at.searchParams.append(name, value); });
    history.replaceState(history.state, "", at);
  }

  function asked(name) {
    return new URL(location.href).searchParams.getAll(name);
  }

  function make(tag, given, inside) {
    var element = document.createElement(tag);
    Object.keys(given).forEach(function (name) { element.setAttribute(name, given[name]); });
    (inside || []).forEach(function (part) { element.append(part); });
    return element;
  }

  function read(address) {
    return fetch(new URL(address, location)).then(function (answer) { return answer.json(); });
  }

  // Puts what is told of something below it, or above where that has more room.
  function beside(something, words) {
    var box = something.getBoundingClientRect(), wide = words.offsetWidth, high = words.offsetHeight;
    words.style.left = Math.max(0, Math.min(box.left, document.documentElement.clientWidth - wide)) + "px";
    words.style.top = (box.bottom + high > innerHeight && box.top > high ? box.top - high : box.bottom) + "px";
  }

  // Does something now, and again whenever a part of a place is hidden or shown.
  function whenHidden(place, what) {
    new MutationObserver(what).observe(place, { subtree: true, attributes: true, attributeFilter: ["hidden"] });
    what();
  }

  window.nomicgit = { make: make, read: read, beside: beside }; // for the scripts of single pages

  // Many that the keyboard meets as one: arrows lead from each to the next, Home and End to the first and the last of a row.
  function roving(place, items, next) {
    var steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    each(items, function (item, at) {
      item.tabIndex = at ? -1 : 0;
      item.addEventListener("focus", function () { stop(item); });
    });
    function stop(item) {
      items.forEach(function (other) { other.tabIndex = other === item ? 0 : -1; });
    }
    // What is hidden takes no focus: then the first that is shown does.
    function settle() {
      if (items.some(function (item) { return item.tabIndex === 0 && item.offsetParent; })) return;
      var shown = items.filter(function (item) { return item.offsetParent; })[0];
      if (shown) stop(shown);
    }
    whenHidden(place, settle);
    place.addEventListener("keydown", function (event) {
      var end = { Home: -1, End: 1 }[event.key], step = end ? [0, end] : steps[event.key];
      function from(item) {
        var to = next(item, step);
        return items.indexOf(to) < 0 ? null : to;
      }
      var to = step && items.indexOf(event.target) >= 0 && from(event.target);
      while (end && to && from(to)) to = from(to);
      if (!to) return;
      event.preventDefault();
      to.focus();
    });
  }

  function sortable(table, name, heads) {
    var buttons = [];
    each(table.tHead.rows[0].cells, function (head, column) {
      if (!heads[column]) return;
      var button = make("button", { type: "button", title: "Sort" }, Array.from(head.childNodes));
      head.appendChild(button);
      buttons.push(button);
      head.addEventListener("click", function () { // the button's own clicks come here too
        var before = head.getAttribute("aria-sort");
        var down = before ? before === "ascending" : beginsDown(Array.from(table.tBodies[0].rows), column);
        sort(table, column, head, down);
        put(name + ".sort", [(down ? "-" : "") + heads[column]]);
      });
      var wanted = asked(name + ".sort")[0];
      if (wanted === heads[column] || wanted === "-" + heads[column]) sort(table, column, head, wanted !== heads[column]);
    });
    roving(table.tHead, buttons, function (button, step) {
      var at = buttons.indexOf(button);
      do at += step[1]; while (buttons[at] && step[1] && buttons[at].parentNode.hidden);
      return buttons[at];
    });
  }

  function finding(table, name) {
    var input = make("input", { type: "search" }), told = make("span", { role: "status" }), rows = table.tBodies[0].rows;
    function find() {
      var words = input.value.toLowerCase().split(/\s+/), shown = 0;
      open(table.closest(".nomic-table"));
      each(rows, function (row) {
        var text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (word) { return text.indexOf(word) >= 0; });
        shown += !row.hidden;
      });
      told.textContent = input.value ? shown + " of " + rows.length : "";
    }
    input.value = asked(name + ".find")[0] || "";
    input.addEventListener("input", function () { find(); put(name + ".find", [input.value]); });
    if (input.value) find();
    return [make("label", {}, ["Find", input]), told];
  }

  // A row to which one is led is shown, whatever was sought. Ids hold nothing that an address writes otherwise.
  function reach(address) {
    var to = document.getElementById(address.slice(1));
    if (!to || !to.closest("tr[hidden]")) return;
    var input = to.closest(".nomic-table").previousSibling.querySelector("input");
    input.value = "";
    input.dispatchEvent(new Event("input"));
    to.scrollIntoView();
  }

  // Which columns are shown: at first those of which a row has more than everybody began with, which the table names as quiet.
  function choosing(table, name, heads, quiet) {
    var usual = heads.filter(function (head, column) { return quiet.indexOf(String(column)) >= 0; });
    var without = asked(name + ".without"), boxes = make("fieldset", {}, [make("legend", {}, ["Columns"])]), ticks = [];
    if (!without.length) without = usual;
    function show() {
      each(table.rows, function (row) {
        ticks.forEach(function (tick, at) { row.cells[at + 1].hidden = !tick.checked; });
      });
    }
    function choose() {
      var left = heads.slice(1).filter(function (head, at) { return !ticks[at].checked; });
      put(name + ".without", String(left) === String(usual) ? [] : left.length ? left : ["-"]);
      show();
    }
    ["All", "None"].forEach(function (word) {
      var button = make("button", { type: "button" }, [word]);
      button.addEventListener("click", function () {
        ticks.forEach(function (tick) { tick.checked = word === "All"; });
        choose();
      });
      boxes.append(button);
    });
    heads.slice(1).forEach(function (head) { // the first names the rows
      var tick = make("input", { type: "checkbox" });
      tick.checked = without.indexOf(head) < 0;
      tick.addEventListener("change", choose);
      ticks.push(tick);
      boxes.append(make("label", {}, [tick, " " + head]));
    });
    show();
    return [make("details", {}, [make("summary", {}, ["Columns"]), boxes])];
  }

  // What heads the columns, without their ranges.
  function headsOf(table) {
    return Array.from(table.tHead.rows[0].cells, function (head) {
      var copy = head.cloneNode(true);
      each(copy.querySelectorAll(".nomic-range"), function (range) { range.remove(); });
      return copy.textContent.trim();
    });
  }

  // On a phone each row of a table with many columns is a card, in which each value says what it is.
  function carded(shell) {
    var table = shell.querySelector("table"), heads = headsOf(table);
    if (heads.length <= NARROW) return;
    shell.classList.add("nomic-cards");
    each(table.tBodies[0].rows, function (row) {
      each(row.cells, function (cell, column) {
        cell.dataset.head = heads[column];
        cell.classList.toggle("nomic-long", (heads[column] + cell.textContent).length > LONG);
      });
    });
    shortened(shell);
  }

  // There a long list ends, until one asks for all of it.
  function open(shell) {
    var all = shell.nextElementSibling;
    shell.classList.remove("nomic-some");
    if (all && all.className === "nomic-all") all.remove();
  }

  function shortened(shell) {
    var many = shell.querySelectorAll("tbody tr").length;
    if (many < 2 * SOME || shell.classList.contains("nomic-some")) return;
    shell.classList.add("nomic-some");
    shell.after(make("button", { type: "button", class: "nomic-all" }, ["All " + many]));
    shell.nextElementSibling.addEventListener("click", function () { open(shell); });
  }

  function track(shell, place, shells) {
    var table = shell.querySelector("table"), rows = table.tBodies[0].rows, label = shell.getAttribute("aria-label");
    if (rows.length < 2 && !shell.dataset.quiet || shell.dataset.tracked) return;
    shell.dataset.tracked = "yes";
    var same = Array.from(shells).slice(0, place).filter(function (other) {
      return other.getAttribute("aria-label") === label;
    });
    var name = label + (same.length ? " " + (same.length + 1) : "");
    var heads = headsOf(table);
    if (rows.length > 1) sortable(table, name, heads);
    var tools = (rows.length > FEW ? finding(table, name) : []).concat(heads.length > FEW ? choosing(table, name, heads, (shell.dataset.quiet || "").split(" ")) : []);
    if (tools.length) shell.before(make("div", { class: "nomic-tools" }, tools));
    fits.observe(shell);
    fits.observe(table);
  }

  // A table that needs no more room than it has is no page within the page.
  var fits = new ResizeObserver(function (seen) {
    seen.forEach(function (each) {
      var shell = each.target.closest(".nomic-sortable");
      shell.classList.toggle("nomic-fits", shell.querySelector("table").offsetWidth <= shell.clientWidth);
    });
  });

  function left(seconds) {
    if (seconds <= 0) return "now";
    var days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24;
    var minutes = Math.floor(seconds / 60) % 60;
    if (days) return "in " + days + " d " + hours + " h";
    if (hours) return "in " + hours + " h " + minutes + " min";
    return "in " + minutes + " min " + Math.floor(seconds % 60) + " s";
  }

  function ago(seconds) {
    var units = [[365 * 86400, "year"], [86400, "day"], [3600, "hour"], [60, "minute"]];
    for (var i = 0; i < units.length; i++) {
      var many = Math.floor(seconds / units[i][0]);
      if (many > 0) return many + " " + units[i][1] + (many > 1 ? "s" : "") + " ago";
    }
    return "just now";
  }

  function tick() {
    document.querySelectorAll("time.nomic-until").forEach(function (time) {
      var at = new Date(time.getAttribute("datetime"));
      var local = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
      time.textContent = local + " (your time, " + left((at - Date.now()) / 1000) + ")";
    });
    document.querySelectorAll("time.nomic-since").forEach(function (time) {
      var at = time.getAttribute("datetime");
      time.dataset.shown = time.dataset.shown || time.textContent;
      time.textContent = time.dataset.shown + " (" + ago((Date.now() - new Date(at)) / 1000) + ")";
    });
  }

  function me(name, now) {
    try {
      if (now) localStorage.setItem(name, now);
      return localStorage.getItem(name);
    } catch (refused) { return null; }
  }

  // A form that asks who one is knows it from there, and tells it.
  function naming(control) {
    var at = new URL(control.dataset.me, location), folder = at.protocol === "file:" ? "index.html" : "";
    var name = "nomic-me " + at.pathname + folder, kept = me(name), options = (control.list || control).options;
    if (control.list) control.value = kept || "";
    each(options, function (option) { if (option.text === kept) option.selected = true; });
    control.addEventListener("change", function () {
      each(options, function (option) { if (option.value === control.value) me(name, option.value && option.text); });
    });
  }

  // Who the reader is stands in their browser, by the address of the list, so that each game has its own.
  function knowing(who) {
    var name = "nomic-me " + location.pathname, kept = me(name);
    each(who.querySelectorAll("a"), function (link) {
      link.addEventListener("click", function () { me(name, link.textContent); });
      if (link.textContent !== kept || location.hash === "#who") return;
      location.replace(link.protocol === "file:" ? link.href + "index.html" : link.href);
    });
  }

  // What a value was before, from the file that its table names: at the pointer, and at the keyboard's focus, which arrows move.
  var pasts = {}, told = null;

  function valued(shell, what) {
    var fields = shell.dataset.fields.split(" ");
    each(shell.querySelectorAll("tr[data-of]"), function (row) {
      each(row.cells, function (cell, column) {
        var field = row.dataset.field ? column === 1 && row.dataset.field : column && fields[column - 1];
        if (field) what(cell, row.dataset.of, field);
      });
    });
  }

  function untell() {
    if (told) told.remove();
    told = null;
  }

  function tell(cell, root, past, of, field) {
    var entity = past.entities[of] || {}, changes = entity.fields && entity.fields[field] || [], rule = past.rules[field];
    function link(text, uri) { return make("a", { href: new URL(root + uri, location) }, [text]); }
    untell();
    told = make("div", { class: "nomic-past", id: "nomic-past" });
    if (rule) told.append(make("p", {}, [field.replace(/_/g, " ") + ": ", link(rule[0], rule[1])]));
    if (cell.dataset.was !== undefined) told.append(make("p", {}, ["When you last came: " + (cell.dataset.was || "–")]));
    told.append(changes.length ? make("ol", {}, changes.map(function (each) {
      var at = each.at.slice(0, 16).replace("T", " ") + " UTC";
      return make("li", {}, [each.from + " → " + each.to + ", ", link(at, each.deed), ", " + each.by]);
    })) : make("p", {}, [past.untold[field] || "No deed has set it to anything else."]));
    if (changes.length) told.append(make("p", {}, [link("All changes", entity.all)]));
    cell.append(told);
    beside(cell, told);
  }

  function remembering(shell) {
    var file = shell.dataset.past, root = file.replace(/api\/past\/.*$/, ""), cells = [], timer;
    if (shell.dataset.asked) return;
    shell.dataset.asked = "";
    valued(shell, function (cell, of, field) {
      function show() {
        pasts[file] = pasts[file] || read(file);
        pasts[file].then(function (all) {
          if (cell.matches(":hover, :focus-within, :focus")) tell(cell, root, all.past, of, field);
        });
      }
      cells.push(cell);
      cell.addEventListener("mouseenter", function () { timer = setTimeout(show, 300); });
      cell.addEventListener("mouseleave", function () { clearTimeout(timer); untell(); });
      cell.addEventListener("focus", show);
      cell.addEventListener("focusout", function (event) { if (!cell.contains(event.relatedTarget)) untell(); });
    });
    roving(shell, cells, function (cell, step) {
      var row = cell.parentNode, rows = row.parentNode.rows, at = cell.cellIndex;
      do row = rows[row.sectionRowIndex + step[0]]; while (step[0] && row && row.hidden);
      do at += step[1]; while (step[1] && row && row.cells[at] && !row.cells[at].offsetParent);
      return row && row.cells[at];
    });
    shell.addEventListener("keydown", function (event) { if (event.key === "Escape") untell(); });
  }

  // What scrolls takes what is told of a value along at the keyboard's focus, which may itself have moved the value into view.
  addEventListener("scroll", function () {
    var cell = told && told.closest("td:focus-within");
    if (cell) beside(cell, told);
    else untell();
  }, true);

  // What is new since one's last visit, which is over half an hour after one looked last. Only the browser knows it.
  var VISIT = 1800000;

  function before(name, now) {
    var kept;
    name = "nomic-seen " + name;
    try {
      kept = JSON.parse(localStorage.getItem(name)) || {};
      if (kept.last && Date.now() - kept.last.at > VISIT) kept.then = kept.last;
      kept.last = { at: Date.now(), what: now };
      localStorage.setItem(name, JSON.stringify(kept));
    } catch (refused) { return null; }
    return kept.then;
  }

  function news(place, cells, then) {
    if (!cells.length) return;
    var line = make("p", { class: "nomic-news" }), text = " marked: new since your last visit, " + new Date(then.at).toISOString().slice(0, 16).replace("T", " ") + " UTC";
    place.before(line);
    whenHidden(place, function () {
      var heads = new Set();
      cells.forEach(function (cell) { if (cell.hidden) heads.add(cell.dataset.head); });
      line.textContent = cells.length + text + (heads.size ? ", some in hidden columns: " + Array.from(heads).join(", ") : "") + ".";
    });
  }

  function onOneLine(cell) {
    var copy = cell.cloneNode(true);
    each(copy.querySelectorAll("br"), function (end) { end.replaceWith(","); });
    return copy.textContent.trim();
  }

  function comparing(shells) {
    if (!shells.length || shells[0].dataset.compared) return;
    shells[0].dataset.compared = "yes";
    var now = {};
    each(shells, function (shell) {
      valued(shell, function (cell, of, field) { now[of + " " + field] = onOneLine(cell); });
    });
    var then = before(location.pathname, now);
    if (then) each(shells, function (shell) {
      var cells = [];
      valued(shell, function (cell, of, field) {
        var was = then.what[of + " " + field];
        if (was === now[of + " " + field]) return;
        cell.classList.add("nomic-changed");
        cell.dataset.was = was || "";
        cell.setAttribute("aria-description", "was " + (was || "not there"));
        cells.push(cell);
      });
      news(shell, cells, then);
    });
  }

  function arisen(place) {
    if (place.dataset.compared) return;
    place.dataset.compared = "yes";
    var at = place.querySelector("time").getAttribute("datetime"), then = before(location.pathname, at), cells = [];
    if (!then) return;
    each(document.querySelectorAll(".md-content tbody tr, .nomic-card"), function (one) {
      var time = one.querySelector("time:not(.nomic-until)"), text = time && time.getAttribute("datetime");
      if (!text || text <= then.what || text > at) return;
      one.classList.add("nomic-changed");
      cells.push(one);
    });
    news(place.parentNode, cells, then);
  }

  function begin() {
    comparing(document.querySelectorAll("[data-past]"));
    document.querySelectorAll("[data-past]").forEach(remembering);
    document.querySelectorAll(".nomic-as-of").forEach(arisen);
    document.querySelectorAll(".nomic-who").forEach(knowing);
    document.querySelectorAll("[data-me]").forEach(naming);
    document.querySelectorAll(".nomic-table").forEach(carded);
    document.querySelectorAll(".nomic-sortable").forEach(track);
    document.querySelectorAll("time[datetime]").forEach(function (time) {
      var text = time.getAttribute("datetime");
      if (text.length > 10 && !time.title) time.title = new Date(text).toLocaleString();
    });
    tick();
  }

  // A theme may put another page in the place of this one, and then says so.
  function start() {
    begin();
    reach(location.hash);
    window.addEventListener("hashchange", function () { reach(location.hash); });
    document.addEventListener("click", function (event) { // also of a place to which one was led before
      var link = event.target.closest("a[href^='#']");
      if (link) reach(link.getAttribute("href"));
    });
    if (window.document$) window.document$.subscribe(begin);
  }

  // Paper is white: a dark page is printed light, its margins too. A wide table is printed as cards, and no other.
  var dark, fitting;
  function shown(scheme, cards) {
    each(fitting, function (shell) { shell.classList.toggle("nomic-cards", cards); });
    if (!dark) return;
    document.body.setAttribute("data-md-color-scheme", scheme);
    each(document.getElementsByName("color-scheme"), function (meta) { meta.content = getComputedStyle(document.body).colorScheme; });
  }
  window.addEventListener("beforeprint", function () {
    fitting = document.querySelectorAll(".nomic-cards:not(.nomic-wide)");
    dark = document.body.getAttribute("data-md-color-scheme");
    shown("default", false);
  });
  window.addEventListener("afterprint", function () { shown(dark, true); });

  // In a folder nobody gives a folder's page for its address: a link is told the page before it is followed.
  function toPage(event) {
    var link = event.target.closest("a[href]");
    if (link && link.protocol === "file:" && /\/$/.test(link.pathname)) link.pathname += "index.html";
  }

  // In a folder browsers start no worker: the theme's search runs in a frame instead, and asks for it by its name.
  function IFrameWorker(url) {
    var worker = new EventTarget(), frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.appendChild(frame);
    var inside = frame.contentWindow;
    inside.document.open(); // or some browsers put another empty page in its place
    inside.document.close();

    function load(address) {
      return new Promise(function (loaded) {
        var script = inside.document.createElement("script");
        script.src = new URL(address, location);
        script.onload = loaded;
        inside.document.body.appendChild(script);
      });
    }

    function tell(whom, message) {
      whom.dispatchEvent(new MessageEvent("message", { data: message }));
    }

    inside.importScripts = function () {
      return Array.from(arguments).reduce(function (before, address) {
        return before.then(function () { return load(address); });
      }, Promise.resolve());
    };
    inside.postMessage = tell.bind(null, worker);
    var begun = load(url);
    worker.postMessage = function (message) {
      begun.then(function () { tell(inside, message); });
    };
    return worker;
  }

  // Nor is anything fetched there: what pages ask for stands beside itself as a script, which loads.
  function fromFolder(address) {
    return new Promise(function (given, refused) {
      var script = make("script", { src: String(address).replace(/\.json$/, ".js") });
      script.onload = function () {
        var file = window.nomicFile; // of this very script: it is told of as soon as it has run
        script.remove();
        given({ ok: true, json: function () { return file; } });
      };
      script.onerror = refused;
      document.head.append(script);
    });
  }

  if (location.protocol === "file:") {
    window.fetch = fromFolder;
    window.Worker = window.IFrameWorker = IFrameWorker;
    ["mousedown", "contextmenu", "click"].forEach(function (kind) { document.addEventListener(kind, toPage, true); });
  }

  // Whoever presses Enter before the search has its hits would send its form, which leads nowhere.
  document.addEventListener("submit", function (event) {
    if (event.target.matches(".md-search__form")) event.preventDefault();
  });

  setInterval(tick, 1000);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
