"""Solutions of the benchmark systems, independent of the product: closed forms where there are any,
else integrations with a step so small that their own error does not count."""

import math

import numpy as np

G = 9.81


def bounce(t, gravity, height, restitution):
    """Height above the floor of a point dropped at rest (CH appendix A)."""
    duration = math.sqrt(2 * height / gravity)  # down from the top
    speed = gravity * duration                  # of arrival
    y = np.zeros_like(t)
    falling = t < duration
    y[falling] = height - gravity * t[falling] ** 2 / 2
    begin = duration
    while True:
        speed *= restitution
        flight = 2 * speed / gravity
        if flight < 1e-12:
            return y
        tau = t - begin
        flying = (tau >= 0) & (tau < flight)
        y[flying] = speed * tau[flying] - gravity * tau[flying] ** 2 / 2
        begin += flight


def bounce_velocity(t, gravity, height, restitution):
    """Velocity of the same point; right after an impact at one."""
    duration = math.sqrt(2 * height / gravity)
    speed, begin = gravity * duration, duration
    v = np.where(t < duration, -gravity * t, 0.0)
    while speed > 1e-9:
        speed *= restitution
        flight = 2 * speed / gravity
        tau = t - begin
        flying = (tau >= 0) & (tau < flight)
        v[flying] = speed - gravity * tau[flying]
        begin += flight
    return v


def linear_oscillator(t, stiffness=9.869604401089358, damping=0.3, e=0.8):
    """Position and velocity of a unit mass on a damped spring that hits a wall where the spring is
    relaxed, from 1 at rest (PR example 2)."""
    d = damping / 2
    w = math.sqrt(stiffness - d * d)
    first, period = (math.pi - math.atan(w / d)) / w, math.pi / w
    decay = np.exp(-d * t)
    q = decay * (np.cos(w * t) + d / w * np.sin(w * t))
    v = -decay * (w + d * d / w) * np.sin(w * t)
    speed = e * math.exp(-d * first) * (w + d * d / w) * math.sin(w * first)
    begin = first
    while begin < t[-1]:
        tau = t - begin
        on = tau >= 0
        tau, decay = tau[on], np.exp(-d * tau[on])
        q[on] = speed / w * decay * np.sin(w * tau)
        v[on] = speed * decay * (np.cos(w * tau) - d / w * np.sin(w * tau))
        speed *= e * math.exp(-d * period)
        begin += period
    return q, v


def impacting_pendulum(times, inertia=1.1, gravity=10.0, e=0.8, angle=math.pi / 4, dt=1e-4):
    """Angle and rate of a pendulum (CH 5.5) released level that strikes an obstacle: Runge-Kutta
    with the impact found by bisection; its own error is below 1e-10 before the tenth impact."""

    def f(x):
        return np.array([x[1], gravity * math.cos(x[0]) / inertia])

    def advance(x, h):
        a = f(x)
        b = f(x + h / 2 * a)
        c = f(x + h / 2 * b)
        return x + h / 6 * (a + 2 * b + 2 * c + f(x + h * c))

    x, now, result = np.zeros(2), 0.0, []
    for t in times:
        while t - now > 1e-13:
            h = min(dt, t - now)
            new = advance(x, h)
            if new[0] > angle and new[1] > 0:
                low, high = 0.0, h
                for _ in range(60):
                    middle = (low + high) / 2
                    low, high = (middle, high) if advance(x, middle)[0] < angle else (low, middle)
                h, new = high, advance(x, high)
                new[0], new[1] = angle, -e * new[1]
            x, now = new, now + h
        result.append(x)
    return np.transpose(result)


def relative_l1(found, truth):
    """CH (42)."""
    return np.abs(found - truth).sum() / np.abs(truth).sum()


class BouncingOscillator:
    """Two masses on a spring above a floor (CH appendix B), each phase in closed form: the common
    motion is a fall, the relative one an oscillation; the ends of phases by bisection."""

    m, k, length, radius, e, g = 1.0, 1e4, 1.0, 0.2, 0.8, 10.0

    def __init__(self, height=1.001):
        self.y = np.array([height, height + self.length])
        self.v = np.zeros(2)
        self.resting = False

    def at(self, tau):
        """Positions and velocities after a time in the present phase."""
        c = lambda w: (math.cos(w * tau), math.sin(w * tau))
        if self.resting:  # the upper mass oscillates about its equilibrium
            w = math.sqrt(self.k / self.m)
            middle = self.radius + self.length - self.m * self.g / self.k
            s, v = self.y[1] - middle, self.v[1]
            cos, sin = c(w)
            upper = middle + s * cos + v / w * sin
            return (np.array([self.radius, upper]),
                    np.array([0.0, -s * w * sin + v * cos]))
        w = math.sqrt(2 * self.k / self.m)
        s, s_dot = self.y[1] - self.y[0] - self.length, self.v[1] - self.v[0]
        cos, sin = c(w)
        stretch, rate = s * cos + s_dot / w * sin, -s * w * sin + s_dot * cos
        centre = self.y.mean() + self.v.mean() * tau - self.g * tau**2 / 2
        speed = self.v.mean() - self.g * tau
        half = (self.length + stretch) / 2
        return (np.array([centre - half, centre + half]),
                np.array([speed - rate / 2, speed + rate / 2]))

    def sign(self, tau):
        """Positive while the phase lasts: gap in flight, contact force at rest."""
        y, _ = self.at(tau)
        if self.resting:
            return self.m * self.g - self.k * (y[1] - y[0] - self.length)
        return y[0] - self.radius

    def phase_end(self, limit):
        """The first change of sign, found on a fine grid; limit if there is none before."""
        fine, tau = 1e-5, 0.0
        while tau < limit:
            if self.sign(tau + fine) < 0:
                low, high = tau, tau + fine
                for _ in range(60):
                    middle = (low + high) / 2
                    if self.sign(middle) > 0:
                        low = middle
                    else:
                        high = middle
                return high
            tau += fine
        return limit

    def positions(self, times):
        """y of both masses at increasing times."""
        return self.states(times)[0]

    def states(self, times):
        """y and v of both masses at increasing times."""
        now, result = 0.0, []
        end = now + self.phase_end(times[-1])
        for t in times:
            while end < t:
                self.y, self.v = self.at(end - now)
                now = end
                if self.resting:
                    self.resting = False
                else:
                    self.y[0] = self.radius
                    self.v[0] *= -self.e
                    pressed = self.k * (self.y[1] - self.y[0] - self.length) < self.m * self.g
                    self.resting = bool(self.v[0] < 1e-3 and pressed)
                    if self.resting:
                        self.v[0] = 0.0
                end = now + max(1e-9, self.phase_end(times[-1] - now))
            result.append(self.at(t - now))
        return np.array(result).transpose(1, 0, 2)


def ball_in_cylinder(times, R=0.1, radius=1.0, mu=0.1, g=9.81, dt=5e-5):
    """(x, y, angle) of a ball that stays on the wall: Runge-Kutta on the angle psi of its centre
    from the bottom, its rate and its spin. Sliding until the surfaces match, then rolling as long
    as friction can hold it."""
    r, inertia = radius - R, 2 / 5 * R**2  # for unit mass

    def friction(psi, rate, spin, rolling):
        normal = g * math.cos(psi) + r * rate**2
        if rolling:
            return g * math.sin(psi) / (1 + R**2 / inertia)
        return -mu * normal * math.copysign(1.0, r * rate + R * spin)

    def rates(state, rolling):
        psi, rate, _, spin = state
        F = friction(psi, rate, spin, rolling)
        return np.array([rate, (-g * math.sin(psi) + F) / r, spin, R * F / inertia])

    state = np.array([-math.pi / 2, 0.0, 0.0, 0.0])
    state[1] = 0.0
    rolling, result, n = False, [], 0
    for t in times:
        while n * dt < t - dt / 2:
            k1 = rates(state, rolling)
            k2 = rates(state + dt / 2 * k1, rolling)
            k3 = rates(state + dt / 2 * k2, rolling)
            k4 = rates(state + dt * k3, rolling)
            new = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            before = r * state[1] + R * state[3]
            after = r * new[1] + R * new[3]
            normal = g * math.cos(new[0]) + r * new[1] ** 2
            holds = abs(g * math.sin(new[0]) / (1 + R**2 / inertia)) <= mu * normal
            if rolling and not holds:
                rolling = False
                # slips the way the wall pulls: a little more than nothing to tell the direction
                new[3] += 1e-12 * math.copysign(1.0, -math.sin(new[0]))
            elif not rolling and n > 0 and before * after < 0 and holds:
                rolling = True
                new[3] = -r * new[1] / R
            state = new
            n += 1
        result.append((r * math.sin(state[0]), 1 - r * math.cos(state[0]), state[2]))
    return np.array(result)


def rk4(f, x, dt, n):
    """States after 0 to n steps."""
    states = [np.array(x, dtype=float)]
    for _ in range(n):
        x = states[-1]
        a = f(x)
        b = f(x + dt / 2 * a)
        c = f(x + dt / 2 * b)
        d = f(x + dt * c)
        states.append(x + dt / 6 * (a + 2 * b + 2 * c + d))
    return np.array(states)


def double_pendulum(x):
    """Angles of two uniform rods of length and mass 1 against the horizontal, and their rates."""
    a, b, u, v = x
    M = np.array([[4 / 3, math.cos(a - b) / 2], [math.cos(a - b) / 2, 1 / 3]])
    s = math.sin(a - b) / 2
    h = [-s * v * v - 1.5 * G * math.cos(a), s * u * u - 0.5 * G * math.cos(b)]
    return np.array([u, v, *np.linalg.solve(M, h)])


def euler(J):
    def f(x):
        p, w = x[:4], x[4:]
        p_dot = 0.5 * np.array([-p[1] * w[0] - p[2] * w[1] - p[3] * w[2],
                                p[0] * w[0] + p[2] * w[2] - p[3] * w[1],
                                p[0] * w[1] + p[3] * w[0] - p[1] * w[2],
                                p[0] * w[2] + p[1] * w[1] - p[2] * w[0]])
        return np.concatenate([p_dot, np.cross(J * w, w) / J])
    return f
