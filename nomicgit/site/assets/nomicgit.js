// Sorting of tables, times in the reader's own zone, countdowns and ages, light paper, and what a folder lacks of a server.
// On a site that is served, everything is there without it.
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

  function sort(table, column, head) {
    var body = table.tBodies[0], before = head.getAttribute("aria-sort");
    var rows = Array.prototype.slice.call(body.rows);
    var down = before ? before === "ascending" : beginsDown(rows, column);
    rows.sort(function (a, b) {
      var x = key(a.cells[column]), y = key(b.cells[column]);
      if (x === "" || y === "") return (x === "") - (y === "");
      return down ? compare(y, x) : compare(x, y);
    });
    rows.forEach(function (row) { body.appendChild(row); });
    table.querySelectorAll("th[aria-sort]").forEach(function (each) { each.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  }

  function sortable(table) {
    if (table.tBodies.length === 0 || table.tBodies[0].rows.length < 2) return;
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      if (!head.textContent.trim() || head.querySelector("button")) return;
      var button = document.createElement("button");
      button.type = "button";
      button.title = "Sort";
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener("click", function () { sort(table, column, head); });
    });
  }

  function left(seconds) {
    if (seconds <= 0) return "now";
    var days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24;
    var minutes = Math.floor(seconds / 60) % 60;
    if (days) return "in " + days + " d " + hours + " h";
    if (hours) return "in " + hours + " h " + minutes + " min";
    return "in " + minutes + " min " + Math.floor(seconds % 60) + " s";
  }

  function ago(seconds) {
    var units = [[86400, "day"], [3600, "hour"], [60, "minute"]];
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

  function begin() {
    document.querySelectorAll(".nomic-sortable table").forEach(sortable);
    document.querySelectorAll("time[datetime]").forEach(function (time) {
      var text = time.getAttribute("datetime");
      if (text.length > 10 && !time.title) time.title = new Date(text).toLocaleString();
    });
    tick();
  }

  // A theme may put another page in the place of this one, and then says so.
  function start() {
    begin();
    if (window.document$) window.document$.subscribe(begin);
  }

  // Paper is white: a dark page is printed light.
  var dark = null;
  window.addEventListener("beforeprint", function () {
    dark = document.body.getAttribute("data-md-color-scheme");
    if (dark) document.body.setAttribute("data-md-color-scheme", "default");
  });
  window.addEventListener("afterprint", function () {
    if (dark) document.body.setAttribute("data-md-color-scheme", dark);
  });

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
      return Array.prototype.reduce.call(arguments, function (before, address) {
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

  if (location.protocol === "file:") {
    window.Worker = window.IFrameWorker = IFrameWorker;
    ["mousedown", "contextmenu", "click"].forEach(function (kind) { document.addEventListener(kind, toPage, true); });
  }

  setInterval(tick, 1000);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
