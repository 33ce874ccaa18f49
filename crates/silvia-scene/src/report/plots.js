/* Curves over time, as SVG: they print, and follow the page's colours. */

const SVG = "http://www.w3.org/2000/svg";
const LEFT = 52, RIGHT = 8, TOP = 8, BOTTOM = 20;

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

/* Round numbers between two, about so many. */
function ticks(low, high, count) {
  const step = spacing((high - low) / count) || 1, out = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) out.push(k * step);
  return out.length > 2 * count ? out.filter((_, i) => i % 2 === 0) : out;
}

/* Curves of one quantity each over a span of time. Of a stacked plot they are layers upon each other; one that is marked as a line is
   drawn over them. */
class Plot {
  constructor(plot, curves, moments, [from, to], seek) {
    Object.assign(this, { plot, curves, moments, from, to: to > from ? to : from + 1, seek, time: from });
    this.least = plot.least ?? this.rounding();
    this.figure = document.createElement("figure");
    this.figure.className = "plot";
    const caption = document.createElement("figcaption"), name = document.createElement("b");
    name.textContent = plot.unit ? `${plot.name}, ${plot.unit}` : plot.name;
    caption.append(name);
    this.values = curves.map((curve, i) => {
      const label = document.createElement("span"), key = document.createElement("i"), value = document.createElement("output");
      key.style.background = this.colour(i);
      label.append(key, curves.length > 1 || curve.name !== plot.name.toLowerCase() ? `${curve.name} ` : "", value);
      caption.append(label);
      return value;
    });
    this.svg = element("svg", { role: "img", "aria-label": `${name.textContent} over time: ${curves.map((c) => c.name).join(", ")}` });
    this.figure.append(caption, this.svg);
    const at = (event) => {
      const box = this.svg.getBoundingClientRect();
      const part = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      return this.from + Math.max(0, Math.min(1, part)) * (this.to - this.from);
    };
    let pressed = false;
    this.svg.addEventListener("pointerdown", (event) => { pressed = true; if (event.isTrusted) this.svg.setPointerCapture(event.pointerId); seek(at(event)); });
    this.svg.addEventListener("pointerup", () => { pressed = false; });
    this.svg.addEventListener("pointermove", (event) => { if (pressed) seek(at(event)); else this.show(at(event), true); });
    this.svg.addEventListener("pointerleave", () => this.show(this.time, false));
    new ResizeObserver(() => this.layout()).observe(this.svg);
  }

  /* What is so much smaller than the largest value of the plot is not to be seen in it, and told as 0. */
  rounding() {
    if (this.plot.log) return 0;
    let largest = 0;
    for (const { values } of this.curves) for (const value of values) if (Math.abs(value) > largest) largest = Math.abs(value);
    return 1e-9 * largest;
  }

  colour(i) {
    return this.plot.stacked && !this.curves[i].line ? `var(--s${i})` : `var(--c${this.plot.stacked ? 0 : i % 3})`;
  }

  /* Below and above each layer, moment by moment. */
  layers() {
    let below = this.moments.map(() => 0);
    return this.curves.filter((curve) => !curve.line).map(({ values }) => {
      const above = below.map((sum, i) => sum + values[i]), layer = [below, above];
      below = above;
      return layer;
    });
  }

  range() {
    if (this.plot.stacked) {
      const tops = [...this.layers().map(([, above]) => above), ...this.curves.filter((curve) => curve.line).map((curve) => curve.values)];
      let high = 0;
      for (const values of tops) for (const value of values) if (value > high) high = value;
      return [0, 1.05 * high || 1];
    }
    let low = Infinity, high = -Infinity;
    for (const { values } of this.curves)
      for (const value of values)
        if (Number.isFinite(value) && (!this.plot.log || value > 0)) { low = Math.min(low, value); high = Math.max(high, value); }
    if (low > high) return null;
    /* What is rounding is drawn as a flat line, not as a storm that fills the plot. */
    if (high - low <= this.least) {
      const middle = 0.5 * (low + high);
      low = high = Math.abs(middle) <= this.least ? 0 : middle;
    }
    if (this.plot.log) return [Math.floor(Math.log10(low) - 1e-9), Math.ceil(Math.log10(high) + 1e-9)];
    if (low > 0 && low < 0.6 * high) low = 0;
    if (high < 0 && high > 0.6 * low) high = 0;
    const room = high > low ? 0.05 * (high - low) : 0.1 * Math.abs(high) || 1;
    return [low === 0 ? 0 : low - room, high === 0 ? 0 : high + room];
  }

  layout() {
    const width = this.svg.clientWidth || 400, height = this.svg.clientHeight || 168;
    const { plot, svg } = this;
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const range = this.range(), x = (t) => LEFT + ((t - this.from) / (this.to - this.from)) * (width - LEFT - RIGHT);
    this.x = x;
    this.height = height;
    for (const tick of ticks(this.from, this.to, Math.max(2, Math.floor(width / 90)))) {
      element("line", { class: "grid", x1: x(tick), x2: x(tick), y1: TOP, y2: height - BOTTOM }, svg);
      element("text", { x: x(tick), y: height - 5, "text-anchor": "middle" }, svg).textContent = `${Number(tick.toPrecision(6))} s`;
    }
    if (!range) {
      element("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, svg).textContent = "nothing recorded";
    } else {
      const y = (v) => height - BOTTOM - ((v - range[0]) / (range[1] - range[0] || 1)) * (height - TOP - BOTTOM);
      const shownTicks = plot.log ? ticks(range[0], range[1], 4).filter(Number.isInteger) : ticks(range[0], range[1], 4);
      for (const tick of shownTicks) {
        element("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }, svg);
        element("text", { x: LEFT - 6, y: y(tick) + 3.5, "text-anchor": "end" }, svg).textContent = plot.log ? `1e${tick}` : shown(Number(tick.toPrecision(6)));
      }
      if (plot.stacked)
        this.layers().forEach(([below, above], i) => element("path", { class: "layer", style: `fill: ${this.colour(i)}`, d: this.area(below, above, x, y) }, svg));
      this.curves.forEach((curve, i) => {
        if (plot.stacked && !curve.line) return;
        // The first curve is drawn last, over the others.
        const style = `stroke: ${this.colour(i)}`, path = this.path(curve.values, x, (v) => y(plot.log ? Math.log10(v) : v));
        const line = element("path", { class: "curve", style, d: path });
        svg.insertBefore(line, svg.querySelector(".curve"));
      });
    }
    element("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: height - BOTTOM, y2: height - BOTTOM }, svg);
    this.hover = element("line", { class: "hover", y1: TOP, y2: height - BOTTOM, visibility: "hidden" }, svg);
    this.now = element("line", { class: "now", y1: TOP, y2: height - BOTTOM }, svg);
    this.show(this.time, false);
  }

  path(values, x, y) {
    let out = "", pen = "M";
    for (let i = 0; i < values.length; i++) {
      const v = values[i];
      if (!Number.isFinite(v) || (this.plot.log && v <= 0)) { pen = "M"; continue; }
      // A moment alone between two that are missing is a dot.
      out += `${pen}${x(this.moments[i]).toFixed(2)} ${y(v).toFixed(2)}${pen === "M" ? "h.01" : ""}`;
      pen = "L";
    }
    return out;
  }

  /* A piece from each gap to the next. */
  area(below, above, x, y) {
    let out = "", start = 0;
    const point = (i, values) => `${x(this.moments[i]).toFixed(2)} ${y(values[i]).toFixed(2)}`;
    for (let i = 0; i <= above.length; i++) {
      if (i < above.length && Number.isFinite(above[i])) continue;
      const piece = [];
      for (let k = start; k < i; k++) piece.push(point(k, above));
      for (let k = i - 1; k >= start; k--) piece.push(point(k, below));
      if (piece.length) out += `M${piece.join("L")}Z`;
      start = i + 1;
    }
    return out;
  }

  /* The values at a time; of the cursor, or of the mouse. */
  show(time, hovering) {
    if (!hovering) this.time = time;
    if (!this.now) return;
    const line = hovering ? this.hover : this.now, x = this.x(time);
    this.hover.setAttribute("visibility", hovering ? "visible" : "hidden");
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
    const before = placeOf(this.moments, time), after = Math.min(before + 1, this.moments.length - 1);
    const nearest = this.moments[after] - time < time - this.moments[before] ? after : before;
    this.values.forEach((value, i) => {
      const { values, unit: measured } = this.curves[i], found = values[nearest];
      value.textContent = `${shown(Math.abs(found) <= this.least ? 0 : found)}${measured ? ` ${measured}` : ""}`;
    });
  }
}
