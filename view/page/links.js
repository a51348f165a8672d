// Joints, springs, drives and forces, drawn as the symbols of mechanics.

class Links {
    constructor(scene, extent, bodies, materials, world) {
        this.scene = scene;
        this.extent = extent;
        this.bodies = bodies;
        this.materials = materials;
        this.drawer = bodies.drawer;
        this.size = 0.018 * extent.unit;  // radius of a hinge
        this.stretching = [];             // {mesh, first, second, length}
        this.meshes = [];                 // all, to be shown or hidden
        this.world = world;
        this.a = new THREE.Vector3();
        this.b = new THREE.Vector3();
        this.supports = new Set();
        this.occupied = new Map();
        for (const link of scene.links) {
            this.draw(link);
        }
    }

    draw(link) {
        const drawers = {
            revolute: this.hinge, spherical: this.ball, cylindrical: this.sleeve,
            prismatic: this.slide, distance: this.rod, rigid: this.weld, planar: this.weld,
            spring_damper: this.spring, torsional_spring_damper: this.spiral,
            angle_drive: this.motor, speed_drive: this.motor, angle_actuator: this.motor,
            slide_drive: this.piston, slide_actuator: this.piston,
            force: this.force, line_load: this.force, torque: this.torque,
        };
        const drawer = drawers[link.kind]
            || (link.role === "force" && link.second ? this.spring : this.ball);
        drawer.call(this, link);
    }

    // A holder at a marker, in the group of its body.
    at(end) {
        const holder = new THREE.Group();
        holder.position.fromArray(end.position);
        holder.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(
            axisOf(end.axes, 0), axisOf(end.axes, 1), axisOf(end.axes, 2)));
        this.bodies.groupOf(end).add(holder);
        this.meshes.push(holder);
        holder.userData.symbol = true;
        return holder;
    }

    isStill(end) {
        return this.scene.bodies[end.body].pose === undefined
            && this.scene.bodies[end.body].line === undefined;
    }

    // Symbols of the plane lie on top of all plates.
    front() {
        return this.scene.plane ? 0.55 * this.drawer.thickness
            + 0.02 * this.drawer.thickness * Math.min(40, this.scene.bodies.length) : 0;
    }

    hinge(link) {
        const holder = this.at(link.first);
        const r = this.size;
        const pin = new THREE.CylinderBufferGeometry(r, r,
            this.scene.plane ? 2 * this.front() : 3.2 * r, 24);
        pin.rotateX(Math.PI / 2);
        this.drawer.add(holder, pin, this.materials.role("link"));
        const heads = this.scene.plane ? [1] : [1, -1];
        for (const side of heads) {
            const head = this.drawer.add(holder, new THREE.CircleBufferGeometry(0.58 * r, 24),
                this.materials.role("joint"));
            head.position.z = side * (this.scene.plane ? 1.01 * this.front() : 1.62 * r);
        }
        const still = [link.first, link.second].find((end) => end && this.isStill(end));
        if (still && this.scene.plane) {
            this.support(still);
        } else if (still) {
            this.foot(still);
        }
    }

    // The same in space: a plate under the hinge.
    foot(end) {
        const holder = new THREE.Group();
        holder.position.fromArray(end.position);
        holder.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), upOf(this.scene));
        this.bodies.groupOf(end).add(holder);
        this.meshes.push(holder);
        holder.userData.symbol = true;
        const s = this.size;
        const cone = this.drawer.add(holder, new THREE.CylinderBufferGeometry(0.7 * s, 1.9 * s, 2.6 * s, 20),
            this.materials.plain(0));
        cone.position.y = -1.5 * s;
        const plate = this.drawer.add(holder, new THREE.BoxBufferGeometry(6 * s, 0.4 * s, 6 * s),
            this.materials.plain(0));
        plate.position.y = -2.9 * s;
    }

    // The triangle of a support that stands on the ground.
    support(end) {
        const key = end.position.map((x) => x.toPrecision(6)).join();
        if (this.supports.has(key)) {
            return;
        }
        this.supports.add(key);
        const holder = new THREE.Group();
        holder.position.fromArray(end.position);
        this.bodies.groupOf(end).add(holder);
        this.meshes.push(holder);
        holder.userData.symbol = true;
        const [w, h] = [1.9 * this.size, 2.9 * this.size];
        const triangle = this.drawer.add(holder, plateGeometry([[0, 0], [-w, -h], [w, -h]],
            0.3 * this.drawer.thickness), this.materials.fill(0));
        triangle.position.z = -0.6 * this.drawer.thickness;
        const hatching = this.drawer.add(holder, hatchGeometry([[-1.6 * w, -h], [1.6 * w, -h]],
            1.6 * this.size), this.drawer.hatching(0));
        hatching.position.z = -0.6 * this.drawer.thickness;
        const line = this.drawer.add(holder, ribbonGeometry([[-1.6 * w, -h], [1.6 * w, -h]],
            this.drawer.pen, false), this.materials.line(0));
        line.position.z = -0.55 * this.drawer.thickness;
    }

    ball(link) {
        const mesh = this.drawer.add(this.at(link.first), this.drawer.ball,
            this.materials.solidRole("link"));
        mesh.scale.setScalar(this.size);
        mesh.position.z = this.front();
    }

    sleeve(link) {
        this.rail(link, 2);
    }

    slide(link) {
        this.rail(link, 0);
    }

    // A rail along axis k of the first marker, as long as the motion needs, and a carriage on it.
    rail(link, k) {
        const second = link.second || {body: 0, position: [0, 0, 0]};
        const range = this.extent.range({body: link.first.body, position: link.first.position,
            axes: link.first.axes, name: ""}, k, [second]);
        const holder = this.at(link.first);
        const rod = this.drawer.add(holder, rodGeometry(0.3 * this.size),
            this.materials.solidRole("link"));
        rod.scale.x = range[1] - range[0];
        rod.position.x = k === 0 ? range[0] : 0;
        rod.position.z = k === 2 ? range[0] : -0.6 * this.drawer.thickness * this.scene.plane;
        rod.rotation.y = k === 2 ? -Math.PI / 2 : 0;
        const s = this.size;
        const carriage = this.drawer.add(this.at(second), new THREE.BoxBufferGeometry(
            2.6 * s, 1.7 * s, this.scene.plane ? 0.8 * this.drawer.thickness : 1.7 * s),
            this.materials.solidRole("link"));
        carriage.position.z = -0.3 * this.drawer.thickness * this.scene.plane;
        const axis = axisOf(link.first.axes, k);
        carriage.parent.quaternion.setFromUnitVectors(X_AXIS, axis);
    }

    weld(link) {
        const s = 1.6 * this.size;
        const mesh = this.drawer.add(this.at(link.first), new THREE.BoxBufferGeometry(s, s,
            this.scene.plane ? 2 * this.front() : s), this.materials.solidRole("link"));
        mesh.rotation.z = Math.PI / 4;
    }

    stretch(link, geometry, length, material) {
        const mesh = new THREE.Mesh(geometry, material || this.materials.solidRole("link"));
        const second = link.second || {body: 0, position: [0, 0, 0]};
        this.world.add(mesh);
        this.meshes.push(mesh);
        const depth = !this.scene.plane ? 0 : (link.kind.startsWith("slide") ? -0.7 : 0.6);
        this.stretching.push({mesh, first: link.first, second, length,
            z: depth * this.drawer.thickness});
        return mesh;
    }

    rod(link) {
        this.stretch(link, rodGeometry(0.35 * this.size), 1);
    }

    spring(link) {
        const length = this.longest(link);
        if (length === 0) {
            this.ball(link);
            return;
        }
        const radius = Math.min(1.15 * this.size, 0.2 * length);
        const n_turns = Math.max(4, Math.min(12, Math.round(length / (2.2 * radius))));
        this.stretch(link, springGeometry(length, radius, 0.16 * this.size, n_turns), length);
    }

    piston(link) {
        this.stretch(link, rodGeometry(0.55 * this.size), 2);
        this.stretch(link, rodGeometry(0.25 * this.size), 1);
    }

    // Largest distance of the ends in the motion.
    longest(link) {
        const second = link.second || {body: 0, position: [0, 0, 0]};
        let length = 0;
        this.extent.sample(() => {
            this.extent.worldPoint(link.first, this.a);
            this.extent.worldPoint(second, this.b);
            length = Math.max(length, this.a.distanceTo(this.b));
        });
        return length;
    }

    // The marker at which what acts about an axis is drawn: that of a hinge between the same bodies.
    axisMarker(link) {
        const second = link.second || {body: 0, position: [0, 0, 0]};
        const pair = (l) => [l.first.body, l.second ? l.second.body : 0].sort().join();
        const hinge = this.scene.links.find((other) => other.kind === "revolute"
            && pair(other) === pair(link));
        return hinge ? hinge.first : (second.body === 0 ? link.first : second);
    }

    // Symbols at one marker are drawn around each other.
    nextRadius(end) {
        const key = end.body + ":" + end.position.join();
        const n = this.occupied.get(key) || 0;
        this.occupied.set(key, n + 1);
        return (1.75 + 0.8 * n) * this.size;
    }

    spiral(link) {
        const end = this.axisMarker(link);
        const from = 1.2 * this.size;
        const to = this.nextRadius(end) + 0.7 * this.size;
        const points = [];
        for (let i = 0; i <= 72; i++) {
            const r = from + (to - from) * i / 72;
            const angle = 2 * Math.PI * 2.25 * i / 72;
            points.push([r * Math.cos(angle), r * Math.sin(angle)]);
        }
        this.symbol(end, points);
    }

    motor(link) {
        const end = this.axisMarker(link);
        const r = this.nextRadius(end);
        const points = arcPoints(r, -0.7, 3.6, 40);
        this.symbol(end, points);
        const head = arcPoints(r, 3.6, 4.1, 1);
        const h = 0.55 * this.size;
        const [x, y] = head[1];
        const direction = [-Math.sin(3.75), Math.cos(3.75)];
        const tip = [x, y];
        const base = [x - 2 * h * direction[0], y - 2 * h * direction[1]];
        this.symbol(end, [base, tip], [2 * h, 0]);
    }

    // A flat drawing about the z axis of a marker; with widths at both ends it is a wedge.
    symbol(end, points, wedge) {
        const geometry = ribbonGeometry(points, 1.2 * this.drawer.pen, false);
        if (wedge) {
            const position = geometry.attributes.position;
            const along = unit2(points[1][0] - points[0][0], points[1][1] - points[0][1]);
            wedge.forEach((width, i) => {
                for (const side of [1, -1]) {
                    position.setXY(2 * i + (side < 0 ? 1 : 0), points[i][0] - side * along[1] * width / 2,
                        points[i][1] + side * along[0] * width / 2);
                }
            });
        }
        const mesh = this.drawer.add(this.at(end), geometry, this.materials.role("link"));
        mesh.position.z = 1.05 * this.front();
    }

    force(link) {
        this.letter(link.first, "F");
    }

    torque(link) {
        this.letter(link.first, "M");
    }

    // What acts but has no direction that is known here: a letter in a circle.
    letter(end, text) {
        const sprite = new THREE.Sprite(this.materials.get("letter" + text,
            () => this.materials.theme.scene("link"),
            () => new THREE.SpriteMaterial({map: letterTexture(text), depthTest: false})));
        sprite.scale.setScalar(3.4 * this.size);
        sprite.center.set(1.2, -0.2);
        sprite.renderOrder = 6;
        sprite.raycast = () => {};
        this.at(end).add(sprite);
    }

    update() {
        for (const {mesh, first, second, length, z} of this.stretching) {
            this.extent.worldPoint(first, this.a);
            this.extent.worldPoint(second, this.b);
            this.a.z += z;
            this.b.z += z;
            placeBetween(mesh, this.a, this.b, length);
        }
    }

    show(visible) {
        for (const mesh of this.meshes) {
            mesh.visible = visible;
        }
    }
}

function letterTexture(text) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#ffffff";
    pen.beginPath();
    pen.arc(32, 32, 29, 0, 2 * Math.PI);
    pen.fill();
    pen.globalCompositeOperation = "destination-out";
    pen.font = "italic 600 38px serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, 31, 34);
    return new THREE.CanvasTexture(canvas);
}
