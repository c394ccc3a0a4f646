"""Whether a page can be used by everybody: what a tool can see of it, by rules of our own."""

from typing import Final

from playwright.sync_api import Page

_RULES: Final = """() => {
  const wrong = [];
  const say = (what, element) => wrong.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  const shown = (element) => element.checkVisibility() && !element.closest('[aria-hidden="true"]');
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const named = (element) => {
    const label = element.getAttribute('aria-label') || element.textContent.trim()
      || [...(element.labels || [])].map((each) => each.textContent.trim()).join('');
    return Boolean(label);
  };
  if (!document.documentElement.lang) wrong.push('the page has no language');
  if (!document.title) wrong.push('the page has no title');
  if (all('h1').length !== 1) wrong.push('there must be one h1');
  let level = 0;
  for (const heading of all('h1, h2, h3, h4')) {
    const here = Number(heading.tagName[1]);
    if (here > level + 1) say('a level of headings is skipped', heading);
    level = here;
  }
  for (const each of all('svg, img')) {
    if (each.closest('svg') !== each && each.tagName === 'svg') continue;
    if (!each.getAttribute('aria-label') && !each.getAttribute('alt')) say('no label', each);
  }
  for (const each of all('a, button, input:not([type=hidden]), select, [role=region], nav')) {
    if (!named(each)) say('no name', each);
  }
  for (const each of all('table')) if (!each.caption) say('no caption', each);
  for (const each of all('th')) if (!each.scope) say('no scope', each);
  const ids = [...document.querySelectorAll('[id]')].map((each) => each.id);
  if (new Set(ids).size !== ids.length) wrong.push('an id is there twice');
  for (const each of all('button, input:not([type=hidden]), select, .step')) {
    const box = each.getBoundingClientRect();
    if (box.width < 24 || box.height < 24) say('too small for a finger', each);
  }
  const colour = (text) => {
    const parts = text.match(/[0-9.]+/g).map(Number);
    return parts.length > 3 ? parts : [...parts, 1];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((c) => c / 255)
      .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = colour(getComputedStyle(at).backgroundColor);
      if (found[3] === 1) return found;
    }
    return [255, 255, 255, 1];
  };
  for (const each of all('main *, header *, footer *')) {
    const words = [...each.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!words || each.closest('svg') || each.closest('.hidden')) continue;
    const style = getComputedStyle(each);
    const [a, b] = [light(colour(style.color)), light(behind(each))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) say('too little contrast', each);
  }
  if (document.documentElement.scrollWidth > window.innerWidth + 1) {
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide in ${window.innerWidth}`);
  }
  return wrong;
}"""


def barriers(page: Page) -> list[str]:
    """What is in somebody's way on this page."""
    found: list[str] = page.evaluate(_RULES)
    return found
