"""Scenes of random shapes that fall into a container, in the plane and in space."""
import math
import random

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def attributes(values):
    return " ".join(f'{name}="{value:.6g}"' for name, value in values.items())


def regular_points(rng, n, size):
    """Corners of a convex polygon: points on an ellipse, counter-clockwise."""
    angles = sorted((i + rng.uniform(-0.3, 0.3)) * 2 * math.pi / n for i in range(n))
    a, b = size, size * rng.uniform(0.4, 1)
    return [(a * math.cos(angle), b * math.sin(angle)) for angle in angles]


def plane_shape(rng, size):
    """One shape around the body's origin, of about the size; its reach."""
    common = 'name="hull" group="things" density="1000"'
    kind = rng.choice(["box", "circle", "polygon", "regular", "segment", "outline", "arc"])
    if kind == "box":
        sizes = {"length": 2 * size * rng.uniform(0.3, 0.8), "height": 2 * size * rng.uniform(0.1, 0.6),
                 "angle": rng.uniform(-3, 3)}
        return f"<box {common} {attributes(sizes)}/>"
    if kind == "circle":
        return f"<circle {common} {attributes({'radius': size * rng.uniform(0.3, 0.9)})}/>"
    if kind == "polygon":
        points = regular_points(rng, rng.randint(3, 8), size)
        vertices = "".join(f"<vertex {attributes({'x': x, 'y': y})}/>" for x, y in points)
        return f"<polygon {common}>{vertices}</polygon>"
    if kind == "regular":
        return f'<polygon {common} sides="{rng.randint(3, 9)}" {attributes({"radius": 0.9 * size})}/>'
    if kind == "segment":
        ends = {"x_1": -0.8 * size, "x_2": 0.8 * size, "thickness": size * rng.uniform(0.1, 0.5)}
        return f"<segment {common} {attributes(ends)}/>"
    if kind == "arc":
        values = {"radius": 0.7 * size, "from_angle": 0, "to_angle": rng.uniform(1, 5),
                  "thickness": size * rng.uniform(0.15, 0.4)}
        return f"<arc {common} {attributes(values)}/>"
    n = rng.randint(3, 6)  # a star, or a wheel with teeth
    inner = rng.uniform(0.4, 0.7)
    points = [(size * (1 if i % 2 == 0 else inner) * math.cos(math.pi * i / n),
               size * (1 if i % 2 == 0 else inner) * math.sin(math.pi * i / n)) for i in range(2 * n)]
    vertices = "".join(f"<to {attributes({'x': x, 'y': y})}/>" for x, y in points)
    return f"<outline {common}>{vertices}</outline>"


def space_shape(rng, size):
    common = 'name="hull" group="things" density="1000"'
    kind = rng.choice(["box", "sphere", "capsule", "hull", "cylinder"])
    if kind == "box":
        sizes = {name: 2 * size * rng.uniform(0.15, 0.55) for name in ("length", "width", "height")}
        return f"<box {common} {attributes(sizes)}/>"
    if kind == "sphere":
        return f"<sphere {common} {attributes({'radius': size * rng.uniform(0.3, 0.9)})}/>"
    if kind == "capsule":
        values = {"x_1": -0.6 * size, "x_2": 0.6 * size, "radius": size * rng.uniform(0.1, 0.35)}
        return f"<capsule {common} {attributes(values)}/>"
    if kind == "cylinder":
        values = {"radius": size * rng.uniform(0.2, 0.6), "length": 2 * size * rng.uniform(0.1, 0.6)}
        return f"<cylinder {common} {attributes(values)}/>"
    points = []
    for _ in range(rng.randint(5, 20)):
        d = [rng.gauss(0, 1) for _ in range(3)]
        length = math.sqrt(sum(x * x for x in d))
        points.append([0.9 * size * x / length for x in d])
    vertices = "".join(f"<vertex {attributes(dict(zip('xyz', p)))}/>" for p in points)
    return f"<hull {common}>{vertices}</hull>"


def places(rng, n, dimension, size):
    """Centres on a grid that is filled from below, with some play."""
    side = max(1, math.ceil(n ** (1 / dimension) * 0.8))
    spacing = 2.2 * size
    for i in range(n):
        cell = [(i // side ** k) % side for k in range(dimension - 1)]
        layer = i // side ** (dimension - 1)
        at = [(c - (side - 1) / 2) * spacing + rng.uniform(-0.08, 0.08) * size for c in cell]
        yield at + [size * 1.3 + layer * spacing], side * spacing


def bodies_of(seed):
    """Of a survey of scenes: a third of them have 30 to 100 bodies, the others 2 to 20 (None: at
    random)."""
    return None if seed % 3 else (30, 40, 50, 70, 100)[seed // 3 % 5]


def scene(seed, n=None, spatial=None, steps=250, rubs=True):
    """A model, as text, and what it is in words. rubs: it may have friction."""
    rng = random.Random(seed)
    spatial = rng.random() < 0.5 if spatial is None else spatial
    n = rng.choice([2, 3, 5, 8, 12, 20]) if n is None else n
    size = 10 ** rng.uniform(-2, 0.3)
    step = 5e-3 * math.sqrt(size)  # in which a body falls by a part of its size
    friction = rng.choice([0, 0.2, 0.5, 0.9])
    friction = friction if rubs else 0
    restitution = rng.choice([0, 0, 0.3, 0.7])
    dimension = 3 if spatial else 2
    bodies = []
    room = 0
    for i, (at, room) in enumerate(places(rng, n, dimension, size), start=1):
        names = "xyz"[:dimension]
        values = {f"initial_{c}": v for c, v in zip(names, at)}
        if spatial:
            values |= {f"initial_rotation_{c}": rng.uniform(-2, 2) for c in "xyz"}
            values |= {f"initial_angular_velocity_{c}": rng.uniform(-3, 3) for c in "xyz"}
            values["initial_velocity_z"] = rng.uniform(-2, 0)
            shape = space_shape(rng, size)
            bodies.append(f'<spatial_body name="b{i}" {attributes(values)}>{shape}</spatial_body>')
        else:
            values |= {"initial_angle": rng.uniform(-3, 3),
                       "initial_angular_velocity": rng.uniform(-3, 3),
                       "initial_velocity_y": rng.uniform(-2, 0)}
            shape = plane_shape(rng, size)
            bodies.append(f'<planar_body name="b{i}" {attributes(values)}>{shape}</planar_body>')
    half = 0.5 * room + 1.2 * size
    if spatial:
        walls = '<plane name="floor" group="walls"/>' + "".join(
            f'<plane name="wall{k}" x="{-nx * half:.6g}" y="{-ny * half:.6g}" normal_x="{nx}" '
            f'normal_y="{ny}" normal_z="0" group="walls"/>'
            for k, (nx, ny) in enumerate([(1, 0), (-1, 0), (0, 1), (0, -1)]))
    else:
        walls = '<line name="floor" group="walls"/>' + "".join(
            f'<line name="wall{k}" x="{-nx * half:.6g}" normal_angle="{0 if nx > 0 else math.pi}" '
            'group="walls"/>' for k, nx in enumerate([1, -1]))
    laws = f'friction_coefficient="{friction}" normal_restitution="{restitution}"'
    up = "z" if spatial else "y"
    text = (HEAD + f'<mechanism xmlns="urn:clatter:model:1" name="scene{seed}">\n'
            f'<experiment stop_time="{steps * step:.9g}"/><solver step_size="{step:.9g}"/><gravity {up}="-9.81"/>\n'
            + "\n".join(bodies) + f"\n<ground>{walls}</ground>\n"
            f'<contacts name="among" first="things" {laws}/>\n'
            f'<contacts name="around" first="things" second="walls" {laws}/>\n</mechanism>\n')
    words = {"n": n, "spatial": spatial, "size": size, "friction": friction,
             "restitution": restitution, "half": half, "up": up, "step": step}
    return text, words
