// The card of the picked body, and the small texts over the picture.

class Inspector {
    constructor(scene, motion, stage) {
        this.scene = scene;
        this.motion = motion;
        this.stage = stage;
        this.root = document.getElementById("inspector");
        this.index = -1;
        this.follow = () => {};
        this.trail = () => {};
        this.outputs = new Map(scene.outputs.map((output, i) => [output.name, i]));
    }

    show(index) {
        this.index = index;
        this.root.hidden = index < 0;
        this.root.replaceChildren();
        if (index < 0) {
            return;
        }
        const body = this.scene.bodies[index];
        const head = element("div", "card_head");
        const close = iconButton("close", "Close", () => this.stage.setPicked(-1));
        head.append(element("strong", "", body.name), element("span", "kind",
            String(body.kind).replace(/_/g, " ")), close);
        this.table = element("dl");
        this.values = new Map();
        for (const [word] of this.rows()) {
            const value = element("dd");
            this.table.append(element("dt", "", word), value);
            this.values.set(word, value);
        }
        const actions = element("div", "actions");
        this.follow_button = textButton("Follow", () => this.follow(index));
        this.trail_button = textButton("Trail", () => this.trail(index));
        actions.append(this.follow_button, this.trail_button);
        this.root.append(head, this.table, actions);
        this.press();
    }

    press() {
        if (this.index >= 0) {
            this.follow_button.setAttribute("aria-pressed", this.stage.followed === this.index);
            this.trail_button.setAttribute("aria-pressed", this.stage.trails.has(this.index));
        }
    }

    // Words and values: the pose, and what the outputs know of the body's motion.
    rows(t = this.motion.start) {
        const body = this.scene.bodies[this.index];
        const p = this.stage.bodies.poses.subarray(7 * this.index, 7 * this.index + 7);
        const rows = [];
        if (body.line === undefined) {
            rows.push(["position", vectorText([p[0], p[1], p[2]], this.scene.plane) + " m"]);
            rows.push(this.scene.plane
                ? ["angle", numberText(2 * Math.atan2(p[6], p[3]) * 180 / Math.PI, 4) + "°"]
                : ["quaternion", [p[3], p[4], p[5], p[6]].map((x) => numberText(x, 3)).join("  ")]);
        }
        for (const [word, names, unit] of [
            ["velocity", ["velocity_x", "velocity_y", "velocity_z"], "m/s"],
            ["angular velocity", ["angular_velocity"], "rad/s"],
            ["angular velocity", ["angular_velocity_x", "angular_velocity_y", "angular_velocity_z"],
                "rad/s"]]) {
            const indices = names.map((name) => this.outputs.get(body.name + "." + name))
                .filter((index) => index !== undefined);
            if (indices.length > 0) {
                rows.push([word, vectorText(indices.map((i) => this.motion.valueAt(i, t, false)),
                    false) + " " + unit]);
            }
        }
        return rows;
    }

    update(t) {
        if (this.index < 0) {
            return;
        }
        for (const [word, text] of this.rows(t)) {
            this.values.get(word).textContent = text;
        }
    }
}

function vectorText(values, plane) {
    return (plane ? values.slice(0, 2) : values).map((x) => numberText(x, 4)).join("  ");
}

// A number with so many significant digits, with a true minus.
function numberText(x, digits) {
    if (!isFinite(x)) {
        return "–";
    }
    const size = Math.abs(x);
    const text = size !== 0 && (size >= 1e5 || size < 1e-4) ? x.toExponential(digits - 2)
        : String(Number(x.toPrecision(digits)));
    return text.replace(/-/g, "−");
}

function element(tag, name = "", text = "") {
    const made = document.createElement(tag);
    made.className = name;
    made.textContent = text;
    return made;
}

function textButton(text, action) {
    const button = element("button", "text", text);
    button.addEventListener("click", action);
    return button;
}

function iconButton(icon, label, action) {
    const button = element("button");
    setIcon(button, icon);
    button.setAttribute("aria-label", label);
    button.title = label;
    button.addEventListener("click", action);
    return button;
}

// Icons: paths in a square of 20.
const ICONS = {
    play: "M6 3.5v13l11-6.5z",
    pause: "M5.5 4h3.2v12H5.5zM11.3 4h3.2v12h-3.2z",
    back: "M14.5 4v12L7 10zM4.5 4h2v12h-2z",
    forward: "M5.5 4v12l7.5-6zM13.5 4h2v12h-2z",
    previous: "M10 4v12l-7-6zM17 4v12l-7-6z",
    next: "M3 4v12l7-6zM10 4v12l7-6z",
    plus: "M9 4h2v5h5v2h-5v5H9v-5H4V9h5z",
    minus: "M4 9h12v2H4z",
    close: "M5.4 4 10 8.6 14.6 4 16 5.4 11.4 10l4.6 4.6-1.4 1.4-4.6-4.6L5.4 16 4 14.6 8.6 10 4 5.4z",
    fit: "M3 3h5v1.8H4.8V8H3zM12 3h5v5h-1.8V4.8H12zM3 12h1.8v3.2H8V17H3zM15.2 12H17v5h-5v-1.8h3.2z",
    cube: "M10 2l7 4v8l-7 4-7-4V6zm0 2.1L6 6.4l4 2.3 4-2.3zM4.8 8v5l4.3 2.4v-5zm10.4 0-4.3 2.4v5l4.3-2.4z",
    label: "M3 5h9l5 5-5 5H3zm1.8 1.8v6.4h6.4l3.2-3.2-3.2-3.2zM7 8.8a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4z",
    force: "M10 2l4 5h-3v7.2H9V7H6zM3 16h14v1.8H3z",
    joint: "M10 3a3.4 3.4 0 0 1 1.6 6.4L15 15.2h2V17H3v-1.8h2l3.4-5.8A3.4 3.4 0 0 1 10 3zm0 1.8a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2zM10 10l-3 5.2h6z",
    trail: "M3 16c2-7 5-11 11-11.6V2.5L18 5.6l-4 3V6.3C9.5 6.9 6.6 10 4.8 16.5z",
    loop: "M6 5h8a4 4 0 0 1 0 10H9v2l-4-3 4-3v2.2h5a2.2 2.2 0 0 0 0-4.4H6A2.2 2.2 0 0 0 4 10H2.2A4 4 0 0 1 6 5z",
    plot: "M3 3h1.8v12.2H17V17H3zM6 12l3.2-4 2.8 2.2L15.5 5l1.5 1-4.6 6.7-2.9-2.3L7.4 13z",
    theme: "M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 1.8v12.4a6.2 6.2 0 0 0 0-12.4z",
    help: "M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 1.8a6.2 6.2 0 1 0 0 12.4 6.2 6.2 0 0 0 0-12.4zM9.1 13h1.8v1.8H9.1zM10 5.4c2 0 3.2 1.2 3.2 2.7 0 2.3-2.3 2.3-2.3 4H9.1c0-2.5 2.2-2.7 2.2-4 0-.7-.5-1.1-1.3-1.1S8.7 7.5 8.7 8.3H6.9c0-1.7 1.2-2.9 3.1-2.9z",
};

function setIcon(button, name) {
    const SVG = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 20 20");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", ICONS[name]);
    path.setAttribute("fill-rule", "evenodd");
    svg.append(path);
    button.replaceChildren(svg);
}
