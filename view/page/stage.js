// The picture of the mechanism: renderer, light, names, picking, following.

const GOES_FAR = 7;  // way of the motion in sizes of the mechanism from which on one follows it

class Stage {
    constructor(scene, motion, theme) {
        this.scene = scene;
        this.motion = motion;
        this.theme = theme;
        this.canvas = document.getElementById("canvas");
        this.followed = -1;
        this.picked = -1;
        this.on_pick = () => {};
        this.context = this.canvas.getContext("webgl2", {antialias: true})
            || this.canvas.getContext("webgl", {antialias: true});
        if (this.context) {
            this.build();
        }
    }

    get works() {
        return Boolean(this.context);
    }

    build() {
        this.renderer = new THREE.WebGLRenderer({canvas: this.canvas, context: this.context,
            antialias: true});
        this.renderer.debug.checkShaderErrors = false;  // asking for them would wait for the compiler
        this.world = new THREE.Scene();
        this.addLights();
        this.extent = new Extent(this.scene, this.motion);
        const materials = new Materials(this.theme);
        this.bodies = new Bodies(this.scene, this.motion, this.extent, materials, this.world);
        this.links = new Links(this.scene, this.extent, this.bodies, materials, this.world);
        this.contacts = new Contacts(this.scene, this.motion, this.extent, this.bodies, materials,
            this.world);
        this.trails = new Trails(this.motion, this.bodies, materials, this.world);
        this.view = new Camera(this.scene, this.extent, this.canvas);
        this.view.clicked = (x, y) => this.pick(x, y);
        this.names = new Names(this);
        this.compass = new Compass(this.scene, this.view);
        this.highlight = new THREE.BoxHelper(this.world, 0xffffff);
        this.highlight.visible = false;
        this.world.add(this.highlight);
        this.point = new THREE.Vector3();
        this.last = new THREE.Vector3();
        this.raycaster = new THREE.Raycaster();
        this.raycaster.linePrecision = 0.01 * this.extent.unit;
    }

    addLights() {
        this.world.add(new THREE.HemisphereLight(0xffffff, 0xaab2bc, 0.72));
        this.sun = new THREE.DirectionalLight(0xffffff, 0.5);
        this.world.add(this.sun, this.sun.target);
    }

    resize() {
        const {clientWidth, clientHeight} = this.canvas.parentElement;
        if (!this.works || clientWidth === 0 || clientHeight === 0) {
            return;
        }
        this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
        this.renderer.setSize(clientWidth, clientHeight, false);
        const first = this.view.aspect === 1 && this.view.height === 1;
        this.view.resize(clientWidth, clientHeight);
        if (first) {
            this.fit();
        }
    }

    fit() {
        this.view.fit(this.extent.box);
    }

    // Of a mechanism that goes far, all of its way would show it too small: a box about its start.
    goesFar() {
        return this.works && this.extent.size > GOES_FAR * this.extent.first_size;
    }

    fitStart() {
        const box = this.extent.first_box.clone();
        this.view.fit(box.expandByScalar(0.5 * this.extent.first_size));
    }

    draw(t, speed) {
        if (!this.works) {
            return;
        }
        const {view} = this;
        this.motion.seek(t);
        this.bodies.update();
        this.links.update();
        this.contacts.update(t, speed);
        this.trails.update();
        this.follow();
        this.contacts.faceCamera(view.camera.quaternion);
        this.sun.position.copy(view.target).addScaledVector(view.direction, this.extent.size)
            .addScaledVector(view.axis_x, -0.35 * this.extent.size)
            .addScaledVector(view.axis_y, 0.5 * this.extent.size);
        this.sun.target.position.copy(view.target);
        this.updateHighlight();
        this.renderer.render(this.world, view.camera);
        this.names.update();
        this.compass.update();
    }

    setPaper() {
        this.world.background = new THREE.Color(this.theme.scene("paper"));
        this.highlight.material.color.set(this.theme.scene("picked"));
    }

    // The view goes along with the followed body.
    follow() {
        if (this.followed < 0) {
            return;
        }
        this.bodies.centre(this.followed, this.point);
        this.view.target.add(this.point).sub(this.last);
        this.last.copy(this.point);
        this.view.update();
    }

    setFollowed(index, t) {
        this.followed = index;
        if (index >= 0 && this.works) {
            this.motion.seek(t);
            this.bodies.update();
            this.bodies.centre(index, this.last);
            this.view.target.copy(this.last);
            this.view.update();
        }
    }

    // Picks the body at a point of the window; returns its index or -1.
    pick(x, y) {
        const box = this.canvas.getBoundingClientRect();
        const at = new THREE.Vector2(2 * (x - box.left) / box.width - 1,
            1 - 2 * (y - box.top) / box.height);
        this.raycaster.setFromCamera(at, this.view.camera);
        const hits = this.raycaster.intersectObjects(this.world.children, true);
        let best = this.bodies.instances.pick(this.raycaster.ray);
        for (const hit of hits) {
            const body = bodyOf(hit.object);
            if (body > 0 && (!best || hit.distance < best.distance)) {
                best = {body, distance: hit.distance};
            }
        }
        this.setPicked(best ? best.body : -1);
        return this.picked;
    }

    // Where the centre of a body is in the window: [x, y] in pixels.
    project(index) {
        const box = this.canvas.getBoundingClientRect();
        this.bodies.centre(index, this.point).project(this.view.camera);
        return [box.left + (this.point.x + 1) * box.width / 2,
            box.top + (1 - this.point.y) * box.height / 2];
    }

    setPicked(index) {
        this.picked = index;
        this.on_pick(index);
    }

    updateHighlight() {
        const group = this.picked >= 0 ? this.bodies.groups[this.picked] : null;
        this.highlight.visible = Boolean(group && group.children.length > 0);
        if (this.highlight.visible) {
            this.highlight.setFromObject(group);
        }
    }

    showSymbols(visible) {
        this.links.show(visible);
        for (const symbol of this.bodies.symbols) {
            symbol.visible = visible;
        }
    }
}

// The body that an object belongs to; symbols of joints and forces belong to none.
function bodyOf(object) {
    for (let o = object; o && !o.userData.symbol; o = o.parent) {
        if (o.userData.body !== undefined) {
            return o.userData.body;
        }
    }
    return -1;
}

const MOST_NAMES = 40;

// Names beside the bodies: elements over the picture; one that would cover another is left out.
class Names {
    constructor(stage) {
        this.stage = stage;
        this.holder = document.getElementById("labels");
        this.point = new THREE.Vector3();
        this.labels = [];
        stage.scene.bodies.forEach((body, index) => {
            if (index > 0 && this.labels.length < MOST_NAMES) {
                const element = document.createElement("span");
                element.textContent = body.name;
                this.holder.append(element);
                this.labels.push({element, index, x: 0, y: 0, width: 0, shown: true});
            }
        });
        const few = stage.scene.bodies.length <= MOST_NAMES;
        this.show(few);
        document.getElementById("show_labels").setAttribute("aria-pressed", few);
    }

    show(visible) {
        this.visible = visible;
        this.holder.hidden = !visible;
    }

    update() {
        if (!this.visible) {
            return;
        }
        const {stage} = this;
        const width = stage.canvas.clientWidth;
        const height = stage.canvas.clientHeight;
        for (let i = 0; i < this.labels.length; i++) {
            const label = this.labels[i];
            label.width = label.width || label.element.offsetWidth;
            stage.bodies.centre(label.index, this.point).project(stage.view.camera);
            label.x = (this.point.x + 1) * width / 2 + 9;
            label.y = (1 - this.point.y) * height / 2 - 20;
            const shown = this.isFree(i) && Math.abs(this.point.z) <= 1
                && label.x > 0 && label.x + label.width < width;
            if (shown !== label.shown) {
                label.element.style.visibility = shown ? "" : "hidden";
                label.shown = shown;
            }
            if (shown) {
                label.element.style.transform = `translate(${label.x.toFixed(1)}px,${label.y.toFixed(1)}px)`;
            }
        }
    }

    isFree(i) {
        const a = this.labels[i];
        for (let j = 0; j < i; j++) {
            const b = this.labels[j];
            if (b.shown && Math.abs(a.y - b.y) < 16 && a.x < b.x + b.width && b.x < a.x + a.width) {
                return false;
            }
        }
        return true;
    }
}
