// Plots of outputs over time, on canvases, with one span of time and one cursor for all of them.

const MARGIN = {left: 58, right: 10, top: 16, bottom: 20};  // px
const ROUNDING = 1e-13;  // smaller values are what rounding left

class Plot {
    constructor(panel, names) {
        this.panel = panel;
        this.curves = [];
        this.root = element("article", "plot");
        this.legend = element("div", "legend");
        this.frame = element("div", "frame");
        this.canvas = document.createElement("canvas");
        this.canvas.setAttribute("role", "img");
        this.cursor = element("div", "cursor");
        this.tip = element("div", "tip");
        this.tip.hidden = true;
        this.frame.append(this.canvas, this.cursor, this.tip);
        this.root.append(this.legend, this.frame);
        this.listen();
        names.forEach((name) => this.add(name));
    }

    has(name) {
        return this.curves.some((curve) => curve.output.name === name);
    }

    add(name) {
        const index = this.panel.indexOf(name);
        if (index === undefined || this.has(name)) {
            return;
        }
        const output = this.panel.scene.outputs[index];
        const colour = this.freeColour();
        const row = element("div", "curve");
        const swatch = element("i");
        const value = element("b");
        const label = element("span", "", name);
        row.title = [output.help, output.unit && output.unit !== "1" ? "in " + output.unit : ""]
            .filter(Boolean).join(", ");
        row.append(swatch, label, value, iconButton("close", "Remove " + name, () =>
            this.panel.remove(this, name)));
        this.legend.append(row);
        this.curves.push({output, index, colour, row, swatch, value, held: Boolean(output.values),
            values: this.panel.motion.output(index), low: 0, high: 0});
        this.describe();
    }

    freeColour() {
        let colour = 0;
        while (this.curves.some((curve) => curve.colour === colour)) {
            colour++;
        }
        return colour;
    }

    removeCurve(name) {
        const at = this.curves.findIndex((curve) => curve.output.name === name);
        if (at >= 0) {
            this.curves[at].row.remove();
            this.curves.splice(at, 1);
            this.describe();
        }
    }

    describe() {
        this.canvas.setAttribute("aria-label", "Plot of "
            + this.curves.map((curve) => curve.output.name).join(", ") + " over time");
    }

    get width() {
        return Math.max(10, this.frame.clientWidth - MARGIN.left - MARGIN.right);
    }

    get height() {
        return Math.max(10, this.frame.clientHeight - MARGIN.top - MARGIN.bottom);
    }

    xOf(t) {
        const [from, to] = this.panel.span;
        return MARGIN.left + (t - from) / (to - from) * this.width;
    }

    timeAt(client_x) {
        const [from, to] = this.panel.span;
        const x = client_x - this.frame.getBoundingClientRect().left - MARGIN.left;
        return from + Math.max(0, Math.min(1, x / this.width)) * (to - from);
    }

    listen() {
        const {frame, panel} = this;
        let from = null;
        frame.addEventListener("pointerdown", (event) => {
            frame.setPointerCapture(event.pointerId);
            from = this.timeAt(event.clientX);
            if (!event.shiftKey) {
                panel.scrub(from);
            }
        });
        frame.addEventListener("pointermove", (event) => {
            if (from !== null && !event.shiftKey) {
                panel.scrub(this.timeAt(event.clientX));
            }
            this.showTip(event);
        });
        frame.addEventListener("pointerup", (event) => {
            const to = this.timeAt(event.clientX);
            if (from !== null && event.shiftKey && from !== to) {
                panel.setSpan(Math.min(from, to), Math.max(from, to));
            }
            from = null;
        });
        frame.addEventListener("pointerleave", () => {
            this.tip.hidden = true;
        });
        frame.addEventListener("dblclick", () => panel.showAll());
        frame.addEventListener("wheel", (event) => {
            if (event.ctrlKey || event.shiftKey || event.altKey) {
                event.preventDefault();
                panel.zoom(Math.exp(0.002 * (event.deltaY || event.deltaX)), this.timeAt(event.clientX));
            }
        }, {passive: false});
    }

    showTip(event) {
        if (event.pointerType === "touch") {
            return;
        }
        const t = this.timeAt(event.clientX);
        this.tip.replaceChildren(element("div", "", "t = " + numberText(t, 5) + " s"));
        for (const curve of this.curves) {
            const row = element("div");
            const swatch = element("i");
            swatch.style.background = this.panel.theme.curve(curve.colour);
            row.append(swatch, curve.output.name + "  " + this.valueText(curve, t)
                + (curve.held ? "" : "   (" + numberText(curve.low, 4) + " … "
                    + numberText(curve.high, 4) + ")"));
            this.tip.append(row);
        }
        this.tip.hidden = false;
        const box = this.frame.getBoundingClientRect();
        const x = event.clientX - box.left;
        this.tip.style.left = Math.max(2, Math.min(x + 12, box.width - this.tip.offsetWidth - 4)) + "px";
        this.tip.style.top = "4px";
    }

    valueText(curve, t) {
        const value = this.panel.motion.valueAt(curve.index, t, curve.held);
        const size = Math.max(Math.abs(curve.low), Math.abs(curve.high));
        return curve.held ? String(curve.output.values[Math.round(value) - 1] || value)
            : numberText(Math.abs(value) < Math.max(1e-9 * size, ROUNDING) ? 0 : value, 4);
    }

    updateCursor(t) {
        const x = this.xOf(t);
        const inside = x >= MARGIN.left - 1 && x <= MARGIN.left + this.width + 1;
        this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
        this.cursor.style.opacity = inside ? 1 : 0;
        for (const curve of this.curves) {
            const text = this.valueText(curve, t);
            if (text !== curve.text) {
                curve.value.textContent = curve.text = text;
            }
        }
    }

    // --- drawing ------------------------------------------------------------------------------

    draw() {
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        const {clientWidth, clientHeight} = this.frame;
        if (clientWidth === 0 || clientHeight === 0) {
            return;
        }
        this.canvas.width = Math.round(clientWidth * ratio);
        this.canvas.height = Math.round(clientHeight * ratio);
        const pen = this.canvas.getContext("2d");
        pen.scale(ratio, ratio);
        this.measure();
        this.drawAxes(pen);
        pen.save();
        pen.beginPath();
        pen.rect(MARGIN.left, MARGIN.top - 2, this.width, this.height + 4);
        pen.clip();
        for (const curve of this.curves) {
            curve.swatch.style.background = this.panel.theme.curve(curve.colour);
            this.drawCurve(pen, curve);
        }
        pen.restore();
    }

    // Frames in the span of time, with one more at each side.
    frames() {
        const {motion, span} = this.panel;
        return [Math.max(0, motion.frameAt(span[0])),
            Math.min(motion.n_frames - 1, motion.frameAt(span[1]) + 1)];
    }

    measure() {
        const [first, last] = this.frames();
        let low = Infinity;
        let high = -Infinity;
        for (const curve of this.curves) {
            curve.low = Infinity;
            curve.high = -Infinity;
            for (let i = first; i <= last; i++) {
                const value = curve.values[i];
                if (value < curve.low) {
                    curve.low = value;
                }
                if (value > curve.high) {
                    curve.high = value;
                }
            }
            low = Math.min(low, curve.low);
            high = Math.max(high, curve.high);
        }
        if (!(low <= high) || !isFinite(low + high)) {
            [low, high] = [0, 1];
        }
        const enumeration = this.enumeration();
        if (enumeration) {
            [low, high] = [1, enumeration.length];
        }
        const size = Math.max(Math.abs(low), Math.abs(high));
        const flat = high - low < Math.max(1e-9 * size, ROUNDING);
        const pad = flat ? (size > ROUNDING ? 0.05 * size : 0.5) : 0.06 * (high - low);
        this.low = low - pad;
        this.high = high + pad;
    }

    // The words of the vertical axis, if all curves share them.
    enumeration() {
        const words = this.curves.map((curve) => curve.output.values);
        return words.length > 0 && words.every((w) => w && w.join() === words[0].join())
            ? words[0] : null;
    }

    yOf(value) {
        return MARGIN.top + (this.high - value) / (this.high - this.low) * this.height;
    }

    drawAxes(pen) {
        const style = getComputedStyle(this.root);
        const text = style.getPropertyValue("--soft");
        const line = style.getPropertyValue("--line");
        pen.font = "11px system-ui, sans-serif";
        pen.lineWidth = 1;
        pen.strokeStyle = line;
        pen.fillStyle = text;
        pen.textBaseline = "middle";
        pen.textAlign = "right";
        const words = this.enumeration();
        const ticks = words ? words.map((word, i) => i + 1)
            : niceTicks(this.low, this.high, Math.max(3, Math.floor(this.height / 26)));
        for (const tick of ticks) {
            const y = Math.round(this.yOf(tick)) + 0.5;
            this.stroke(pen, MARGIN.left, y, MARGIN.left + this.width, y);
            pen.fillText(words ? words[tick - 1] : tickText(tick, ticks), MARGIN.left - 6, y);
        }
        pen.textAlign = "center";
        pen.textBaseline = "top";
        const [from, to] = this.panel.span;
        for (const tick of niceTicks(from, to, Math.max(2, Math.floor(this.width / 70)))) {
            const x = Math.round(this.xOf(tick)) + 0.5;
            this.stroke(pen, x, MARGIN.top, x, MARGIN.top + this.height);
            if (x < MARGIN.left + this.width - 26) {
                pen.fillText(tickText(tick), x, MARGIN.top + this.height + 5);
            }
        }
        pen.textAlign = "right";
        pen.fillText("t / s", MARGIN.left + this.width, MARGIN.top + this.height + 5);
        const units = [...new Set(this.curves.map((curve) => curve.output.unit)
            .filter((unit) => unit && unit !== "1"))];
        pen.textBaseline = "middle";
        pen.textAlign = "left";
        pen.fillText(units.join(", "), 4, 7);
    }

    stroke(pen, x, y, u, v) {
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(u, v);
        pen.stroke();
    }

    // In each column of pixels the curve goes from its least to its largest value there.
    drawCurve(pen, curve) {
        const [first, last] = this.frames();
        const {time} = this.panel.motion;
        const {values} = curve;
        pen.strokeStyle = this.panel.theme.curve(curve.colour);
        pen.lineWidth = 1.6;
        pen.lineJoin = "round";
        pen.beginPath();
        let column = NaN;
        let [low, high, end] = [0, 0, 0];
        for (let i = first; i <= last; i++) {
            const x = this.xOf(time[i]);
            const value = values[i];
            if (Math.floor(x) !== column) {
                if (curve.held && i > first) {
                    pen.lineTo(x, this.yOf(end));
                }
                pen.lineTo(x, this.yOf(value));
                column = Math.floor(x);
                low = high = value;
            } else if (value < low || value > high) {
                pen.lineTo(x, this.yOf(value));
                low = Math.min(low, value);
                high = Math.max(high, value);
            } else if (i === last || Math.floor(this.xOf(time[i + 1])) !== column) {
                pen.lineTo(x, this.yOf(value));
            }
            end = value;
        }
        pen.stroke();
    }
}

// About n round numbers between low and high.
function niceTicks(low, high, n) {
    const rough = (high - low) / n;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = power * [1, 2, 5, 10].find((m) => m * power >= 0.999 * rough);
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
        ticks.push(i * step);
        if (ticks.length > 100) {
            break;
        }
    }
    return ticks;
}

function tickText(tick, ticks) {
    const step = ticks && ticks.length > 1 ? ticks[1] - ticks[0] : 0;
    const digits = step > 0 && tick !== 0
        ? Math.max(2, Math.ceil(Math.log10(Math.abs(tick) / step) + 1)) : 6;
    return numberText(Math.abs(tick) < 1e-9 * step ? 0 : tick, Math.min(digits, 8));
}
