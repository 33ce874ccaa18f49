/* The embedded numbers, as arrays. */

function bytes(text) {
  const raw = atob(text), out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

const floats = (text) => new Float32Array(bytes(text));
const doubles = (text) => new Float64Array(bytes(text));
const integers = (text) => new Uint32Array(bytes(text));

function loadData() {
  const data = JSON.parse(document.getElementById("data").textContent);
  for (const mesh of data.meshes) {
    mesh.points = floats(mesh.points);
    mesh.normals = new Int8Array(bytes(mesh.normals));
    mesh.triangles = integers(mesh.triangles);
    mesh.creases = integers(mesh.creases);
  }
  const { motion, contacts, impacts, plots } = data;
  motion.times = doubles(motion.times);
  motion.places = floats(motion.places);
  motion.turns = new Int16Array(bytes(motion.turns));
  motion.velocities = floats(motion.velocities);
  motion.movers = data.bodies.filter((body) => body.mover !== null).length;
  contacts.starts = integers(contacts.starts);
  for (const key of ["points", "forces"]) contacts[key] = floats(contacts[key]);
  contacts.bodies = integers(contacts.bodies);
  impacts.times = doubles(impacts.times);
  impacts.bodies = integers(impacts.bodies);
  for (const key of ["points", "impulses"]) impacts[key] = floats(impacts[key]);
  plots.times = doubles(plots.times);
  for (const curve of plots.curves) curve.values = doubles(curve.values);
  for (const more of [data.fit, data.watch].filter(Boolean)) {
    more.times = doubles(more.times);
    for (const curve of more.curves) curve.values = doubles(curve.values);
  }
  if (data.profile) {
    const { profile } = data;
    profile.times = doubles(profile.times);
    profile.clock = doubles(profile.clock);
    for (const layer of profile.layers) layer.values = doubles(layer.values);
  }
  return data;
}

/* The last place in rising numbers that is not above x; 0 if all are. */
function placeOf(numbers, x) {
  let low = 0, high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= x) low = middle; else high = middle - 1;
  }
  return low;
}

/* Where a body is at a time: its place and turn (x, y, z, w) into `out`, 7 numbers. Between two frames its centre of mass goes
   straight and it turns evenly. */
function poseAt(data, number, time, out) {
  const body = data.bodies[number];
  if (body.mover === null) {
    for (let i = 0; i < 3; i++) out[i] = body.place[i];
    for (let i = 0; i < 4; i++) out[3 + i] = body.turn[i];
    return out;
  }
  const { times, places, turns, movers } = data.motion;
  const before = placeOf(times, time), after = Math.min(before + 1, times.length - 1);
  const span = times[after] - times[before];
  const part = span > 0 ? Math.min(Math.max((time - times[before]) / span, 0), 1) : 0;
  const at = (frame, i) => places[3 * (frame * movers + body.mover) + i];
  const turn = (frame) => normalised4([0, 1, 2, 3].map((i) => turns[4 * (frame * movers + body.mover) + i]));
  const p = turn(before), q = turn(after), r = slerp(p, q, part);
  const centres = [[before, p], [after, q]].map(([frame, t]) => {
    const arm = rotated(t, body.centre);
    return [0, 1, 2].map((i) => at(frame, i) + arm[i]);
  });
  const arm = rotated(r, body.centre);
  for (let i = 0; i < 3; i++) out[i] = centres[0][i] + part * (centres[1][i] - centres[0][i]) - arm[i];
  for (let i = 0; i < 4; i++) out[3 + i] = r[i];
  return out;
}

/* The velocity of a body's centre of mass in the frame nearest to a time, m/s. */
function velocityAt(data, number, time) {
  const { mover } = data.bodies[number];
  if (mover === null) return [0, 0, 0];
  const { times, velocities, movers } = data.motion;
  const at = 3 * (nearestFrame(data, time) * movers + mover);
  return [velocities[at], velocities[at + 1], velocities[at + 2]];
}

function nearestFrame(data, time) {
  const { times } = data.motion;
  const before = placeOf(times, time), after = Math.min(before + 1, times.length - 1);
  return times[after] - time < time - times[before] ? after : before;
}

/* Four digits, with a power of ten where the number is very large or small. */
function shown(x) {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const power = Math.floor(Math.log10(Math.abs(x)));
  if (power < -4 || power > 5) return x.toExponential(2).replace("e+", "e");
  return String(Number(x.toPrecision(4)));
}
