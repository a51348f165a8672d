// Contact points with their forces, flashes of impacts, and trails.

const MOST_ARROWS = 3000;
const CROWDED = 60;  // arrows at once: more are smaller, or they would hide the bodies
const FLASH_SECONDS = 0.3;  // of watching: multiplied with the speed

class Contacts {
    constructor(scene, motion, extent, bodies, materials, world) {
        this.scene = scene;
        this.motion = motion;
        this.extent = extent;
        this.bodies = bodies;
        const most = Math.min(MOST_ARROWS, this.mostRecords());
        const part = Math.min(1, Math.sqrt(CROWDED / most));
        this.longest = 0.2 * part * extent.unit;  // of an arrow
        this.width = 0.0055 * part * extent.unit;
        this.reference = this.typicalForce();
        this.states = ["slip", "stick"].map((role) => this.meshes(role, most, materials, world));
        this.flashes = this.makeFlashes(materials, world);
        this.matrix = new THREE.Matrix4();
        this.from = new THREE.Vector3();
        this.force = new THREE.Vector3();
        this.scale = new THREE.Vector3();
        this.rotation = new THREE.Quaternion();
        this.none = new THREE.Quaternion();
        this.flashing = new Set();  // contacts that have a flash already
        this.visible = true;
    }

    mostRecords() {
        const ends = this.motion.contact_ends;
        let most = 1;
        for (let i = 0; i < ends.length; i++) {
            most = Math.max(most, ends[i] - (i > 0 ? ends[i - 1] : 0));
        }
        return most;
    }

    // The median of the forces: an arrow of this force has half the largest length.
    typicalForce() {
        const c = this.motion.contacts;
        const forces = [];
        const step = Math.max(1, Math.floor(c.length / 8 / 2000));
        for (let i = 0; i < c.length / 8; i += step) {
            const force = Math.hypot(c[8 * i + 5], c[8 * i + 6], c[8 * i + 7]);
            if (force > 0 && isFinite(force)) {
                forces.push(force);
            }
        }
        forces.sort((a, b) => a - b);
        return forces.length > 0 ? forces[forces.length >> 1] : 1;
    }

    meshes(role, most, materials, world) {
        const options = {depthTest: false, transparent: true};
        const material = materials.role(role, options);
        const make = (geometry) => {
            const mesh = new THREE.InstancedMesh(geometry, material, most);
            mesh.frustumCulled = false;
            mesh.renderOrder = 10;
            mesh.raycast = () => {};
            mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
            world.add(mesh);
            return mesh;
        };
        const head = new THREE.ConeBufferGeometry(1, 2.6, 16);
        head.rotateZ(-Math.PI / 2);
        head.translate(1.3, 0, 0);
        return {role, count: 0, shaft: make(rodGeometry(1)), head: make(head),
            dot: make(new THREE.SphereBufferGeometry(1, 12, 8))};
    }

    update(t, speed) {
        const {motion} = this;
        const frame = motion.weight > 0.5 ? motion.frame + 1 : motion.frame;
        const end = motion.contact_ends[frame];
        this.states[0].count = this.states[1].count = 0;
        for (let i = frame > 0 ? motion.contact_ends[frame - 1] : 0; this.visible && i < end; i++) {
            const state = Math.round(motion.contacts[8 * i + 1]) - 2;
            if (state === 0 || state === 1) {
                this.place(this.states[state], 8 * i);
            }
        }
        for (const state of this.states) {
            for (const mesh of [state.shaft, state.head, state.dot]) {
                mesh.count = state.count;
                mesh.visible = state.count > 0;
                mesh.instanceMatrix.needsUpdate = state.count > 0;
            }
        }
        this.updateFlashes(t, speed);
    }

    // One arrow from record i: its length saturates, so that peaks stay in the picture.
    place(state, i) {
        const c = this.motion.contacts;
        const n = state.count;
        if (n >= state.shaft.instanceMatrix.count) {
            return;
        }
        const {width} = this;
        this.from.set(c[i + 2], c[i + 3], c[i + 4]);
        this.force.set(c[i + 5], c[i + 6], c[i + 7]);
        const size = this.force.length();
        if (!isFinite(size) || !isFinite(this.from.x + this.from.y + this.from.z)) {
            return;
        }
        state.count++;
        this.matrix.compose(this.from, this.none, this.scale.setScalar(1.8 * width));
        state.dot.setMatrixAt(n, this.matrix);
        const length = this.longest * size / (size + this.reference);
        const head = Math.min(length, 5.2 * width);
        if (size > 0) {
            this.rotation.setFromUnitVectors(X_AXIS, this.force.divideScalar(size));
        }
        this.matrix.compose(this.from, this.rotation,
            this.scale.set(Math.max(length - head, 1e-9), width, width));
        state.shaft.setMatrixAt(n, this.matrix);
        this.from.addScaledVector(this.force, length - head);
        this.matrix.compose(this.from, this.rotation, this.scale.setScalar(Math.max(head / 2.6, 1e-9)));
        state.head.setMatrixAt(n, this.matrix);
    }

    // A few rings that are used in turn for the impacts just past.
    makeFlashes(materials, world) {
        const flashes = [];
        for (let i = 0; i < 12; i++) {
            const material = new THREE.MeshBasicMaterial({transparent: true, depthTest: false,
                side: THREE.DoubleSide});
            const mesh = new THREE.Mesh(new THREE.RingBufferGeometry(0.72, 1, 40), material);
            mesh.visible = false;
            mesh.renderOrder = 9;
            mesh.raycast = () => {};
            world.add(mesh);
            flashes.push(mesh);
        }
        const recolour = () => flashes.forEach((mesh) =>
            mesh.material.color.set(materials.theme.scene("flash")));
        materials.theme.onChange(recolour);
        recolour();
        this.impacts = this.scene.impacts.filter((impact) => isFinite(impact.time))
            .sort((a, b) => a.time - b.time);
        this.impacts.forEach((impact) => {
            impact.place = this.placeOf(impact);
        });
        this.largest = Math.max(1e-300, ...this.impacts.map((impact) => impact.impulse || 0));
        return flashes;
    }

    // Where the contact of an impact was in the frames around it; else its first shape. Of contacts
    // between groups one does not know which of them struck, if there are several.
    placeOf(impact) {
        const {motion} = this;
        const near = motion.frameAt(impact.time);
        const contact = this.scene.contacts[impact.contact] || {};
        for (const frame of [near, near + 1, near - 1, near + 2]) {
            const records = frame < 0 || frame >= motion.n_frames ? []
                : this.recordsOf(impact.contact, frame);
            if (records.length > 0) {
                return contact.first || records.length === 1 ? this.middleOf(records) : null;
            }
        }
        const shape = this.extent.shapes.get(contact.first);
        if (!shape) {
            return null;
        }
        motion.seek(impact.time);
        return this.surfacePoint(shape, this.extent.shapes.get(contact.second));
    }

    // Where the records of a contact in a frame begin.
    recordsOf(contact, frame) {
        const {contact_ends, contacts} = this.motion;
        const records = [];
        for (let i = frame > 0 ? contact_ends[frame - 1] : 0; i < contact_ends[frame]; i++) {
            if (contacts[8 * i] === contact) {
                records.push(8 * i);
            }
        }
        return records;
    }

    // Of the points of records, those that press more counting more.
    middleOf(records) {
        const c = this.motion.contacts;
        const middle = new THREE.Vector3();
        let sum = 0;
        for (const i of records) {
            const weight = Math.hypot(c[i + 5], c[i + 6], c[i + 7]) + 1e-30;
            middle.addScaledVector(new THREE.Vector3().fromArray(c, i + 2), weight);
            sum += weight;
        }
        return middle.divideScalar(sum);
    }

    // The point of a shape that is next to a line or plane; of other pairs the shape's position.
    surfacePoint(shape, other) {
        const place = this.extent.worldPoint(shape, new THREE.Vector3());
        if (other && (other.kind === "line" || other.kind === "plane")) {
            const foot = this.extent.worldPoint(other, new THREE.Vector3());
            const normal = axisOf(other.axes, 1).applyQuaternion(this.extent.rotation);
            place.addScaledVector(normal, -place.clone().sub(foot).dot(normal));
        }
        return place;
    }

    updateFlashes(t, speed) {
        const life = FLASH_SECONDS * speed;
        let used = 0;
        this.flashing.clear();
        for (let i = lastNotAfter(this.impacts, t); this.visible && i >= 0; i--) {
            const {time, impulse, place, contact} = this.impacts[i];
            const age = (t - time) / life;
            if (age > 1 || used === this.flashes.length) {
                break;
            }
            if (!place || this.flashing.has(contact)) {
                continue;
            }
            this.flashing.add(contact);
            const mesh = this.flashes[used++];
            const strength = Math.pow((impulse || 0) / this.largest, 0.3);
            mesh.visible = true;
            mesh.position.copy(place);
            mesh.scale.setScalar((0.02 + 0.09 * strength * Math.sqrt(age)) * this.extent.unit);
            mesh.material.opacity = (1 - age) * (0.35 + 0.65 * strength);
        }
        for (; used < this.flashes.length; used++) {
            this.flashes[used].visible = false;
        }
    }

    faceCamera(quaternion) {
        for (const mesh of this.flashes) {
            mesh.quaternion.copy(quaternion);
        }
    }
}

// Index of the last impact that is not after t, or -1.
function lastNotAfter(impacts, t) {
    let low = -1;
    let high = impacts.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (impacts[middle].time <= t) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

// Paths of centres of mass: lines through all frames, of which the part up to now is drawn.
class Trails {
    constructor(motion, bodies, materials, world) {
        this.motion = motion;
        this.bodies = bodies;
        this.materials = materials;
        this.world = world;
        this.lines = new Map();
    }

    has(index) {
        return this.lines.has(index);
    }

    toggle(index) {
        if (this.lines.has(index)) {
            const line = this.lines.get(index);
            this.world.remove(line);
            line.geometry.dispose();
            this.lines.delete(index);
            return;
        }
        const {motion} = this;
        const positions = new Float32Array(3 * motion.n_frames);
        const point = new THREE.Vector3();
        for (let i = 0; i < motion.n_frames; i++) {
            motion.seek(motion.time[i]);
            this.bodies.centre(index, point).toArray(positions, 3 * i);
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
        const line = new THREE.Line(geometry, this.materials.get("trail" + index,
            () => this.materials.theme.body(index, true),
            () => new THREE.LineBasicMaterial({depthTest: false, transparent: true, opacity: 0.8})));
        line.frustumCulled = false;
        line.renderOrder = 8;
        line.raycast = () => {};
        this.world.add(line);
        this.lines.set(index, line);
    }

    update() {
        for (const line of this.lines.values()) {
            line.geometry.setDrawRange(0, this.motion.frame + 1);
        }
    }
}
