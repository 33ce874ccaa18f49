/* Playing, the mouse, the keys, and what is said beside the picture. */

const SPEEDS = [0.001, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
/* A recording plays at least so long unless told otherwise, s. */
const SHORTEST = 4;
const root = document.documentElement, by = (id) => document.getElementById(id);
const data = loadData(), moments = data.motion.times;
const first = moments[0], last = moments[moments.length - 1];
/* A link can say what is shown: #t=1.2&forces&body=3 */
const asked = new URLSearchParams(location.hash.slice(1));
let viewer = null, time = first, playing = false, chosen = -1, following = false, waiting = false, clock = 0;

function begin() {
  try {
    viewer = new Viewer(by("view"), data);
    root.classList.add("drawn");
    by("view").addEventListener("webglcontextlost", (event) => { event.preventDefault(); giveUp("the graphics card stopped"); });
  } catch (error) {
    giveUp(error.message);
  }
  for (const speed of SPEEDS) by("speed").add(new Option(`${speed}×`, speed));
  const span = last - first;
  const fitting = SPEEDS.filter((speed) => speed <= 1 && span / speed >= SHORTEST);
  by("speed").value = fitting.length ? fitting[fitting.length - 1] : SPEEDS[0];
  Object.assign(by("scrub"), { min: first, max: last });
  makePlots();
  listen();
  if (asked.has("forces")) by("contacts").click();
  if (asked.has("body")) choose(Number(asked.get("body")));
  const start = Number.parseFloat(asked.get("t"));
  seek(Number.isFinite(start) ? start : first);
  /* At once, as the plots: the next picture of the screen may be long in coming. */
  if (viewer) viewer.draw(time);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || asked.has("t");
  if (viewer && !still && span > 0) play(true);
  root.dataset.ready = viewer ? "drawn" : "still";
}

function giveUp(why) {
  viewer = null;
  play(false);
  root.classList.remove("drawn");
  const message = by("message");
  message.textContent = `No playback in 3D: ${why}. The picture shows a moment of the recording; plots and tables work.`;
  message.hidden = false;
}

let plots = [];
function makePlots() {
  const go = (to) => { play(false); seek(to); };
  /* What the scene watches comes first: its author asked for it. */
  plots = [data.fit, data.watch, data.plots].filter(Boolean).flatMap(({ plots: all, curves, times: at }) =>
    all.map((plot, number) => new Plot(plot, curves.filter((curve) => curve.plot === number), at, [first, last], go)));
  by("plots").append(...plots.map((plot) => plot.figure));
  if (data.profile) makeProfile(go);
  /* At once: an observer of sizes calls only when the page is painted, and a page is read or printed before that. */
  for (const plot of plots) plot.layout();
}

function makeProfile(go) {
  const { layers, clock: byClock, times } = data.profile;
  const stack = [...layers, { name: "by the clock", values: byClock, line: true }].map((curve) => ({ ...curve, unit: "ms" }));
  const profile = new Plot({ name: "Time of a step by stage", unit: "ms", stacked: true }, stack, times, [first, last], go);
  plots.push(profile);
  by("profile-plot").append(profile.figure);
}

/* Draws once before the next picture of the screen, however often it is asked. */
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame((now) => {
    waiting = false;
    if (playing) {
      const past = Math.min((now - clock) / 1000, 0.1);
      clock = now;
      const next = time + past * Number(by("speed").value);
      if (next >= last) play(false);
      seek(Math.min(next, last));
    }
    if (viewer) viewer.draw(time);
    inspect();
    if (playing) redraw();
  });
}

function play(on) {
  if (on && !playing) {
    if (time >= last) seek(first);
    clock = performance.now();
  }
  playing = on;
  by("play").setAttribute("aria-label", on ? "Pause" : "Play");
  by("play-icon").setAttribute("d", on ? "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z" : "M4 2.5v11l9-5.5z");
  redraw();
}

function seek(to) {
  const before = time;
  time = Math.max(first, Math.min(last, to));
  if (viewer && following && chosen >= 0) viewer.shift(minus(centreAt(chosen, time), centreAt(chosen, before)));
  by("scrub").value = time;
  const digits = last - first < 0.1 ? 5 : 3;
  by("clock").textContent = `${time.toFixed(digits)} of ${last.toFixed(digits)} s`;
  for (const plot of plots) plot.show(time, false);
  redraw();
}

function step(by) {
  play(false);
  const at = nearestFrame(data, time);
  seek(moments[Math.max(0, Math.min(moments.length - 1, at + by))]);
}

/* The centre of mass, from the middle of the scene. */
function centreAt(body, when) {
  const pose = poseAt(data, body, when, new Float64Array(7));
  return add(pose.subarray(0, 3), rotated(pose.subarray(3), data.bodies[body].centre));
}

function choose(body) {
  chosen = data.bodies[body] ? body : -1;
  if (chosen < 0) following = false;
  if (viewer) viewer.chosen = chosen;
  for (const row of document.querySelectorAll("#bodies tr[data-body]")) row.classList.toggle("chosen", Number(row.dataset.body) === chosen);
  by("inspector").hidden = chosen < 0;
  if (chosen >= 0) fillInspector();
  redraw();
}

/* Names come as text, never as markup. */
function fillInspector() {
  const body = data.bodies[chosen], panel = by("inspector");
  const made = (name, text, parent, title) => {
    const node = document.createElement(name);
    node.textContent = text;
    if (title) node.className = title;
    parent.append(node);
    return node;
  };
  panel.replaceChildren();
  made("strong", body.name, panel);
  const close = made("button", "×", panel, "close");
  close.setAttribute("aria-label", "Choose no body");
  close.addEventListener("click", () => choose(-1));
  const list = document.createElement("dl");
  panel.append(list);
  const rows = [["role", body.role], ["mass", body.mass > 0 ? `${shown(body.mass)} kg` : "–"], ["position", ""], ["speed", ""], ["contacts", ""]];
  for (const [name, value] of rows) {
    made("dt", name, list);
    made("dd", value, list, name);
  }
  const label = document.createElement("label"), box = document.createElement("input");
  Object.assign(box, { type: "checkbox", checked: following });
  box.addEventListener("change", () => { following = box.checked; });
  label.append(box, " follow");
  panel.append(label);
  inspect();
}

function inspect() {
  if (chosen < 0) return;
  const say = (name, text) => { by("inspector").querySelector(`dd.${name}`).textContent = text; };
  const at = add(centreAt(chosen, time), data.middle);
  const tiny = 1e-6 * data.radius;
  const { unit, aMetre } = data.length;
  say("position", `${at.map((x) => shown(Math.abs(x) < tiny ? 0 : aMetre * x)).join(", ")} ${unit}`);
  const speed = size(velocityAt(data, chosen, time));
  say("speed", `${shown(speed < 1e-9 * data.radius ? 0 : aMetre * speed)} ${unit}/s`);
  const { starts, bodies } = data.contacts, frame = nearestFrame(data, time);
  let count = 0;
  for (let i = starts[frame]; i < starts[frame + 1]; i++) if (bodies[2 * i] === chosen || bodies[2 * i + 1] === chosen) count++;
  say("contacts", String(count));
}

function listen() {
  by("play").addEventListener("click", () => play(!playing));
  by("back").addEventListener("click", () => step(-1));
  by("forth").addEventListener("click", () => step(1));
  by("scrub").addEventListener("input", () => { play(false); seek(Number(by("scrub").value)); });
  by("reset").addEventListener("click", reset);
  by("full").addEventListener("click", full);
  for (const [id, key] of [["contacts", "showContacts"], ["impacts", "showImpacts"], ["edges", "showEdges"]])
    by(id).addEventListener("change", () => { if (viewer) viewer[key] = by(id).checked; legend(); redraw(); });
  for (const row of document.querySelectorAll("#bodies tr[data-body]")) row.querySelector("button").addEventListener("click", () => choose(Number(row.dataset.body)));
  for (const row of document.querySelectorAll("#impact-table tr[data-time]"))
    row.querySelector("button").addEventListener("click", () => { play(false); seek(Number(row.dataset.time)); });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    const onButton = event.target.tagName === "BUTTON" || event.target.type === "checkbox";
    const keys = {
      " ": () => { if (onButton) return false; play(!playing); }, ".": () => step(1), ",": () => step(-1), r: reset, f: full,
      c: () => by("contacts").click(), i: () => by("impacts").click(), Escape: () => choose(-1),
      Home: () => { play(false); seek(first); }, End: () => { play(false); seek(last); },
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act && act() !== false) event.preventDefault();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  new ResizeObserver(redraw).observe(by("stage"));
  if (viewer) listenToMouse(by("view"));
}

function reset() {
  following = false;
  if (chosen >= 0) fillInspector();
  if (viewer) viewer.resetView();
  redraw();
}

function full() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (by("player").requestFullscreen) by("player").requestFullscreen();
}

function legend() {
  const on = by("contacts").checked;
  by("legend").hidden = !on;
  const force = spacing((0.5 * data.radius) / data.metresANewton);
  const { unit, aMetre } = data.length;
  by("legend").textContent = `forces: the arrow of ${shown(force)} N is ${shown(force * data.metresANewton * aMetre)} ${unit} long`;
}

function listenToMouse(canvas) {
  const fingers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    // An event that a program made has no pointer to follow.
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 1) moved = 0;
  });
  const lift = (event) => {
    if (fingers.delete(event.pointerId) && event.type === "pointerup" && moved < 4 && event.button === 0) {
      const box = canvas.getBoundingClientRect();
      choose(viewer.pick(event.clientX - box.left, event.clientY - box.top, time));
    }
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY], height = canvas.clientHeight;
    const [right, down] = [now[0] - before[0], now[1] - before[1]];
    moved += Math.abs(right) + Math.abs(down);
    if (fingers.size === 2) {
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      viewer.zoom(apart(before) / apart(now));
      viewer.move((0.5 * right) / height, (0.5 * down) / height);
    } else if (event.buttons & 6 || event.shiftKey) {
      viewer.move(right / height, down / height);
    } else {
      viewer.turn((3 * right) / height, (3 * down) / height);
    }
    fingers.set(event.pointerId, now);
    redraw();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    viewer.zoom(Math.exp(0.0012 * event.deltaY * (event.deltaMode === 1 ? 20 : 1)));
    redraw();
  }, { passive: false });
}

begin();
