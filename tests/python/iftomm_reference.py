"""References for the IFToMM benchmarks, computed without any of Clatter's code or equations.

Each mechanism is reduced by hand to its true degrees of freedom, and those are integrated with the
classical Runge-Kutta method at steps at which its error is below 1e-9 (the halved step changes
nothing in the first nine digits; test_iftomm.py checks that for the stiff one).
"""

import math

import numpy as np

GRAVITY = 9.81


def runge_kutta(slope, y, dt, n):
    """States at 0, dt, ..., n dt, as lists of floats."""
    states = [list(y)]
    for _ in range(n):
        k1 = slope(y)
        k2 = slope([a + 0.5 * dt * b for a, b in zip(y, k1)])
        k3 = slope([a + 0.5 * dt * b for a, b in zip(y, k2)])
        k4 = slope([a + dt * b for a, b in zip(y, k3)])
        y = [a + dt / 6.0 * (b + 2.0 * c + 2.0 * d + e)
             for a, b, c, d, e in zip(y, k1, k2, k3, k4)]
        states.append(list(y))
    return states


def simple_pendulum(dt, n):
    """Angle from the x axis, of a mass at (-1, 0) that is released at rest."""
    return np.array(runge_kutta(lambda y: (y[1], -GRAVITY * math.cos(y[0])), [math.pi, 0.0], dt, n))


def n_four_bar(windows, dt, n):
    """Angle of the cranks. All bars move in parallel: N + 1 cranks turn about their feet
    (inertia 1/3, centre at half the height), N couplers go around with the full radius."""
    inertia = (windows + 1) / 3.0 + windows
    weight = GRAVITY * ((windows + 1) / 2.0 + windows)
    return np.array(runge_kutta(lambda y: (y[1], -weight / inertia * math.cos(y[0])),
                                [math.pi / 2.0, -1.0], dt, n))


def flyball_governor(dt, n):
    """Slider's height s, arms' angle below the horizontal, shaft's angular velocity, and the rates of
    the first two. Both sides move alike."""
    bar, ball, slider, reach = 0.3, 5.0, 3.0, 0.05
    across, along = bar * (1.0 + 0.01**2) / 12.0, bar * 0.01**2 / 6.0
    turning = along + slider * 0.01 / 6.0  # of shaft and slider about the axis
    arm = bar * 0.25 + across + ball  # of an arm and its ball about the hinge
    stiffness, damping, relaxed = 8e5, 4e4, 0.5

    def slope(y):
        s, angle, speed, s_rate, rate = y
        c, d = math.cos(angle), math.sin(angle)
        middle, end = reach + 0.5 * c, reach + c
        inertia = turning + 2.0 * (bar * middle**2 + across * c * c + along * d * d + ball * end**2)
        change = 2.0 * (-bar * middle * d - 2.0 * (across - along) * c * d - 2.0 * ball * end * d)
        # From the slider to the middle of the arm.
        x, z = 0.5 * c, 1.0 - 0.5 * d - s
        x_rate, z_rate = -0.5 * d * rate, -0.5 * c * rate - s_rate
        length = math.hypot(x, z)
        pull = stiffness * (length - relaxed) + damping * (x * x_rate + z * z_rate) / length
        # Virtual work of the two springs and of gravity, per degree of freedom.
        on_slider = 2.0 * pull * z / length - slider * GRAVITY
        on_arms = (-2.0 * pull * (-x * 0.5 * d - z * 0.5 * c) / length
                   + 2.0 * GRAVITY * c * (0.5 * bar + ball) + 0.5 * change * speed**2)
        return (s_rate, rate, -change * rate * speed / inertia, on_slider / slider,
                on_arms / (2.0 * arm))

    return np.array(runge_kutta(slope, [0.5, math.pi / 6.0, 2.0 * math.pi, 0.0, 0.0], dt, n))


# --- Bricard's mechanism: a product of exponentials around the loop ---

# Hinges at the start: a point of the axis and its direction, and the rods' centres and directions.
CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], float)
AXES = np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)], float)
CENTRES = 0.5 * (CORNERS[:-1] + CORNERS[1:])
RODS = CORNERS[1:] - CORNERS[:-1]


def cross_matrix(a):
    return np.array(((0, -a[2], a[1]), (a[2], 0, -a[0]), (-a[1], a[0], 0)))


def turned(axis, angle):
    k = cross_matrix(axis)
    return np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * k @ k


def bricard_chain(angles):
    """Poses (rotation, shift) of rods 1 to 5 and of what is behind the sixth hinge, and the hinges'
    screws (axis, velocity of the origin) in the world."""
    rotation, shift = np.eye(3), np.zeros(3)
    poses, screws = [], []
    for corner, axis, angle in zip(CORNERS, AXES, angles):
        a, p = rotation @ axis, rotation @ corner + shift
        screws.append(np.concatenate((a, np.cross(p, a))))
        turn = turned(axis, angle)
        rotation, shift = rotation @ turn, rotation @ (corner - turn @ corner) + shift
        poses.append((rotation, shift))
    return poses, np.array(screws).T


def bricard_close(first, angles):
    """All six angles, given the first and a guess of the others: behind the sixth hinge is the
    ground again."""
    angles = np.array([first, *angles[1:]])
    for _ in range(50):
        poses, screws = bricard_chain(angles)
        rotation, shift = poses[-1]
        wrong = rotation - rotation.T
        gap = np.concatenate((0.5 * np.array((wrong[2, 1], wrong[0, 2], wrong[1, 0])), shift))
        if np.abs(gap).max() < 1e-15:
            break
        angles[1:] -= np.linalg.lstsq(screws[:, 1:], gap, rcond=1e-9)[0]
    assert np.abs(gap).max() < 1e-12
    return angles


def bricard_quantities(angles):
    """Inertia with respect to the first angle and potential energy."""
    poses, screws = bricard_chain(angles)
    rates = np.concatenate(((1.0,), np.linalg.lstsq(screws[:, 1:], -screws[:, 0], rcond=1e-9)[0]))
    inertia = potential = 0.0
    for i, (rotation, shift) in enumerate(poses[:-1]):
        twist = screws[:, :i + 1] @ rates[:i + 1]
        centre = rotation @ CENTRES[i] + shift
        velocity = twist[3:] + np.cross(twist[:3], centre)
        along = (rotation @ RODS[i]) @ twist[:3]
        inertia += velocity @ velocity + 0.01 / 6.0 * along**2 + 1.01 / 12.0 * (
            twist[:3] @ twist[:3] - along**2)
        potential += GRAVITY * centre[1]
    return inertia, potential


def bricard_mechanism(dt, n):
    """The first hinge's angle over time, and the function that gives the second rod's centre of it."""
    nodes = np.cos(np.pi * (np.arange(61) + 0.5) / 61)  # of Chebyshev, on [-0.3, pi + 0.3]
    low, high = -0.3, math.pi + 0.3
    order = np.argsort(np.abs(0.5 * (high + low) + 0.5 * (high - low) * nodes))
    values = np.zeros((61, 5))
    known = [(0.0, np.zeros(6))]
    for k in order:
        angle = 0.5 * (high + low) + 0.5 * (high - low) * nodes[k]
        near = min(known, key=lambda pair: abs(pair[0] - angle))[1]
        angles = bricard_close(angle, near)
        known.append((angle, angles))
        rotation, shift = bricard_chain(angles)[0][1]
        values[k] = *bricard_quantities(angles), *(rotation @ CENTRES[1] + shift)
    fits = [np.polynomial.Chebyshev.fit(nodes, column, 60, domain=(-1, 1)) for column in values.T]
    scale = 2.0 / (high - low)
    inertia, potential = fits[0], fits[1]
    inertia_slope, potential_slope = inertia.deriv(), potential.deriv()

    def place(angle):
        return scale * (angle - 0.5 * (high + low))

    def slope(y):
        x = place(y[0])
        force = -scale * (potential_slope(x) + 0.5 * inertia_slope(x) * y[1] ** 2)
        return (y[1], force / inertia(x))

    motion = np.array(runge_kutta(slope, [0.0, 0.0], dt, n))
    return motion, lambda angle: np.array([fit(place(angle)) for fit in fits[2:]]).T
