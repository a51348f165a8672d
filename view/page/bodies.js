// The bodies: what their shapes do not show of them (bars between hinges, balls at centres of mass),
// and where they are at a time. Many equal bodies are drawn as instances of one mesh.

const MANY_BODIES = 60;  // from so many simple bodies on they are instances

class Bodies {
    constructor(scene, motion, extent, materials, world) {
        this.scene = scene;
        this.motion = motion;
        this.extent = extent;
        this.materials = materials;
        this.drawer = new ShapeDrawer(scene, extent, materials);
        this.poses = new Float64Array(7 * scene.bodies.length);
        this.own_pose = new Float64Array(7);
        this.shapes_of = scene.bodies.map(() => []);
        for (const shape of scene.shapes) {
            this.shapes_of[shape.body].push(shape);
        }
        this.linked = new Set();
        for (const link of scene.links) {
            this.linked.add(link.first.body);
            this.linked.add(link.second ? link.second.body : 0);
        }
        this.symbols = [];  // centres of mass
        this.centre_place = {body: 0, position: ORIGIN};
        this.pose_groups = new Map();  // of shapes with a pose of their own
        this.world = world;
        this.lines = [];
        this.instances = new Instances(this, world);
        this.groups = scene.bodies.map((body, index) => this.build(body, index, world));
    }

    build(body, index, world) {
        const group = new THREE.Group();
        group.userData.body = index;
        world.add(group);
        if (body.line !== undefined) {
            this.lines.push(new DeformedLine(body, index, this, world));
            this.shapes_of[index].forEach((shape) =>
                this.drawer.draw(shape, this.groupOf(shape, group)));
        } else if (this.instances.takes(index)) {
            return group;
        } else {
            this.shapes_of[index].forEach((shape) => this.drawer.draw(shape, group));
            if (index !== 0 && body.kind !== "driven_frame") {
                this.drawSkeleton(index, group);
            }
        }
        // Bodies of the plane lie above each other by a little, so that fronts do not flicker.
        group.userData.layer = this.scene.plane
            ? 0.02 * this.drawer.thickness * (index % 40) : 0;
        return group;
    }

    // The group in which a shape or an end of a link is drawn: that of its body or of its own pose.
    groupOf(place, group = this.groups[place.body]) {
        if (place.pose === undefined) {
            return group;
        }
        if (!this.pose_groups.has(place.pose)) {
            const own = new THREE.Group();
            own.userData.body = place.body;
            this.world.add(own);
            this.pose_groups.set(place.pose, own);
        }
        return this.pose_groups.get(place.pose);
    }

    drawSkeleton(index, group) {
        const anchors = anchorsOf(this.scene, index);
        const walled = anchors.length === 1
            && this.shapes_of[index].some((shape) => WALLS.has(shape.kind));
        const covered = walled || anchors.some((a) => a.radius > 0
            && anchors.every((b) => a.at.distanceTo(b.at) <= 1.001 * a.radius));
        if (!covered && this.scene.plane) {
            this.drawPlate(index, anchors, group);
        } else if (!covered) {
            this.drawBars(index, anchors, group);
        }
        if (!covered || this.scene.plane) {
            this.addCentre(index, group);
        }
    }

    // In the plane: the convex plate of the anchors, a bar if they lie on a line, else a dot.
    drawPlate(index, anchors, group) {
        const corners = plateCorners(this.scene, index, anchors);
        const hull = convexHull(corners.map(({at}) => [at.x, at.y]));
        const width = this.barRadius(corners);
        const length = this.span(corners);
        const thin = polygonArea(hull) < 0.02 * length * length;
        const sharp = !thin && anchors.some((a) => a.touches);
        const holder = new THREE.Group();
        holder.position.z = -0.01 * this.drawer.thickness;
        group.add(holder);
        if (length === 0) {
            this.drawer.plate(circlePoints(1.3 * width), index, holder);
        } else if (sharp) {
            this.drawer.plate(hull, index, holder);
        } else {
            this.drawer.plate(roundedOutline(convexHull(barEnds(corners, width)), width), index,
                holder);
        }
    }

    // In space: bars along the shortest tree that ties the anchors, a ball at the centre of mass.
    drawBars(index, anchors, group) {
        const radius = 0.7 * this.barRadius(anchors);
        const centre = new THREE.Vector3().fromArray(this.scene.bodies[index].centre || [0, 0, 0]);
        for (const [a, b] of shortestTree(anchors.map(({at}) => at))) {
            const bar = this.drawer.add(group, rodGeometry(radius), this.materials.plain(index));
            placeBetween(bar, a, b, 1);
        }
        for (const {at} of anchors) {
            const joint = this.drawer.add(group, this.drawer.ball, this.materials.fill(index));
            joint.position.copy(at);
            joint.scale.setScalar(at.distanceTo(centre) < 1e-9 * this.extent.unit ? 2.2 * radius
                : 1.02 * radius);
        }
    }

    span(anchors) {
        let length = 0;
        for (const a of anchors) {
            for (const b of anchors) {
                length = Math.max(length, a.at.distanceTo(b.at));
            }
        }
        return length;
    }

    barRadius(anchors) {
        const length = this.span(anchors);
        const wanted = 0.018 * this.extent.unit;
        return length > 0 ? Math.min(wanted, 0.14 * length) : wanted;
    }

    addCentre(index, group) {
        const sprite = new THREE.Sprite(this.materials.get("centre", () => "#ffffff",
            () => new THREE.SpriteMaterial({map: centreTexture(), depthTest: false})));
        sprite.scale.setScalar(0.02 * this.extent.unit);
        sprite.position.fromArray(this.scene.bodies[index].centre || [0, 0, 0]);
        sprite.renderOrder = 5;
        sprite.raycast = () => {};
        group.add(sprite);
        this.symbols.push(sprite);
    }

    // Moves everything to the time that the motion was sought for.
    update() {
        const {scene, poses, groups} = this;
        for (let i = 0; i < scene.bodies.length; i++) {
            readPose(scene.bodies[i], this.motion, poses, 7 * i);
            setPose(groups[i], poses, 7 * i, groups[i].userData.layer || 0);
        }
        for (const [pose, group] of this.pose_groups) {
            this.motion.pose(pose, this.own_pose, 0);
            setPose(group, this.own_pose, 0, 0);
        }
        this.instances.update();
        for (const line of this.lines) {
            line.update();
        }
    }

    centre(index, out) {
        const body = this.scene.bodies[index];
        if (body.line !== undefined) {
            const middle = body.line + (body.n_points >> 1);
            return out.set(this.motion.point(middle, 0), this.motion.point(middle, 1),
                this.motion.point(middle, 2));
        }
        this.centre_place.body = index;
        this.centre_place.position = body.centre || ORIGIN;
        return this.extent.worldPoint(this.centre_place, out);
    }
}

const ORIGIN = [0, 0, 0];

function setPose(group, pose, at, layer) {
    group.position.set(pose[at], pose[at + 1], pose[at + 2] + layer);
    group.quaternion.set(pose[at + 4], pose[at + 5], pose[at + 6], pose[at + 3]);
}

// Ends of a bar such that its round ends touch where its points touch.
function barEnds(corners, width) {
    const middle = new THREE.Vector3();
    corners.forEach(({at}) => middle.addScaledVector(at, 1 / corners.length));
    return corners.map(({at, touches}) => {
        const moved = at.clone();
        if (touches) {
            moved.addScaledVector(middle.clone().sub(at).normalize(), width);
        }
        return [moved.x, moved.y];
    });
}

function shortestTree(points) {
    const edges = [];
    const tied = [points[0]];
    const loose = points.slice(1);
    while (loose.length > 0) {
        let best = null;
        for (const a of tied) {
            for (const b of loose) {
                const length = a.distanceTo(b);
                if (!best || length < best.length) {
                    best = {a, b, length};
                }
            }
        }
        edges.push([best.a, best.b]);
        tied.push(best.b);
        loose.splice(loose.indexOf(best.b), 1);
    }
    return edges;
}

// Lays a mesh that extends from 0 to `length` along x between two points.
const between_axis = new THREE.Vector3();
const X_AXIS = new THREE.Vector3(1, 0, 0);
function placeBetween(mesh, a, b, length) {
    between_axis.subVectors(b, a);
    const distance = between_axis.length();
    mesh.position.copy(a);
    mesh.scale.x = Math.max(distance / length, 1e-9);
    if (distance > 0) {
        mesh.quaternion.setFromUnitVectors(X_AXIS, between_axis.divideScalar(distance));
    }
}

// The symbol of a centre of mass: a circle with two black and two white quarters.
function centreTexture() {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const pen = canvas.getContext("2d");
    for (let i = 0; i < 4; i++) {
        pen.fillStyle = i % 2 ? "#222222" : "#ffffff";
        pen.beginPath();
        pen.moveTo(32, 32);
        pen.arc(32, 32, 27, i * Math.PI / 2, (i + 1) * Math.PI / 2);
        pen.fill();
    }
    pen.strokeStyle = "#222222";
    pen.lineWidth = 5;
    pen.beginPath();
    pen.arc(32, 32, 27, 0, 2 * Math.PI);
    pen.stroke();
    return new THREE.CanvasTexture(canvas);
}
