// Paddock's one script. Every page reads well without it; with it, pages keep themselves up to date,
// replays can be stepped with keys and fingers, and matches under way are watched as they happen.
"use strict";

const main = document.getElementById("main");

// Puts what the server now says into the parts that are shown, and leaves all else, so that
// nobody loses their place.
function take(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-part]")) {
    const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!other) continue;
    const focus = part.contains(document.activeElement) ? path(part, document.activeElement) : null;
    const scrolled = [...part.querySelectorAll(".wide")].map((box) => box.scrollLeft);
    part.replaceWith(other);
    [...other.querySelectorAll(".wide")].forEach((box, at) => { box.scrollLeft = scrolled[at] || 0; });
    const again = focus && other.querySelector(focus);
    if (again) again.focus({ preventScroll: true });
  }
  return fresh;
}

// A selector for what has the focus: by its address or its step, which stay the same.
function path(part, element) {
  if (element.dataset.step) return `[data-step="${element.dataset.step}"]`;
  if (element.classList.contains("play")) return ".play";
  const address = element.getAttribute("href");
  return address ? `a[href="${CSS.escape(address)}"]` : null;
}

async function fetched(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  return answer.ok ? answer.text() : null;
}

// --- pages that keep themselves up to date ------------------------------------------------------

const MOST_PAUSE = 8000;  // milliseconds

// `address` is the stream, with the number of changes that this page was made at. Every event has a
// number, too: the page is fetched until it is that far, because the server keeps answers a while.
function follow(address) {
  const since = (stream) => Number(new URL(stream, location).searchParams.get("since"));
  let shown = since(address);
  let latest = shown;
  let fetching = false;
  let stream = null;

  async function update() {
    if (fetching || document.hidden) return;
    fetching = true;
    try {
      for (let pause = 1000; shown !== latest && !document.hidden; pause = Math.min(2 * pause, MOST_PAUSE)) {
        const text = await fetched(location.href).catch(() => null);
        if (text) {
          const fresh = take(text).getElementById("main").dataset.follow;
          shown = fresh ? since(fresh) : latest;
          ages();
        }
        if (text && shown >= latest) latest = shown;
        else await new Promise((then) => { setTimeout(then, pause); });
      }
    } finally {
      fetching = false;
    }
  }

  function open() {
    stream = new EventSource(`${address.split("?")[0]}?since=${shown}`);
    stream.addEventListener("changed", (event) => { latest = Number(event.data); update(); });
  }

  open();
  ages();
  setInterval(ages, 1000);
  document.addEventListener("visibilitychange", update);
  window.addEventListener("pagehide", () => stream.close());
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
}

// How long ago it was, where the page says when.
function ages() {
  for (const time of document.querySelectorAll("time[data-age]")) {
    const seconds = Math.max(0, (Date.now() - Date.parse(time.dateTime)) / 1000);
    const units = [[86400, "days"], [3600, "h"], [60, "min"]];
    const [size, unit] = units.find(([least]) => seconds >= 2 * least) || [1, "s"];
    time.textContent = `${Math.floor(seconds / size)} ${unit} ago`;
  }
}

// --- replays ----------------------------------------------------------------------------------

// `base` and a number are a turn's address: a page of its own, or a part of this one.
function replay(base) {
  const seen = new Map();
  const here = base.startsWith("#") ? [...document.querySelectorAll(".stage")] : null;
  let playing = null;
  let going = false;
  const stage = () => document.querySelector(".stage:not([hidden])");
  const turn = () => Number(stage().dataset.turn);
  const turns = () => Number(stage().dataset.turns);

  async function page(number) {
    if (!seen.has(number)) seen.set(number, await fetched(base + number));
    return seen.get(number);
  }

  // Every turn is on this page: one is shown, and the focus stays at its step.
  function turnTo(number) {
    const before = stage();
    const focus = before.contains(document.activeElement) && path(before, document.activeElement);
    for (const each of here) each.hidden = Number(each.dataset.turn) !== number;
    const again = focus && stage().querySelector(focus);
    if (again) again.focus({ preventScroll: true });
  }

  async function show(number) {
    if (here) {
      turnTo(number);
      return true;
    }
    const text = await page(number);
    if (text) document.title = take(text).title;
    return Boolean(text);
  }

  async function go(number, note = true) {
    const wanted = Math.min(Math.max(number, 1), turns());
    if (going || wanted === turn()) return;
    going = true;
    try {
      if (!(await show(wanted))) return;
      stage().classList.add("fresh");
      ready();
      if (note) history.replaceState(null, "", base + wanted);
    } finally {
      going = false;
    }
    if (!here && wanted < turns()) page(wanted + 1);
  }

  function stop() {
    clearInterval(playing);
    playing = null;
    ready();
  }

  function play() {
    if (playing) { stop(); return; }
    if (turn() === turns()) go(1);
    playing = setInterval(() => (turn() < turns() ? go(turn() + 1) : stop()), 1200);
    ready();
  }

  // The button is there only where it can work.
  function ready() {
    const button = stage().querySelector(".step.play");
    if (!button) return;
    button.hidden = false;
    button.classList.toggle("playing", Boolean(playing));
    button.lastElementChild.textContent = playing ? "Pause" : "Play";
  }

  const steps = { first: () => 1, back: () => turn() - 1, on: () => turn() + 1, last: () => turns() };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea, .wide");
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (keys[event.key]) { event.preventDefault(); go(steps[keys[event.key]]()); }
    if (event.key === " " && !event.target.closest("a, button")) { event.preventDefault(); play(); }
  });
  main.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      go(steps[step.dataset.step]());
    }
    if (event.target.closest(".step.play")) play();
  });
  let from = null;
  main.addEventListener("touchstart", (event) => {
    const inside = event.target.closest(".stage") && !event.target.closest(".wide");
    from = inside && event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  main.addEventListener("touchend", (event) => {
    if (!from) return;
    const to = event.changedTouches[0];
    const across = to.clientX - from.clientX;
    if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) {
      go(turn() + (across < 0 ? 1 : -1));
    }
    from = null;
  }, { passive: true });
  if (here) {
    const asked = () => (location.hash.startsWith(base) && parseInt(location.hash.slice(base.length), 10)) || 0;
    turnTo(Math.min(Math.max(asked() || turns(), 1), turns()));
    window.addEventListener("hashchange", () => { if (asked()) go(asked(), false); });
  }
  ready();
}

// --- matches under way ------------------------------------------------------------------------

function watch(address) {
  const stream = new EventSource(address);
  stream.addEventListener("table", (event) => take(event.data));
  stream.addEventListener("end", (event) => {
    stream.close();
    take(event.data);
  });
  // It may have ended before we came; the page knows.
  stream.addEventListener("error", async () => {
    if (stream.readyState !== EventSource.CLOSED) return;
    const text = await fetched(location.href);
    if (text) take(text);
  });
  window.addEventListener("pagehide", () => stream.close());
}

if (main.dataset.follow) follow(main.dataset.follow);
if (main.dataset.replay && document.querySelector(".stage")) replay(main.dataset.replay);
if (main.dataset.watch) watch(main.dataset.watch);
