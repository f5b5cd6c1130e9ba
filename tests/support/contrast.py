"""How well the words of links and buttons are told from what they stand on, as a browser shows them: at rest, pointed at, in focus."""

from __future__ import annotations

from typing import Any, Final

LEAST: Final = 4.5
"""What WCAG 2 asks of words (success criterion 1.4.3)."""

MEASURED: Final = """least => {
  // Rules for what is pointed at hold for a class too, so that no pointer need be moved.
  const widened = (rules) => [...rules].forEach((rule) => {
    if (rule.selectorText && rule.selectorText.includes(":hover") && !rule.selectorText.includes("::-webkit")) {
      rule.selectorText += ", " + rule.selectorText.replaceAll(":hover", ".is-pointed-at");
    }
    if (rule.cssRules) widened(rule.cssRules);
  });
  [...document.styleSheets].forEach((sheet) => widened(sheet.cssRules));
  const still = document.createElement("style");
  still.textContent = "* { transition: none !important; animation: none !important; }";
  document.head.append(still);
  const parts = (colour) => {
    const numbers = colour.match(/[0-9.]+/g).map(Number);
    return numbers.length > 3 ? numbers : [...numbers, 1];
  };
  const over = (top, below) => [0, 1, 2].map((n) => top[n] * top[3] + below[n] * (1 - top[3]));
  const light = (colour) => {
    const [red, green, blue] = colour.slice(0, 3).map((n) => {
      const part = n / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (element) => {
    const line = [];
    for (let each = element; each; each = each.parentElement) line.unshift(getComputedStyle(each));
    let ground = [255, 255, 255], faded = 1;
    for (const style of line) {
      ground = over(parts(style.backgroundColor), ground);
      faded *= Number(style.opacity);
    }
    const [red, green, blue, alpha] = parts(line[line.length - 1].color);
    const [one, other] = [over([red, green, blue, alpha * faded], ground), ground].map(light);
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const wrong = new Set(), seen = new Set();
  let measured = 0;
  const words = [...document.querySelectorAll(":is(a, button, summary, [role=button])")].filter((each) => each.innerText.trim());
  for (const element of words.filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))) {
    const like = [];
    for (let each = element; each; each = each.parentElement) like.push(each.tagName + "." + each.className);
    if (seen.has(like.join())) continue;
    seen.add(like.join());
    measured += 1;
    const told = (how) => {
      const seenAs = ratio(element);
      if (seenAs < least) wrong.add(`${how}: ${seenAs.toFixed(2)}: ${element.outerHTML.slice(0, 120)}`);
    };
    told("at rest");
    element.classList.add("is-pointed-at");
    told("pointed at");
    element.classList.remove("is-pointed-at");
    element.focus({ preventScroll: true });
    told("in focus");
    element.blur();
  }
  return { measured, wrong: [...wrong] };
}"""


def of_links_and_buttons(page: Any) -> tuple[int, list[str]]:
    """How many kinds of links and buttons a page shows, and those whose words are hard to read."""
    said = page.evaluate(MEASURED, LEAST)
    return said["measured"], said["wrong"]
