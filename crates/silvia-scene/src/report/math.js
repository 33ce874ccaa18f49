/* Vectors are arrays of 3 numbers, turns of 4 (x, y, z, w), matrices of 16 by columns. */

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (k, a) => [k * a[0], k * a[1], k * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const size = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => times(1 / (size(a) || 1), a);

/* Some direction across another. */
function across(a) {
  return unit(cross(a, Math.abs(a[0]) < 0.8 * size(a) ? [1, 0, 0] : [0, 1, 0]));
}

function normalised4(q) {
  const length = Math.hypot(...q) || 1;
  return q.map((x) => x / length);
}

function rotated(q, v) {
  const t = times(2, cross(q, v));
  return add(add(v, times(q[3], t)), cross(q, t));
}

function slerp(p, q, part) {
  let cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  if (cosine > 0.9999) return normalised4(p.map((x, i) => x + part * (sign * q[i] - x)));
  const angle = Math.acos(cosine), sine = Math.sin(angle);
  const a = Math.sin((1 - part) * angle) / sine, b = sign * Math.sin(part * angle) / sine;
  return p.map((x, i) => a * x + b * q[i]);
}

/* Turned by an angle about a unit axis. */
function turned(v, axis, angle) {
  const s = Math.sin(0.5 * angle);
  return rotated([s * axis[0], s * axis[1], s * axis[2], Math.cos(0.5 * angle)], v);
}

function product(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  return out;
}

/* World to eye: right, up and back are the axes of the eye. */
function seenFrom(eye, target, up) {
  const back = unit(minus(eye, target));
  let right = cross(up, back);
  right = size(right) > 1e-9 ? unit(right) : across(back);
  const over = cross(back, right);
  const row = (i) => [right[i], over[i], back[i], 0];
  return { matrix: [...row(0), ...row(1), ...row(2), -dot(right, eye), -dot(over, eye), -dot(back, eye), 1], right, over, back };
}

function perspective(angle, shape, near, far) {
  const f = 1 / Math.tan(0.5 * angle);
  return [f / shape, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

function box(half, depth) {
  return [1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, -1 / depth, 0, 0, 0, 0, 1];
}

/* Triangles of an arrow along z from 0 to 1: a shaft and a head, both round. Points and normals in turn, 6 numbers a corner. */
function arrowMesh() {
  const out = [], sides = 12, shaft = 0.5, neck = 0.72, head = 1.4;
  for (let i = 0; i < sides; i++) {
    const [a, b] = [i, i + 1].map((k) => (2 * Math.PI * k) / sides);
    const [u, v] = [a, b].map((angle) => [Math.cos(angle), Math.sin(angle)]);
    const corner = (p, r, z, n) => out.push(r * p[0], r * p[1], z, p[0] * n, p[1] * n, 1 - n);
    corner(u, shaft, 0, 1); corner(v, shaft, 0, 1); corner(v, shaft, neck, 1);
    corner(u, shaft, 0, 1); corner(v, shaft, neck, 1); corner(u, shaft, neck, 1);
    corner(u, head, neck, 0.8); corner(v, head, neck, 0.8); corner(u, 0, 1, 0.8);
  }
  return new Float32Array(out);
}
