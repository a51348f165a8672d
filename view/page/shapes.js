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
            cylinder: this.pin, capsule: this.capsule, hull: this.hull,
            polygon: this.area, outline: this.area, segment: this.area, arc: this.area,
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
    outline(points, body, holder, half_width = this.pen) {
        const mesh = this.add(holder, ribbonGeometry(points, half_width, true),
            this.materials.line(body));
        mesh.position.z = this.thickness * 0.505;
        return mesh;
    }

    plate(points, body, holder, hole) {
        const geometry = plateGeometry(points, this.thickness, hole);
        this.add(holder, geometry, this.materials.fill(body));
        this.edges(geometry, 30, body, holder);
        const half_width = hole ? this.pen : rimWidth(points, this.pen);
        this.outline(points, body, holder, half_width);
        if (hole) {
            this.outline(hole, body, holder, half_width);
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
        this.outline(circlePoints(Math.max(r - this.pen, 0.5 * r)), shape.body, holder);
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
        const geometry = this.solidGeometry(shape);
        this.add(holder, geometry, this.materials.fill(shape.body));
        this.edges(geometry, 30, shape.body, holder);
    }

    solidTube(shape, from, to, holder) {
        const geometry = tubeGeometry(shape.radius, from, to, false);
        this.add(holder, geometry, this.materials.plain(shape.body));
        this.edges(geometry, 30, shape.body, holder);
    }

    // Lines where two faces meet at this angle (degrees) at least.
    edges(geometry, angle, body, holder) {
        holder.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, angle),
            this.materials.edge(body)));
    }

    capsule(shape, holder) {
        this.add(holder, this.solidGeometry(shape), this.materials.fill(shape.body));
    }

    // Shapes of space with ends, coloured for the material fill.
    solidGeometry(shape) {
        const length = shape.size ? shape.size[0] : 0;
        const radius = shape.radius || 0;
        const turning = (x, y) => (x * y > 0 ? 1 : QUARTER_SHADE);
        switch (shape.kind) {
        case "capsule":
            return shadeTriangles(capsuleGeometry(radius, length), turning);
        case "hull":
            return shadeVertices(hullGeometry(shape.points, shape.faces, radius), () => 1);
        default:
            return shadeTriangles(tubeGeometry(radius, -length / 2, length / 2, false), turning);
        }
    }

    box(shape, holder) {
        const size = shape.size || [shape.radius, shape.radius, shape.radius];
        if (this.scene.plane) {
            this.plate(boxPoints(size), shape.body, holder);
            return;
        }
        const geometry = new THREE.BoxBufferGeometry(size[0], size[1], size[2]);
        this.add(holder, geometry, this.materials.plain(shape.body));
        this.edges(geometry, 1, shape.body, holder);
    }

    // What is bounded by points in the plane; two points alone are a wall without thickness.
    area(shape, holder) {
        const points = shape.points || [];
        if (points.length < 3) {
            this.polyline(shape, holder);
            return;
        }
        this.plate(counterClockwise(points), shape.body, holder, shape.hole);
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

    hull(shape, holder) {
        if (!shape.points || !shape.faces) {
            this.marker(shape, holder);
            return;
        }
        const geometry = this.solidGeometry(shape);
        this.add(holder, geometry, this.materials.fill(shape.body));
        if (!(shape.radius > 0)) {
            this.edges(geometry, 8, shape.body, holder);
        }
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
