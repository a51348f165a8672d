// How large things are: the box of the whole motion, the size of symbols, and how far lines, planes
// and cylinders without ends are drawn.

// Frames looked at: at most so many, and fewer where there are many points.
const EXTENT_SAMPLES = 240;
const EXTENT_POINTS = 30000;

class Extent {
    constructor(scene, motion) {
        this.scene = scene;
        this.motion = motion;
        this.shapes = new Map(scene.shapes.map((shape) => [shape.name, shape]));
        this.pose = new Float64Array(7);
        this.rotation = new THREE.Quaternion();
        this.point = new THREE.Vector3();
        this.box = new THREE.Box3();
        this.first_box = new THREE.Box3();
        this.outlines = scene.bodies.map((body, index) => this.outline(index));
        this.measure();
        const size = (box) => box.getSize(new THREE.Vector3()).length();
        this.size = size(this.box) || 1;
        this.first_size = size(this.first_box) || this.size;
        this.unit = Math.sqrt(this.size * this.first_size);
        if (this.size > 4 * this.first_size) {
            this.unit = 2 * this.first_size;  // symbols go with the mechanism, not with its way
        }
    }

    // Points with radii that a body's drawing covers, in its coordinates.
    outline(index) {
        const points = [];
        for (const shape of this.scene.shapes) {
            if (shape.body === index && shape.pose === undefined) {
                points.push(...outlineOfShape(shape));
            }
        }
        for (const link of this.scene.links) {
            for (const end of [link.first, link.second]) {
                const drawn = index !== 0 || link.role === "joint";
                if (end && end.body === index && end.pose === undefined && drawn) {
                    points.push({at: end.position, radius: 0});
                }
            }
        }
        if (index !== 0 && this.scene.bodies[index].line === undefined) {
            points.push({at: this.scene.bodies[index].centre || [0, 0, 0], radius: 0});
            if (this.scene.plane) {
                plateCorners(this.scene, index, anchorsOf(this.scene, index))
                    .forEach(({at}) => points.push({at: at.toArray(), radius: 0}));
            }
        }
        return points;
    }

    // Calls visit() in some frames of the motion, first and last among them.
    sample(visit) {
        const {motion} = this;
        const n_points = this.outlines.reduce((sum, points) => sum + points.length, 1);
        const n = Math.min(EXTENT_SAMPLES, motion.n_frames,
            Math.max(12, Math.floor(EXTENT_POINTS / n_points)));
        for (let i = 0; i < n; i++) {
            motion.seek(motion.time[n > 1 ? Math.round(i * (motion.n_frames - 1) / (n - 1)) : 0]);
            visit(i);
        }
        motion.seek(motion.start);
    }

    measure() {
        this.sample((i) => {
            this.scene.bodies.forEach((body, index) => {
                for (const {at, radius} of this.outlines[index]) {
                    this.worldPoint({body: index, position: at}, this.point);
                    this.include(this.box, radius);
                    if (i === 0) {
                        this.include(this.first_box, radius);
                    }
                }
                for (let k = 0; body.line !== undefined && k < body.n_points; k++) {
                    const point = (axis) => this.motion.point(body.line + k, axis);
                    this.point.set(point(0), point(1), point(2));
                    this.include(this.box, body.radius || 0);
                }
            });
        });
        if (this.box.isEmpty()) {
            this.box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
        }
        if (this.first_box.isEmpty()) {
            this.first_box.copy(this.box);
        }
    }

    include(box, radius) {
        const {x, y, z} = this.point;
        if (!isFinite(x + y + z)) {
            return;
        }
        const depth = this.scene.plane ? 0 : radius;
        box.min.set(Math.min(box.min.x, x - radius), Math.min(box.min.y, y - radius),
            Math.min(box.min.z, z - depth));
        box.max.set(Math.max(box.max.x, x + radius), Math.max(box.max.y, y + radius),
            Math.max(box.max.z, z + depth));
    }

    // Where a place {body, position, perhaps a pose of its own} is at the time that the motion was
    // sought for.
    worldPoint({body, position, pose}, out) {
        if (pose !== undefined) {
            this.motion.pose(pose, this.pose, 0);
        } else {
            readPose(this.scene.bodies[body], this.motion, this.pose, 0);
        }
        const p = this.pose;
        this.rotation.set(p[4], p[5], p[6], p[3]);
        out.set(position[0], position[1], position[2]).applyQuaternion(this.rotation);
        out.x += p[0];
        out.y += p[1];
        out.z += p[2];
        return out;
    }

    // Range [from, to] along axis k of a shape without ends that is worth drawing: where the shapes
    // that can touch it come to be; of a floor all of the motion's box.
    range(shape, k, partners = this.partners(shape)) {
        const axis = axisOf(shape.axes, k);
        const range = [Infinity, -Infinity];
        const frame = new THREE.Vector3();
        const include = (point, radius) => {
            this.worldPoint(shape, frame);
            const along = axis.clone().applyQuaternion(this.rotation);
            const s = point.clone().sub(frame).dot(along);
            range[0] = Math.min(range[0], s - radius);
            range[1] = Math.max(range[1], s + radius);
        };
        this.sample(() => {
            for (const partner of partners) {
                include(this.worldPoint(partner, this.point.clone()),
                    sizeOfShape(partner));
            }
        });
        const floor = this.isFloor(shape);
        if (partners.length === 0 || floor) {
            for (const corner of boxCorners(this.box)) {
                include(corner, 0);
            }
        }
        const pad = Math.max((floor ? 0.3 : 0.1) * this.unit, 0.08 * (range[1] - range[0]));
        return [range[0] - pad, range[1] + pad];
    }

    partners(shape) {
        const partners = [];
        for (const {first, second} of this.scene.contacts) {
            const other = first === shape.name ? second : (second === shape.name ? first : null);
            const partner = other && this.shapes.get(other);
            if (partner) {
                partners.push(partner);
            }
        }
        return partners;
    }

    // Lines and planes at rest that hold up what lies on them.
    isFloor(shape) {
        const gravity = new THREE.Vector3().fromArray(this.scene.gravity);
        return (shape.kind === "line" || shape.kind === "plane")
            && this.scene.bodies[shape.body].pose === undefined
            && axisOf(shape.axes, 1).dot(gravity) < -0.5 * gravity.length()
            && this.isBelowAll(shape);
    }

    isBelowAll(shape) {
        const normal = axisOf(shape.axes, 1);
        const height = normal.dot(new THREE.Vector3().fromArray(shape.position));
        return boxCorners(this.box).every((corner) =>
            corner.dot(normal) > height - 0.04 * this.size);
    }
}

function axisOf(axes, k) {
    return axes ? new THREE.Vector3(axes[3 * k], axes[3 * k + 1], axes[3 * k + 2])
        : new THREE.Vector3(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0);
}

function boxCorners({min, max}) {
    const corners = [];
    for (let i = 0; i < 8; i++) {
        corners.push(new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y,
            i & 4 ? max.z : min.z));
    }
    return corners;
}

function sizeOfShape(shape) {
    if (shape.points || shape.kind === "capsule") {
        return reachOf(shape);
    }
    return Math.max(shape.radius || 0, ...(shape.size || []).map((length) => length / 2), 0);
}

const WITHOUT_ENDS = new Set(["line", "plane", "curve", "shaft", "bore"]);

function outlineOfShape(shape) {
    if (WITHOUT_ENDS.has(shape.kind)) {
        return [];
    }
    if (shape.points) {
        const step = Math.ceil(shape.points.length / 64);
        return shape.points.filter((_, i) => i % step === 0).map((p) => {
            const at = new THREE.Vector3().fromArray(shape.position);
            for (let k = 0; k < 3; k++) {
                at.addScaledVector(axisOf(shape.axes, k), p[k] || 0);
            }
            return {at: at.toArray(), radius: shape.radius || 0};
        });
    }
    return [{at: shape.position, radius: sizeOfShape(shape)}];
}

// Pose of a body (x y z qw qx qy qz), whether it moves or not.
function readPose(body, motion, out, at) {
    if (body.pose !== undefined) {
        motion.pose(body.pose, out, at);
        return;
    }
    const fixed = body.at || [0, 0, 0, 1, 0, 0, 0];
    for (let k = 0; k < 7; k++) {
        out[at + k] = fixed[k];
    }
}
