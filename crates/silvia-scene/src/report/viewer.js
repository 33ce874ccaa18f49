/* The bodies in 3D. A viewer draws a moment when it is told to, and knows nothing of playing. */

const SHADOW_SIZE = 2048;
/* Numbers of a body for the graphics card: place, turn, colour and whether it is chosen. */
const INSTANCE = 11;
/* How long an impact is shown, as a part of the recording, and at least so many frames. */
const IMPACT_SHOWN = 0.02, IMPACT_FRAMES = 4;
const FORCE_COLOUR = [0.75, 0.03, 0.06];

class Viewer {
  constructor(canvas, data) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser draws nothing in 3D (WebGL 2 is missing or switched off)");
    Object.assign(this, { canvas, data, gl, chosen: -1, showContacts: false, showImpacts: true, showEdges: true });
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.programs = {
      body: this.program(BODY_VERTEX, BODY_FRAGMENT), shadow: this.program(BODY_VERTEX, EMPTY_FRAGMENT),
      pick: this.program(BODY_VERTEX, PICK_FRAGMENT), edge: this.program(BODY_VERTEX, EDGE_FRAGMENT),
      ground: this.program(GROUND_VERTEX, GROUND_FRAGMENT), arrow: this.program(ARROW_VERTEX, ARROW_FRAGMENT),
      spot: this.program(SPOT_VERTEX, SPOT_FRAGMENT),
    };
    this.batches = data.meshes.map((mesh, number) => this.batch(mesh, number)).filter((batch) => batch.bodies.length > 0);
    this.makeShadows();
    this.makeExtras();
    this.resetView();
  }

  program(vertex, fragment) {
    const { gl } = this, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const uniforms = new Map();
    const at = (name) => {
      if (!uniforms.has(name)) uniforms.set(name, gl.getUniformLocation(program, name));
      return uniforms.get(name);
    };
    return {
      use: () => gl.useProgram(program),
      set: (values) => {
        for (const [name, value] of Object.entries(values)) {
          if (typeof value === "number") gl.uniform1f(at(name), value);
          else if (value.length === 3) gl.uniform3fv(at(name), value);
          else gl.uniformMatrix4fv(at(name), false, value);
        }
      },
      texture: (name, place) => gl.uniform1i(at(name), place),
    };
  }

  buffer(target, content, usage) {
    const { gl } = this, buffer = gl.createBuffer();
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, content, usage);
    return buffer;
  }

  /* One mesh and all bodies that have it: drawn by one call. */
  batch(mesh, number) {
    const { gl, data } = this;
    const bodies = data.bodies.map((_, i) => i).filter((i) => data.bodies[i].mesh === number);
    const instances = new Float32Array(INSTANCE * Math.max(bodies.length, 1));
    const points = this.buffer(gl.ARRAY_BUFFER, mesh.points, gl.STATIC_DRAW);
    const normals = this.buffer(gl.ARRAY_BUFFER, mesh.normals, gl.STATIC_DRAW);
    const each = this.buffer(gl.ARRAY_BUFFER, instances.byteLength, gl.DYNAMIC_DRAW);
    const array = (indices) => {
      const vao = gl.createVertexArray();
      gl.bindVertexArray(vao);
      this.attribute(0, points, 3, 12, 0, 0);
      gl.bindBuffer(gl.ARRAY_BUFFER, normals);
      gl.enableVertexAttribArray(1);
      gl.vertexAttribPointer(1, 3, gl.BYTE, true, 4, 0);
      this.attribute(2, each, 3, 4 * INSTANCE, 0, 1);
      this.attribute(3, each, 4, 4 * INSTANCE, 12, 1);
      this.attribute(4, each, 4, 4 * INSTANCE, 28, 1);
      this.buffer(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
      gl.bindVertexArray(null);
      return vao;
    };
    const faces = array(mesh.triangles), edges = array(mesh.creases);
    // The edges of a mesh that is all edges would hide it.
    const lines = mesh.creases.length / 2 < 1.2 * (mesh.triangles.length / 3) ? mesh.creases.length : 0;
    return { mesh, bodies, instances, each, faces, edges, lines };
  }

  attribute(place, buffer, count, stride, offset, divisor) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, count, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(place, divisor);
  }

  makeShadows() {
    const { gl } = this;
    this.shadows = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadows);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
    for (const [name, value] of [["MIN_FILTER", gl.LINEAR], ["MAG_FILTER", gl.LINEAR], ["WRAP_S", gl.CLAMP_TO_EDGE], ["WRAP_T", gl.CLAMP_TO_EDGE]])
      gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${name}`], value);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    this.shadowFrame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadows, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const { sun, up, radius } = this.data, reach = 1.3 * radius;
    this.sunView = product(box(reach, 4 * reach), seenFrom(sun, [0, 0, 0], up).matrix);
    this.texel = (2 * reach) / SHADOW_SIZE;
  }

  makeExtras() {
    const { gl } = this;
    const vao = (set) => {
      const made = gl.createVertexArray();
      gl.bindVertexArray(made);
      set();
      gl.bindVertexArray(null);
      return made;
    };
    const square = this.buffer(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    this.square = vao(() => this.attribute(0, square, 2, 8, 0, 0));
    const arrow = arrowMesh();
    const mesh = this.buffer(gl.ARRAY_BUFFER, arrow, gl.STATIC_DRAW);
    this.arrowCorners = arrow.length / 6;
    this.arrowEach = this.buffer(gl.ARRAY_BUFFER, 24, gl.DYNAMIC_DRAW);
    this.arrows = vao(() => {
      this.attribute(0, mesh, 3, 24, 0, 0);
      this.attribute(1, mesh, 3, 24, 12, 0);
      this.attribute(2, this.arrowEach, 3, 24, 0, 1);
      this.attribute(3, this.arrowEach, 3, 24, 12, 1);
    });
    this.spotEach = this.buffer(gl.ARRAY_BUFFER, 32, gl.DYNAMIC_DRAW);
    this.spots = vao(() => {
      this.attribute(0, this.spotEach, 4, 32, 0, 0);
      this.attribute(1, this.spotEach, 4, 32, 16, 0);
    });
    let largest = 0;
    const { impulses } = this.data.impacts;
    for (let i = 0; i < impulses.length; i += 3) largest = Math.max(largest, Math.hypot(impulses[i], impulses[i + 1], impulses[i + 2]));
    this.largestImpulse = largest || 1;
  }

  resetView() {
    const { eye, target, angle } = this.data.view;
    this.eye = [...eye];
    this.target = [...target];
    this.angle = angle;
  }

  /* Where the eye is, for a canvas of any shape: what is seen of a wide picture is seen of a narrow one too. */
  camera() {
    const shape = this.canvas.width / Math.max(this.canvas.height, 1), { up, radius, view } = this.data;
    const half = Math.tan(0.5 * this.angle) * Math.max(1, view.shape / shape);
    const seen = seenFrom(this.eye, this.target, up);
    const far = size(this.eye) + 9 * radius, near = Math.max(far * 1e-4, Math.min(size(minus(this.eye, this.target)), size(this.eye)) * 0.02);
    const angle = 2 * Math.atan(half);
    return { ...seen, angle, shape, view: product(perspective(angle, shape, near, far), seen.matrix) };
  }

  turn(right, down) {
    const { up } = this.data, arm = minus(this.eye, this.target);
    const level = unit(cross(up, arm)), height = Math.asin(Math.max(-1, Math.min(1, dot(unit(arm), up))));
    const rise = Math.max(-1.5, Math.min(1.5, height + down)) - height;
    const tilted = size(cross(up, arm)) > 1e-9 ? turned(arm, level, -rise) : add(arm, times(1e-3 * size(arm), across(up)));
    this.eye = add(this.target, turned(tilted, up, -right));
  }

  /* By parts of the picture's height. */
  move(right, down) {
    const camera = this.camera(), scale = 2 * Math.tan(0.5 * camera.angle) * size(minus(this.eye, this.target));
    this.shift(add(times(-right * scale, camera.right), times(down * scale, camera.over)));
  }

  shift(by) {
    this.eye = add(this.eye, by);
    this.target = add(this.target, by);
  }

  zoom(factor) {
    const arm = minus(this.eye, this.target), length = size(arm) * factor, { radius } = this.data;
    this.eye = add(this.target, times(Math.max(1e-3 * radius, Math.min(60 * radius, length)) / size(arm), arm));
  }

  fill(time, colourOf) {
    const { gl, data } = this, pose = new Float32Array(7);
    for (const batch of this.batches) {
      batch.bodies.forEach((body, i) => {
        batch.instances.set(poseAt(data, body, time, pose), INSTANCE * i);
        batch.instances.set(colourOf(body), INSTANCE * i + 7);
      });
      gl.bindBuffer(gl.ARRAY_BUFFER, batch.each);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, batch.instances);
    }
  }

  bodies(program, uniforms) {
    const { gl } = this;
    program.use();
    program.set(uniforms);
    for (const { faces, mesh, bodies } of this.batches) {
      gl.bindVertexArray(faces);
      gl.drawElementsInstanced(gl.TRIANGLES, mesh.triangles.length, gl.UNSIGNED_INT, 0, bodies.length);
    }
  }

  /* Gives the canvas as many pixels as it has on the screen: its width, its height, and pixels of a CSS pixel. */
  fit() {
    const { canvas } = this, scale = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.max(1, Math.round(x * scale)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    return [width, height, scale];
  }

  draw(time) {
    const { gl, data } = this, [width, height, scale] = this.fit();
    this.fill(time, (body) => [...data.bodies[body].colour.map((c) => c / 255), body === this.chosen ? 1 : 0]);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.bodies(this.programs.shadow, { view: this.sunView });
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    const back = this.background();
    gl.clearColor(...back, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const camera = this.camera(), light = { sunView: this.sunView, texel: this.texel };
    gl.bindTexture(gl.TEXTURE_2D, this.shadows);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    this.bodies(this.programs.body, { view: camera.view, eye: this.eye, sun: data.sun, up: data.up, ...light });
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
    if (this.showEdges) this.edges(camera);
    this.grounds(camera, light);
    gl.disable(gl.DEPTH_TEST);
    if (this.showContacts) this.contacts(camera, time);
    if (this.showImpacts) this.impacts(camera, time, scale);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }

  background() {
    return this.dark.matches ? [0.137, 0.157, 0.18] : [0.941, 0.949, 0.957];
  }

  edges(camera) {
    const { gl } = this, { edge } = this.programs;
    edge.use();
    edge.set({ view: camera.view });
    for (const { edges, lines, bodies } of this.batches) {
      if (lines === 0) continue;
      gl.bindVertexArray(edges);
      gl.drawElementsInstanced(gl.LINES, lines, gl.UNSIGNED_INT, 0, bodies.length);
    }
  }

  /* Seen from above only, the farthest first. */
  grounds(camera, light) {
    const { gl, data } = this, { ground } = this.programs, dark = this.dark.matches;
    const above = (plane) => dot(plane.normal, this.eye) - plane.offset;
    const seen = data.planes.filter((plane) => above(plane) > 0).sort((a, b) => above(b) - above(a));
    ground.use();
    gl.depthMask(false);
    gl.bindVertexArray(this.square);
    for (const { normal, offset, colour } of seen) {
      const project = (v) => minus(v, times(dot(v, normal), normal));
      const first = [[1, 0, 0], [0, 1, 0]].map(project).find((v) => size(v) > 0.1), along = unit(first), aside = cross(normal, along);
      const plain = dark ? [0.045, 0.053, 0.063] : [0.8, 0.815, 0.835];
      const own = colour && colour.join() !== "190,190,190" ? colour.map((c) => (c / 255) ** 2.2 * (dark ? 0.35 : 1)) : plain;
      const bright = (0.31 + 0.11 * dot(normal, data.up) + 0.68 * Math.max(dot(normal, data.sun), 0)) / (0.42 + 0.68 * dot(data.up, data.sun));
      const wide = 7.2 * data.radius;
      ground.set({
        view: camera.view, centre: times(offset, normal), first: times(wide, along), second: times(wide, aside), normal, along, aside,
        colour: plain.map((c, i) => (0.65 * c + 0.35 * own[i]) * bright), origin: data.middle, space: spacing(data.radius / 4),
        radius: data.radius, line: dark ? 0.9 : -0.16, ...light,
      });
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.depthMask(true);
  }

  contacts(camera, time) {
    const { gl, data } = this, { points, forces, starts } = data.contacts;
    const frame = nearestFrame(data, time), from = starts[frame], count = starts[frame + 1] - from;
    const each = new Float32Array(6 * count), spots = new Float32Array(8 * count);
    for (let i = 0; i < count; i++) {
      const at = 3 * (from + i), force = [forces[at], forces[at + 1], forces[at + 2]];
      const length = Math.min(size(force) * data.metresANewton, 0.7 * data.radius);
      each.set([points[at], points[at + 1], points[at + 2], ...times(length, unit(force))], 6 * i);
      spots.set([points[at], points[at + 1], points[at + 2], 5, ...(this.dark.matches ? [1, 1, 1, 1] : [0.1, 0.1, 0.12, 1])], 8 * i);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.arrowEach);
    gl.bufferData(gl.ARRAY_BUFFER, each, gl.DYNAMIC_DRAW);
    const { arrow } = this.programs;
    arrow.use();
    const width = 0.0032 * size(minus(this.eye, this.target)) * Math.tan(0.5 * camera.angle) * 2;
    arrow.set({ view: camera.view, width, headLength: 9 * width, sun: data.sun, colour: FORCE_COLOUR });
    gl.bindVertexArray(this.arrows);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, this.arrowCorners, count);
    this.drawSpots(camera, spots, 0, Math.min(devicePixelRatio || 1, 2));
  }

  impacts(camera, time, scale) {
    const { data } = this, { times: moments, points, impulses } = data.impacts, frames = data.motion.times;
    if (moments.length === 0) return;
    const span = frames[frames.length - 1] - frames[0];
    const shown = Math.max(IMPACT_SHOWN * span, (IMPACT_FRAMES * span) / Math.max(frames.length - 1, 1));
    const spots = [];
    for (let i = placeOf(moments, time); i >= 0 && moments[i] > time - shown; i--) {
      if (moments[i] > time) continue;
      const age = (time - moments[i]) / shown;
      const impulse = Math.hypot(impulses[3 * i], impulses[3 * i + 1], impulses[3 * i + 2]);
      const wide = (10 + 46 * Math.sqrt(impulse / this.largestImpulse)) * (0.5 + 0.5 * age);
      spots.push(points[3 * i], points[3 * i + 1], points[3 * i + 2], wide, 0.93, 0.45, 0.02, 1 - age);
    }
    this.drawSpots(camera, new Float32Array(spots), 1, scale);
  }

  drawSpots(camera, content, hollow, pixels) {
    const { gl } = this, { spot } = this.programs;
    if (content.length === 0) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.spotEach);
    gl.bufferData(gl.ARRAY_BUFFER, content, gl.DYNAMIC_DRAW);
    spot.use();
    spot.set({ view: camera.view, hollow, pixels });
    gl.bindVertexArray(this.spots);
    gl.drawArrays(gl.POINTS, 0, content.length / 8);
  }

  /* The body seen at a place of the canvas, in its CSS pixels; -1 if none is. */
  pick(x, y, time) {
    const { gl, canvas } = this;
    /* It may be asked before anything was drawn. */
    this.fit();
    const at = [x * canvas.width / canvas.clientWidth, canvas.height - y * canvas.height / canvas.clientHeight].map(Math.floor);
    const frame = gl.createFramebuffer(), colour = gl.createRenderbuffer(), depth = gl.createRenderbuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    for (const [buffer, kind, place] of [[colour, gl.RGBA8, gl.COLOR_ATTACHMENT0], [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, kind, canvas.width, canvas.height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    this.fill(time, (body) => [(body + 1) & 255, ((body + 1) >> 8) & 255, ((body + 1) >> 16) & 255, 255].map((c) => c / 255));
    this.bodies(this.programs.pick, { view: this.camera().view });
    const pixel = new Uint8Array(4);
    gl.readPixels(at[0], at[1], 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(frame);
    gl.deleteRenderbuffer(colour);
    gl.deleteRenderbuffer(depth);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
  }
}

/* 1, 2 or 5 times a power of ten, not above a length. */
function spacing(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return [5, 2, 1].map((k) => k * power).find((step) => step <= length * 1.0001) || power;
}
