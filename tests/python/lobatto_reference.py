"""The Lobatto IIIA-IIIB schemes of Capobianco, Harsch and Leyendecker (LO in docs/notation.md),
written from the paper alone: the unknowns (60), the residual (61) to (70) and one semismooth Newton
method over all stages, with numbers of the paper's equations beside the lines. Slow and plain; the
product's scheme is checked against it step by step.

Differs from the paper, as its own derivation wants it:
- (61): the sums over forces are subtracted, by (47b) and (47d).
- (63): force directions are those of the stage, W(t_n^i, Q_n^i).
- Velocity-level constraints have multipliers R_gamma, which (60) leaves out.
- Friction of a stage that is open is zero, whatever (69) says of a ball of radius 0.
- r is the inverse of the effect that a percussion has on its own law, the diagonal of the Delassus
  matrix times that of the tableau, instead of a number per example: solutions do not depend on it.
- Where Newton's method fails, as with dependent force directions, proximal points help it.

As printed the schemes have order 2s - 2 with joints, in the plane also with sliding contacts. Two
things cost order, which `full_order` gives back:
- (51) and (57) at the velocities V of the stages, of order s - 1 themselves, leave order s - 1 to
  velocity-level constraints and to contacts that stick along a curve. Taken instead at the
  polynomial of degree s - 2 that has the moments of the stages' velocities (Jay's conditions on
  nonholonomic constraints), order 2s - 2.
- (57) pairs R_F^(i-1) with the velocity at stage i, (58) all of P_F with that at the end: where the
  direction of sliding turns, order 1. So where a contact with two or more friction rows slides in
  all of the step, R_F^i is against the velocity of its own stage, for i = 1 ... s.
One thing loses impacts: where a contact closes early in a step of s >= 4 stages, the percussions of
the stages that it closes at may leave a gap at the end, so that it is not in (67), P_N = 0 and R_N^s
takes back what those stages gave: v is as if there were no contact, and the next steps do the same,
with the body held at the wall. With `any_stage` a contact that is closed at any stage obeys the
impact law.

What is unique: q, v, the stages' V, and with independent force directions all R. The percussions
R_N^s, R_F^s of the last stage make up the balance of the step: they may be negative.

Systems and the last axis of arrays are those of generalized_alpha_reference.py; masses are constant
and q' = u.
"""

import itertools
import math
from decimal import Decimal, localcontext
from types import SimpleNamespace

import numpy as np

from generalized_alpha_reference import (COMPLEX_STEP, GeneralizedAlpha, half_line_law, length,
                                         update)

DIGITS = 40          # of the coefficients while they are computed
ROUNDING = 1e-11     # residual that is accepted where Newton's method stands still
WEIGHTS = 0.1 ** (0.5 * np.arange(17))  # of proximal points, by the effects of percussions


# --- coefficients ---

def polynomial_value(p, x):
    result = Decimal(0)
    for coefficient in reversed(p):
        result = result * x + coefficient
    return result


def derivative(p):
    return [k * coefficient for k, coefficient in enumerate(p)][1:]


def nodes(s):
    """Roots of d^(s-2)/dx^(s-2) x^(s-1) (x-1)^(s-1), to all digits."""
    p = [0] * (s - 1) + [(-1) ** (s - 1 - k) * math.comb(s - 1, k) for k in range(s)]
    for _ in range(s - 2):
        p = derivative(p)
    roots = sorted(np.roots([float(coefficient) for coefficient in reversed(p)]).real)
    result = []
    for root in roots:
        x = Decimal(root)
        for _ in range(6):
            x -= polynomial_value(p, x) / polynomial_value(derivative(p), x)
        result.append(x)
    return [Decimal(0), *result[1:-1], Decimal(1)]


def lagrange_integrals(c, end):
    """Integrals from 0 to end of the Lagrange polynomials of the nodes c."""
    result = []
    for j, c_j in enumerate(c):
        p = [Decimal(1)]
        for k, c_k in enumerate(c):
            if k != j:  # p (x - c_k) / (c_j - c_k)
                shifted, scaled = [Decimal(0), *p], [*(c_k * a for a in p), Decimal(0)]
                p = [(a - b) / (c_j - c_k) for a, b in zip(shifted, scaled)]
        result.append(sum(a * end ** (k + 1) / (k + 1) for k, a in enumerate(p)))
    return result


def coefficients(s):
    """c, a, b of Lobatto IIIA by collocation and a_hat of IIIB, (46)."""
    with localcontext() as context:
        context.prec = DIGITS
        c = nodes(s)
        a = [lagrange_integrals(c, c_i) for c_i in c]
        b = a[-1]
        a_hat = [[b[j] - b[j] * a[j][i] / b[i] for j in range(s)] for i in range(s)]      # (46)
        return SimpleNamespace(**{name: np.array(value, dtype=float) for name, value in
                                  (("c", c), ("a", a), ("b", b), ("a_hat", a_hat))})


def moments(T):
    """Of values at the stages: the polynomial of degree s - 2 with their moments, at c_2 ... c_s."""
    powers = np.vander(T.c, len(T.c) - 1, increasing=True)
    return powers[1:] @ np.linalg.solve(powers.T * T.b @ powers, powers.T * T.b)


# --- the scheme ---

def ball_law(r, y, z, radius, inside=None):
    """(64), (65): y in the normal cone of the ball at -z."""
    p = r * y - z
    if inside is None:
        inside = bool(length(p[:, 0].real) <= radius[0].real)
    return (y if inside else z + radius * p / length(p)), inside


class Lobatto:
    """Steps a system from q, u with constant dt. `now` holds everything at the present time: q, v,
    the stages' Q, V (s, n), R_g, R_gamma, R_N, R_F (s, n) and the step's percussions P_g, ..."""

    def __init__(self, system, dt, stages, tolerance=1e-13, full_order=False, any_stage=False,
                 extrapolate=False):
        self.system, self.dt, self.s = system, dt, stages
        self.tolerance, self.extrapolate = tolerance, extrapolate
        self.tableau = T = coefficients(stages)
        self.effect_N = np.append(dt * np.diag((T.a @ T.a_hat)[1:, :-1]), 1.0)  # of R^(i-1), of P
        self.full_order, self.any_stage = full_order, any_stage
        self.to_laws = moments(T) if full_order else np.eye(stages)[1:]  # velocities in (51), (57)
        self.effect_F = np.append(np.diag((self.to_laws @ T.a_hat)[:, :-1]), 1.0)
        self.instant = GeneralizedAlpha(system, dt)  # its r, its numbering, its start
        sizes = self.instant.sizes
        self.nu = sizes["U"]
        self.n = {"g": sizes["la_g"], "gamma": sizes["la_gamma"], "N": sizes["la_N"],
                  "F": sizes["la_F"]}
        self.friction_rows = self.instant.friction_rows
        self.mu = np.array(system.mu)
        zeros = {"R_" + kind: np.zeros((stages, n)) for kind, n in self.n.items()}
        v = np.array(system.u_0, dtype=float)
        self.now = SimpleNamespace(q=np.array(system.q_0, dtype=float), v=v,
                                   V=np.tile(v, (stages, 1)), **zeros)
        self.finish(self.now)
        self.info = SimpleNamespace(iterations=0, residual=0.0, ladder=0)

    # --- unknowns ---

    def split(self, x):
        """(60): V (s, nu, m), v (nu, m), R (s, n, m)."""
        s, nu, m = self.s, self.nu, x.shape[1]
        sizes = [s * nu, nu, *(s * n for n in self.n.values())]
        parts = np.split(x, np.cumsum(sizes)[:-1])
        new = SimpleNamespace(V=parts[0].reshape(s, nu, m), v=parts[1])
        for part, (kind, n) in zip(parts[2:], self.n.items()):
            setattr(new, "R_" + kind, part.reshape(s, n, m))
        return new

    def join(self, V, v, R):
        return np.concatenate([np.ravel(part) for part in (V, v, *R)])

    # --- the residual ---

    def rows(self, Q, V):
        """Joints, rolling, normal and friction rows of several instants: g (n, ., m),
        W (nu, n, ., m) of Q, V (., nu, m)."""
        count, nu, m = Q.shape
        flat = lambda x: np.moveaxis(x, 1, 0).reshape(nu, count * m)
        unfold = lambda x: x.reshape(*x.shape[:-1], count, m)
        return [SimpleNamespace(g=unfold(part.g), W=unfold(part.W))
                for part in self.system.rows(flat(Q), flat(V))]

    def residual(self, x, sets=None):
        """(61), (66), (69) and the index sets, which may be given beforehand: for each contact and
        i = 1 ... s whether it is closed and whether it sticks."""
        system, dt, now, s, T = self.system, self.dt, self.now, self.s, self.tableau
        new = self.split(x)
        m = x.shape[1]
        q_n, v_n = now.q[:, None], now.v[:, None]
        Q = q_n + dt * np.einsum("ij,jnm->inm", T.a, new.V)                               # (62)
        parts = self.rows(Q, new.V)
        h = np.moveaxis(system.h(np.moveaxis(Q, 1, 0).reshape(self.nu, s * m),
                                 np.moveaxis(new.V, 1, 0).reshape(self.nu, s * m))
                        .reshape(self.nu, s, m), 1, 0)
        F = dt * h                                                                        # (63)
        for part, kind in zip(parts, self.n):
            F = F + np.einsum("nkim,ikm->inm", part.W, vars(new)["R_" + kind])
        momentum = lambda v: np.einsum("ij,...jm->...im", system.M, v - v_n)
        R = [momentum(new.V) - np.einsum("ij,jnm->inm", T.a_hat, F),                      # (47d)
             momentum(new.v) - np.einsum("j,jnm->nm", T.b, F)]                            # (47b)
        joints, rolling, normal, friction = parts
        stage_speed = lambda part: np.einsum("nkim,inm->ikm", part.W, new.V)
        end_speed = lambda part: np.einsum("nkm,nm->km", part.W[:, :, -1], new.v)
        R += [np.moveaxis(joints.g, 1, 0)[1:], end_speed(joints),                         # (50)
              np.einsum("ij,jkm->ikm", self.to_laws, stage_speed(rolling)),
              end_speed(rolling)]                                                         # (51)
        R_N, R_F, sets = self.contact_residuals(new, np.moveaxis(normal.g, 1, 0),
                                                stage_speed(friction), end_speed(normal),
                                                end_speed(friction), sets)
        return np.vstack([part.reshape(-1, m) for part in R + R_N + R_F]), sets

    def contact_residuals(self, new, g_N, gamma_F, g_dot, gamma_F_end, sets):
        b, s, mu = self.tableau.b, self.s, self.mu
        gamma = np.einsum("ij,jkm->ikm", self.to_laws, gamma_F)
        P_N = np.einsum("j,jkm->km", b, new.R_N)                                          # (55)
        P_F = np.einsum("j,jkm->km", b, new.R_F)                                          # (59)
        xi_N, xi_F = g_dot + self.xi_N_n[:, None], gamma_F_end + self.xi_F_n[:, None]     # (53)
        R_N, R_F, found = [], [], []
        for k, f in enumerate(self.friction_rows):
            flags = []
            r_N, r_F = self.r[0][k] / self.effect_N, self.r[1][k] / self.effect_F
            for i in range(s):
                closed, sticks = sets[k][i] if sets else (None, None)
                if i < s - 1:  # R^(i-1) of the paper's stage i
                    z_N, z_F, y_N, y_F = new.R_N[i, k], new.R_F[i, f], g_N[i + 1, k], gamma[i, f]
                else:
                    z_N, z_F, y_N, y_F = P_N[k], P_F[f], xi_N[k], xi_F[f]
                if self.delta > 0:
                    y_N = y_N + self.delta / r_N[i] * (z_N - self.center[0][i, k])
                    y_F = y_F + self.delta / r_F[i] * (z_F - self.center[1][i, f, None])
                if i < s - 1 or any(was for was, _ in flags[0 if self.any_stage else -1:]):  # (67)
                    law_N, closed = half_line_law(r_N[i], y_N, z_N, closed)
                else:
                    law_N, closed = z_N, False
                R_N.append(law_N)                                                         # (66)
                if closed and mu[k] > 0:
                    law_F, sticks = ball_law(r_F[i], y_F, z_F, mu[k] * z_N, sticks)
                else:
                    law_F, sticks = z_F, False
                R_F.append(law_F)                                                         # (69)
                flags.append((closed, sticks))
            found.append(flags)
            if self.full_order and self.slides(flags, k) and new.R_N[-1, k, 0].real >= 0:
                R_F[-s:] = [new.R_F[i, f] + mu[k] * new.R_N[i, k] * gamma_F[i, f]
                            / length(gamma_F[i, f]) for i in range(s)]
        return R_N, R_F, found

    def slides(self, flags, k):
        """In all of the step, with a direction that can turn."""
        return self.system.n_F[k] > 1 and all(closed and not sticks for closed, sticks in flags)

    # --- one step ---

    def step(self):
        self.prepare()
        self.solve()
        self.finish(self.now)

    def prepare(self):
        """What a step knows beforehand: r, and the velocities before an impact."""
        now = self.now
        column = lambda v: v[:, None].astype(complex)
        with np.errstate(divide="ignore"):
            self.r = self.instant.prox_parameters(column(now.q), column(now.v))
        self.delta = 0.0
        _, _, normal, friction = self.system.rows(column(now.q), column(now.v))
        self.xi_N_n = np.array(self.system.e_N) * (normal.W[..., 0].real.T @ now.v)       # (53)
        e_F = [e for e, n in zip(self.system.e_F, self.system.n_F) for _ in range(n)]
        self.xi_F_n = np.array(e_F) * (friction.W[..., 0].real.T @ now.v)                 # (58)

    def guesses(self):
        """Starts of Newton's method: the last step's forces and the present velocity, or what
        polynomials through the last step's stages say; then without forces."""
        now, s = self.now, self.s
        R = [vars(now)["R_" + kind] for kind in self.n]
        held = self.join(np.tile(now.v, (s, 1)), now.v, R)
        if self.extrapolate:
            c = self.tableau.c
            on = np.vander(1 + c, s) @ np.linalg.inv(np.vander(c, s))
            V = on @ now.V
            yield self.join(V + (now.v - V[0]), V[-1], [on @ part for part in R])
        yield held
        zero = [np.zeros_like(part) for part in R]
        yield self.join(np.tile(now.v, (s, 1)), now.v, zero)

    def solve(self):
        for number, guess in enumerate(self.guesses()):
            x, iterations, norm = self.newton(guess)
            if norm <= ROUNDING:
                return self.accept(x, iterations, norm, number)
        x, iterations, norm = self.proximal_points(guess)
        if norm > ROUNDING:
            raise ArithmeticError(f"no solution, residual {norm:.1e}")
        self.accept(x, iterations, norm, number + 1)

    def proximal_points(self, x):
        """Laws with y + delta (z - z_before) in place of y, which Newton's method solves more
        easily the larger delta is; z_before follows z, and delta goes down."""
        total = 0
        for delta in WEIGHTS:
            new = self.split(x[:, None])
            self.center = [np.vstack([R[:-1], self.tableau.b @ R])
                           for R in (new.R_N[..., 0], new.R_F[..., 0])]
            self.delta = delta
            x = min((self.newton(x, damping=damping) for damping in (1.0, 0.5)),
                    key=lambda result: result[2])[0]
            self.delta = 0.0
            y, iterations, norm = self.newton(x)
            total += iterations
            if norm <= ROUNDING:
                break
        return y, total, norm

    def newton(self, x, sets=None, damping=1.0, max_iterations=25):
        """Semismooth Newton method; derivatives by complex steps while the sets are held."""
        best, steps = (np.inf, x, 0), max_iterations if damping == 1 else 8 * max_iterations
        for iteration in range(steps + 1):
            X = np.repeat(x[:, None].astype(complex), len(x) + 1, axis=1)
            X[:, 1:] += 1j * COMPLEX_STEP * np.eye(len(x))
            R, _ = self.residual(X, sets)
            J, R = R[:, 1:].imag / COMPLEX_STEP, R[:, 0].real
            norm = np.abs(R).max()
            if not np.isfinite(norm):
                break
            if norm < best[0]:
                best = norm, x, iteration
            if norm <= self.tolerance or (norm <= ROUNDING and iteration > best[2] + 1):
                break
            x = x - (1.0 if norm < 1e-6 else damping) * update(J, R)
        return best[1], best[2], best[0]

    def solutions(self):
        """Solutions of the step with each of the index sets that they can have."""
        laws = [(False, False), (True, False), (True, True)]
        guess = list(self.guesses())[-1]
        for way in itertools.product(laws, repeat=self.s * len(self.friction_rows)):
            sets = [way[k * self.s:(k + 1) * self.s] for k in range(len(self.friction_rows))]
            if any(flags[-1][0] and not any(closed for closed, _ in flags[:-1]) for flags in sets):
                continue
            x, _, norm = self.newton(guess, sets, max_iterations=8)
            if norm <= ROUNDING:
                residual, _ = self.residual(x[:, None].astype(complex))
                if np.abs(residual).max() <= ROUNDING:
                    yield x

    def accept(self, x, iterations, norm, ladder):
        old, new = self.now, self.split(x[:, None])
        self.now = SimpleNamespace(v=new.v[:, 0], V=new.V[..., 0], q_n=old.q,
                                   **{"R_" + kind: vars(new)["R_" + kind][..., 0]
                                      for kind in self.n})
        self.now.Q = old.q + self.dt * self.tableau.a @ self.now.V
        self.now.q = self.now.Q[-1]
        self.sets = self.residual_sets(x, old)
        self.info = SimpleNamespace(iterations=iterations, residual=norm, ladder=ladder)

    def residual_sets(self, x, old):
        new, self.now = self.now, old
        sets = self.residual(x[:, None].astype(complex))[1]
        self.now = new
        return sets

    def finish(self, now):
        """Percussions of the step, (55), (59), and gaps at its end."""
        for kind in self.n:
            setattr(now, "P_" + kind, self.tableau.b @ vars(now)["R_" + kind])
        column = lambda v: v[:, None].astype(complex)
        now.g_N = self.system.rows(column(now.q), column(now.v))[2].g[:, 0].real

    # --- many steps ---

    def run(self, n):
        """n steps; arrays over time (first axis) by name; R_g, ... of the stages; in P percussions
        contact by contact N, F."""
        states, info = [self.now], [self.info]
        for _ in range(n):
            self.step()
            states.append(self.now)
            info.append(self.info)
        of = lambda name: np.array([vars(state)[name] for state in states])
        names = ["q", "v", "V", "g_N", *(p + kind for p in ("P_", "R_") for kind in self.n)]
        result = {name: of(name) for name in names}
        N, F = result["P_N"], result["P_F"]
        parts = [np.hstack([N[:, k:k + 1], F[:, f]]) for k, f in enumerate(self.friction_rows)]
        result["P"] = np.hstack(parts) if parts else N
        result["t"] = self.dt * np.arange(n + 1)
        return result | {name: np.array([vars(i)[name] for i in info])
                         for name in ("iterations", "residual", "ladder")}
