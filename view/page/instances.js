// Bodies that deform, and bodies that are many.

// A body drawn as a tube along points that move: elastic bars and beams. Its colour tells the strain.
const TUBE_SIDES = 8;
const FULL_COLOUR_STRAIN = 1e-2;  // at most; less where the motion has less

class DeformedLine {
    constructor(body, index, bodies, world) {
        this.body = body;
        this.bodies = bodies;
        this.radius = Math.max(body.radius || 0, 0.012 * bodies.extent.unit);
        const n = body.n_points;
        this.rest = new Float64Array(Math.max(0, n - 1));
        this.positions = new Float32Array(n * TUBE_SIDES * 3);
        this.colours = new Float32Array(n * TUBE_SIDES * 3);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3));
        geometry.setAttribute("color", new THREE.BufferAttribute(this.colours, 3));
        geometry.setIndex(tubeIndices(n));
        this.mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial(
            {vertexColors: THREE.VertexColors, side: THREE.DoubleSide}));
        this.mesh.frustumCulled = false;
        this.mesh.userData.body = index;
        world.add(this.mesh);
        this.tangent = new THREE.Vector3();
        this.side = new THREE.Vector3();
        this.other = new THREE.Vector3();
        this.shade = new THREE.Color();
        this.tints = [new THREE.Color(), new THREE.Color(), new THREE.Color()];
        this.measureRest();
    }

    // Lengths of the pieces in the mean of the motion, and the largest strain against them.
    measureRest() {
        const {motion} = this.bodies;
        const n_frames = motion.n_frames;
        const step = Math.max(1, Math.floor(n_frames / 200));
        let count = 0;
        for (let f = 0; f < n_frames; f += step, count++) {
            for (let i = 0; i < this.rest.length; i++) {
                this.rest[i] += this.pieceLength(f, i);
            }
        }
        this.rest = this.rest.map((sum) => sum / count);
        this.full = 1e-12;
        for (let f = 0; f < n_frames; f += step) {
            for (let i = 0; i < this.rest.length; i++) {
                this.full = Math.max(this.full, Math.abs(this.pieceLength(f, i) / this.rest[i] - 1));
            }
        }
        this.full = Math.min(this.full, FULL_COLOUR_STRAIN);
    }

    pieceLength(frame, i) {
        const {motion} = this.bodies;
        const a = 3 * (frame * motion.n_points + this.body.line + i);
        const p = motion.points;
        return Math.hypot(p[a + 3] - p[a], p[a + 4] - p[a + 1], p[a + 5] - p[a + 2]);
    }

    update() {
        const theme = this.bodies.materials.theme;
        ["squeezed", "relaxed", "stretched"].forEach((role, i) =>
            this.tints[i].set(theme.scene(role)));
        for (let i = 0; i < this.body.n_points; i++) {
            this.updateSection(i);
        }
        this.mesh.geometry.attributes.position.needsUpdate = true;
        this.mesh.geometry.attributes.color.needsUpdate = true;
    }

    updateSection(i) {
        const m = this.bodies.motion;
        const {tangent, side, other, positions, colours, shade} = this;
        const n = this.body.n_points;
        const at = this.body.line + i;
        const a = this.body.line + Math.max(0, i - 1);
        const b = this.body.line + Math.min(n - 1, i + 1);
        tangent.set(m.point(b, 0) - m.point(a, 0), m.point(b, 1) - m.point(a, 1),
            m.point(b, 2) - m.point(a, 2));
        const piece = Math.min(i, this.rest.length - 1);
        const c = this.body.line + piece;
        const strain = Math.hypot(m.point(c + 1, 0) - m.point(c, 0),
            m.point(c + 1, 1) - m.point(c, 1), m.point(c + 1, 2) - m.point(c, 2))
            / this.rest[piece] - 1;
        const tint = Math.max(-1, Math.min(1, strain / this.full));
        tangent.normalize();
        other.set(0, 0, Math.abs(tangent.z) < 0.9 ? 1 : 0);
        other.y = other.z === 0 ? 1 : 0;
        side.crossVectors(other, tangent).normalize();
        other.crossVectors(tangent, side);
        for (let k = 0; k < TUBE_SIDES; k++) {
            const angle = 2 * Math.PI * k / TUBE_SIDES;
            const u = this.radius * Math.cos(angle);
            const v = this.radius * Math.sin(angle);
            const j = 3 * (i * TUBE_SIDES + k);
            positions[j] = m.point(at, 0) + u * side.x + v * other.x;
            positions[j + 1] = m.point(at, 1) + u * side.y + v * other.y;
            positions[j + 2] = m.point(at, 2) + u * side.z + v * other.z;
            shade.copy(this.tints[1]).lerp(this.tints[tint < 0 ? 0 : 2], 0.8 * Math.abs(tint))
                .multiplyScalar(0.82 + 0.18 * Math.sin(angle));
            shade.toArray(colours, j);
        }
    }
}

function tubeIndices(n_points) {
    const indices = [];
    for (let i = 0; i + 1 < n_points; i++) {
        for (let k = 0; k < TUBE_SIDES; k++) {
            const a = i * TUBE_SIDES + k;
            const b = i * TUBE_SIDES + (k + 1) % TUBE_SIDES;
            indices.push(a, b, a + TUBE_SIDES, a + TUBE_SIDES, b, b + TUBE_SIDES);
        }
    }
    for (const ring of n_points > 1 ? [0, (n_points - 1) * TUBE_SIDES] : []) {
        for (let k = 1; k + 1 < TUBE_SIDES; k++) {
            indices.push(ring, ring + k, ring + k + 1);
        }
    }
    return indices;
}

// Bodies of one shape each, where there are many: one mesh for each geometry and colour, in the plane
// one more for the lines around them.
const SIMPLE_IN_PLANE = new Set(["circle", "box", "polygon", "outline", "segment", "arc"]);
const SIMPLE_IN_SPACE = new Set(["circle", "sphere", "box", "hull", "capsule", "cylinder", "pin"]);

class Instances {
    constructor(bodies, world) {
        this.bodies = bodies;
        this.batches = new Map();  // geometry and colour: {shape, members (bodies), meshes}
        this.places = new Map();   // body: where its shape stands, and its scale
        const simple = [];
        bodies.scene.bodies.forEach((body, index) => {
            if (this.isSimple(index)) {
                simple.push(index);
            }
        });
        this.taken = new Set(simple.length >= MANY_BODIES ? simple : []);
        for (const index of this.taken) {
            this.sort(index);
        }
        for (const batch of this.batches.values()) {
            batch.meshes = this.makeMeshes(batch, world);
        }
        this.matrix = new THREE.Matrix4();
        this.position = new THREE.Vector3();
        this.rotation = new THREE.Quaternion();
        this.unscaled = new THREE.Vector3(1, 1, 1);
    }

    isSimple(index) {
        const {scene, linked} = this.bodies;
        const shapes = this.bodies.shapes_of[index];
        const kinds = scene.plane ? SIMPLE_IN_PLANE : SIMPLE_IN_SPACE;
        return index > 0 && scene.bodies[index].line === undefined && shapes.length === 1
            && !linked.has(index) && kinds.has(shapes[0].kind) && isComplete(shapes[0]);
    }

    takes(index) {
        return this.taken.has(index);
    }

    sort(index) {
        const shape = this.bodies.shapes_of[index][0];
        const key = this.geometryKey(shape) + this.bodies.materials.shade(index);
        if (!this.batches.has(key)) {
            this.batches.set(key, {shape, members: []});
        }
        this.batches.get(key).members.push(index);
        const place = new THREE.Matrix4().makeBasis(axisOf(shape.axes, 0), axisOf(shape.axes, 1),
            axisOf(shape.axes, 2));
        place.setPosition(...shape.position);
        this.places.set(index, place.scale(this.scale(shape)));
    }

    isScaled(shape) {
        return isRound(shape) || (shape.kind === "box" && !this.bodies.scene.plane);
    }

    geometryKey(shape) {
        const {kind, radius, size, points, hole} = shape;
        return this.isScaled(shape) ? kind : JSON.stringify([kind, radius, size, points, hole]);
    }

    scale(shape) {
        const {scene, drawer} = this.bodies;
        if (!this.isScaled(shape)) {
            return new THREE.Vector3(1, 1, 1);
        }
        if (shape.kind === "box") {
            return new THREE.Vector3().fromArray(shape.size);
        }
        return new THREE.Vector3(shape.radius, shape.radius,
            scene.plane ? drawer.thickness : shape.radius);
    }

    makeMeshes({shape, members}, world) {
        const {materials, scene} = this.bodies;
        const make = (geometry, material) => {
            const mesh = new THREE.InstancedMesh(geometry, material, members.length);
            mesh.frustumCulled = false;
            mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
            world.add(mesh);
            return mesh;
        };
        const meshes = [make(this.solid(shape), materials.fill(members[0], "instances"))];
        if (scene.plane) {
            meshes.push(make(this.rim(shape), materials.line(members[0], "instances")));
        }
        return meshes;
    }

    // A geometry of their own for the instances of each mesh: where two follow one another with the
    // same one, three.js draws the second at the places of the first.
    solid(shape) {
        const {drawer, scene} = this.bodies;
        if (isRound(shape)) {
            return scene.plane ? discGeometry() : ballGeometry(12);
        }
        if (scene.plane) {
            return plateGeometry(platePoints(shape), drawer.thickness, shape.hole);
        }
        return shape.kind === "box" ? shadeVertices(new THREE.BoxBufferGeometry(1, 1, 1), () => 1)
            : drawer.solidGeometry(shape);
    }

    // The line around a plate of the plane, on its front.
    rim(shape) {
        const {drawer} = this.bodies;
        const round = isRound(shape);
        const points = round ? circlePoints(0.97) : platePoints(shape);
        const half_width = round ? 0.03 : rimWidth(points, drawer.pen);
        const geometry = ribbonGeometry(points, half_width, true);
        geometry.translate(0, 0, 0.505 * (round ? 1 : drawer.thickness));
        return geometry;
    }

    update() {
        const {poses, scene, drawer} = this.bodies;
        const layer = scene.plane ? 0.02 * drawer.thickness : 0;  // as bodies.js has it
        for (const {meshes, members} of this.batches.values()) {
            for (let i = 0; i < members.length; i++) {
                const p = 7 * members[i];
                this.position.set(poses[p], poses[p + 1], poses[p + 2] + layer * (members[i] % 40));
                this.rotation.set(poses[p + 4], poses[p + 5], poses[p + 6], poses[p + 3]);
                this.matrix.compose(this.position, this.rotation, this.unscaled)
                    .multiply(this.places.get(members[i]));
                for (const mesh of meshes) {
                    mesh.setMatrixAt(i, this.matrix);
                }
            }
            for (const mesh of meshes) {
                mesh.instanceMatrix.needsUpdate = true;
            }
        }
    }

    // Nearest of the bodies whose bounding ball the ray meets: {body, distance} or null.
    pick(ray) {
        let best = null;
        for (const index of this.taken) {
            const shape = this.bodies.shapes_of[index][0];
            this.bodies.extent.worldPoint(shape, this.position);
            const reach = reachOf(shape);
            if (ray.distanceSqToPoint(this.position) > reach * reach) {
                continue;
            }
            const distance = this.position.sub(ray.origin).dot(ray.direction) - reach;
            if (!best || distance < best.distance) {
                best = {body: index, distance};
            }
        }
        return best;
    }
}

function isRound({kind}) {
    return kind === "circle" || kind === "sphere";
}

// Does a shape have all that its geometry is made from?
function isComplete(shape) {
    switch (shape.kind) {
    case "polygon": case "outline": case "segment": case "arc":
        return Array.isArray(shape.points) && shape.points.length > 2;
    case "hull":
        return Array.isArray(shape.points) && Array.isArray(shape.faces);
    case "box": case "capsule": case "cylinder": case "pin":
        return Array.isArray(shape.size);
    default:
        return shape.radius > 0;
    }
}

// What bounds a shape of the plane that is no circle, counter-clockwise.
function platePoints(shape) {
    return shape.kind === "box" ? boxPoints(shape.size) : counterClockwise(shape.points);
}
