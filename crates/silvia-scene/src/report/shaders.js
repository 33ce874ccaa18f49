/* What the graphics card runs. Colours are mixed as light and encoded at the end. */

const COMMON = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
vec3 turned(vec4 q, vec3 v) { vec3 t = 2.0 * cross(q.xyz, v); return v + q.w * t + cross(q.xyz, t); }
vec3 encoded(vec3 c) { return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }
`;

const SHADOWS = `
uniform sampler2DShadow shadows;
uniform mat4 sunView;
uniform float texel;
float lit(vec3 point, vec3 normal) {
  vec4 seen = sunView * vec4(point + normal * texel * shadowReach, 1.0);
  vec3 at = 0.5 * seen.xyz + 0.5;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int i = -2; i <= 2; i++) for (int j = -2; j <= 2; j++)
    sum += texture(shadows, vec3(at.xy + vec2(i, j) * shadowSpread, at.z - shadowBias));
  return sum / 25.0;
}
`;

const BODY_VERTEX = `${COMMON}
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 place;
layout(location = 3) in vec4 turn;
layout(location = 4) in vec4 colour;
uniform mat4 view;
out vec3 at; out vec3 facing; flat out vec4 own;
void main() {
  at = place + turned(turn, point);
  facing = turned(turn, normal);
  own = colour;
  gl_Position = view * vec4(at, 1.0);
}`;

const BODY_FRAGMENT = `${COMMON}
const float shadowReach = 2.0; const float shadowSpread = 0.0006; const float shadowBias = 0.0008;
${SHADOWS}
in vec3 at; in vec3 facing; flat in vec4 own;
uniform vec3 eye; uniform vec3 sun; uniform vec3 up;
out vec4 result;
void main() {
  vec3 towards = normalize(eye - at), normal = normalize(facing);
  if (dot(normal, towards) < 0.0) normal = -normal;
  float slope = dot(normal, sun);
  float reached = slope > 0.0 ? lit(at, normal) : 0.0;
  float all = mix(0.20, 0.42, 0.5 + 0.5 * dot(normal, up)) + 0.68 * reached * max(slope, 0.0);
  float shine = 0.10 * reached * pow(max(dot(normal, normalize(towards + sun)), 0.0), 32.0);
  vec3 light = pow(own.rgb, vec3(2.2)) * all + shine;
  // The chosen body glows at its rim.
  float rim = own.a * (0.12 + 0.88 * pow(1.0 - abs(dot(normal, towards)), 2.0));
  result = vec4(encoded(mix(light, vec3(1.0, 0.75, 0.15), 0.75 * rim)), 1.0);
}`;

/* Depth alone, for shadows. */
const EMPTY_FRAGMENT = `${COMMON}
void main() {}`;

/* A number for each body, as a colour. */
const PICK_FRAGMENT = `${COMMON}
flat in vec4 own;
out vec4 result;
void main() { result = own; }`;

const EDGE_FRAGMENT = `${COMMON}
flat in vec4 own;
out vec4 result;
void main() { result = vec4(encoded(0.38 * pow(own.rgb, vec3(2.2))), 0.8); }`;

const GROUND_VERTEX = `${COMMON}
layout(location = 0) in vec2 corner;
uniform mat4 view; uniform vec3 centre; uniform vec3 first; uniform vec3 second;
out vec3 at;
void main() { at = centre + corner.x * first + corner.y * second; gl_Position = view * vec4(at, 1.0); }`;

const GROUND_FRAGMENT = `${COMMON}
const float shadowReach = 0.0; const float shadowSpread = 0.0007; const float shadowBias = 0.0004;
${SHADOWS}
in vec3 at;
uniform vec3 normal; uniform vec3 along; uniform vec3 aside; uniform vec3 colour; uniform vec3 origin;
uniform float space; uniform float radius; uniform float line;
out vec4 result;
void main() {
  float far = length(at) / radius;
  float cover = 1.0 - smoothstep(2.0, 7.0, far);
  vec2 place = vec2(dot(at + origin, along), dot(at + origin, aside)) / space;
  vec2 blur = max(fwidth(place), vec2(1e-5));
  vec2 away = abs(place - round(place));
  vec2 covered = clamp((0.006 - away) / blur + 0.5, 0.0, 1.0);
  vec2 melted = clamp(1.0 - 4.0 * blur, 0.0, 1.0);
  float grid = max(covered.x * melted.x, covered.y * melted.y);
  float bright = (1.0 - 0.5 * (1.0 - lit(at, normal))) * (1.0 + line * grid);
  result = vec4(encoded(colour * bright), cover);
}`;

const ARROW_VERTEX = `${COMMON}
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 place;
layout(location = 3) in vec3 along;
uniform mat4 view; uniform float width; uniform float headLength;
out vec3 facing;
void main() {
  float size = length(along);
  vec3 z = size > 0.0 ? along / size : vec3(0.0, 0.0, 1.0);
  vec3 x = normalize(cross(z, abs(z.x) < 0.8 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
  vec3 y = cross(z, x);
  // The head keeps its length unless the arrow is shorter.
  float head = min(headLength, 0.7 * size);
  float far = point.z >= 1.0 ? size : (point.z > 0.0 ? size - head : 0.0);
  float thick = width * min(1.0, size / headLength + 0.25);
  facing = normal.x * x + normal.y * y + normal.z * z;
  gl_Position = view * vec4(place + thick * (point.x * x + point.y * y) + far * z, 1.0);
}`;

const ARROW_FRAGMENT = `${COMMON}
in vec3 facing;
uniform vec3 sun; uniform vec3 colour;
out vec4 result;
void main() { result = vec4(encoded(colour * (0.65 + 0.35 * dot(normalize(facing), sun))), 1.0); }`;

/* Round spots of a size in pixels: contacts, and impacts as rings that fade. */
const SPOT_VERTEX = `${COMMON}
layout(location = 0) in vec4 point;
layout(location = 1) in vec4 tint;
uniform mat4 view; uniform float pixels;
out vec4 own;
void main() { own = tint; gl_Position = view * vec4(point.xyz, 1.0); gl_PointSize = point.w * pixels; }`;

const SPOT_FRAGMENT = `${COMMON}
in vec4 own;
uniform float hollow;
out vec4 result;
void main() {
  float r = 2.0 * length(gl_PointCoord - 0.5), blur = fwidth(r);
  float cover = (1.0 - smoothstep(1.0 - blur, 1.0, r)) * mix(1.0, 0.18 + 0.82 * smoothstep(0.7, 0.8, r), hollow);
  if (cover <= 0.0) discard;
  result = vec4(own.rgb, own.a * cover);
}`;
