// The whole law as a book: what a term means, at the pointer and at the keyboard's focus; a rule's number to cite; sections to fold.
(function () {
  "use strict";

  function untell() {
    if (told) told.remove();
    told = null;
  }

  var meanings = null, told = null;

  function explaining(link, file) {
    var timer;
    function show() {
      meanings = meanings || nomicgit.read(file);
      meanings.then(function (all) {
        var text = all.terms[link.hash.slice(1) || "rule-" + link.pathname.split("/").slice(-2)[0]];
        if (!text || !link.matches(":hover, :focus")) return;
        untell();
        told = nomicgit.make("span", { class: "nomic-past", role: "tooltip", id: "nomic-past" }, [text]);
        link.after(told);
        link.setAttribute("aria-describedby", "nomic-past");
        nomicgit.beside(link, told);
      });
    }
    function leave() {
      clearTimeout(timer);
      timer = setTimeout(function () { if (!told || !told.matches(":hover")) untell(); else told.onmouseleave = untell; }, 200);
    }
    link.addEventListener("mouseenter", function () { timer = setTimeout(show, 300); });
    link.addEventListener("mouseleave", leave);
    link.addEventListener("focus", show);
    link.addEventListener("blur", untell);
    link.addEventListener("keydown", function (event) { if (event.key === "Escape") untell(); });
  }

  function citing(link) {
    link.addEventListener("click", function () {
      var text = link.title.replace("Cite ", "") + ", " + link.href;
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(function () { link.dataset.done = "copied"; }, function () {});
    });
  }

  function folding(head) {
    var button = nomicgit.make("button", { type: "button", "aria-expanded": "true", class: "nomic-fold" }, Array.from(head.childNodes));
    function fold(away) {
      button.setAttribute("aria-expanded", String(!away));
      for (var next = head.nextElementSibling; next && next.tagName !== "H2"; next = next.nextElementSibling) next.hidden = away && "until-found";
    }
    function unfold() {
      var there = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!there || !there.closest("[hidden]")) return;
      if (head.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_FOLLOWING) fold(false);
      there.scrollIntoView();
    }
    head.append(button);
    button.addEventListener("click", function () { fold(button.getAttribute("aria-expanded") === "true"); });
    window.addEventListener("hashchange", unfold);
    head.parentNode.addEventListener("beforematch", function (event) {
      if (head.compareDocumentPosition(event.target) & Node.DOCUMENT_POSITION_FOLLOWING) fold(false);
    });
  }

  function reading(book) {
    if (book.dataset.read) return;
    book.dataset.read = "yes";
    var page = book.parentNode;
    page.querySelectorAll("a.nomic-term").forEach(function (link) { explaining(link, book.dataset.terms); });
    page.querySelectorAll("a.nomic-cite").forEach(citing);
    page.querySelectorAll("h2").forEach(folding);
  }

  function begin() {
    document.querySelectorAll(".nomic-book").forEach(reading);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
  if (window.document$) window.document$.subscribe(begin);
})();
