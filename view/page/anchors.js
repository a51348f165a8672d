// What is known of a body beside its shapes: the places that its joints, springs, points and round
// shapes tie together, and what body they suggest.

const SOLID = new Set(["circle", "sphere", "box", "polygon", "outline", "capsule", "cylinder", "hull",
    "ring", "hollow_sphere"]);
const WALLS = new Set(["segment", "arc"]);

function solidRadius(shape) {
    return SOLID.has(shape.kind) ? reachOf(shape) : 0;
}

// How far a shape with ends reaches from its position.
function reachOf(shape) {
    const radius = shape.radius || 0;
    if (shape.points && shape.kind !== "curve") {
        return radius + shape.points.reduce((most, p) =>
            Math.max(most, Math.hypot(p[0], p[1], p[2] || 0)), 0);
    }
    const half = Math.hypot(...(shape.size || [0])) / 2;
    return shape.kind === "capsule" ? half + radius
        : (shape.kind === "box" ? half : Math.hypot(half, radius));
}

// Names of the shapes that take part in contacts; kept with the scene.
function touchingShapes(scene) {
    if (!scene.touching) {
        scene.touching = new Set();
        for (const contact of scene.contacts) {
            scene.touching.add(contact.first).add(contact.second);
        }
    }
    return scene.touching;
}

// Places on a body: {at, radius of what is solid there, touches: a point that is in a contact}.
function anchorsOf(scene, index) {
    const anchors = [];
    const touching = touchingShapes(scene);
    const add = (position, radius, touches) => {
        const at = new THREE.Vector3().fromArray(position);
        const near = anchors.find((a) => a.at.distanceTo(at) <= 1e-6 * (a.at.length() + at.length()));
        if (near) {
            near.touches = near.touches || touches;
            near.radius = Math.max(near.radius, radius);
        } else {
            anchors.push({at, radius, touches});
        }
    };
    for (const shape of scene.shapes) {
        if (shape.body === index && !WALLS.has(shape.kind)
            && (!WITHOUT_ENDS.has(shape.kind) || shape.kind === "bore" || shape.kind === "shaft")) {
            add(shape.position, solidRadius(shape),
                shape.kind === "point" && touching.has(shape.name));
        }
    }
    for (const link of scene.links) {
        for (const end of [link.first, link.second]) {
            if (end && end.body === index) {
                add(end.position, 0, false);
            }
        }
    }
    add(scene.bodies[index].centre || [0, 0, 0], 0, false);
    return anchors;
}

// Corners of a body of the plane that is known by some of its points. If those that touch others
// lie on one side of its centre of mass, there is as much of it on the other side: a block that is
// known by its base, a rod by its tip.
function plateCorners(scene, index, anchors) {
    const centre = new THREE.Vector3().fromArray(scene.bodies[index].centre || [0, 0, 0]);
    const hull = convexHull(anchors.map(({at}) => [at.x, at.y]));
    const inside = hull.length > 2 && hull.every(([x, y], i) => {
        const [u, v] = hull[(i + 1) % hull.length];
        return (u - x) * (centre.y - y) - (v - y) * (centre.x - x)
            > 1e-6 * Math.hypot(u - x, v - y) ** 2;
    });
    const touching = anchors.filter((a) => a.touches);
    const linked = scene.links.some(({first, second}) => first.body === index
        || (second && second.body === index));
    if (inside || touching.length < (linked ? 2 : 1)
        || (hull.length < 3 && isBetween(centre, anchors))) {
        return anchors;
    }
    return anchors.concat(touching.map(({at}) => ({
        at: centre.clone().multiplyScalar(2).sub(at), radius: 0, touches: true,
    })));
}

// Is the centre of mass between two anchors on a line with it?
function isBetween(centre, anchors) {
    return anchors.some((a) => anchors.some((b) => {
        const u = a.at.clone().sub(centre);
        const v = b.at.clone().sub(centre);
        return u.length() > 0 && v.length() > 0 && u.dot(v) < -0.999 * u.length() * v.length();
    }));
}
