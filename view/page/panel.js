// The side panel: its plots, the span of time they share, and the list of outputs to choose from.

const MOST_ROWS = 400;  // of the list; more are found by searching

class Panel {
    constructor(scene, motion, theme) {
        this.scene = scene;
        this.motion = motion;
        this.theme = theme;
        this.span = [motion.start, motion.stop > motion.start ? motion.stop : motion.start + 1];
        this.plots = [];
        this.holder = document.getElementById("plots");
        this.target = document.getElementById("target");
        this.chooser = document.getElementById("chooser");
        this.scrub = () => {};
        this.indices = new Map(scene.outputs.map((output, i) => [output.name, i]));
        for (const names of this.initialPlots()) {
            this.addPlot(names);
        }
        this.listen();
        new ResizeObserver(() => this.draw()).observe(this.holder);
        theme.onChange(() => this.draw());
    }

    indexOf(name) {
        return this.indices.get(name);
    }

    // What the command asked for; else positions, contact forces and energy, as far as there are any.
    initialPlots() {
        const asked = this.scene.plots.map((names) => names.filter((name) => this.indices.has(name)))
            .filter((names) => names.length > 0);
        if (asked.length > 0) {
            return asked;
        }
        const moving = this.scene.bodies
            .filter((body) => body.pose !== undefined || body.line !== undefined).map((b) => b.name);
        const find = (accept, most) => this.scene.outputs.map((output) => output.name).filter(accept)
            .slice(0, most);
        const of = (suffixes) => find((name) => {
            const dot = name.lastIndexOf(".");
            return moving.includes(name.slice(0, dot)) && suffixes.includes(name.slice(dot + 1));
        }, 4);
        const plots = [of(["x", "y", "z", "last_x", "last_y", "last_z"]), of(["angle", "quaternion_0"]),
            find((name) => /^[^[]*\.(total_)?normal_force$/.test(name), 4),
            find((name) => /^energy\.(kinetic|potential|total)$/.test(name), 3),
            find((name) => /^solver\.(penetration|joint_violation)$/.test(name), 2)];
        const chosen = plots.filter((names) => names.length > 0).slice(0, 4);
        return chosen.length > 0 ? chosen : [find(() => true, 3)].filter((names) => names.length > 0);
    }

    addPlot(names) {
        const plot = new Plot(this, names);
        this.plots.push(plot);
        this.holder.append(plot.root);
        return plot;
    }

    remove(plot, name) {
        plot.removeCurve(name);
        if (plot.curves.length === 0) {
            plot.root.remove();
            this.plots.splice(this.plots.indexOf(plot), 1);
        }
        this.changed();
    }

    changed() {
        this.listTargets();
        this.listOutputs();
        this.draw();
    }

    draw() {
        for (const plot of this.plots) {
            plot.draw();
            plot.updateCursor(this.time || this.motion.start);
        }
    }

    updateCursor(t) {
        this.time = t;
        for (const plot of this.plots) {
            plot.updateCursor(t);
        }
    }

    // --- the span of time -----------------------------------------------------------------------

    setSpan(from, to) {
        const {start, stop} = this.motion;
        const least = 1e-6 * (stop - start) || 1e-6;
        this.span = [Math.max(start, from), Math.min(Math.max(stop, start + least), to)];
        if (this.span[1] - this.span[0] < least) {
            this.span[1] = this.span[0] + least;
        }
        this.draw();
    }

    zoom(factor, t) {
        const [from, to] = this.span;
        this.setSpan(t - (t - from) * factor, t + (to - t) * factor);
    }

    showAll() {
        this.setSpan(this.motion.start, this.motion.stop);
    }

    // --- the list of outputs --------------------------------------------------------------------

    listen() {
        const on = (id, type, action) => document.getElementById(id).addEventListener(type, action);
        on("zoom_in", "click", () => this.zoom(0.5, this.time));
        on("zoom_out", "click", () => this.zoom(2, this.time));
        on("zoom_all", "click", () => this.showAll());
        on("choose", "click", () => this.toggleChooser());
        on("search", "input", () => this.listOutputs());
        on("target", "change", () => this.listOutputs());
    }

    toggleChooser() {
        this.chooser.hidden = !this.chooser.hidden;
        const button = document.getElementById("choose");
        button.setAttribute("aria-expanded", !this.chooser.hidden);
        button.textContent = this.chooser.hidden ? "Outputs…" : "Done";
        if (!this.chooser.hidden) {
            this.listTargets();
            this.listOutputs();
            document.getElementById("search").focus();
        }
    }

    listTargets() {
        const chosen = this.target.value;
        const choices = this.plots.map((plot, i) => new Option("plot " + (i + 1), String(i)));
        choices.push(new Option("new plot", "new"));
        this.target.replaceChildren(...choices);
        this.target.value = choices.some((choice) => choice.value === chosen) ? chosen
            : choices[0].value;
    }

    listOutputs() {
        if (this.chooser.hidden) {
            return;
        }
        const wanted = document.getElementById("search").value.toLowerCase().split(/\s+/);
        const groups = new Map();
        let count = 0;
        for (const output of this.scene.outputs) {
            const text = (output.name + " " + (output.help || "")).toLowerCase();
            if (wanted.every((word) => text.includes(word)) && count++ < MOST_ROWS) {
                const group = output.group || output.name.split(".")[0];
                groups.set(group, (groups.get(group) || []).concat(output));
            }
        }
        const holder = document.getElementById("outputs");
        holder.replaceChildren();
        for (const [name, outputs] of groups) {
            const group = element("fieldset");
            group.append(element("legend", "", name), ...outputs.map((o) => this.outputRow(o)));
            holder.append(group);
        }
        if (this.scene.n_more_outputs > 0) {
            holder.append(element("p", "note", `${this.scene.n_more_outputs} more were left out when `
                + "the page was written, to keep it small."));
        }
        if (count === 0 || count > MOST_ROWS) {
            holder.append(element("p", "note", count === 0 ? "No output has all these words."
                : `${count - MOST_ROWS} more: search to see them.`));
        }
    }

    outputRow(output) {
        const plot = this.plots[Number(this.target.value)];
        const row = element("label", "output");
        const box = document.createElement("input");
        box.type = "checkbox";
        box.checked = Boolean(plot && plot.has(output.name));
        box.addEventListener("change", () => this.choose(output.name, box.checked));
        const short = output.name.slice(output.name.lastIndexOf(".") + 1);
        const unit = output.unit && output.unit !== "1" ? output.unit : "";
        row.title = output.help || "";
        row.append(box, element("span", "", short), element("small", "", unit));
        return row;
    }

    choose(name, wanted) {
        let plot = this.plots[Number(this.target.value)];
        if (!wanted) {
            this.remove(plot, name);
            return;
        }
        if (!plot) {
            plot = this.addPlot([]);
            this.listTargets();
            this.target.value = String(this.plots.length - 1);
        }
        plot.add(name);
        this.changed();
    }
}
