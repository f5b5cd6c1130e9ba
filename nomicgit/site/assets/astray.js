// The page for what is not found, which a server shows at any address: it finds its site by asking for itself, folder by folder.
(function () {
  "use strict";
  var me = document.currentScript, built = me.dataset.root, mark = 'data-site="' + me.dataset.site + '"';
  var plain = built.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), parts = location.pathname.split("/"), icon = document.createElement("link");
  var roots = parts.slice(1).map(function (_, at) { return parts.slice(0, at + 1).join("/") + "/"; });
  if (roots.indexOf(built) > 0) roots.unshift(roots.splice(roots.indexOf(built), 1)[0]); // where it most likely is

  // What a script of the theme would ask for it is told before; what the theme keeps in the browser is the whole site's.
  function shown(root) {
    var whole = document.documentElement, html;
    if (document.readyState !== "complete") return window.addEventListener("load", function () { setTimeout(shown, 0, root); });
    me.remove();
    icon.remove();
    whole.style.display = "";
    html = whole.outerHTML.replace(/<\/?noscript>| type="text\/later"/g, "").replace(/ data-later-src=/g, " src=");
    html = html.replace(new RegExp('( (?:href|src)=")' + plain + "(?!/)", "g"), function (_, start) { return start + root; });
    html = html.replace(/(<script id="__config"[^>]*>)([^<]*)/, function (_, start, text) {
      var config = JSON.parse(text);
      config.base = root;
      config.search = root + config.search.slice(built.length);
      return start + JSON.stringify(config).replace(/</g, "\\u003c");
    });
    if (new RegExp('__md_scope=new URL\\("' + plain + '?"').test(html)) {
      Object.defineProperty(window, "__md_scope", { value: new URL(root, location), configurable: true });
    }
    document.open();
    document.write("<!doctype html>" + html);
    document.close();
  }

  function look(at) {
    if (at === roots.length) return shown(built);
    fetch(roots[at] + "404.html").then(function (answer) { return answer.ok ? answer.text() : ""; }).then(function (text) {
      if (text.indexOf(mark) < 0) look(at + 1);
      else shown(roots[at]);
    }, function () { shown(built); });
  }

  icon.rel = "icon"; // or the browser asks for one at the root of the address
  icon.href = "data:,";
  document.head.append(icon);
  document.documentElement.style.display = "none"; // bare as it is
  if (location.protocol === "file:") shown(location.pathname.replace(/[^/]*$/, ""));
  else look(0);
})();
