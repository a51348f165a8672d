"""Smooth motions that orders are measured on, with their solutions by equations of their own in the
fewest coordinates, integrated by extrapolation until rounding: in contact, with joints on position
and on velocity level, in the plane and in space."""

import functools
import math
from dataclasses import dataclass, field

import numpy as np

import exact
from exact import G
from tools import MODELS, mechanism, rotation


def extrapolate(f, x, duration, n):
    """States at 0 to n of n intervals: the modified midpoint rule, extrapolated to order 14."""
    substeps, H = 2 * np.arange(1, 8), duration / n
    states = [np.array(x, dtype=float)]
    for _ in range(n):
        row = []
        for i, m in enumerate(substeps):
            a, b = states[-1], states[-1] + H / m * f(states[-1])
            for _ in range(m - 1):
                a, b = b, a + 2 * H / m * f(b)
            new = [(a + b + H / m * f(b)) / 2]
            for k in range(1, i + 1):
                new.append(new[-1] + (new[-1] - row[k - 1]) / ((m / substeps[i - k])**2 - 1))
            row = new
        states.append(row[-1])
    return np.array(states)


def turn(p, w):
    """Rate of a unit quaternion at angular velocity w in the body."""
    return exact.euler(np.ones(3))(np.concatenate([p, w]))[:4]


def matrix(p):
    return rotation(p[:, None] / np.linalg.norm(p))[0]


FINEST = 40  # intervals with which extrapolation is exact to rounding


def at_steps(solution, dt, n):
    refined = math.ceil(FINEST / n)
    return [values[::refined] for values in solution(n * dt, refined * n)]


@dataclass
class Motion:
    """coordinates, velocities: names of outputs. solution(duration, n): their values (n+1 x ...)."""
    model: object
    duration: float
    coordinates: list
    velocities: list
    solution: object
    settings: dict = field(default_factory=dict)

    def errors(self, result, dt, n):
        """Of coordinates and of velocities, absolute values of all summed (n + 1), at steps dt."""
        truth = at_steps(self.solution, dt, n)
        return [np.abs(np.array([result[name] for name in names]).T - values).sum(axis=1)
                for names, values in zip((self.coordinates, self.velocities), truth)]


# --- contacts ---

def slope_rate(state):
    x, v = state
    f = math.exp(-x)
    root = math.sqrt(1 + f * f)
    return np.array([v / root, 10 * f / root - 0.3 * (10 / root + v * v * f / root**3)])


@functools.cache
def slope_motion(duration, n):
    return extrapolate(slope_rate, [0, 0], duration, n).T


def slope_solution(duration, n):
    """Of the point that slides down y = exp(-x), by its way along the curve."""
    x, v = slope_motion(duration, n)
    f = np.exp(-x)
    root = np.sqrt(1 + f * f)
    return np.array([x, f]).T, np.array([v / root, -f * v / root]).T


def slope_force(duration, n):
    """Its normal force."""
    x, v = slope_motion(duration, n)
    root = np.sqrt(1 + np.exp(-2 * x))
    return (10 / root + v * v * np.exp(-x) / root**3,)


# A sphere slides on a plane while a force pulls it aside: the direction of sliding turns.
SLIDING = mechanism("""<gravity z="-9.81"/>
<spatial_body name="ball" mass="1" inertia_xx="0.004" inertia_yy="0.004" inertia_zz="0.004"
  initial_z="0.1" initial_velocity_x="2" initial_angular_velocity_x="60"
  initial_angular_velocity_y="5"><sphere name="surface" radius="0.1"/></spatial_body>
<ground><plane name="table"/></ground><force name="wind" on="ball" x="1" y="-6"/>
<contact name="cloth" first="ball.surface" second="ground.table" friction_coefficient="0.2"/>""")


def sliding_rate(state):
    """x, y, their rates, angular velocity about x and y."""
    v, w = state[2:4], state[4:6]
    slip = v + 0.1 * np.array([-w[1], w[0]])
    F = -0.2 * G * slip / np.hypot(*slip)
    return np.concatenate([v, F + [1, -6], 0.1 / 0.004 * np.array([F[1], -F[0]])])


def sliding_solution(duration, n):
    s = extrapolate(sliding_rate, [0, 0, 2, 0, 60, 5], duration, n)
    return s[:, :2], s[:, 2:4]


# A ball rolls in a cylinder, by friction that holds or by a joint.
ROLLER = """<gravity y="-9.81"/>
<planar_body name="ball" mass="1" inertia="0.004" initial_x="-0.9*sin(pi/3)"
  initial_y="1-0.9*cos(pi/3)"><circle name="rim" radius="0.1"/></planar_body>
<ground><ring name="wall" radius="1" y="1"/></ground>
"""
ROLLING_CONTACT = mechanism(ROLLER + """<contact name="track" first="ball.rim"
  second="ground.wall" friction_coefficient="5"/>""")


def roller_solution(duration, n):
    angle, rate = extrapolate(
        lambda x: np.array([x[1], -G * math.sin(x[0]) / (1.4 * 0.9)]),
        [-math.pi / 3, 0], duration, n).T
    x, y = 0.9 * np.sin(angle), -0.9 * np.cos(angle)
    return np.array([x, 1 + y]).T, np.array([-y * rate, x * rate]).T


# --- joints ---

def pendulum_solution(duration, n):
    """Angles of both rods and their rates."""
    s = extrapolate(exact.double_pendulum, [0, 0, 0, 0], duration, n)
    return s[:, :2], s[:, 2:]


def crank_rate(state):
    """Crank and rod, the slider as a point at the rod's end, without walls."""
    a, b, u, v = state
    l1, l2, m1, m2, m3, J1, J2 = 0.153, 0.306, 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4
    C = (m2 / 2 + m3) * l1 * l2
    M = np.array([[J1 + m1 * l1**2 / 4 + (m2 + m3) * l1**2, C * math.cos(a - b)],
                  [C * math.cos(a - b), J2 + (m2 / 4 + m3) * l2**2]])
    S = C * math.sin(a - b)
    h = [-S * v * v - G * (m1 / 2 + m2 + m3) * l1 * math.cos(a),
         S * u * u - G * (m2 / 2 + m3) * l2 * math.cos(b)]
    return np.array([u, v, *np.linalg.solve(M, h)])


def crank_solution(duration, n):
    s = extrapolate(crank_rate, [0, 0, 150, -75], duration, n)
    return s[:, :2], s[:, 2:]


# A disc whose centre of mass, the body's origin, is beside its centre rolls on a line.
DISC = mechanism("""<gravity y="-9.81"/>
<planar_body name="disc" mass="1" inertia="0.3" initial_y="1" initial_x="0.4"
  initial_angular_velocity="-2" initial_velocity_x="2" initial_velocity_y="-0.8">
  <circle name="rim" x="-0.4" radius="1"/></planar_body>
<ground><line name="floor"/></ground><rolling name="track" first="disc.rim" second="ground.floor"/>
""")


def disc_solution(duration, n):
    """By the angle and its rate: A phi'' + A' phi'^2 / 2 = - m g e cos phi."""
    e = 0.4

    def rate(s):
        A = 0.3 + 1 + e * e + 2 * e * math.sin(s[0])
        return np.array([s[1], -e * math.cos(s[0]) * (s[1]**2 + G) / A])

    angle, w = extrapolate(rate, [0, -2], duration, n).T
    q = np.array([e * np.cos(angle) - angle, 1 + e * np.sin(angle), angle]).T
    return q, np.array([-(1 + e * np.sin(angle)) * w, e * np.cos(angle) * w, w]).T


# Chaplygin's sphere: three different moments of inertia, rolling on a plane. Its angular momentum
# about the point of contact is constant in space.
J = np.array([0.2, 0.35, 0.5])
SPHERE = mechanism("""<gravity z="-9.81"/>
<spatial_body name="ball" mass="1" inertia_xx="0.2" inertia_yy="0.35" inertia_zz="0.5"
  initial_z="1" initial_angular_velocity_x="1" initial_angular_velocity_y="2"
  initial_angular_velocity_z="0.5" initial_velocity_x="2" initial_velocity_y="-1">
  <sphere name="surface" radius="1"/></spatial_body>
<ground><plane name="table"/></ground>
<rolling name="track" first="ball.surface" second="ground.table"/>""")


def sphere_solution(duration, n):
    def spin(p):
        R = matrix(p)
        return R, np.linalg.solve(R @ np.diag(J) @ R.T + np.diag([1, 1, 0]), momentum)

    def rate(state):
        R, w = spin(state[2:])
        return np.array([w[1], -w[0], *turn(state[2:], R.T @ w)])

    momentum = J * [1, 2, 0.5] + [1, 2, 0]
    s = extrapolate(rate, [0, 0, 1, 0, 0, 0], duration, n)
    w = np.array([spin(p)[1] for p in s[:, 2:]])
    return s, np.array([w[:, 1], -w[:, 0]]).T


# A top on a ball joint, its centre of mass 0.5 from there.
HEAVY_TOP = mechanism("""<gravity z="-9.81"/>
<spatial_body name="top" mass="2" inertia_xx="0.2" inertia_yy="0.3" inertia_zz="0.25"
  initial_rotation_x="0.4" initial_y="-0.5*sin(0.4)" initial_z="0.5*cos(0.4)"
  initial_angular_velocity_z="15"><point name="tip" z="-0.5"/></spatial_body>
<spherical name="foot" first="top.tip"/>""")


def heavy_top_solution(duration, n):
    J_tip = np.array([0.2 + 0.5, 0.3 + 0.5, 0.25])

    def rate(state):
        p, w = state[:4], state[4:]
        torque = np.cross([0, 0, 0.5], matrix(p).T @ [0, 0, -2 * G])
        return np.concatenate([turn(p, w), (torque - np.cross(w, J_tip * w)) / J_tip])

    s = extrapolate(rate, [math.cos(0.2), math.sin(0.2), 0, 0, 0, 0, 15], duration, n)
    return s[:, :4], s[:, 4:]


def free_top_solution(duration, n):
    turned = np.array([0.3, -0.2, 0.5])
    angle = np.linalg.norm(turned)
    p = [math.cos(angle / 2), *(math.sin(angle / 2) * turned / angle)]
    s = extrapolate(exact.euler(np.array([1.0, 2.0, 3.0])), [*p, 0.1, 2, 0.1], duration, n)
    return s[:, :4], s[:, 4:]


def names(body, *variables):
    return [f"{body}.{variable}" for variable in variables]


QUATERNION = [f"quaternion_{i}" for i in range(4)]
SPIN = [f"angular_velocity_{axis}" for axis in "xyz"]
POINT = ["x", "y"], ["velocity_x", "velocity_y"]

MOTIONS = {
    "slope": Motion(MODELS / "point_on_slope.xml", 1.6, names("mass", *POINT[0]),
                    names("mass", *POINT[1]), slope_solution),
    "double pendulum": Motion(MODELS / "double_pendulum.xml", 1.0, ["upper.angle", "lower.angle"],
                              ["upper.angular_velocity", "lower.angular_velocity"],
                              pendulum_solution),
    "slider-crank": Motion(MODELS / "slider_crank.xml", 0.032, ["crank.angle", "rod.angle"],
                           ["crank.angular_velocity", "rod.angular_velocity"], crank_solution,
                           {"wall_distance": 10.0}),
    "free top": Motion(MODELS / "free_top.xml", 4.0, names("top", *QUATERNION),
                       names("top", *SPIN), free_top_solution),
    "heavy top": Motion(HEAVY_TOP, 1.0, names("top", *QUATERNION), names("top", *SPIN),
                        heavy_top_solution),
    "rolling disc": Motion(DISC, 1.0, names("disc", "x", "y", "angle"),
                           names("disc", "velocity_x", "velocity_y", "angular_velocity"),
                           disc_solution),
    "rolling sphere": Motion(SPHERE, 2.0, names("ball", "x", "y", *QUATERNION),
                             names("ball", *POINT[1]), sphere_solution),
    "rolling contact": Motion(ROLLING_CONTACT, 1.0, names("ball", *POINT[0]),
                              names("ball", *POINT[1]), roller_solution),
    "sliding sphere": Motion(SLIDING, 0.4, names("ball", *POINT[0]), names("ball", *POINT[1]),
                             sliding_solution),
}
