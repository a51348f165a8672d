// Puts the parts together: start, keys, state in the address, and the interface for scripts.

const HELP = [
    ["space", "play or pause"], [", .", "one frame back or on"],
    ["← →", "a hundredth of the time back or on; with shift a tenth"], ["home, end", "start, end"],
    ["[ ]", "previous or next impact"], ["+ −", "faster, slower"], ["o", "loop"],
    ["f", "fit all into view"], ["v", "flat or in space"], ["g", "follow the picked body, or none"],
    ["t", "trail of the picked body, or of all"], ["l", "names"], ["c", "contact forces"],
    ["j", "joints and springs"], ["p", "plots"], ["d", "light or dark"],
    ["escape", "nothing picked; closes this"],
];
const HELP_MOUSE = [
    ["drag", "turns the view; of a flat one: moves it"],
    ["shift or right drag, two fingers", "moves the view"], ["wheel, pinch", "zooms"],
    ["click on a body", "picks it: pose, velocity, follow, trail"],
    ["click or drag in a plot", "goes to that time"],
    ["shift drag, ctrl wheel in a plot", "zooms its time; a double click shows all of it"],
];

class Page {
    constructor(scene, motion) {
        this.scene = scene;
        this.motion = motion;
        this.theme = new Theme();
        this.stage = new Stage(scene, motion, this.theme);
        const impacts = this.stage.works ? this.stage.contacts.impacts
            : scene.impacts.slice().sort((a, b) => a.time - b.time);
        this.player = new Player(scene, motion, impacts);
        this.panel = new Panel(scene, motion, this.theme);
        this.inspector = new Inspector(scene, motion, this.stage);
        this.dirty = true;
        this.connect();
        this.showTexts();
        this.listen();
        document.getElementById("app").hidden = false;
        this.layOut();
        this.readHash();
        this.theme.apply();
        if (this.stage.goesFar() && this.stage.followed < 0) {
            this.stage.fitStart();
            this.follow(scene.bodies.findIndex((body) => body.pose !== undefined));
        }
        requestAnimationFrame((now) => this.tick(now));
    }

    connect() {
        const {stage, player, panel, inspector, theme} = this;
        const redraw = () => {
            this.dirty = true;
        };
        player.changed = () => {
            redraw();
            this.hash_is_old = true;
        };
        panel.scrub = (t) => {
            player.pause();
            player.setTime(t);
        };
        theme.onChange(() => {
            if (stage.works) {
                stage.setPaper();
            }
            player.drawMarks();
            redraw();
        });
        inspector.follow = (index) => this.follow(stage.followed === index ? -1 : index);
        inspector.trail = (index) => this.trail([index]);
        if (stage.works) {
            stage.view.moved = redraw;
            stage.on_pick = (index) => {
                inspector.show(index);
                redraw();
            };
        }
        new ResizeObserver(() => this.layOut()).observe(document.getElementById("stage"));
    }

    // Another size clears the picture: it is drawn again before anybody sees that.
    layOut() {
        this.stage.resize();
        this.dirty = false;
        this.draw();
    }

    tick(now) {
        this.player.tick(now);
        if (this.dirty || this.player.playing) {
            this.dirty = false;
            this.draw();
        }
        if (this.hash_is_old && !this.player.playing) {
            this.writeHash();
        }
        requestAnimationFrame((later) => this.tick(later));
    }

    draw() {
        const {time, speed} = this.player;
        this.stage.draw(time, speed);
        this.player.showTime();
        this.panel.updateCursor(time);
        this.inspector.update(time);
    }

    // --- texts ------------------------------------------------------------------------------------

    showTexts() {
        const {scene} = this;
        const text = (id, words) => {
            document.getElementById(id).textContent = words;
        };
        document.title = String(scene.name || "Motion");
        text("title", document.title);
        text("description", scene.description || "");
        for (const button of document.querySelectorAll("[data-icon]")) {
            setIcon(button, button.dataset.icon);
        }
        const key = document.getElementById("key");
        for (const [role, words] of [["slip", "slips"], ["stick", "sticks"], ["flash", "impact"]]) {
            const item = element("span", role, words);
            item.prepend(element("i"));
            key.append(item);
        }
        key.hidden = scene.contacts.length <= (scene.n_untold_contacts || 0);
        if (scene.outputs.length === 0) {
            document.getElementById("app").classList.add("without_plots");
            document.getElementById("show_plots").hidden = true;
        }
        this.showNotices();
        this.fillHelp();
    }

    showNotices() {
        const notices = [];
        if (!this.stage.works) {
            notices.push("This browser shows no 3D graphics (WebGL is missing or switched off), "
                + "so the mechanism cannot be drawn. The plots work.");
            document.getElementById("tools").hidden = true;
            document.getElementById("key").hidden = true;
        }
        if (this.scene.failure) {
            notices.push("The motion ends early: " + this.scene.failure);
        }
        const {missing} = this.scene;
        if (missing.length > 0) {
            notices.push("Missing in " + (this.scene.source || "the result") + ", so that some "
                + "bodies do not move: " + missing.slice(0, 8).join(", ")
                + (missing.length > 8 ? ` and ${missing.length - 8} more.` : "."));
        }
        if (this.scene.n_untold_contacts > 0) {
            notices.push("The result does not tell where bodies touch whose contacts are found while "
                + "they move, or repeated: these are not shown.");
        }
        const notice = document.getElementById("notice");
        notice.hidden = notices.length === 0;
        notice.textContent = notices.join(" ");
        if (this.stage.works && notices.length > 0) {
            notice.append(iconButton("close", "Close", () => {
                notice.hidden = true;
            }));
        }
    }

    fillHelp() {
        const help = document.getElementById("help");
        const head = element("div", "card_head");
        head.append(element("strong", "", "Keys and mouse"), iconButton("close", "Close", () => help.close()));
        const list = element("dl");
        for (const [key, words] of HELP.concat(HELP_MOUSE)) {
            list.append(element("dt", "", key), element("dd", "", words));
        }
        help.append(head, list);
    }

    // --- deeds ------------------------------------------------------------------------------------

    follow(index) {
        this.stage.setFollowed(index, this.player.time);
        this.inspector.press();
        this.dirty = this.hash_is_old = true;
    }

    // Trails of some bodies: all on if one was off, else all off.
    trail(indices) {
        const {trails} = this.stage;
        const on = indices.some((index) => !trails.has(index));
        for (const index of indices) {
            if (trails.has(index) !== on) {
                trails.toggle(index);
            }
        }
        document.getElementById("show_trails").setAttribute("aria-pressed", trails.lines.size > 0);
        this.inspector.press();
        this.dirty = true;
    }

    trailOfPicked() {
        const {picked, trails} = this.stage;
        const shown = [...trails.lines.keys()];
        const moving = this.scene.bodies.map((body, index) => index)
            .filter((index) => this.scene.bodies[index].pose !== undefined).slice(0, 200);
        this.trail(picked >= 0 ? [picked] : (shown.length > 0 ? shown : moving));
    }

    followPicked() {
        const {picked, followed} = this.stage;
        this.follow(picked >= 0 && picked !== followed ? picked : -1);
    }

    toggleView() {
        const {view} = this.stage;
        view.setFlat(!view.flat);
        document.getElementById("flat").setAttribute("aria-pressed", !view.flat);
        this.stage.fit();
    }

    // Presses a button that shows or hides something; returns what it says now.
    press(id) {
        const button = document.getElementById(id);
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", on);
        this.dirty = true;
        return on;
    }

    toggleHelp() {
        const help = document.getElementById("help");
        if (help.open) {
            help.close();
            document.getElementById("canvas").focus();
        } else {
            help.showModal();
        }
    }

    deeds() {
        const {stage, theme} = this;
        return {
            fit: () => {
                this.follow(-1);
                stage.fit();
            },
            flat: () => this.toggleView(),
            show_labels: () => stage.names.show(this.press("show_labels")),
            show_forces: () => {
                stage.contacts.visible = this.press("show_forces");
            },
            show_links: () => stage.showSymbols(this.press("show_links")),
            show_trails: () => this.trailOfPicked(),
            show_plots: () => document.getElementById("app").classList.toggle("without_plots",
                !this.press("show_plots")),
            theme: () => theme.toggle(),
            show_help: () => this.toggleHelp(),
        };
    }

    // --- keys ---------------------------------------------------------------------------------------

    listen() {
        const deeds = this.deeds();
        const for_picture = ["fit", "flat", "show_labels", "show_forces", "show_links", "show_trails"];
        for (const [id, deed] of Object.entries(deeds)) {
            if (this.stage.works || !for_picture.includes(id)) {
                document.getElementById(id).addEventListener("click", deed);
            }
        }
        document.getElementById("flat").setAttribute("aria-pressed", !this.scene.plane);
        const keys = this.keys();
        document.addEventListener("keydown", (event) => {
            const typing = event.target.matches("input[type=search], select");
            const pressing = event.key === " " && event.target.matches("button, input[type=checkbox]");
            if (event.ctrlKey || event.altKey || event.metaKey || typing || pressing) {
                return;
            }
            const deed = keys[event.key.toLowerCase()];
            if (deed) {
                event.preventDefault();
                deed(event);
            }
        });
        window.addEventListener("hashchange", () => this.readHash());
    }

    keys() {
        const {player, stage, motion} = this;
        const by = (part) => player.setTime(player.time + part * (motion.stop - motion.start));
        const click = (id) => () => document.getElementById(id).click();
        return {
            " ": () => player.toggle(),
            ",": () => player.step(-1), ".": () => player.step(1),
            "arrowleft": (event) => by(event.shiftKey ? -0.1 : -0.01),
            "arrowright": (event) => by(event.shiftKey ? 0.1 : 0.01),
            "home": () => player.setTime(motion.start), "end": () => player.setTime(motion.stop),
            "[": () => player.toImpact(-1), "]": () => player.toImpact(1),
            "+": () => player.faster(1), "=": () => player.faster(1), "-": () => player.faster(-1),
            "o": click("loop"), "f": click("fit"), "v": click("flat"), "l": click("show_labels"),
            "c": click("show_forces"), "j": click("show_links"), "t": click("show_trails"),
            "p": click("show_plots"), "d": click("theme"), "?": click("show_help"),
            "g": () => this.followPicked(),
            "escape": () => {
                if (stage.works) {
                    stage.setPicked(-1);
                }
            },
        };
    }

    // --- the address --------------------------------------------------------------------------------

    readHash() {
        const state = new URLSearchParams(location.hash.slice(1));
        if (state.has("speed")) {
            this.player.setSpeed(Number(state.get("speed")));
        }
        if (state.has("t")) {
            this.player.setTime(Number(state.get("t")));
        }
        const followed = this.scene.bodies.findIndex((body) => body.name === state.get("follow"));
        if (followed > 0 && followed !== this.stage.followed) {
            this.follow(followed);
        }
        if (["light", "dark"].includes(state.get("theme"))) {
            this.theme.choose(state.get("theme"));
        }
        if (state.get("play") === "1") {
            this.player.play();
        }
        this.hash_is_old = false;
    }

    writeHash() {
        this.hash_is_old = false;
        const state = new URLSearchParams();
        state.set("t", String(Number(this.player.time.toPrecision(9))));
        state.set("speed", String(this.player.speed));
        if (this.stage.followed > 0) {
            state.set("follow", this.scene.bodies[this.stage.followed].name);
        }
        if (this.theme.chosen) {
            state.set("theme", this.theme.chosen);
        }
        try {
            history.replaceState(null, "", "#" + state);
        } catch (error) {
            this.writeHash = () => {};  // in a frame without an address of its own
        }
    }

    // For scripts and tests.
    interface() {
        const {player, stage, scene, motion} = this;
        return {
            get time() {
                return player.time;
            },
            setTime: (t) => player.setTime(t),
            play: () => player.play(),
            pause: () => player.pause(),
            pose: (name) => {
                const body = scene.bodies.find((candidate) => candidate.name === name);
                const pose = new Float64Array(7);
                motion.seek(player.time);
                readPose(body, motion, pose, 0);
                return Array.from(pose);
            },
            pick: (x, y) => {
                const index = stage.pick(x, y);
                return index >= 0 ? scene.bodies[index].name : null;
            },
            // Where the centre of a body is in the window, in pixels.
            project: (name) => stage.project(scene.bodies.findIndex((body) => body.name === name)),
            frameRate: () => player.frameRate(),
            draw: () => this.draw(),
        };
    }
}

function showTrouble(error) {
    const box = document.getElementById("trouble");
    box.hidden = false;
    document.getElementById("app").hidden = true;
    box.replaceChildren(element("h1", "", "This motion cannot be shown"),
        element("p", "", error instanceof DataError ? error.message
            : "The page met an error of its own: " + error.message),
        element("p", "", "Please write the page again with clatter view."));
}

(async () => {
    try {
        const scene = readScene();
        const page = new Page(scene, await readMotion(scene));
        window.clatter = page.interface();
    } catch (error) {
        showTrouble(error);
    }
})();
