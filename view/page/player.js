// Time: playing, speed, steps, impacts, and the bar that shows all this.

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const GOOD_DURATION = 6;  // s: a motion that is shorter is played slower at first

class Player {
    constructor(scene, motion, impacts) {
        this.motion = motion;
        this.impacts = impacts;
        this.time = motion.start;
        this.playing = false;
        this.loop = true;
        this.speed = fittingSpeed(motion.stop - motion.start);
        this.changed = () => {};  // the time or whether it runs has changed
        this.last_tick = 0;
        this.frame_times = [];
        this.elements = {};
        for (const id of ["play", "scrub", "clock", "speed", "loop", "marks", "timeline"]) {
            this.elements[id] = document.getElementById(id);
        }
        this.digits = Math.max(2, Math.min(6, 3 - Math.floor(Math.log10(motion.stop - motion.start || 1))));
        this.listen();
        this.listSpeeds();
        new ResizeObserver(() => this.drawMarks()).observe(this.elements.timeline);
    }

    listen() {
        const on = (id, action) => document.getElementById(id).addEventListener("click", action);
        on("play", () => this.toggle());
        on("back", () => this.step(-1));
        on("forward", () => this.step(1));
        on("to_previous", () => this.toImpact(-1));
        on("to_next", () => this.toImpact(1));
        on("loop", () => this.setLoop(!this.loop));
        this.elements.scrub.addEventListener("input", () => {
            const {start, stop} = this.motion;
            this.setTime(start + (stop - start) * this.elements.scrub.value / 1e5);
        });
        this.elements.speed.addEventListener("change", () =>
            this.setSpeed(Number(this.elements.speed.value)));
    }

    listSpeeds() {
        const speeds = SPEEDS.includes(this.speed) ? SPEEDS : SPEEDS.concat(this.speed)
            .sort((a, b) => a - b);
        this.elements.speed.replaceChildren(...speeds.map((speed) =>
            new Option(numberText(speed, 3) + " ×", String(speed))));
        this.elements.speed.value = String(this.speed);
    }

    setTime(t) {
        const {start, stop} = this.motion;
        if (isFinite(t)) {
            this.time = Math.max(start, Math.min(stop, t));
            this.changed();
        }
    }

    setSpeed(speed) {
        if (speed >= SPEEDS[0] && speed <= SPEEDS[SPEEDS.length - 1]) {
            this.speed = speed;
            this.listSpeeds();
            this.changed();
        }
    }

    faster(steps) {
        const at = SPEEDS.findIndex((speed) => speed >= this.speed);
        this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + steps))]);
    }

    setLoop(loop) {
        this.loop = loop;
        this.elements.loop.setAttribute("aria-pressed", loop);
        this.changed();
    }

    play() {
        if (!this.playing) {
            if (this.time >= this.motion.stop) {
                this.time = this.motion.start;
            }
            this.playing = true;
            this.last_tick = 0;
            this.frame_times = [];
            this.showState();
        }
    }

    pause() {
        this.playing = false;
        this.showState();
    }

    toggle() {
        if (this.playing) {
            this.pause();
        } else {
            this.play();
        }
    }

    showState() {
        setIcon(this.elements.play, this.playing ? "pause" : "play");
        this.elements.play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
        this.changed();
    }

    // Goes by whole frames.
    step(n) {
        this.pause();
        const {motion} = this;
        let i = motion.frameAt(this.time + 1e-9 * (motion.stop - motion.start));
        if (n < 0 && motion.time[i] < this.time - 1e-9 * (motion.stop - motion.start)) {
            i += 1;
        }
        this.setTime(motion.time[Math.max(0, Math.min(motion.n_frames - 1, i + n))]);
    }

    toImpact(direction) {
        this.pause();
        const tolerance = 1e-7 * (this.motion.stop - this.motion.start);
        const times = this.impacts.map((impact) => impact.time);
        const next = direction > 0 ? times.find((t) => t > this.time + tolerance)
            : times.reverse().find((t) => t < this.time - tolerance);
        if (next !== undefined) {
            this.setTime(next);
        }
    }

    // Moves on by the time since the last tick; called before each frame of the screen.
    tick(now) {
        if (!this.playing) {
            return;
        }
        const {start, stop} = this.motion;
        const elapsed = this.last_tick ? Math.min(0.25, (now - this.last_tick) / 1000) : 0;
        if (this.last_tick) {
            this.frame_times.push(now - this.last_tick);
            if (this.frame_times.length > 120) {
                this.frame_times.shift();
            }
        }
        this.last_tick = now;
        this.time += elapsed * this.speed;
        if (this.time >= stop) {
            this.time = this.loop && stop > start ? start + (this.time - stop) % (stop - start) : stop;
            if (!this.loop) {
                this.pause();
            }
        }
    }

    // Frames a second over the last two seconds of playing.
    frameRate() {
        const sum = this.frame_times.reduce((total, dt) => total + dt, 0);
        return sum > 0 ? 1000 * this.frame_times.length / sum : 0;
    }

    showTime() {
        const {start, stop} = this.motion;
        const {scrub, clock} = this.elements;
        const part = stop > start ? (this.time - start) / (stop - start) : 0;
        scrub.value = String(Math.round(1e5 * part));
        scrub.style.setProperty("--part", 100 * part + "%");
        const text = this.time.toFixed(this.digits).replace("-", "−") + " s";
        if (clock.textContent !== text) {
            clock.textContent = text;
        }
        if (!this.playing) {
            scrub.setAttribute("aria-valuetext", text);
        }
    }

    drawMarks() {
        const {marks, timeline} = this.elements;
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        const {clientWidth: width, clientHeight: height} = timeline;
        marks.width = Math.max(1, Math.round(width * ratio));
        marks.height = Math.max(1, Math.round(height * ratio));
        const pen = marks.getContext("2d");
        pen.scale(ratio, ratio);
        pen.fillStyle = getComputedStyle(timeline).getPropertyValue("--flash");
        const {start, stop} = this.motion;
        const largest = Math.max(1e-300, ...this.impacts.map((impact) => impact.impulse || 0));
        const knob = 8;
        for (const {time, impulse} of this.impacts) {
            const tall = 3 + 8 * Math.pow((impulse || 0) / largest, 0.3);
            const x = knob + (width - 2 * knob) * (time - start) / (stop - start || 1);
            pen.fillRect(x - 0.75, height / 2 - 3 - tall, 1.5, tall);
        }
    }
}

function fittingSpeed(duration) {
    return duration >= 1.5 || duration <= 0 ? 1
        : SPEEDS.reduce((best, speed) => (Math.abs(Math.log(duration / speed / GOOD_DURATION))
            < Math.abs(Math.log(duration / best / GOOD_DURATION)) ? speed : best), 1);
}
