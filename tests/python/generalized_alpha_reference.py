"""The nonsmooth generalized-alpha scheme of Capobianco, Harsch, Eugster and Leine (GA in
docs/notation.md), written from the paper alone: the unknowns (126), the residual (127) to (142) and
the semismooth Newton method (143), with numbers of the paper's equations beside the lines. It is
slow and plain; the product's scheme is checked against it step by step.

Differs from the paper, as its own derivation wants it:
- (142): where a contact slips on velocity level, friction opposes the velocity gamma_F, see (120).
- Step 2 of Newton's method goes on while the residual is larger than the tolerance.
- Where the slip velocity in (27) is nothing but rounding, its direction is that of the prox
  function's argument, from which (27) is derived: 0/0 otherwise.
- Where Newton's matrix is singular (dependent force directions) the update is the one of least
  norm. If the method then fails, the index sets are found by trying all of them. The fixed point
  iterations (144) to (146) find the same, but the number of iterations doubles with each step as
  the ball in the corner comes to rest.
- r is the inverse of the Delassus matrix's diagonal instead of a number per example.

Arrays have a last axis: column 0 belongs to the iterate x, column j to x + i h e_j. The imaginary
parts are derivatives along x_j (complex step), the real parts, which decide about the index sets,
are the same in all columns: so the sets are held while (143) takes derivatives.
"""

import itertools
from collections import namedtuple
from types import SimpleNamespace

import numpy as np

# Kinematic equations of joints or contacts: g (n, .), g' = W^T u, g'' = W^T a + zeta; W (nu, n, .)
Rows = namedtuple("Rows", "g W zeta")
COMPLEX_STEP = 1e-40


def rows(items, nu, m):
    """From a list of (g, {index of the velocity: its coefficient}, zeta)."""
    result = Rows(np.zeros((len(items), m), complex), np.zeros((nu, len(items), m), complex),
                  np.zeros((len(items), m), complex))
    for i, (g, w, zeta) in enumerate(items):
        result.g[i], result.zeta[i] = g, zeta
        for j, coefficient in w.items():
            result.W[j, i] = coefficient
    return result


def times(W, la):
    return np.einsum("ijm,jm->im", W, la)


def transposed_times(W, u):
    return np.einsum("ijm,im->jm", W, u)


def length(y):
    return np.sqrt((y * y).sum(axis=0))


# --- laws: residual, and whether r y - z lies in the set, which may be given beforehand ---

def half_line_law(r, y, z, closed=None):
    """(26): y in the normal cone of the half-line at -z."""
    if closed is None:
        closed = bool((r * y - z)[0].real <= 0)
    return (y if closed else z), closed


def direction(y, otherwise):
    tiny = abs(length(y)[0].real) <= 1e-14 * abs(length(otherwise)[0].real)
    y = otherwise if tiny else y
    return y / length(y)


def ball_law(r, y, z, radius, inside=None):
    """(27): y in the normal cone of the ball at -z."""
    p = r * y - z
    if inside is None:
        inside = bool(length(p[:, 0].real) <= radius[0].real)
    return (y if inside else z + radius * direction(y, p / r)), inside


# What the index sets A, B, C, D_st, E_st can say of a contact: each is part of another
SETS = [(1, 1, 1, 1, 1), (1, 1, 1, 1, 0), (1, 1, 1, 0, 0), (1, 1, 0, 1, 0), (1, 1, 0, 0, 0),
        (1, 0, 0, 0, 0), (0, 0, 0, 0, 0)]


# --- the scheme ---

class GeneralizedAlpha:
    """Steps a system from q, u with constant dt. `now` holds everything at the present time."""

    def __init__(self, system, dt, rho=0.5, tolerance=1e-10, max_iterations=20):
        self.system, self.dt = system, dt
        self.tolerance, self.max_iterations = tolerance, max_iterations
        self.alpha_m = (2 * rho - 1) / (rho + 1)                                          # (72)
        self.alpha_f = rho / (rho + 1)
        self.gamma = 0.5 + self.alpha_f - self.alpha_m
        self.beta = 0.25 * (0.5 + self.gamma) ** 2
        column = lambda v: np.array(v, dtype=complex)[:, None]
        q, u = column(system.q_0), column(system.u_0)
        joints, rolling, normal, friction = (len(part.g) for part in system.rows(q, u))
        nu = len(u)
        self.sizes = {"a": nu, "U": nu, "Q": nu,                                         # (126)
                      "ka_g": joints, "La_g": joints, "la_g": joints,
                      "La_gamma": rolling, "la_gamma": rolling,
                      "ka_N": normal, "La_N": normal, "la_N": normal,
                      "La_F": friction, "la_F": friction}
        ends = np.cumsum([system.n_F[k] for k in range(normal)])
        self.friction_rows = [slice(end - n, end) for end, n in zip(ends, system.n_F)]
        self.now = SimpleNamespace(q=q, u=u, t=0.0)
        self.start()

    def split(self, x, names):
        ends = np.cumsum([self.sizes[name] for name in names])
        return dict(zip(names, np.split(x, ends[:-1])))

    def prox_parameters(self, q, u):
        """r of each contact's normal and friction laws: the inverse of the diagonal of
        G = W^T M^-1 W, with the joints kept."""
        joints, rolling, normal, friction = self.system.rows(q, u)
        M = self.system.M
        C = np.hstack([joints.W[..., 0].real, rolling.W[..., 0].real])
        W = np.hstack([normal.W[..., 0].real, friction.W[..., 0].real])
        X = np.linalg.solve(M, W)
        if C.size:
            X -= np.linalg.solve(M, C) @ np.linalg.lstsq(C.T @ np.linalg.solve(M, C), C.T @ X,
                                                         rcond=None)[0]
        G, n = (W * X).sum(axis=0), len(normal.g)
        return 1 / G[:n], [1 / G[n:][F].max() for F in self.friction_rows]

    # --- initial values, section 9: solve (52) with the laws on acceleration level ---

    def start(self):
        now, s = self.now, self.system
        r = self.prox_parameters(now.q, now.u)
        names = ["a", "la_g", "la_gamma", "la_N", "la_F"]
        residual = lambda x: self.start_residual(self.split(x, names), r)
        y, *_ = newton(residual, np.zeros(sum(self.sizes[name] for name in names)), 1e-12, 100)
        for name in self.sizes:
            setattr(now, name, np.zeros((self.sizes[name], 1), complex))
        vars(now).update(self.split(y[:, None].astype(complex), names))
        for name in names:
            setattr(now, name + "_bar", getattr(now, name))
        self.x = np.concatenate([getattr(now, name)[:, 0].real for name in self.sizes])
        now.g_N = s.rows(now.q, now.u)[2].g
        now.P_g, now.P_gamma, now.P_N, now.P_F = now.La_g, now.La_gamma, now.La_N, now.La_F

    def start_residual(self, y, r):
        now, system = self.now, self.system
        m = y["a"].shape[1]
        q, u = np.repeat(now.q, m, axis=1), np.repeat(now.u, m, axis=1)
        joints, rolling, normal, friction = system.rows(q, u)
        R = [system.M @ y["a"] - system.h(q, u) - times(joints.W, y["la_g"])
             - times(rolling.W, y["la_gamma"]) - times(normal.W, y["la_N"])
             - times(friction.W, y["la_F"]),                                              # (52)
             transposed_times(joints.W, y["a"]) + joints.zeta,                            # (56)
             transposed_times(rolling.W, y["a"]) + rolling.zeta]
        g_ddot = transposed_times(normal.W, y["a"]) + normal.zeta
        gamma_F = transposed_times(friction.W, u)
        gamma_F_dot = transposed_times(friction.W, y["a"]) + friction.zeta
        g_dot = transposed_times(normal.W, u)
        R_N, R_F = [], []
        for k, F in enumerate(self.friction_rows):
            la_N, la_F = y["la_N"][k], y["la_F"][F]
            closed = normal.g[k, 0].real <= 1e-12 and g_dot[k, 0].real <= 1e-12  # B, (61)
            slips = length(gamma_F[F, 0].real) > 1e-12
            radius = system.mu[k] * la_N
            R_N.append(half_line_law(r[0][k], g_ddot[k], la_N)[0] if closed else la_N)    # (60)
            if not closed:
                R_F.append(la_F)
            elif slips:
                R_F.append(la_F + radius * gamma_F[F] / length(gamma_F[F]))              # (120)
            else:
                R_F.append(ball_law(r[1][k], gamma_F_dot[F], la_F, radius)[0])           # (117)
        return np.vstack(R + R_N + R_F), None

    # --- one step ---

    def step(self):
        """One step. `stalled`: Newton's method did not find the index sets, so all were tried;
        `converged`: they were found. Otherwise the best iterate is taken."""
        self.r = self.prox_parameters(self.now.q, self.now.u)
        residual = lambda x: self.residual(self.at_end(x))
        x, self.iterations, self.residual_norm, self.history = newton(
            residual, self.x, self.tolerance, self.max_iterations)
        self.stalled = self.residual_norm > self.tolerance
        if self.stalled:
            x, self.residual_norm = self.try_all_sets(self.x) or (x, self.residual_norm)
        self.converged = self.residual_norm <= self.tolerance
        self.x = x
        end = self.at_end(x[:, None].astype(complex))
        self.sets = self.residual(end)[1]
        self.system.normalize(end.q)
        self.now = end

    def bar(self, old_bar, old, new):
        """(71), (96), (114) solved for the auxiliary variable at the end of the step."""
        return (self.alpha_f * old + (1 - self.alpha_f) * new
                - self.alpha_m * old_bar) / (1 - self.alpha_m)

    def at_end(self, x):
        """All that follows from x at the end of the step."""
        dt, beta, gamma, old, system = self.dt, self.beta, self.gamma, self.now, self.system
        new = SimpleNamespace(t=old.t + dt, **self.split(x, list(self.sizes)))
        new.a_bar = self.bar(old.a_bar, old.a, new.a)                                     # (71)
        new.u = old.u + dt * ((1 - gamma) * old.a_bar + gamma * new.a_bar) + new.U        # (73)
        new.q = (old.q + dt * system.q_dot(old.q, old.u)
                 + dt**2 / 2 * system.q_ddot(old.q, old.u, (1 - 2 * beta) * old.a_bar
                                             + 2 * beta * new.a_bar)
                 + system.q_dot(old.q, new.Q))                                           # (125)
        for kind in ("g", "gamma", "N", "F"):
            la, old_la, old_bar = (vars(new)["la_" + kind], vars(old)["la_" + kind],
                                   vars(old)[f"la_{kind}_bar"])
            la_bar = self.bar(old_bar, old_la, la)                                # (96), (114)
            P = vars(new)["La_" + kind] + dt * ((1 - gamma) * old_bar + gamma * la_bar)
            vars(new).update({f"la_{kind}_bar": la_bar, "P_" + kind: P})          # (95), (113)
        new.ka_hat_N = new.ka_N + dt**2 / 2 * ((1 - 2 * beta) * old.la_N_bar
                                               + 2 * beta * new.la_N_bar)                # (102)
        new.rows = system.rows(new.q, new.u)
        new.g_N = new.rows[2].g
        return new

    def residual(self, new, sets=None):
        system, M = self.system, self.system.M
        joints, rolling, normal, friction = new.rows
        R_s = [M @ new.a - system.h(new.q, new.u) - times(joints.W, new.la_g)
               - times(rolling.W, new.la_gamma) - times(normal.W, new.la_N)
               - times(friction.W, new.la_F),                                            # (127)
               M @ new.U - times(joints.W, new.La_g) - times(rolling.W, new.La_gamma)
               - times(normal.W, new.La_N) - times(friction.W, new.La_F),
               M @ new.Q - times(joints.W, new.ka_g) - times(normal.W, new.ka_N)
               - self.dt / 2 * (times(rolling.W, new.La_gamma) + times(friction.W, new.La_F)),
               joints.g,
               transposed_times(joints.W, new.u),
               transposed_times(joints.W, new.a) + joints.zeta,
               transposed_times(rolling.W, new.u),
               transposed_times(rolling.W, new.a) + rolling.zeta]
        laws = [self.contact_residual(self.contact(new, k), *(sets[k] if sets else 5 * [None]))
                for k in range(len(normal.g))]
        R_c = [law[i] for i in range(5) for law in laws]
        return np.vstack(R_s + R_c), [law[5] for law in laws]

    def contact(self, new, k):
        """Contact k at the end of the step: its r, g_N, xi_N, ... on all kinematic levels."""
        F, (_, _, normal, friction) = self.friction_rows[k], new.rows
        W_N, W_F = normal.W[:, k:k + 1], friction.W[:, F]
        u_old = self.now.u.repeat(new.u.shape[1], axis=1)
        g_dot, gamma_F = transposed_times(W_N, new.u)[0], transposed_times(W_F, new.u)
        return SimpleNamespace(
            r_N=self.r[0][k], r_F=self.r[1][k], mu=self.system.mu[k], g_N=normal.g[k],
            xi_N=g_dot + self.system.e_N[k] * transposed_times(W_N, u_old)[0],            # (44)
            g_ddot=transposed_times(W_N, new.a)[0] + normal.zeta[k],                      # (58)
            gamma_F=gamma_F, xi_F=gamma_F + self.system.e_F[k] * transposed_times(W_F, u_old),
            gamma_F_dot=transposed_times(W_F, new.a) + friction.zeta[F],                 # (119)
            ka_hat=new.ka_hat_N[k], P_N=new.P_N[k], la_N=new.la_N[k], P_F=new.P_F[F],
            la_F=new.la_F[F])

    @staticmethod
    def contact_residual(c, A=None, B=None, C=None, D_st=None, E_st=None):
        """A contact's part of R_c, and its index sets if they are not given."""
        R_ka_N, A = half_line_law(c.r_N, c.g_N, c.ka_hat, A)                      # (129), (130)
        R_La_N, B = half_line_law(c.r_N, c.xi_N, c.P_N, B) if A else (c.P_N, False)      # (132)
        R_la_N, C = half_line_law(c.r_N, c.g_ddot, c.la_N, C) if B else (c.la_N, False)  # (135)
        R_La_F, D_st = (ball_law(c.r_F, c.xi_F, c.P_F, c.mu * c.P_N, D_st) if A
                        else (c.P_F, False))                                      # (138), (139)
        if D_st:
            R_la_F, E_st = ball_law(c.r_F, c.gamma_F_dot, c.la_F, c.mu * c.la_N, E_st)   # (142)
        elif A:
            slip = direction(c.gamma_F, c.xi_F - c.P_F / c.r_F)
            R_la_F, E_st = c.la_F + c.mu * c.la_N * slip, False                          # (120)
        else:
            R_la_F, E_st = c.la_F, False
        return R_ka_N, R_La_N, R_la_N, R_La_F, R_la_F, (A, B, C, D_st, E_st)

    def try_all_sets(self, x):
        """Newton's method with the sets held, for each way they can be, until one fits."""
        for sets in itertools.product(SETS, repeat=len(self.friction_rows)):
            held = lambda x: self.residual(self.at_end(x), sets)
            y, _, norm, _ = newton(held, x, self.tolerance, 5)
            if norm <= self.tolerance:
                norm = np.abs(self.residual(self.at_end(y[:, None].astype(complex)))[0]).max()
            if norm <= self.tolerance:
                return y, norm
        return None

    # --- many steps ---

    def run(self, n):
        """n steps; arrays over time (first axis) by name, contact by contact N, F in P, la, La."""
        states, info = [self.now], [(0, 0.0, False, True)]
        for _ in range(n):
            self.step()
            states.append(self.now)
            info.append((self.iterations, self.residual_norm, self.stalled, self.converged))
        of = lambda name: np.array([vars(s)[name][:, 0].real for s in states])
        result = {name: of(name) for name in ("q", "u", "a", "g_N", "P_g", "la_g", "La_g")}
        for name in ("P", "la", "La"):
            N, F = of(name + "_N"), of(name + "_F")
            parts = [np.hstack([N[:, k:k + 1], F[:, f]]) for k, f in enumerate(self.friction_rows)]
            result[name] = np.hstack(parts) if parts else N
        result["t"] = self.dt * np.arange(n + 1)
        names = "iterations", "residual", "stalled", "converged"
        return result | dict(zip(names, map(np.array, zip(*info))))


def newton(residual, x, tolerance, max_iterations):
    """Semismooth Newton method (143). If it does not converge: the best iterate."""
    history, best = [], (np.inf, x)
    for iteration in range(max_iterations + 1):
        X = np.repeat(x[:, None].astype(complex), len(x) + 1, axis=1)
        X[:, 1:] += 1j * COMPLEX_STEP * np.eye(len(x))
        R, sets = residual(X)
        J = R[:, 1:].imag / COMPLEX_STEP
        R = R[:, 0].real
        norm = np.abs(R).max()
        history.append((norm, sets))
        if not np.isfinite(norm):
            break
        if norm < best[0]:
            best = norm, x
        if norm <= tolerance:
            return x, iteration, norm, history
        x = x - update(J, R)
    return best[1], max_iterations, best[0], history


def update(J, R):
    """J^-1 R, of least norm if J is singular; equations scaled, for they have many units."""
    scale = 1 / np.abs(J).max(axis=1)
    return np.linalg.lstsq(scale[:, None] * J, scale * R, rcond=1e-13)[0]


# --- systems: coordinates, signs and orders are those of the models of the same name ---

class System:
    """q' = u, constant M, contacts without friction or rebound unless said otherwise."""
    mu, e_N, e_F, n_F = (), (), (), ()

    def q_dot(self, q, u):
        return u

    def q_ddot(self, q, u, a):
        return a

    def normalize(self, q):
        pass

    def h(self, q, u):
        return np.repeat(self.weight[:, None].astype(complex), q.shape[1], axis=1)

    def assemble(self, q, joints=(), rolling=(), normal=(), friction=()):
        nu, m = len(self.M), q.shape[1]
        return [rows(items, nu, m) for items in (joints, rolling, normal, friction)]


class Ball(System):
    """A ball of the plane, q = (x, y, angle), that touches walls."""

    def __init__(self, position, omega=0.0, mass=1.0, radius=0.1, gravity=9.81):
        self.radius = radius
        self.M = np.diag([mass, mass, 0.4 * mass * radius**2])                           # (147)
        self.weight = np.array([0, -mass * gravity, 0])
        self.q_0, self.u_0 = [*position, 0], [0, 0, omega]

    def laws(self, mu, e_N):
        n = len(self.walls)
        self.mu, self.e_N, self.e_F, self.n_F = [mu] * n, e_N, [0.0] * n, [1] * n

    def rows(self, q, u):
        normal, friction = [], []
        for wall in self.walls:
            gap, (n_x, n_y), (n_x_dot, n_y_dot) = wall(q, u)
            normal.append((gap - self.radius, {0: n_x, 1: n_y}, n_x_dot * u[0] + n_y_dot * u[1]))
            friction.append((0, {0: n_y, 1: -n_x, 2: self.radius},        # tangent (n_y, -n_x)
                             n_y_dot * u[0] - n_x_dot * u[1]))
        return self.assemble(q, normal=normal, friction=friction)


def straight_wall(n_x, n_y):
    """Through the origin; the centre's distance, the normal, its rate."""
    return lambda q, u: (n_x * q[0] + n_y * q[1], (n_x, n_y), (0, 0))


class RotatingBall(Ball):
    """GA 10.1, (148)."""

    def __init__(self, omega=0.0, e_N=0.5, e_F=0.0):
        super().__init__((0, 1), omega)
        self.walls = [straight_wall(0, 1)]
        self.laws(0.2, [e_N])
        self.e_F = [e_F]


class BallInCorner(Ball):
    """GA 10.2, (149)."""

    def __init__(self):
        super().__init__((-0.5, 1))
        s = np.sqrt(0.5)
        self.walls = [straight_wall(-s, s), straight_wall(s, s)]
        self.laws(0.3, [0.5, 0.0])


class BallInCylinder(Ball):
    """GA 10.3, (150), (151): inside a circle of radius 1 about (0, 1)."""

    def __init__(self):
        super().__init__((-0.9, 1))
        self.walls = [self.inside]
        self.laws(0.1, [0.0])

    @staticmethod
    def inside(q, u):
        d = np.array([q[0], q[1] - 1])
        distance = length(d)
        e = d / distance
        e_dot = (u[:2] - e * (e * u[:2]).sum(axis=0)) / distance
        return 1 - distance, -e, -e_dot


class PointOnSlope(System):
    """LO 6.3: a point mass, q = (x, y), on the curve y = exp(-x); the gap is the distance from the
    nearest point of the curve, which has the abscissa s."""
    mu, e_N, e_F, n_F = [0.3], [0.0], [0.0], [1]

    def __init__(self, height=1.0):
        self.M, self.weight = np.eye(2), np.array([0.0, -10.0])
        self.q_0, self.u_0 = [0.0, height], [0.0, 0.0]

    def rows(self, q, u):
        x, y = q
        s = x
        for _ in range(20):  # Newton's method for (x - s) + (y - f) f' = 0, f = exp(-s)
            f = np.exp(-s)
            bend = 1 + f**2 - (y - f) * f
            s = s + ((x - s) - (y - f) * f) / bend
        f = np.exp(-s)
        root = np.sqrt(1 + f * f)
        n_x, n_y = f / root, 1 / root
        s_dot = (u[0] - f * u[1]) / (1 + f**2 - (y - f) * f)
        turn = f / root**2 * s_dot  # n' = -turn t with the tangent t = (n_y, -n_x), t' = turn n
        gap = n_x * (x - s) + n_y * (y - f)
        return self.assemble(
            q, normal=[(gap, {0: n_x, 1: n_y}, -turn * (n_y * u[0] - n_x * u[1]))],
            friction=[(0, {0: n_y, 1: -n_x}, turn * (n_x * u[0] + n_y * u[1]))])


class PlanarBodies(System):
    """Bodies with q = (x, y, angle) each; rows of their points."""

    def __init__(self, masses, inertias, gravity=9.81):
        self.M = np.diag([v for m, J in zip(masses, inertias) for v in (m, m, J)])
        self.weight = np.array([v for m in masses for v in (0, -m * gravity, 0)])

    @staticmethod
    def point_row(q, u, body, rho, d):
        """Position of the point rho of a body along the direction d, as a row."""
        x, y, angle = q[3 * body:3 * body + 3]
        c, s = np.cos(angle), np.sin(angle)
        arm = c * rho[0] - s * rho[1], s * rho[0] + c * rho[1]
        w = {3 * body: d[0], 3 * body + 1: d[1], 3 * body + 2: d[1] * arm[0] - d[0] * arm[1]}
        return (d[0] * (x + arm[0]) + d[1] * (y + arm[1]), w,
                -(d[0] * arm[0] + d[1] * arm[1]) * u[3 * body + 2] ** 2)

    def hinge(self, q, u, first, second=None):
        """Two rows: the points (body, rho) coincide; the second is the origin if absent."""
        result = []
        for d in ((1, 0), (0, 1)):
            g, w, zeta = self.point_row(q, u, *first, d)
            if second is not None:
                g_2, w_2, zeta_2 = self.point_row(q, u, *second, d)
                g, zeta = g - g_2, zeta - zeta_2
                w |= {j: -coefficient for j, coefficient in w_2.items()}
            result.append((g, w, zeta))
        return result

    def on_line(self, q, u, body, rho, n, offset=0.0):
        """Rows N and F of a point above the line n . x = offset."""
        gap, w, zeta = self.point_row(q, u, body, rho, n)
        _, w_F, zeta_F = self.point_row(q, u, body, rho, (n[1], -n[0]))
        return (gap - offset, w, zeta), (0, w_F, zeta_F)


class PainleveRod(PlanarBodies):
    """GA 10.4; the angle is -phi of (152), so that the tip is the rod's point (1, 0)."""
    mu, e_N, e_F, n_F = [5 / 3], [0.0], [0.0], [1]

    def __init__(self, inclination=np.radians(31), speed=30.0):
        super().__init__([1], [1 / 3], gravity=10)
        self.q_0, self.u_0 = [0, np.sin(inclination), -inclination], [speed, 0, 0]

    def rows(self, q, u):
        normal, friction = self.on_line(q, u, 0, (1, 0), (0, 1))
        return self.assemble(q, normal=[normal], friction=[friction])


class DoublePendulum(PlanarBodies):
    def __init__(self):
        super().__init__([1, 1], [1 / 12, 1 / 12])
        self.q_0, self.u_0 = [0.5, 0, 0, 1.5, 0, 0], [0] * 6

    def rows(self, q, u):
        shoulder = self.hinge(q, u, (0, (-0.5, 0)))
        elbow = self.hinge(q, u, (0, (0.5, 0)), (1, (-0.5, 0)))
        return self.assemble(q, joints=shoulder + elbow)


class SliderCrank(PlanarBodies):
    """LO 6.2: crank, rod, slider; corners of the slider at the ceiling and at the floor."""
    l_1, l_2, half_length, half_height, wall_distance = 0.153, 0.306, 0.05, 0.025, 0.052
    mu, e_N, e_F, n_F = [0.01] * 4, [0.4] * 4, [0.0] * 4, [1] * 4

    def __init__(self, omega_1=150.0, omega_2=-75.0):
        super().__init__([0.038, 0.038, 0.076], [7.4e-5, 5.9e-4, 2.7e-6])
        l_1, l_2 = self.l_1, self.l_2
        self.q_0 = [l_1 / 2, 0, 0, l_1 + l_2 / 2, 0, 0, l_1 + l_2, 0, 0]
        self.u_0 = [0, omega_1 * l_1 / 2, omega_1, 0, omega_1 * l_1 + omega_2 * l_2 / 2, omega_2,
                    0, omega_1 * l_1 + omega_2 * l_2, 0]

    def rows(self, q, u):
        l_1, l_2, a, b, wall = (self.l_1 / 2, self.l_2 / 2, self.half_length, self.half_height,
                                -self.wall_distance / 2)
        joints = (self.hinge(q, u, (0, (-l_1, 0))) + self.hinge(q, u, (0, (l_1, 0)), (1, (-l_2, 0)))
                  + self.hinge(q, u, (1, (l_2, 0)), (2, (0, 0))))
        contacts = [self.on_line(q, u, 2, rho, n, wall) for rho, n in
                    [((a, b), (0, -1)), ((-a, b), (0, -1)), ((a, -b), (0, 1)), ((-a, -b), (0, 1))]]
        return self.assemble(q, joints=joints, normal=[c[0] for c in contacts],
                             friction=[c[1] for c in contacts])


class Skate(PlanarBodies):
    """A velocity-level constraint: a body that cannot slip across its x axis, on an incline."""

    def __init__(self, speed, omega, gravity, mass=2.0, inertia=0.3):
        super().__init__([mass], [inertia], gravity)
        self.q_0, self.u_0 = [0, 0, 0], [speed, 0, omega]

    def rows(self, q, u):
        c, s = np.cos(q[2]), np.sin(q[2])
        return self.assemble(q, rolling=[(0, {0: -s, 1: c}, -(c * u[0] + s * u[1]) * u[2])])


class SpatialBody(System):
    """q = (position, unit quaternion p), u = (velocity, angular velocity Omega in the body's axes).
    Orientations are those of p/|p|."""

    def __init__(self, mass, inertia, gravity=9.81):
        self.M = np.diag([mass] * 3 + list(inertia))
        self.weight = np.array([0, 0, -mass * gravity, 0, 0, 0])
        self.inertia = np.array(inertia)[:, None]

    def q_dot(self, q, u):                                                               # (121)
        return np.concatenate([u[:3] + 0 * q[:3], 0.5 * quaternion_product(q[3:], u[3:])])

    def q_ddot(self, q, u, a):                                                           # (123)
        p_dot = 0.5 * quaternion_product(q[3:], u[3:])
        return np.concatenate([a[:3] + 0 * q[:3], 0.5 * quaternion_product(q[3:], a[3:])
                               + 0.5 * quaternion_product(p_dot, u[3:])])

    def normalize(self, q):
        q[3:] /= length(q[3:])

    def h(self, q, u):
        h = super().h(q, u)
        h[3:] -= cross(u[3:], self.inertia * u[3:])
        return h

    def rows(self, q, u):
        return self.assemble(q)


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                     a[0] * b[1] - a[1] * b[0]])


def quaternion_product(p, v):
    """p o (0, v)."""
    return np.array([-p[1] * v[0] - p[2] * v[1] - p[3] * v[2],
                     p[0] * v[0] + p[2] * v[2] - p[3] * v[1],
                     p[0] * v[1] + p[3] * v[0] - p[1] * v[2],
                     p[0] * v[2] + p[1] * v[1] - p[2] * v[0]])


def rotation(p):
    """Rows: the world's axes in components of the body."""
    w, x, y, z = p / length(p)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class TippeTop(SpatialBody):
    """GA 10.6: main body and stick, each with two tangents (x and -y, as those of a plane in a
    model) and drilling, (156), (157)."""
    mu, e_N, e_F, n_F = [0.3, 0.3], [0.0, 0.0], [0.0, 0.0], [3, 3]
    spheres = (3e-3, 1.5e-2), (1.6e-2, 5e-3)  # a_k, R_k
    contact_radius = 5e-4

    def __init__(self):
        super().__init__(6e-3, (8e-7, 8e-7, 7e-7))
        self.q_0 = [0, 0, 1.2015e-2, np.cos(0.05), np.sin(0.05), 0, 0]
        self.u_0 = [0, 0, 0, 0, 0, 180]

    def rows(self, q, u):
        A, Omega = rotation(q[3:]), u[3:]
        e_z = A[2]
        normal, friction = [], []
        for a, R in self.spheres:
            arm = -R * e_z + np.array([0, 0, a])[:, None]  # from S to the point of contact
            transport = cross(Omega, cross(Omega, arm)) + R * cross(Omega, cross(Omega, e_z))
            gap = q[2] + a * e_z[2] - R
            velocities = [self.component(axis, sign, A, arm, transport)
                          for axis, sign in ((2, 1), (0, 1), (1, -1))]
            normal.append((gap, *velocities[0]))
            c = 3 * np.pi * self.contact_radius / 16
            drilling = (0, {3: c * e_z[0], 4: c * e_z[1], 5: c * e_z[2]}, 0)
            friction += [(0, *v) for v in velocities[1:]] + [drilling]
        return self.assemble(q, normal=normal, friction=friction)

    @staticmethod
    def component(axis, sign, A, arm, transport):
        """Velocity of the body's point at arm along an axis of the world."""
        moment = cross(arm, A[axis])
        w = {axis: sign} | {3 + i: sign * moment[i] for i in range(3)}
        return w, sign * (A[axis] * transport).sum(axis=0)
