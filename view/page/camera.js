// Where one looks from: flat (straight at the plane) or in space, by mouse, touch and wheel.

const FIELD_OF_VIEW = 30;  // degrees
const TOOLS_WIDTH = 90;    // px, at both sides together
const FIT_MARGIN = 1.18;   // of a picture that fits, in sizes of what it shows

class Camera {
    constructor(scene, extent, canvas) {
        this.extent = extent;
        this.canvas = canvas;
        this.flat = Boolean(scene.plane);
        this.target = new THREE.Vector3();
        this.height = 1;      // of the picture, at the target, in metres
        this.yaw = 0;
        this.pitch = 0;
        this.up = upOf(scene);
        this.right = Math.abs(this.up.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
        this.right.addScaledVector(this.up, -this.right.dot(this.up)).normalize();
        this.towards = new THREE.Vector3().crossVectors(this.right, this.up);
        this.orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
        this.perspective = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 10);
        this.direction = new THREE.Vector3();
        this.axis_x = new THREE.Vector3();
        this.axis_y = new THREE.Vector3();
        this.aspect = 1;
        this.moved = () => {};   // the view has changed
        this.clicked = () => {}; // (x, y): a click or tap that moved nothing
        this.setFlat(this.flat);
        this.listen();
    }

    get camera() {
        return this.flat ? this.orthographic : this.perspective;
    }

    setFlat(flat) {
        this.flat = flat;
        this.yaw = flat ? 0 : -0.6;
        this.pitch = flat ? 0 : 0.35;
        this.update();
    }

    update() {
        const {yaw, pitch, direction, camera} = this;
        direction.set(0, 0, 0).addScaledVector(this.towards, Math.cos(pitch) * Math.cos(yaw))
            .addScaledVector(this.right, Math.cos(pitch) * Math.sin(yaw))
            .addScaledVector(this.up, Math.sin(pitch));
        const span = this.extent.size + this.height;
        const distance = this.flat ? 2 * span
            : this.height / 2 / Math.tan(FIELD_OF_VIEW * Math.PI / 360);
        camera.up.copy(this.up);
        camera.position.copy(this.target).addScaledVector(direction, distance);
        camera.lookAt(this.target);
        if (this.flat) {
            camera.left = -this.aspect * this.height / 2;
            camera.right = -camera.left;
            camera.top = this.height / 2;
            camera.bottom = -camera.top;
            camera.near = 0.01 * span;
            camera.far = 4 * span;
        } else {
            camera.aspect = this.aspect;
            camera.near = Math.max(distance - 2 * span, 0.005 * distance);
            camera.far = distance + 4 * span;
        }
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld();
        this.axis_x.setFromMatrixColumn(camera.matrixWorld, 0);
        this.axis_y.setFromMatrixColumn(camera.matrixWorld, 1);
    }

    // Puts the box into the picture.
    fit(box) {
        box.getCenter(this.target);
        this.update();
        const corner = new THREE.Vector3();
        // Beside the tools there is less width; what is nearer to the eye looks larger.
        const usable = this.aspect * Math.max(0.5, 1 - TOOLS_WIDTH / (this.canvas.clientWidth || 1));
        const slope = this.flat ? 0 : Math.tan(FIELD_OF_VIEW * Math.PI / 360);
        let half = 1e-9;
        for (const c of boxCorners(box)) {
            corner.subVectors(c, this.target);
            const across = Math.max(Math.abs(corner.dot(this.axis_x)) / usable,
                Math.abs(corner.dot(this.axis_y)));
            half = Math.max(half, FIT_MARGIN * across + slope * corner.dot(this.direction));
        }
        this.height = 2 * half;
        this.update();
        this.moved();
    }

    resize(width, height) {
        this.aspect = width / height;
        this.update();
    }

    metresPerPixel() {
        return this.height / Math.max(1, this.canvas.clientHeight);
    }

    pan(dx, dy) {
        const scale = this.metresPerPixel();
        this.target.addScaledVector(this.axis_x, -dx * scale).addScaledVector(this.axis_y, dy * scale);
    }

    orbit(dx, dy) {
        this.yaw -= 0.008 * dx;
        this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + 0.008 * dy));
    }

    // Zooms so that what is under the pixel (x, y) stays there.
    zoom(factor, x, y) {
        const box = this.canvas.getBoundingClientRect();
        const dx = x - box.left - box.width / 2;
        const dy = y - box.top - box.height / 2;
        this.pan(-dx, -dy);
        this.height = Math.max(1e-4 * this.extent.unit,
            Math.min(100 * this.extent.size, this.height * factor));
        this.pan(dx, dy);
    }

    listen() {
        const {canvas} = this;
        this.pointers = new Map();
        canvas.addEventListener("pointerdown", (event) => this.press(event));
        canvas.addEventListener("pointermove", (event) => this.drag(event));
        for (const type of ["pointerup", "pointercancel"]) {
            canvas.addEventListener(type, (event) => this.release(event));
        }
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            const lines = event.deltaMode === 1 ? 30 : 1;
            this.zoom(Math.exp(0.0014 * lines * event.deltaY), event.clientX, event.clientY);
            this.changed();
        }, {passive: false});
    }

    changed() {
        this.update();
        this.moved();
    }

    press(event) {
        this.canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        this.travel = this.pointers.size === 1 ? 0 : Infinity;
    }

    drag(event) {
        const last = this.pointers.get(event.pointerId);
        if (!last) {
            return;
        }
        const dx = event.clientX - last.x;
        const dy = event.clientY - last.y;
        this.travel += Math.abs(dx) + Math.abs(dy);
        const other = [...this.pointers].find(([id]) => id !== event.pointerId);
        if (other) {
            const {x, y} = other[1];
            const before = Math.hypot(last.x - x, last.y - y);
            const after = Math.hypot(event.clientX - x, event.clientY - y);
            this.zoom(before / Math.max(1, after), x, y);
            this.pan(dx / 2, dy / 2);
        } else if (this.travel > 4) {
            if (this.flat || event.shiftKey || (event.buttons & 6)) {
                this.pan(dx, dy);
            } else {
                this.orbit(dx, dy);
            }
        }
        last.x = event.clientX;
        last.y = event.clientY;
        this.changed();
    }

    release(event) {
        const known = this.pointers.delete(event.pointerId);
        if (known && event.type === "pointerup" && this.travel <= 4) {
            this.clicked(event.clientX, event.clientY);
        }
    }
}

// Up is where gravity does not pull; in the plane it is y.
function upOf(scene) {
    const gravity = new THREE.Vector3().fromArray(scene.gravity);
    if (scene.plane) {
        return new THREE.Vector3(0, 1, 0);
    }
    return gravity.length() > 0 ? gravity.normalize().negate() : new THREE.Vector3(0, 0, 1);
}
