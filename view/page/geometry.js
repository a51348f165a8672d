// Geometries that three.js does not have ready: ribbons, plates, stripes of hatching, tubes.

// A strip of constant width along points [x, y] of the plane z = 0; corners are mitred.
function ribbonGeometry(points, half_width, closed) {
    const n = points.length;
    const positions = new Float32Array(n * 6);
    const indices = [];
    for (let i = 0; i < n; i++) {
        const before = points[i > 0 ? i - 1 : (closed ? n - 1 : 0)];
        const after = points[i < n - 1 ? i + 1 : (closed ? 0 : n - 1)];
        const [x, y] = points[i];
        let a = unit2(x - before[0], y - before[1]);
        let b = unit2(after[0] - x, after[1] - y);
        a = a || b || [1, 0];
        b = b || a;
        const miter = unit2(-(a[1] + b[1]), a[0] + b[0]) || [-a[1], a[0]];
        const stretch = Math.min(3, 1 / Math.max(0.2, miter[0] * -a[1] + miter[1] * a[0]));
        const dx = miter[0] * half_width * stretch;
        const dy = miter[1] * half_width * stretch;
        positions.set([x + dx, y + dy, 0, x - dx, y - dy, 0], i * 6);
        if (i < n - 1 || closed) {
            const p = 2 * i;
            const q = 2 * ((i + 1) % n);
            indices.push(p, p + 1, q, q, p + 1, q + 1);
        }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setIndex(indices);
    return geometry;
}

function unit2(x, y) {
    const length = Math.hypot(x, y);
    return length > 1e-300 ? [x / length, y / length] : null;
}

function arcPoints(radius, from, to, n) {
    const points = [];
    for (let i = 0; i <= n; i++) {
        const angle = from + (to - from) * i / n;
        points.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
    }
    return points;
}

function circlePoints(radius) {
    return arcPoints(radius, 0, 2 * Math.PI, 64).slice(0, -1);
}

// A plate of given thickness about z = 0, with one colour (white) for all its vertices.
function plateGeometry(outline, thickness, hole) {
    const toVectors = (points) => points.map(([x, y]) => new THREE.Vector2(x, y));
    const shape = new THREE.Shape(toVectors(outline));
    if (hole) {
        shape.holes.push(new THREE.Path(toVectors(hole)));
    }
    const geometry = new THREE.ExtrudeBufferGeometry(shape,
        {depth: thickness, bevelEnabled: false, steps: 1});
    geometry.translate(0, 0, -thickness / 2);
    return shadeVertices(geometry, () => 1);
}

// Vertex colours: grey of shadeOf(x, y, z), which a material multiplies with its colour.
function shadeVertices(geometry, shadeOf) {
    const position = geometry.attributes.position;
    const colours = new Float32Array(position.count * 3);
    for (let i = 0; i < position.count; i++) {
        const shade = shadeOf(position.getX(i), position.getY(i), position.getZ(i), i);
        colours.fill(shade, 3 * i, 3 * i + 3);
    }
    geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    return geometry;
}

// Shades whole triangles by where their middle is, so that the borders are sharp.
function shadeTriangles(indexed, shadeOf) {
    const geometry = indexed.index ? indexed.toNonIndexed() : indexed;
    const p = geometry.attributes.position;
    const middle = (i, get) => {
        const first = i - i % 3;
        return (p[get](first) + p[get](first + 1) + p[get](first + 2)) / 3;
    };
    return shadeVertices(geometry, (x, y, z, i) =>
        shadeOf(middle(i, "getX"), middle(i, "getY"), middle(i, "getZ")));
}

const QUARTER_SHADE = 0.8;  // brightness of the darker quarters that show how a round body turns

// A disc of radius 1 and thickness 1: unit for discs of all sizes. Its quarters differ in shade.
function discGeometry() {
    const geometry = new THREE.CylinderBufferGeometry(1, 1, 1, 64, 1);
    geometry.rotateX(Math.PI / 2);
    return shadeTriangles(geometry, (x, y) => (x * y > 0 ? 1 : QUARTER_SHADE));
}

// A ball of radius 1; its octants differ in shade.
function ballGeometry(n) {
    return shadeTriangles(new THREE.SphereBufferGeometry(1, n, n / 2),
        (x, y, z) => (x * y * z > 0 ? 1 : QUARTER_SHADE));
}

// Convex hull of points [x, y], counter-clockwise, without points on its sides.
function convexHull(points) {
    const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (list) => {
        const chain = [];
        for (const p of list) {
            while (chain.length > 1 && cross(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        return chain;
    };
    return half(sorted).concat(half(sorted.reverse()));
}

function polygonArea(points) {
    let sum = 0;
    for (let i = 0; i < points.length; i++) {
        const [x, y] = points[i];
        const [u, v] = points[(i + 1) % points.length];
        sum += x * v - y * u;
    }
    return sum / 2;
}

// Half the width of the line around an area: less than the pen's where the area is small or thin.
function rimWidth(points, pen) {
    const length = points.reduce((sum, [x, y], i) => {
        const [u, v] = points[(i + 1) % points.length];
        return sum + Math.hypot(u - x, v - y);
    }, 0);
    return Math.min(pen, 0.2 * Math.abs(polygonArea(points)) / Math.max(length, 1e-300));
}

function counterClockwise(points) {
    return polygonArea(points) < 0 ? points.slice().reverse() : points;
}

// Corners of a box in the plane.
function boxPoints(size) {
    const [x, y] = [size[0] / 2, size[size.length - 1] / 2];
    return [[-x, -y], [x, -y], [x, y], [-x, y]];
}

// A convex counter-clockwise polygon grown by `radius`, its corners round. Two points: a bar.
function roundedOutline(hull, radius) {
    const outline = [];
    const n = hull.length;
    for (let i = 0; i < n; i++) {
        const before = hull[(i + n - 1) % n];
        const [x, y] = hull[i];
        const after = hull[(i + 1) % n];
        const from = Math.atan2(y - before[1], x - before[0]) - Math.PI / 2;
        let to = Math.atan2(after[1] - y, after[0] - x) - Math.PI / 2;
        while (to < from) {
            to += 2 * Math.PI;
        }
        const steps = Math.max(1, Math.ceil((to - from) / 0.2));
        for (const [dx, dy] of arcPoints(radius, from, to, steps)) {
            outline.push([x + dx, y + dy]);
        }
    }
    return outline;
}

// Texture of slanted strokes that fade away from the surface; repeats along it.
function hatchTexture(colour) {
    const size = 64;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const pen = canvas.getContext("2d");
    pen.strokeStyle = colour;
    pen.lineWidth = 5;
    for (let x = -size; x <= 2 * size; x += size / 2) {
        pen.beginPath();
        pen.moveTo(x, size);
        pen.lineTo(x + size, 0);
        pen.stroke();
    }
    pen.globalCompositeOperation = "source-over";
    pen.globalAlpha = 0.35;
    pen.fillStyle = colour;
    pen.fillRect(0, 0, size, size);
    pen.globalAlpha = 1;
    pen.globalCompositeOperation = "destination-in";
    const fade = pen.createLinearGradient(0, 0, 0, size);
    fade.addColorStop(0, "rgba(0,0,0,0.65)");
    fade.addColorStop(1, "rgba(0,0,0,0)");
    pen.fillStyle = fade;
    pen.fillRect(0, 0, size, size);
    const texture = new THREE.CanvasTexture(canvas);
    texture.wrapS = THREE.RepeatWrapping;
    texture.anisotropy = 4;
    return texture;
}

// Texture of a floor in space: a grid that fades towards the rim.
function gridTexture(colour, n_cells) {
    const size = 1024;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const pen = canvas.getContext("2d");
    pen.globalAlpha = 0.22;
    pen.fillStyle = colour;
    pen.fillRect(0, 0, size, size);
    pen.globalAlpha = 0.5;
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    for (let i = 0; i <= n_cells; i++) {
        const x = 1 + (size - 2) * i / n_cells;
        pen.strokeRect(x, -5, 0, size + 10);
        pen.strokeRect(-5, x, size + 10, 0);
    }
    pen.globalAlpha = 1;
    pen.globalCompositeOperation = "destination-in";
    const fade = pen.createRadialGradient(size / 2, size / 2, size / 4, size / 2, size / 2, size / 2);
    fade.addColorStop(0, "rgba(0,0,0,1)");
    fade.addColorStop(1, "rgba(0,0,0,0.12)");
    pen.fillStyle = fade;
    pen.fillRect(0, 0, size, size);
    const texture = new THREE.CanvasTexture(canvas);
    texture.anisotropy = 4;
    return texture;
}

// A stripe below the polyline `points` [x, y], `depth` wide, with texture coordinates of hatching.
function hatchGeometry(points, depth) {
    const n = points.length;
    const positions = new Float32Array(n * 6);
    const uvs = new Float32Array(n * 4);
    const indices = [];
    let length = 0;
    for (let i = 0; i < n; i++) {
        const [x, y] = points[i];
        const a = points[Math.max(0, i - 1)];
        const b = points[Math.min(n - 1, i + 1)];
        const along = unit2(b[0] - a[0], b[1] - a[1]) || [1, 0];
        length += i > 0 ? Math.hypot(x - a[0], y - a[1]) : 0;
        positions.set([x, y, 0, x + along[1] * depth, y - along[0] * depth, 0], i * 6);
        uvs.set([length / depth, 1, length / depth, 0], i * 4);
        if (i < n - 1) {
            indices.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3);
        }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("uv", new THREE.BufferAttribute(uvs, 2));
    geometry.setIndex(indices);
    return geometry;
}

// A coil spring along x from 0 to `length`: straight ends, turns of the given radius.
function springGeometry(length, radius, wire, n_turns) {
    class Coil extends THREE.Curve {
        getPoint(s) {
            const inner = Math.min(1, Math.max(0, (s - 0.12) / 0.76));
            const grown = radius * Math.min(1, 12 * inner * (1 - inner));
            const angle = 2 * Math.PI * n_turns * inner;
            return new THREE.Vector3(length * s, grown * Math.sin(angle), grown * Math.cos(angle));
        }
    }
    return new THREE.TubeBufferGeometry(new Coil(), 18 * n_turns, wire, 6);
}

// A cylinder along z.
function tubeGeometry(radius, from, to, open) {
    const geometry = new THREE.CylinderBufferGeometry(radius, radius, to - from, 40, 1, open);
    geometry.rotateX(Math.PI / 2);
    geometry.translate(0, 0, (from + to) / 2);
    return geometry;
}

// A cylinder along x from 0 to 1.
function rodGeometry(radius) {
    const geometry = new THREE.CylinderBufferGeometry(radius, radius, 1, 16);
    geometry.rotateZ(-Math.PI / 2);
    geometry.translate(0.5, 0, 0);
    return geometry;
}

// A cylinder along z with half a ball on each end.
function capsuleGeometry(radius, length) {
    const n = 10;  // points of a quarter of a turn
    const profile = [];
    for (let i = 0; i <= 2 * n + 1; i++) {
        const upper = i > n;
        const angle = (i - (upper ? n + 1 : n)) / n * Math.PI / 2;
        profile.push(new THREE.Vector2(Math.max(0, radius * Math.cos(angle)),
            radius * Math.sin(angle) + (upper ? length / 2 : -length / 2)));
    }
    const geometry = new THREE.LatheBufferGeometry(profile, 40);
    geometry.rotateX(Math.PI / 2);
    return geometry;
}

// Triangles of a mesh in the making: positions and normals, three numbers for each corner.
class TriangleList {
    constructor() {
        this.positions = [];
        this.normals = [];
    }

    corner(point, normal, distance) {
        this.positions.push(point.x + distance * normal.x, point.y + distance * normal.y,
            point.z + distance * normal.z);
        this.normals.push(normal.x, normal.y, normal.z);
    }

    geometry() {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.Float32BufferAttribute(this.positions, 3));
        geometry.setAttribute("normal", new THREE.Float32BufferAttribute(this.normals, 3));
        return geometry;
    }
}

// A convex body by its corners and faces (lists of corners, counter-clockwise seen from outside);
// rounded by a radius: faces move out by it, edges become pieces of cylinders, corners balls.
function hullGeometry(points, faces, radius) {
    const corners = points.map((p) => new THREE.Vector3().fromArray(p));
    const normals = faces.map((face) => faceNormal(corners, face));
    const list = new TriangleList();
    faces.forEach((face, f) => {
        for (let i = 1; i + 1 < face.length; i++) {
            for (const c of [face[0], face[i], face[i + 1]]) {
                list.corner(corners[c], normals[f], radius);
            }
        }
    });
    if (radius > 0) {
        addRoundEdges(corners, faces, normals, radius, list);
        addRoundCorners(corners, radius, list);
    }
    return list.geometry();
}

// Newell's: the sum over the sides, which no single short side spoils.
function faceNormal(corners, face) {
    const normal = new THREE.Vector3();
    const product = new THREE.Vector3();
    for (let i = 0; i < face.length; i++) {
        normal.add(product.crossVectors(corners[face[i]], corners[face[(i + 1) % face.length]]));
    }
    return normal.normalize();
}

function addRoundEdges(corners, faces, normals, radius, list) {
    const left_of = new Map();  // the face that has an edge from one corner to another
    faces.forEach((face, f) => face.forEach((a, i) =>
        left_of.set(a + " " + face[(i + 1) % face.length], f)));
    for (const [edge, f] of left_of) {
        const [a, b] = edge.split(" ").map(Number);
        const other = left_of.get(b + " " + a);
        if (a > b || other === undefined) {
            continue;
        }
        const n = Math.max(1, Math.ceil(normals[f].angleTo(normals[other]) / 0.2));
        for (let i = 0; i < n; i++) {
            const from = normals[f].clone().lerp(normals[other], i / n).normalize();
            const to = normals[f].clone().lerp(normals[other], (i + 1) / n).normalize();
            for (const [c, normal] of [[b, from], [a, from], [a, to], [b, from], [a, to], [b, to]]) {
                list.corner(corners[c], normal, radius);
            }
        }
    }
}

function addRoundCorners(corners, radius, list) {
    const fine = corners.length > 100 ? 8 : 16;
    const ball = new THREE.SphereBufferGeometry(1, fine, fine / 2).toNonIndexed();
    const normal = new THREE.Vector3();
    for (const corner of corners) {
        for (let i = 0; i < ball.attributes.normal.count; i++) {
            normal.fromBufferAttribute(ball.attributes.normal, i);
            list.corner(corner, normal, radius);
        }
    }
}
