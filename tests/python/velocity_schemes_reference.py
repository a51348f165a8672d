"""The schemes of Acary's report on projected schemes (PR in docs/notation.md) and of Chen, Acary,
Virlez and Bruels (CH), written from the papers alone: each step is its printed equations as one
residual, solved by a semismooth Newton method with derivatives by complex steps. Slow and plain; the
product's schemes are checked against them step by step.

Where the product departs from PR, as docs/moreau-jean.md tells:
- percussions of joints act along their directions at q_theta instead of q_1, unless `as_printed`,
- contacts that pressed in the last step stay active, and Algorithm 2 starts from them, with
  `keep_active`, which the product can do without.
Read into the papers:
- PR (57): the complementarity is on U + e U_k, as in (28).
- Positions are projected in the metric of the masses, PR (59) with N = M^-1 (Remark 3).
- PR (61): a gap that the projection holds is zero up to rounding, so a forecast of up to that is
  closed.
- PR (20a) of Schatzman-Paoli's scheme has M at q_{k+1}; masses here are constant. Each contact's gap
  is taken at its own mean of positions if coefficients of restitution differ. Joints hold at q_{k+1}.
- CH's fully implicit Newmark scheme is that of its section 5.1, gamma = 1, alpha_m = alpha_f = 0, in
  which constraint forces are part of the acceleration: for gamma = 1 those of the last step have no
  effect on velocities.

Arrays have a last axis as in generalized_alpha_reference.py, whose systems these schemes step.
"""

import itertools
from types import SimpleNamespace

import numpy as np

from generalized_alpha_reference import (GeneralizedAlpha, PlanarBodies, System, ball_law,
                                         half_line_law, newton, times, transposed_times)

CLOSED_GAP = 1e-12  # m: what projections leave
ENUMERATED = 4096   # ways of contacts to be open or closed that are tried if Newton's method fails


def column(v):
    return np.array(v, dtype=complex).reshape(-1, 1)


def real(values):
    return np.asarray(values)[..., 0].real


class Scheme:
    """Steps a system of generalized_alpha_reference with constant dt; `now` is the present state,
    `log` has what each step did: iterations, rounds of activation, active contacts, tau."""

    unknowns = "u", "P_g", "P_N", "P_F"

    def __init__(self, system, dt, theta=0.5, activation="explicit", forecast=0.5,
                 keep_active=True, as_printed=False, tolerance=1e-12):
        self.system, self.dt, self.theta = system, dt, theta
        self.activation, self.forecast, self.keep_active = activation, forecast, keep_active
        self.as_printed, self.tolerance = as_printed, tolerance
        self.instant = GeneralizedAlpha(system, dt)  # its accelerations at the start, its r
        q, u = column(system.q_0), column(system.u_0)
        joints, _, normal, friction = system.rows(q, u)
        self.friction_rows = self.instant.friction_rows
        self.n = {"u": len(u), "q": len(q), "v_dot": len(u), "P_g": len(joints.g),
                  "tau_g": len(joints.g), "P_N": len(normal.g), "P_F": len(friction.g),
                  "tau": len(normal.g)}
        self.known_rows = []
        zeros = {name: np.zeros((self.n[name], 1), complex) for name in ("P_g", "P_N", "P_F", "tau")}
        self.now = SimpleNamespace(t=0.0, q=q, u=u, closed=np.zeros(len(normal.g), bool), **zeros)
        self.start()
        self.states, self.log = [self.now], []

    def start(self):
        pass

    # --- the kinematics of a state, and the velocities of its contacts ---

    def rows(self, q):
        """Joints, normal and friction rows; those of the two last positions are kept."""
        for known, rows in self.known_rows:
            if known is q:
                return rows
        joints, _, normal, friction = self.system.rows(q, 0 * q)
        self.known_rows = [(q, (joints, normal, friction)), *self.known_rows[:1]]
        return joints, normal, friction

    def gap(self, q):
        return real(self.rows(q)[1].g)

    def speed(self, q, u):
        return real(transposed_times(self.rows(q)[1].W, u))

    # --- which contacts are active ---

    def forecast_gaps(self):
        """PR (61), (62)."""
        now, dt = self.now, self.dt
        g, U = self.gap(now.q), self.speed(now.q, now.u)
        if self.activation == "explicit":
            return g + self.forecast * dt * U
        free = self.solve(np.zeros(len(g), bool))
        return g + dt * (self.theta * self.speed(free.q, free.u) + (1 - self.theta) * U)

    def activate(self):
        """The index set of a step that has one, and the solution with it."""
        active = self.forecast_gaps() <= CLOSED_GAP
        if self.keep_active:
            active |= self.now.closed
        return active, self.solve(active), 1

    def stays_closed(self, new, active):
        """Contacts that press and part no faster than the forces of half a step bring them together:
        the product keeps them active."""
        presses = active & (real(new.P_N) > 0)
        if not (self.keep_active and presses.any()):
            return presses
        free = self.solve(np.zeros(len(active), bool))
        before = self.speed(self.now.q, self.now.u)
        threshold = 0.5 * (before - real(transposed_times(self.rows(new.q)[1].W, free.u)))
        return presses & (self.speed(new.q, new.u) <= np.maximum(threshold, 1e-10))

    # --- one step ---

    def step(self):
        active, new, rounds = self.activate()
        new.closed = self.stays_closed(new, active)
        new.t = self.now.t + self.dt
        self.log.append(SimpleNamespace(active=active, rounds=rounds, iterations=new.iterations,
                                        tau=real(new.tau)))
        self.finish(new)
        self.now = new
        self.states.append(new)

    def finish(self, new):
        pass

    def solve(self, active, gaps=None):
        """The state at the end of a step with these active contacts."""
        with np.errstate(divide="ignore"):
            r = self.instant.prox_parameters(self.now.q, self.now.u)
        self.rows_n = self.rows(self.now.q)
        self.r = [np.where(np.isfinite(part), part, 1.0) for part in r]
        sizes = [self.n[name] for name in self.unknowns]
        ends = np.cumsum(sizes)[:-1]
        split = lambda x: SimpleNamespace(**dict(zip(self.unknowns, np.split(x, ends))))
        guess = np.concatenate([real(vars(self.now)[name]) if name in ("u", "q") else
                                np.zeros(self.n[name]) for name in self.unknowns])
        x, iterations, norm, _ = newton(lambda x: self.equations(split(x), active), guess,
                                        self.tolerance, 30)
        if norm > self.tolerance:
            x, norm = self.try_all_sets(split, active, guess)
        assert norm <= self.tolerance, f"t = {self.now.t}: no solution, {norm}"
        new = split(column(x))
        self.equations(new, active)
        new.iterations = iterations
        for name in ("P_g", "P_N", "P_F", "tau"):
            if not hasattr(new, name):
                setattr(new, name, np.zeros((self.n[name], 1), complex))
        return new

    def try_all_sets(self, split, active, guess):
        """Newton's method with the index sets held, for each way they can be, until one fits."""
        ways = list(itertools.product((True, False), repeat=3))  # closed, sticks, gap held
        count = int(active.sum())
        assert len(ways) ** count <= ENUMERATED, f"t = {self.now.t}: Newton's method fails"
        for held in itertools.product(ways, repeat=count):
            sets = dict(zip(np.flatnonzero(active), held))
            x, _, norm, _ = newton(lambda x: self.equations(split(x), active, sets), guess,
                                   self.tolerance, 10)
            if norm <= self.tolerance:
                norm = np.abs(self.equations(split(column(x)), active)[0]).max()
                if norm <= self.tolerance:
                    return x, norm
        return guess, np.inf

    def contact_laws(self, new, active, sets=None):
        """PR (18d), CH (24), and Coulomb's friction: P_N, P_F of each contact against its velocity;
        with them whether it is closed."""
        system, now = self.system, self.now
        _, normal_n, friction_n = self.rows_n
        _, normal, friction = self.rows(new.q)
        U, U_F = transposed_times(normal.W, new.u), transposed_times(friction.W, new.u)
        U_n, U_Fn = transposed_times(normal_n.W, now.u), transposed_times(friction_n.W, now.u)
        R_N, R_F, closed = [], [], []
        for k, F in enumerate(self.friction_rows):
            P_N, P_F = new.P_N[k], new.P_F[F]
            held = sets[k] if sets and k in sets else (None, None)
            if not active[k]:
                R, is_closed = P_N, False
            else:
                R, is_closed = half_line_law(self.r[0][k], U[k] + system.e_N[k] * U_n[k], P_N,
                                             held[0])
            R_N.append(R)
            closed.append(is_closed)
            if active[k] and system.mu[k] > 0:
                xi_F = U_F[F] + system.e_F[k] * U_Fn[F]
                R_F.append(ball_law(self.r[1][k], xi_F, P_F, system.mu[k] * P_N, held[1])[0])
            else:
                R_F.append(P_F)
        return R_N + R_F, closed

    def impulse(self, new, joints_at=None):
        """W_g P_g + W P, along the directions at q_1."""
        joints, normal, friction = self.rows(new.q)
        if joints_at is not None:
            joints = self.rows(joints_at)[0]
        return times(joints.W, new.P_g) + times(normal.W, new.P_N) + times(friction.W, new.P_F)

    # --- many steps ---

    def run(self, n):
        """n steps; arrays over time by name, percussions contact by contact N, F."""
        for _ in range(n):
            self.step()
        of = lambda name: np.array([real(vars(s)[name]) for s in self.states])
        N, F = of("P_N"), of("P_F")
        parts = [np.hstack([N[:, k:k + 1], F[:, f]]) for k, f in enumerate(self.friction_rows)]
        return {"q": of("q"), "u": of("u"), "P_g": of("P_g"), "P": np.hstack(parts) if parts else N,
                "g_N": np.array([self.gap(s.q) for s in self.states]),
                "t": self.dt * np.arange(n + 1)}


class MoreauJean(Scheme):
    """PR (18)."""

    def drift(self, new):
        return self.now.q + self.dt * ((1 - self.theta) * self.now.u + self.theta * new.u)

    def dynamics(self, new):
        now, dt, theta = self.now, self.dt, self.theta
        q_theta = (1 - theta) * now.q + theta * new.q
        u_theta = (1 - theta) * now.u + theta * new.u
        joints_at = None if self.as_printed else q_theta
        return (self.system.M @ (new.u - now.u) - dt * self.system.h(q_theta, u_theta)
                - self.impulse(new, joints_at))                                          # (18a)

    def equations(self, new, active, sets=None):
        new.q = self.drift(new)                                                          # (18b)
        laws, closed = self.contact_laws(new, active, sets)                        # (18c), (18d)
        joints = transposed_times(self.rows(new.q)[0].W, new.u)
        return np.vstack([self.dynamics(new), joints, *laws]), closed


class MoreauJeanProjected(MoreauJean):
    """PR Algorithm 1, in its coupled form (28)."""

    unknowns = "u", "q", "P_g", "tau_g", "P_N", "P_F", "tau"

    def gap_laws(self, g, new, active, closed, sets):
        held = [sets[k][2] if sets and k in sets else None for k in range(len(g))]
        return [half_line_law(1.0, g[k], new.tau[k] * self.scale[k], held[k])[0]
                for k in range(len(g))]

    def equations(self, new, active, sets=None):
        joints, normal, _ = self.rows(new.q)
        laws, closed = self.contact_laws(new, active, sets)
        along = times(joints.W, new.tau_g) + times(normal.W, new.tau)
        self.scale = 1 / self.r[0]  # of a gap by tau
        return np.vstack([
            self.dynamics(new), new.q - self.drift(new) - np.linalg.solve(self.system.M, along),
            transposed_times(joints.W, new.u), joints.g,
            *self.gap_laws(normal.g, new, active, closed, sets), *laws]), closed


class MoreauJeanCombined(MoreauJeanProjected):
    """PR Algorithm 2."""

    def gap_laws(self, g, new, active, closed, sets):
        """(68): where a contact presses its gap is zero; other active ones are not below it."""
        both = super().gap_laws(g, new, active, closed, sets)
        return [new.tau[k] if not active[k] else g[k] if closed[k] else both[k]
                for k in range(len(g))]

    def activate(self):
        active = self.now.closed.copy() if self.keep_active else np.zeros(self.n["P_N"], bool)
        rounds = 0
        while True:
            new = self.solve(active)
            rounds += 1
            violated = ~active & (self.gap(new.q) <= 0)                                  # (66)
            if not violated.any():
                return active, new, rounds
            active |= violated


class SchatzmanPaoli(Scheme):
    """PR (20) to (22), without friction. Percussions are p / dt: those of the law are forces times
    dt^2."""

    unknowns = "q", "P_g", "P_N"

    def start(self):
        """The position before the first: a step backwards with the acceleration at the start."""
        now, a = self.now, self.instant.now.a
        now.q_before = now.q - self.dt * now.u + self.dt**2 / 2 * a

    def activate(self):
        active = np.ones(self.n["P_N"], bool)  # (22) decides
        return active, self.solve(active), 1

    def stays_closed(self, new, active):
        return np.zeros(len(active), bool)

    def equations(self, new, active, sets=None):
        now, dt, theta, system = self.now, self.dt, self.theta, self.system
        before = now.q_before.repeat(new.q.shape[1], axis=1)
        new.u = (new.q - before) / (2 * dt)                                              # (20b)
        q_theta = (1 - theta) * now.q + theta * new.q
        u_theta = (1 - theta) * now.u + theta * new.u
        joints = self.rows(new.q)[0]
        p = times(self.rows(new.q if self.as_printed else q_theta)[0].W, new.P_g)
        R_N = []
        for k, e in enumerate(system.e_N):
            normal = self.rows((new.q + e * before) / (1 + e))[1]
            p = p + normal.W[:, k] * new.P_N[k]
            held = sets[k][0] if sets and k in sets else None
            R_N.append(half_line_law(self.r[0][k] / dt, normal.g[k], new.P_N[k], held)[0])  # (22)
        R = (system.M @ (new.q - 2 * now.q + before) / dt - dt * system.h(q_theta, u_theta) - p)
        return np.vstack([R, joints.g, *R_N]), None                                      # (20a)

    def finish(self, new):
        new.q_before = self.now.q


class AlphaVelocity(Scheme):
    """CH Algorithm 1, (21) to (29)."""

    unknowns = "v_dot", "u", "P_g", "P_N", "P_F"

    def __init__(self, system, dt, rho=0.8, alpha="generalized", **options):
        if alpha == "generalized":
            self.alpha_m, self.alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        elif alpha == "hht":  # rho >= 1/2
            self.alpha_m, self.alpha_f = 0.0, (1 - rho) / (1 + rho)
        else:  # Newmark's trapezoidal rule
            self.alpha_m = self.alpha_f = 0.0
        self.gamma = 0.5 + self.alpha_f - self.alpha_m
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        super().__init__(system, dt, theta=1.0, **options)

    def start(self):
        now = self.now
        now.v_dot = np.linalg.solve(self.system.M, self.system.h(now.q, now.u))
        now.a = now.v_dot

    def equations(self, new, active, sets=None):
        now, dt, beta, gamma, M = self.now, self.dt, self.beta, self.gamma, self.system.M
        new.a = ((1 - self.alpha_f) * new.v_dot + self.alpha_f * now.v_dot
                 - self.alpha_m * now.a) / (1 - self.alpha_m)                              # (27)
        q_smooth = now.q + dt * now.u + dt**2 * ((0.5 - beta) * now.a + beta * new.a)      # (25)
        v_smooth = now.u + dt * ((1 - gamma) * now.a + gamma * new.a)                      # (26)
        W = new.u - v_smooth                                                               # (28)
        new.q = q_smooth + 0.5 * dt * W                                                    # (29)
        laws, closed = self.contact_laws(new, active, sets)                                # (24)
        return np.vstack([M @ new.v_dot - self.system.h(new.q, new.u),                     # (21)
                          M @ W - self.impulse(new),                                       # (22)
                          transposed_times(self.rows(new.q)[0].W, new.u), *laws]), closed  # (23)


class ImplicitNewmark(Scheme):
    """CH's fully implicit Newmark scheme: all forces, also those of constraints, in a."""

    beta = 0.5625

    def __init__(self, system, dt, **options):
        super().__init__(system, dt, theta=1.0, **options)

    def start(self):
        self.now.a = self.instant.now.a

    def equations(self, new, active, sets=None):
        now, dt = self.now, self.dt
        new.a = (new.u - now.u) / dt                                             # (26), gamma = 1
        new.q = now.q + dt * now.u + dt**2 * ((0.5 - self.beta) * now.a + self.beta * new.a)
        laws, closed = self.contact_laws(new, active, sets)
        dynamics = (self.system.M @ (new.u - now.u) - dt * self.system.h(new.q, new.u)
                    - self.impulse(new))
        return np.vstack([dynamics, transposed_times(self.rows(new.q)[0].W, new.u), *laws]), closed


SCHEMES = {"moreau_jean": MoreauJean, "moreau_jean_projected": MoreauJeanProjected,
           "moreau_jean_combined": MoreauJeanCombined, "schatzman_paoli": SchatzmanPaoli,
           "generalized_alpha_velocity": AlphaVelocity, "implicit_newmark": ImplicitNewmark}


# --- systems: coordinates, signs and orders are those of the models of the same name ---

class Point(System):
    """A point (x, y) above the line n . x = offset."""
    mu, e_F, n_F = [0.0], [0.0], [1]

    def __init__(self, position, e, force=(0.0, 0.0), n=(0.0, 1.0), offset=0.0, mass=1.0):
        self.M, self.weight, self.normal, self.offset = mass * np.eye(2), np.array(force), n, offset
        self.q_0, self.u_0, self.e_N = list(position), [0.0, 0.0], [e]

    def rows(self, q, u):
        n_x, n_y = self.normal
        gap = n_x * q[0] + n_y * q[1] - self.offset
        return self.assemble(q, normal=[(gap, {0: n_x, 1: n_y}, 0)],
                             friction=[(0, {0: n_y, 1: -n_x}, 0)])


class LinearOscillator(Point):
    """PR example 2: x >= 0 on a spring along x."""

    def __init__(self, stiffness=9.869604401089358, damping=0.3, e=0.8):
        super().__init__((1.0, 0.0), e, n=(1.0, 0.0))
        self.stiffness, self.damping = stiffness, damping

    def h(self, q, u):
        """The spring runs from the origin to the mass: it has no force across in this motion."""
        f = -self.stiffness * q[0] - self.damping * u[0]
        return np.array([f, 0 * f])


class RockingBlock(PlanarBodies):
    """PR example 3."""
    mu, e_N, e_F, n_F = [0.0, 0.0], [0.5, 0.5], [0.0, 0.0], [1, 1]

    def __init__(self, length=1.0, thickness=1.5, gravity=9.81, e=0.5):
        super().__init__([1.0], [(length**2 + thickness**2) / 12], gravity)
        self.e_N = [e, e]
        self.corners = (length / 2, -thickness / 2), (-length / 2, -thickness / 2)
        self.q_0, self.u_0 = [0, 1, 0.2], [0, 0, 0.2]

    def rows(self, q, u):
        contacts = [self.on_line(q, u, 0, corner, (0, 1)) for corner in self.corners]
        return self.assemble(q, normal=[c[0] for c in contacts], friction=[c[1] for c in contacts])


class ImpactingPendulum(PlanarBodies):
    """CH 5.5."""
    mu, e_N, e_F, n_F = [0.0], [0.8], [0.0], [1]

    def __init__(self):
        super().__init__([1.0], [0.1], gravity=10)
        self.q_0, self.u_0 = [1, 0, 0], [0, 0, 0]

    def rows(self, q, u):
        normal, friction = self.on_line(q, u, 0, (0, 0), (1, 0), np.sqrt(0.5))
        return self.assemble(q, joints=self.hinge(q, u, (0, (-1, 0))), normal=[normal],
                             friction=[friction])


class Bar(System):
    """PR (71): linear rod elements, q the displacements of their nodes; the first is at a wall. The
    row of friction is not used: mu = 0."""
    mu, e_N, e_F, n_F = [0.0], [0.0], [0.0], [1]

    def __init__(self, elements, length, stiffness, density, gap, speed):
        n, size = elements + 1, length / elements
        self.M, self.K, self.gap_0 = np.zeros((n, n)), np.zeros((n, n)), gap
        for i in range(elements):
            self.M[i:i + 2, i:i + 2] += density * size / 6 * np.array([[2, 1], [1, 2]])
            self.K[i:i + 2, i:i + 2] += stiffness / size * np.array([[1, -1], [-1, 1]])
        self.q_0, self.u_0 = [0.0] * n, [speed] * n

    def h(self, q, u):
        return -self.K @ q

    def rows(self, q, u):
        return self.assemble(q, normal=[(self.gap_0 + q[0], {0: 1}, 0)], friction=[(0, {0: 1}, 0)])
