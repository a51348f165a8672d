// The data of the page: the scene (JSON) and the motion (bytes), checked before anything uses them.

// What is wrong with the data of this page, in words for its reader.
class DataError extends Error {}

function requireData(condition, message) {
    if (!condition) {
        throw new DataError(message);
    }
}

function readScene() {
    const text = document.getElementById("scene").textContent;
    let scene;
    try {
        scene = JSON.parse(text);
    } catch (error) {
        throw new DataError("The description of the mechanism in this page cannot be read: "
            + error.message);
    }
    requireData(scene !== null && typeof scene === "object" && Array.isArray(scene.bodies)
        && scene.layout, "This page has no description of a mechanism.");
    requireData(scene.version === 1,
        "This page was written by another version of clatter (scene version " + scene.version + ").");
    for (const list of ["shapes", "links", "contacts", "impacts", "outputs", "plots", "missing"]) {
        scene[list] = Array.isArray(scene[list]) ? scene[list] : [];
    }
    scene.gravity = scene.gravity || [0, 0, 0];
    checkReferences(scene);
    return scene;
}

// Every index that later code follows without looking.
function checkReferences(scene) {
    const {bodies, layout} = scene;
    const isPose = (pose) => pose === undefined || (pose >= 0 && pose < layout.n_poses);
    const isBody = (index) => Number.isInteger(index) && index >= 0 && index < bodies.length;
    for (const body of bodies) {
        requireData(isPose(body.pose), `The body ${body.name} has no pose in the motion.`);
        requireData(body.line === undefined || body.line + body.n_points <= layout.n_points,
            `The points of ${body.name} are not in the motion.`);
    }
    for (const shape of scene.shapes) {
        requireData(isBody(shape.body) && isPose(shape.pose), `The shape ${shape.name} is on no body.`);
    }
    for (const link of scene.links) {
        for (const end of [link.first, link.second]) {
            requireData(!end || (isBody(end.body) && isPose(end.pose)), `${link.name} acts on no body.`);
        }
    }
}

function bytesOfBase64(text) {
    const binary = atob(text.trim());
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) {
        bytes[i] = binary.charCodeAt(i);
    }
    return bytes;
}

async function inflate(bytes) {
    requireData(typeof DecompressionStream !== "undefined",
        "This browser is too old to unpack the motion (it has no DecompressionStream).");
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
}

async function readMotion(scene) {
    let buffer;
    try {
        const bytes = bytesOfBase64(document.getElementById("motion").textContent);
        buffer = scene.layout.deflated ? await inflate(bytes) : bytes.buffer;
    } catch (error) {
        if (error instanceof DataError) {
            throw error;
        }
        throw new DataError("The motion in this page is damaged and cannot be unpacked.");
    }
    return new Motion(scene, buffer);
}

// The motion: arrays over frames, and the two frames and the weight that belong to a time.
class Motion {
    constructor(scene, buffer) {
        const n = scene.layout;
        const lengths = [n.n_frames * n.n_poses * 7, n.n_frames * n.n_points * 3, n.n_frames,
            n.n_contact_records * 8, n.n_outputs * n.n_frames];
        const expected = 8 * n.n_frames + 4 * lengths.reduce((sum, length) => sum + length, 0);
        requireData(n.n_frames > 0, "The motion in this page has no frames.");
        requireData(buffer.byteLength === expected, "The motion in this page is damaged: it has "
            + `${buffer.byteLength} bytes where ${expected} belong.`);
        requireData(n.n_outputs === scene.outputs.length,
            "The outputs in this page do not belong to its motion.");
        let offset = 8 * n.n_frames;
        const next = (Type, length) => {
            const array = new Type(buffer, offset, length);
            offset += 4 * length;
            return array;
        };
        this.n_frames = n.n_frames;
        this.n_poses = n.n_poses;
        this.n_points = n.n_points;
        this.time = new Float64Array(buffer, 0, n.n_frames);
        this.poses = next(Float32Array, lengths[0]);
        this.points = next(Float32Array, lengths[1]);
        this.contact_ends = next(Uint32Array, lengths[2]);
        this.contacts = next(Float32Array, lengths[3]);
        this.outputs = next(Float32Array, lengths[4]);
        this.start = this.time[0];
        this.stop = this.time[n.n_frames - 1];
        this.checkOrder(n.n_contact_records);
        this.frame = 0;
        this.weight = 0;
        this.seek(this.start);
    }

    checkOrder(n_records) {
        let end = 0;
        for (let i = 0; i < this.n_frames; i++) {
            requireData(i === 0 ? isFinite(this.time[0]) : this.time[i] > this.time[i - 1],
                "The motion in this page is damaged: its times do not increase.");
            requireData(this.contact_ends[i] >= end && this.contact_ends[i] <= n_records,
                "The motion in this page is damaged: its contacts are out of order.");
            end = this.contact_ends[i];
        }
    }

    // The last frame that is not later than t.
    frameAt(t) {
        let low = 0;
        let high = this.n_frames - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.time[middle] <= t) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    seek(t) {
        const i = this.frameAt(t);
        this.frame = i;
        this.weight = 0;
        if (i + 1 < this.n_frames) {
            this.weight = Math.min(1, Math.max(0,
                (t - this.time[i]) / (this.time[i + 1] - this.time[i])));
        }
    }

    // Position and quaternion (w x y z) of pose `index` at the time sought last, into out[at...].
    // Between frames linear; the quaternion goes the short way round and is normalised.
    pose(index, out, at) {
        const a = (this.frame * this.n_poses + index) * 7;
        const b = this.weight > 0 ? a + this.n_poses * 7 : a;
        const p = this.poses;
        const v = this.weight;
        let dot = 0;
        for (let k = 3; k < 7; k++) {
            dot += p[a + k] * p[b + k];
        }
        const sign = dot < 0 ? -1 : 1;
        for (let k = 0; k < 7; k++) {
            out[at + k] = (1 - v) * p[a + k] + v * (k < 3 ? 1 : sign) * p[b + k];
        }
        const norm = Math.hypot(out[at + 3], out[at + 4], out[at + 5], out[at + 6]) || 1;
        for (let k = 3; k < 7; k++) {
            out[at + k] /= norm;
        }
    }

    // Coordinate k of point `index` at the time sought last.
    point(index, k) {
        const a = (this.frame * this.n_points + index) * 3 + k;
        const b = this.weight > 0 ? a + this.n_points * 3 : a;
        return (1 - this.weight) * this.points[a] + this.weight * this.points[b];
    }

    // Values of output `index` in all frames.
    output(index) {
        return this.outputs.subarray(index * this.n_frames, (index + 1) * this.n_frames);
    }

    valueAt(index, t, held) {
        const i = this.frameAt(t);
        const values = this.output(index);
        if (held || i + 1 >= this.n_frames || t <= this.time[i]) {
            return values[i];
        }
        const v = (t - this.time[i]) / (this.time[i + 1] - this.time[i]);
        return (1 - v) * values[i] + v * values[i + 1];
    }
}
