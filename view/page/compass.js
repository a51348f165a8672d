// The small figure in the corner: the axes of the world and the direction of gravity.

const COMPASS_LENGTH = 18;  // px

class Compass {
    constructor(scene, view) {
        this.view = view;
        this.arrows = [];
        this.drawn = "";
        const SVG = "http://www.w3.org/2000/svg";
        const svg = document.createElementNS(SVG, "svg");
        svg.setAttribute("viewBox", "-30 -30 60 60");
        const gravity = new THREE.Vector3().fromArray(scene.gravity);
        const directions = [["x", new THREE.Vector3(1, 0, 0)], ["y", new THREE.Vector3(0, 1, 0)],
            ["z", new THREE.Vector3(0, 0, 1)]];
        if (gravity.length() > 0) {
            directions.push(["g", gravity.normalize()]);
        }
        for (const [name, direction] of directions) {
            const line = document.createElementNS(SVG, "path");
            const text = document.createElementNS(SVG, "text");
            line.setAttribute("class", name);
            text.setAttribute("class", name);
            text.textContent = name;
            svg.append(line, text);
            this.arrows.push({line, text, direction});
        }
        const root = document.getElementById("gravity");
        root.setAttribute("aria-label", gravity.length() > 0 ? "Axes and direction of gravity" : "Axes");
        root.append(svg);
        root.hidden = false;
    }

    update() {
        const {axis_x, axis_y, yaw, pitch, flat} = this.view;
        const key = `${yaw} ${pitch} ${flat}`;
        if (key === this.drawn) {
            return;
        }
        this.drawn = key;
        for (const {line, text, direction} of this.arrows) {
            const x = direction.dot(axis_x);
            const y = -direction.dot(axis_y);
            const length = Math.hypot(x, y);
            const hidden = length < 0.15;
            line.style.display = text.style.display = hidden ? "none" : "";
            if (hidden) {
                continue;
            }
            const [u, v] = [x * COMPASS_LENGTH, y * COMPASS_LENGTH];
            const [a, b] = [4.5 * x / length, 4.5 * y / length];
            line.setAttribute("d", `M0 0L${u} ${v}M${u - a - 0.6 * b} ${v - b + 0.6 * a}L${u} ${v}`
                + `L${u - a + 0.6 * b} ${v - b - 0.6 * a}`);
            text.setAttribute("x", u + 8 * x / length);
            text.setAttribute("y", v + 8 * y / length);
        }
    }
}
