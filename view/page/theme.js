// Colours, light and dark. States of contact and curves have those of Okabe and Ito, which people
// see apart who see few colours; bodies have muted ones, so that the states stand out.

const BODY_COLOURS = {
    light: [["#a9c1dc", "#33557c"], ["#d9c59a", "#6d5720"], ["#aecfb0", "#2f633a"],
        ["#cfb3cf", "#663f68"], ["#a5cfd0", "#20585c"], ["#dfb8a8", "#7b4530"],
        ["#c3c5b2", "#55573f"], ["#b9bde0", "#454a86"]],
    dark: [["#4f729b", "#8fb2dc"], ["#837044", "#cbb478"], ["#4e7b56", "#8cc496"],
        ["#7b5a7d", "#c59dc8"], ["#42787b", "#83c3c6"], ["#8e604e", "#d6a28d"],
        ["#6c6e59", "#b7ba9c"], ["#60679d", "#a7add9"]],
};
const CURVE_COLOURS = {
    light: ["#0072b2", "#d55e00", "#009e73", "#b0518a", "#a87400", "#2f8fc4", "#555555"],
    dark: ["#56b4e9", "#ff8a3d", "#2fcf9f", "#e39ac6", "#f0c541", "#9ad4f7", "#c8c8c8"],
};
const SCENE_COLOURS = {
    light: {paper: "#ffffff", ground: "#b8bec6", ground_line: "#59636e", link: "#5b6470",
        joint: "#ffffff", slip: "#d55e00", stick: "#0072b2", flash: "#e69f00", picked: "#111111",
        squeezed: "#0072b2", stretched: "#d55e00", relaxed: "#c9d3de"},
    dark: {paper: "#14181d", ground: "#3d454f", ground_line: "#9aa5b1", link: "#a7b1bd",
        joint: "#14181d", slip: "#ff8a3d", stick: "#56b4e9", flash: "#f0c541", picked: "#ffffff",
        squeezed: "#56b4e9", stretched: "#ff8a3d", relaxed: "#5b6875"},
};

class Theme {
    constructor() {
        this.chosen = "";  // light, dark, or what the system prefers
        this.listeners = [];
        this.system = window.matchMedia("(prefers-color-scheme: dark)");
        this.system.addEventListener("change", () => this.apply());
    }

    get name() {
        return this.chosen || (this.system.matches ? "dark" : "light");
    }

    choose(name) {
        this.chosen = name;
        this.apply();
    }

    toggle() {
        this.choose(this.name === "dark" ? "light" : "dark");
    }

    apply() {
        document.documentElement.dataset.theme = this.name;
        for (const listener of this.listeners) {
            listener();
        }
    }

    onChange(listener) {
        this.listeners.push(listener);
    }

    scene(role) {
        return SCENE_COLOURS[this.name][role];
    }

    // Fill or line colour of a body; what stands on the ground is grey.
    body(index, line) {
        if (index === 0) {
            return this.scene(line ? "ground_line" : "ground");
        }
        const colours = BODY_COLOURS[this.name];
        return colours[(index - 1) % colours.length][line ? 1 : 0];
    }

    curve(index) {
        const colours = CURVE_COLOURS[this.name];
        return colours[index % colours.length];
    }
}

// Materials that follow the theme: one per role, made when first asked for.
class Materials {
    constructor(theme) {
        this.theme = theme;
        this.made = new Map();
        theme.onChange(() => this.recolour());
    }

    get(key, colourOf, make) {
        let entry = this.made.get(key);
        if (!entry) {
            entry = {material: make(), colourOf};
            entry.material.color.set(colourOf());
            this.made.set(key, entry);
        }
        return entry.material;
    }

    recolour() {
        for (const {material, colourOf} of this.made.values()) {
            material.color.set(colourOf());
        }
    }

    // Materials of instances are their own: three.js makes one program for each material, and that of
    // a single mesh would draw all instances at one place.
    fill(body, instances = "") {
        return this.get("fill" + instances + this.shade(body), () => this.theme.body(body, false),
            () => new THREE.MeshLambertMaterial({vertexColors: THREE.VertexColors,
                side: THREE.DoubleSide}));
    }

    // Like fill, for geometries without colours of their own.
    plain(body) {
        return this.get("plain" + this.shade(body), () => this.theme.body(body, false),
            () => new THREE.MeshLambertMaterial({side: THREE.DoubleSide}));
    }

    glass(body) {
        return this.get("glass" + this.shade(body), () => this.theme.body(body, true),
            () => new THREE.MeshLambertMaterial({transparent: true, opacity: 0.16,
                side: THREE.DoubleSide, depthWrite: false}));
    }

    line(body, instances = "") {
        return this.get("line" + instances + this.shade(body), () => this.theme.body(body, true),
            () => new THREE.MeshBasicMaterial({side: THREE.DoubleSide}));
    }

    edge(body) {
        return this.get("edge" + this.shade(body), () => this.theme.body(body, true),
            () => new THREE.LineBasicMaterial({transparent: true, opacity: 0.55}));
    }

    shade(body) {
        return body === 0 ? "ground" : (body - 1) % BODY_COLOURS.light.length;
    }

    role(role, options) {
        return this.get(role + JSON.stringify(options || {}), () => this.theme.scene(role),
            () => new THREE.MeshBasicMaterial(Object.assign({side: THREE.DoubleSide}, options)));
    }

    solidRole(role) {
        return this.get("solid" + role, () => this.theme.scene(role),
            () => new THREE.MeshLambertMaterial({side: THREE.DoubleSide}));
    }
}
