// Drawings of shapes. Each drawer adds meshes to the group of its body, at the shape's place there.
// In the plane all is drawn as plates, so that a mechanism can be looked at flat and from the side.

class ShapeDrawer {
    constructor(scene, extent, materials) {
        this.scene = scene;
        this.extent = extent;
        this.materials = materials;
        this.unit = extent.unit;
        this.thickness = 0.05 * extent.unit;
        this.pen = 0.0022 * extent.unit;  // half the width of lines
        this.disc = discGeometry();
        this.ball = ballGeometry(32);
    }

    draw(shape, group) {
        const holder = new THREE.Group();
        const basis = new THREE.Matrix4().makeBasis(axisOf(shape.axes, 0), axisOf(shape.axes, 1),
            axisOf(shape.axes, 2));
        holder.quaternion.setFromRotationMatrix(basis);
        holder.position.fromArray(shape.position);
        group.add(holder);
        const drawers = {
            circle: this.circle, ring: this.ring, line: this.line, curve: this.curve,
            sphere: this.sphere, hollow_sphere: this.hollowSphere, plane: this.plane,
            shaft: this.shaft, bore: this.bore, box: this.box, pin: this.pin,
            cylinder: this.pin, capsule: this.capsule, polygon: this.polygon,
            segment: this.polyline, arc: this.polyline, hull: this.hull,
            point: this.point, frame: () => {},
        };
        const drawer = drawers[shape.kind] || (shape.points ? this.polyline : this.marker);
        drawer.call(this, shape, holder);
    }

    add(holder, geometry, material) {
        const mesh = new THREE.Mesh(geometry, material);
        holder.add(mesh);
        return mesh;
    }

    // A ribbon on the front of a plate.
    outline(points, closed, body, holder) {
        const mesh = this.add(holder, ribbonGeometry(points, this.pen, closed),
            this.materials.line(body));
        mesh.position.z = this.thickness * 0.505;
        return mesh;
    }

    plate(points, body, holder, hole) {
        const geometry = plateGeometry(points, this.thickness, hole);
        this.add(holder, geometry, this.materials.fill(body));
        holder.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30),
            this.materials.edge(body)));
        this.outline(points, true, body, holder);
        if (hole) {
            this.outline(hole, true, body, holder);
        }
    }

    circle(shape, holder) {
        if (!this.scene.plane) {
            this.sphere(shape, holder);
            return;
        }
        const r = shape.radius;
        const mesh = this.add(holder, this.disc, this.materials.fill(shape.body));
        mesh.scale.set(r, r, this.thickness);
        this.outline(circlePoints(Math.max(r - this.pen, 0.5 * r)), true, shape.body, holder);
    }

    ring(shape, holder) {
        if (!this.scene.plane) {
            this.hollowSphere(shape, holder);
            return;
        }
        const wall = Math.min(0.5 * shape.radius, 0.04 * this.unit);
        this.plate(circlePoints(shape.radius + wall), shape.body, holder,
            circlePoints(shape.radius).reverse());
    }

    sphere(shape, holder) {
        const mesh = this.add(holder, this.ball, this.materials.fill(shape.body));
        mesh.scale.setScalar(shape.radius);
    }

    hollowSphere(shape, holder) {
        const r = shape.radius;
        this.add(holder, new THREE.SphereBufferGeometry(r, 40, 24), this.materials.glass(shape.body));
        for (const turn of [[0, 0], [Math.PI / 2, 0], [0, Math.PI / 2]]) {
            const rim = this.add(holder, ribbonGeometry(circlePoints(r), this.pen, true),
                this.materials.line(shape.body));
            rim.rotation.set(turn[0], turn[1], 0);
        }
    }

    // Solid below the line: a stripe of hatching, as in drawings.
    line(shape, holder) {
        if (!this.scene.plane) {
            this.plane(shape, holder);
            return;
        }
        const [from, to] = this.extent.range(shape, 0);
        this.surface([[from, 0], [to, 0]], shape, holder);
    }

    curve(shape, holder) {
        const [from, to] = this.extent.range(shape, 0);
        const points = (shape.points || []).filter(([x]) => x >= from && x <= to);
        if (points.length > 1) {
            this.surface(points, shape, holder);
        }
    }

    surface(points, shape, holder) {
        const still = this.scene.bodies[shape.body].pose === undefined;
        const depth = (still ? 0.075 : 0.03) * this.unit;
        const along = points[0][0] < points[points.length - 1][0] ? points : points.slice().reverse();
        const hatching = this.add(holder, hatchGeometry(along, depth), this.hatching(shape.body));
        hatching.position.z = -0.3 * this.thickness;
        const edge = this.add(holder, ribbonGeometry(along, 1.3 * this.pen, false),
            this.materials.line(shape.body));
        edge.position.z = still ? -0.25 * this.thickness : 0.52 * this.thickness;
    }

    hatching(body) {
        return this.textured("hatching", body, () => hatchTexture("#ffffff"));
    }

    textured(name, body, makeTexture) {
        return this.materials.get(name + this.materials.shade(body),
            () => this.materials.theme.body(body, true),
            () => new THREE.MeshBasicMaterial({map: makeTexture(), transparent: true,
                side: THREE.DoubleSide, depthWrite: false}));
    }

    plane(shape, holder) {
        const [x, u] = this.extent.range(shape, 0);
        const [z, w] = this.extent.range(shape, 2);
        const side = this.extent.isFloor(shape) ? Math.max(u - x, w - z) : 0;
        const geometry = new THREE.PlaneBufferGeometry(Math.max(side, u - x), Math.max(side, w - z));
        geometry.rotateX(-Math.PI / 2);
        geometry.translate((x + u) / 2, 0, (z + w) / 2);
        this.add(holder, geometry,
            this.textured("grid", shape.body, () => gridTexture("#ffffff", 10)));
    }

    shaft(shape, holder) {
        const [from, to] = this.extent.range(shape, 2);
        this.solidTube(shape, from, to, holder);
    }

    bore(shape, holder) {
        const [from, to] = this.extent.range(shape, 2);
        this.add(holder, tubeGeometry(shape.radius, from, to, true),
            this.materials.glass(shape.body));
        for (const z of [from, to]) {
            const rim = this.add(holder, ribbonGeometry(circlePoints(shape.radius + this.pen),
                this.pen, true), this.materials.line(shape.body));
            rim.position.z = z;
        }
    }

    pin(shape, holder) {
        const half = (shape.size ? shape.size[0] : shape.radius) / 2;
        this.solidTube(shape, -half, half, holder);
    }

    solidTube(shape, from, to, holder) {
        const geometry = tubeGeometry(shape.radius, from, to, false);
        this.add(holder, geometry, this.materials.plain(shape.body));
        holder.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30),
            this.materials.edge(shape.body)));
    }

    capsule(shape, holder) {
        const length = shape.size ? shape.size[0] : 0;
        if (this.scene.plane) {
            this.plate(roundedOutline([[-length / 2, 0], [length / 2, 0]], shape.radius), shape.body,
                holder);
            return;
        }
        this.add(holder, tubeGeometry(shape.radius, -length / 2, length / 2, true),
            this.materials.plain(shape.body));
        for (const z of [-length / 2, length / 2]) {
            const end = this.add(holder, this.ball, this.materials.fill(shape.body));
            end.scale.setScalar(shape.radius);
            end.position.z = z;
        }
    }

    box(shape, holder) {
        const size = shape.size || [shape.radius, shape.radius, shape.radius];
        if (this.scene.plane) {
            const [x, y] = [size[0] / 2, size[size.length - 1] / 2];
            this.plate([[-x, -y], [x, -y], [x, y], [-x, y]], shape.body, holder);
            return;
        }
        const geometry = new THREE.BoxBufferGeometry(size[0], size[1], size[2]);
        this.add(holder, geometry, this.materials.plain(shape.body));
        holder.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry),
            this.materials.edge(shape.body)));
    }

    polygon(shape, holder) {
        const points = shape.points || [];
        if (points.length < 3) {
            this.polyline(shape, holder);
            return;
        }
        const outline = points.map(([x, y]) => [x, y]);
        this.plate(polygonArea(outline) < 0 ? outline.reverse() : outline, shape.body, holder);
    }

    polyline(shape, holder) {
        const points = shape.points || [];
        if (points.length < 2) {
            this.marker(shape, holder);
            return;
        }
        const mesh = this.add(holder, ribbonGeometry(points, 1.5 * this.pen, false),
            this.materials.line(shape.body));
        mesh.position.z = this.scene.plane ? 0.505 * this.thickness : 0;
    }

    // A convex body by its corners.
    hull(shape, holder) {
        if (this.scene.plane) {
            this.plate(convexHull(shape.points || []), shape.body, holder);
            return;
        }
        const geometry = hullGeometry(shape.points || []);
        this.add(holder, geometry, this.materials.plain(shape.body));
        holder.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 5),
            this.materials.edge(shape.body)));
    }

    point(shape, holder) {
        // Points lie on each other where bodies are joined: one picks what they stand on.
        this.dot(shape, holder, 0.007 * this.unit).raycast = () => {};
    }

    marker(shape, holder) {
        this.dot(shape, holder, Math.max(shape.radius || 0, 0.015 * this.unit));
    }

    dot(shape, holder, radius) {
        const mesh = this.add(holder, this.scene.plane ? this.disc : this.ball,
            this.materials.line(shape.body));
        mesh.scale.set(radius, radius, this.scene.plane ? this.thickness * 1.04 : radius);
        return mesh;
    }
}

// Faces of the convex hull of a few points in space: every triangle with all points on one side.
function hullGeometry(points) {
    const corners = points.map((p) => new THREE.Vector3().fromArray(p));
    const size = new THREE.Box3().setFromPoints(corners).getSize(new THREE.Vector3()).length();
    const positions = [];
    const normal = new THREE.Vector3();
    const edge = new THREE.Vector3();
    for (let i = 0; i < corners.length; i++) {
        for (let j = 0; j < corners.length; j++) {
            for (let k = j + 1; k < corners.length; k++) {
                if (i >= j) {
                    continue;
                }
                edge.subVectors(corners[j], corners[i]);
                normal.subVectors(corners[k], corners[i]);
                normal.crossVectors(edge, normal).normalize();
                const sides = corners.map((p) => edge.subVectors(p, corners[i]).dot(normal));
                const above = sides.some((s) => s > 1e-6 * size);
                const below = sides.some((s) => s < -1e-6 * size);
                if (normal.length() > 0 && !(above && below)) {
                    const face = above ? [i, k, j] : [i, j, k];
                    face.forEach((c) => positions.push(...corners[c].toArray()));
                }
            }
        }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    geometry.computeVertexNormals();
    return geometry;
}
