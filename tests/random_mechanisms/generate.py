"""Random mechanisms: `model(n)` makes number n, always the same one for the same n.

    python generate.py 17 > model.xml

They are physically sensible: joints hold at the start in position and velocity, nothing
penetrates, nothing is driven into a wall. Other than that they are meant to be unpleasant: loops
with redundant joints, piles with more contacts than bodies, masses over three decades, friction
coefficients up to 2, restitution up to 1.
"""

import math
import random
import sys
from collections import namedtuple

from assembly import (Assembly, Body, add, cross, element, multiply, norm, quaternion, rotate,
                      scale, subtract, turn_to)

Model = namedtuple("Model", "number kind n_bodies text")
PLAIN = (1.0, 0.0, 0.0, 0.0)
Z_UP_TO_Y = quaternion((-math.pi / 2, 0.0, 0.0))


class Maker:
    """Draws from one generator of random numbers into one assembly."""

    def __init__(self, number, space, n):
        self.random = random.Random(f"mechanism {number}")
        self.space, self.n = space, n
        gravity = self.random.choice((9.81, 9.81, 9.81, 1.62, 0.0))
        self.assembly = Assembly(f"random_{number}", space, gravity)

    # --- draws ---

    def uniform(self, low, high):
        return self.random.uniform(low, high)

    def chance(self, p):
        return self.random.random() < p

    def mass(self):
        return 10.0 ** self.uniform(-1.5, 1.5)

    def direction(self):
        """Of any kind, in the plane of the mechanism if it has one."""
        while True:
            a = (self.uniform(-1, 1), self.uniform(-1, 1),
                 self.uniform(-1, 1) if self.space else 0.0)
            if 0.1 < norm(a) < 1.0:
                return scale(1.0 / norm(a), a)

    def rotation(self):
        if self.space:
            return quaternion(scale(self.uniform(0, 3), self.direction()))
        return quaternion((0.0, 0.0, self.uniform(-3, 3)))

    def contact_law(self):
        law = {"friction_coefficient": self.random.choice((0.0, 0.1, 0.3, 0.7, 1.2, 2.0)),
               "normal_restitution": self.random.choice((0.0, 0.0, 0.3, 0.6, 1.0))}
        if self.chance(0.1):
            law["tangential_restitution"] = self.random.choice((-0.3, 0.4, 1.0))
        if self.space and self.chance(0.2):
            law["contact_radius"] = self.uniform(0.001, 0.02)
        if self.space and self.chance(0.1):
            law["friction_ratio"] = self.uniform(0.3, 2.0)
        return law

    # --- parts ---

    def link(self, start, end):
        """A bar between two points. In space its axes are turned anyhow about it."""
        along = subtract(end, start)
        rotation = turn_to(along)
        if self.space:
            rotation = multiply(rotation, quaternion((self.uniform(-3, 3), 0.0, 0.0)))
        length = norm(along)
        return self.assembly.body(mass=self.mass(), position=scale(0.5, add(start, end)),
                                  rotation=rotation, size=(length, 0.2 * length, 0.1 * length))

    def joint(self, kind, first, second, point, rotation=None):
        """A joint whose markers coincide at a point of the world."""
        if kind == "distance":
            other = add(point, scale(self.uniform(0.1, 0.3), self.direction()))
            self.assembly.connect("distance", first=first.centred("point", point),
                                  second=second.centred("point", other),
                                  length=norm(subtract(other, point)))
            return None
        rotation = rotation or self.rotation()
        markers = [body.frame(point, rotation) for body in (first, second)]
        attributes = {}
        if kind in ("revolute", "prismatic") and self.chance(0.2):
            size = self.random.choice((0.01, 0.1, 1.0))
            attributes["friction_torque" if kind == "revolute" else "friction_force"] = size
        self.assembly.connect(kind, first=markers[0], second=markers[1], **attributes)
        return markers

    def drive(self, kind, markers):
        """A prescribed motion that starts gently, about a joint of a tree."""
        rate, size = self.uniform(1, 8), self.uniform(0.1, 1.0)
        motion = f"{size!r}*(1-cos({rate!r}*t))"
        ends = {"first": markers[0], "second": markers[1]}
        if kind == "prismatic":
            self.assembly.connect("slide_drive", position=f"0.2*{motion}", **ends)
        elif self.chance(0.5):
            self.assembly.connect("angle_drive", angle=motion, **ends)
        else:
            self.assembly.connect("speed_drive", speed=f"{size!r}*sin({rate!r}*t)", **ends)

    def actuate(self, kind, markers):
        """A motor, spring or damper about a joint."""
        ends = {"first": markers[0], "second": markers[1]}
        if kind == "prismatic":
            self.assembly.connect("slide_actuator", proportional_gain=self.uniform(0, 100),
                                  derivative_gain=self.uniform(0, 10), limit=self.uniform(1, 50),
                                  target=f"0.1*sin({self.uniform(1, 9)!r}*t)", **ends)
        elif self.chance(0.5):
            self.assembly.connect("angle_actuator", proportional_gain=self.uniform(0, 20),
                                  derivative_gain=self.uniform(0, 2), limit=self.uniform(0.1, 20),
                                  target=f"sin({self.uniform(1, 9)!r}*t)", **ends)
        else:
            self.assembly.connect("torsional_spring_damper", stiffness=self.uniform(0, 20),
                                  damping=self.uniform(0, 1), free_angle=self.uniform(-1, 1),
                                  **ends)

    def add_forces(self):
        bodies = self.assembly.bodies
        for _ in range(self.random.randrange(0, 3)):
            body, other = self.random.choice(bodies), self.random.choice(bodies)
            kind = self.random.randrange(3)
            if kind == 0:
                other = None if other is body else other
                anchor = (other or self.assembly.ground)
                at = add(body.position, scale(self.uniform(0.05, 0.3), self.direction()))
                end = anchor.centred("point", at)
                mass = min(body.mass, other.mass if other else body.mass)
                self.assembly.connect(
                    "spring_damper", first=body.name, second=end,
                    stiffness=mass * self.uniform(5, 100) ** 2, damping=mass * self.uniform(0, 20),
                    free_length=self.uniform(0.02, 0.5),
                    compression_factor=self.random.choice((1.0, 1.0, 0.0)))
            elif kind == 1:
                size = body.mass * self.uniform(1, 20)
                self.assembly.connect("force", on=body.name,
                                      frame=self.random.choice(("world", "body")),
                                      x=f"{size!r}*sin({self.uniform(1, 20)!r}*t)")
            else:
                size = body.mass * self.uniform(0.01, 0.2)
                moment = f"{size!r}*cos({self.uniform(1, 20)!r}*t)"
                self.assembly.connect("torque", on=body.name,
                                      **{"z" if self.space else "value": moment})

    def surroundings(self, bodies):
        """A floor, or something round, that the ends and centres of links can strike."""
        a = self.assembly
        points = []  # shapes to be, with the radius of each
        for body in bodies:
            end = add(body.position, rotate(body.rotation, (0.5 * body.size[0], 0.0, 0.0)))
            points.append((body, self.random.choice((end, body.position)),
                           self.random.choice((0.0, 0.1 * body.size[0]))))
        clearance = self.random.choice((1e-6, 0.01, 0.2))
        law = self.contact_law()
        low = min(sum(u * x for u, x in zip(a.up, p)) - r for _, p, r in points) - clearance
        reach = max(norm(p) + r for _, p, r in points) + clearance
        kind = self.random.randrange(3)
        if kind == 0 or (kind == 1 and self.space):
            surface = a.flat_surface(scale(low, a.up), a.up)
        elif kind == 1:
            surface = a.ground.shape("curve", y=low - 0.05, function="0.05*sin(3*x)")
        elif self.space and self.chance(0.5):
            surface = a.ground.shape("bore", radius=reach)
        else:
            surface = a.ground.shape("hollow_sphere" if self.space else "ring", radius=reach)
        for body, point, radius in points:
            a.connect("contact", first=a.round_shape(body, point, radius), second=surface, **law)

    # --- families ---

    def joint_kind(self):
        plane = ("revolute", "revolute", "revolute", "spherical", "prismatic", "rigid", "distance")
        return self.random.choice(plane + (("cylindrical", "planar") if self.space else ()))

    def tree(self, branching):
        """A chain if branching is 0, else a tree, from the ground or free."""
        a, grounded, with_contacts = self.assembly, self.chance(0.7), self.chance(0.5)
        ends = []
        for i in range(self.n):
            parent, start = a.ground, (0.0, 0.0, 0.0)
            if i > 0:
                parent, start = ends[-1] if not self.chance(branching) else self.random.choice(ends)
            end = add(start, scale(self.uniform(0.1, 0.4), self.direction()))
            body = self.link(start, end)
            ends.append((body, end))
            if i == 0 and not grounded:
                continue
            kind = self.joint_kind()
            markers = self.joint(kind, parent, body, start)
            if kind not in ("revolute", "prismatic"):
                continue
            if self.chance(0.15) and not with_contacts:
                self.drive(kind, markers)
            elif self.chance(0.2):
                self.actuate(kind, markers)
        self.add_forces()
        if with_contacts:
            self.surroundings(a.bodies)

    def loop(self):
        """A closed polygon of bars, with the ground as one of them or free."""
        a, grounded = self.assembly, self.chance(0.6)
        n = max(self.n, 3 if grounded else 4)
        corners = n + (1 if grounded else 0)
        flat = not self.space or self.chance(0.5)
        lift = 0.0 if flat else 0.3
        points = [(math.cos(2 * math.pi * i / corners) * self.uniform(0.3, 0.6),
                   math.sin(2 * math.pi * i / corners) * self.uniform(0.3, 0.6),
                   lift * self.uniform(-1, 1)) for i in range(corners)]
        turned = Z_UP_TO_Y if self.space and flat else PLAIN  # stand the flat loop upright
        points = [rotate(turned, p) for p in points]
        kinds = self.loop_joints(n, grounded, flat)
        if grounded:
            bodies = [self.link(points[i], points[i + 1]) for i in range(n)]
            ring = [a.ground, *bodies, a.ground]
            for i, kind in enumerate(kinds):
                self.joint(kind, ring[i], ring[i + 1], points[i], turned if flat else None)
        else:
            bodies = [self.link(points[i], points[(i + 1) % n]) for i in range(n)]
            for i, kind in enumerate(kinds):
                self.joint(kind, bodies[i - 1], bodies[i], points[i], turned if flat else None)
        self.add_forces()
        if self.chance(0.4):
            self.surroundings(bodies)

    def loop_joints(self, n, grounded, flat):
        """Joints that leave the loop mobile: in a flat one hinges with parallel axes, in space
        enough of those with more freedom."""
        count = n + 1 if grounded else n
        if flat:
            kinds = ["revolute"] * count
            if self.chance(0.3):
                kinds[self.random.randrange(count)] = "prismatic"
            if self.space and self.chance(0.5):
                kinds[self.random.randrange(count)] = "spherical"
            return kinds
        kinds = [self.random.choice(("revolute", "spherical", "cylindrical")) for _ in range(count)]
        closed = {"revolute": 5, "cylindrical": 4, "spherical": 3}
        freedom = 6 * n - (0 if grounded else 6)
        while freedom - sum(closed[kind] for kind in kinds) < 1:
            kinds[next(i for i, kind in enumerate(kinds) if kind != "spherical")] = "spherical"
        return kinds

    def train(self):
        """Seen from above: trailers with a skate each that one straight motion carries along."""
        a = self.assembly
        a.gravity = 0.0
        speed = self.uniform(0.2, 3)
        for i in range(self.n):
            body = self.link((-0.5 * (i + 1), 0.0, 0.0), (-0.5 * i, 0.0, 0.0))
            body.velocity, body.rotation = (speed, 0.0, 0.0), PLAIN
            axle = body.frame(add(body.position, (-0.15, 0.0, 0.0)), PLAIN)
            a.connect("skate", first=axle)
            if self.space:
                self.joint("planar", a.ground, body, body.position, PLAIN)
            if i > 0:
                self.joint("spherical" if self.space else "revolute", a.bodies[i - 1], body,
                           (-0.5 * i, 0.0, 0.0), PLAIN)
        turn = f"{a.bodies[0].mass * self.uniform(0.05, 0.3)!r}*sin({self.uniform(2, 9)!r}*t)"
        a.connect("torque", on="b0", **{"z" if self.space else "value": turn})

    def rollers(self):
        """Discs or balls that roll on a slope, joined by springs and rods."""
        a = self.assembly
        tilt = self.uniform(0.0, 0.3)
        normal = (math.sin(tilt), 0.0, math.cos(tilt)) if self.space else (
            math.sin(tilt), math.cos(tilt), 0.0)
        down = (normal[2], 0.0, -normal[0]) if self.space else (normal[1], -normal[0], 0.0)
        slope = a.flat_surface((0.0, 0.0, 0.0), normal)
        for i in range(self.n):
            radius = self.uniform(0.05, 0.12)
            centre = add(scale(0.3 * i, down), scale(radius, normal))
            body = a.body(mass=self.mass(), size=(radius,) * 3, position=centre)
            a.connect("rolling", first=a.round_shape(body, centre, radius), second=slope)
            if i > 0 and self.chance(0.6):
                before = a.bodies[i - 1]
                length = norm(subtract(centre, before.position))
                if self.chance(0.5):
                    a.connect("distance", first=before.name, second=body.name, length=length)
                else:
                    a.connect("spring_damper", first=before.name, second=body.name,
                              stiffness=min(before.mass, body.mass) * self.uniform(5, 60) ** 2,
                              free_length=length * self.uniform(0.8, 1.2))

    def container(self, width, height):
        """What a pile falls into: shapes that everything in it can strike, in the order in which
        they are to be used. The inside is |x|, |y| < width, 0 < height."""
        a = self.assembly
        on, motion = a.ground, None
        reach = math.hypot(width, height) + 0.5
        kind = self.random.choice(("walls", "walls", "round", "funnel", "shaken"))
        if kind == "round":
            centre = scale(reach - 0.01, a.up)
            tag = "hollow_sphere" if self.space else "ring"
            # The bowl is deep enough for the pile to hang in it free of its wall.
            radius = math.hypot(width * (1.5 if self.space else 1.0), reach) + 0.1
            return [a.ground.centred(tag, centre, radius=radius)]
        if kind == "shaken":
            motion = f"{self.uniform(0.002, 0.02)!r}*(cos({self.uniform(5, 60)!r}*t)-1)"
            # The walls move with the floor: between a driven floor and walls that stand, friction
            # can wedge bodies so that there is no motion at all.
            on = Body("shaker", self.space)
            floor = a.flat_surface((0.0, 0.0, 0.0), a.up, on)
        elif kind == "funnel" and not self.space:
            floor = a.ground.shape("curve", y=-0.3, function="0.1*x^2")
        else:
            floor = a.flat_surface((0.0, 0.0, 0.0), a.up)
        walls = [floor]
        if self.space and kind == "funnel":
            walls.append(a.ground.shape("bore", radius=1.5 * width))
            return walls
        sides = [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)]
        if self.space:
            sides += [(0.0, 1.0, 0.0), (0.0, -1.0, 0.0)]
        walls += [a.flat_surface(scale(-width, side), side, on) for side in sides]
        if motion:
            a.extra.append(element("driven_frame", on.shapes, name=on.name,
                                   **{"z" if self.space else "y": motion}))
        return walls

    def corners(self, body, side):
        """The corners of a cube about the body's centre as points."""
        axes = "xyz" if self.space else "xy"
        return [body.shape("point", **{axis: side * (0.5 if i >> k & 1 else -0.5)
                                       for k, axis in enumerate(axes)})
                for i in range(1 << len(axes))]

    def pile(self):
        """Bodies dropped into a container: balls, and boxes with a ball inside them that strikes
        those of others, and corners that do."""
        a = self.assembly
        per_row = max(1, round(self.n ** (1 / 3 if self.space else 0.5)))
        cell = 0.26
        width = 0.5 * cell * per_row + 0.02
        rows = math.ceil(self.n / per_row ** (2 if self.space else 1))
        walls = self.container(width, cell * rows)
        per_contact = self.chance(0.2)
        shared = self.contact_law()
        law = self.contact_law if per_contact else lambda: shared
        drop = self.random.choice((1e-6, 0.01, 0.3))
        cores = []
        for i in range(self.n):
            column, row = i % per_row, i // per_row
            spot = [(column - 0.5 * (per_row - 1)) * cell, 0.0, 0.0]
            if self.space:
                spot[1] = (row % per_row - 0.5 * (per_row - 1)) * cell
                row //= per_row
            radius = self.uniform(0.04, 0.1)
            boxed = self.chance(0.2)
            slack = 0.0 if boxed else 0.5 * cell - radius - 0.005
            spot = add(add(tuple(spot), scale(0.13 + drop + cell * row, a.up)),
                       scale(self.uniform(0, 0.9) * slack, self.direction()))
            side = 2 * radius / math.sqrt(3)
            body = a.body(mass=self.mass(), size=(side,) * 3, position=spot,
                          rotation=self.rotation(),
                          velocity=scale(self.uniform(0, 1), self.direction()),
                          spin=self.direction() if self.space else (0.0, 0.0, self.uniform(-9, 9)))
            core = a.round_shape(body, spot, side / 2 if boxed else radius)
            touching = core
            if boxed:
                touching = body.shape("box", length=side, height=side,
                                      **({"width": side} if self.space else {}))
            for wall in walls:
                a.connect("contact", first=touching, second=wall, **law())
            corners = []
            for other, other_box in cores:
                a.connect("contact", first=core, second=other, **law())
                if boxed and not other_box:
                    corners = corners or self.corners(body, side)
                    values = law()
                    for corner in corners:
                        a.connect("contact", first=corner, second=other, **values)
            cores.append((core, boxed))

    def stack(self):
        """Columns of boxes, each corner on the top of the box below: more contacts than needed."""
        a = self.assembly
        columns = max(1, round(math.sqrt(self.n / 2)))
        law = self.contact_law()
        floor = a.flat_surface((0.0, 0.0, 0.0), a.up)
        gap = self.random.choice((0.0, 1e-9, 1e-3))
        for column in range(columns):
            below, height = floor, 0.0
            for _ in range(max(1, self.n // columns)):
                length, tall = self.uniform(0.1, 0.3), self.uniform(0.05, 0.2)
                height += gap
                middle = add((0.5 * column, 0.0, 0.0), scale(height + 0.5 * tall, a.up))
                size = (length, length, tall) if self.space else (length, tall, length)
                body = a.body(mass=self.mass(), size=size, position=middle)
                box = body.shape("box", length=length,
                                 **({"width": length, "height": tall} if self.space
                                    else {"height": tall}))
                a.connect("contact", first=box, second=below, **law)
                height += tall
                below = a.flat_surface(scale(0.5 * tall, a.up), a.up, body)
        if self.chance(0.6):
            push = a.bodies[self.random.randrange(len(a.bodies))]
            a.connect("force", on=push.name, x=f"{push.mass * self.uniform(1, 15)!r}*sin(8*t)")

    def packing(self):
        """A regular grid of equal balls on a floor, touching or nearly so: ties everywhere."""
        a = self.assembly
        radius, law = 0.1, self.contact_law()
        gap = self.random.choice((1e-9, 1e-6, 1e-3))
        floor = a.flat_surface((0.0, 0.0, 0.0), a.up)
        row = max(1, round(math.sqrt(2 * self.n)))
        centres, height, level = [], radius + gap, 0
        while len(centres) < self.n and row > 0:
            for i in range(row):
                x = (2 * radius + gap) * (i - 0.5 * (row - 1))
                centres.append(add((x, 0.0, 0.0), scale(height, a.up)))
            height += math.sqrt(3) * radius + gap
            row, level = row - 1, level + 1
        half = (2 * radius + gap) * 0.5 * (round(math.sqrt(2 * self.n)) - 1) + radius + gap
        walls = [floor] + [a.flat_surface((-side * half, 0.0, 0.0), (side, 0.0, 0.0))
                           for side in (1.0, -1.0)]
        equal = self.mass()
        shapes = []
        for centre in centres[:self.n]:
            body = a.body(mass=equal if self.chance(0.7) else self.mass(), position=centre,
                          size=(0.1,) * 3)
            shape = a.round_shape(body, centre, radius)
            for wall in walls:
                a.connect("contact", first=shape, second=wall, **law)
            for other, place in shapes:
                if norm(subtract(place, centre)) < 4.5 * radius:
                    a.connect("contact", first=shape, second=other, **law)
            shapes.append((shape, centre))

    def truss(self):
        """A grid of bodies joined by massless rods or hinged bars, diagonals included, that swings
        or falls."""
        a = self.assembly
        across = max(1, round(math.sqrt(self.n)))
        nodes = {}
        for i in range(self.n):
            column, row = i % across, i // across
            spot = (0.3 * column + self.uniform(-0.05, 0.05), 0.0, 0.0)
            spot = add(spot, scale(-0.3 * row + self.uniform(-0.05, 0.05), a.up))
            nodes[column, row] = a.body(mass=self.mass(), position=spot, size=(0.1, 0.1, 0.1))
        diagonals = self.chance(0.5)
        for (column, row), body in nodes.items():
            neighbours = [(1, 0), (0, 1)] + ([(1, 1), (1, -1)] if diagonals else [])
            for dx, dy in neighbours:
                other = nodes.get((column + dx, row + dy))
                if other is not None:
                    a.connect("distance", first=body.name, second=other.name,
                              length=norm(subtract(other.position, body.position)))
        if self.chance(0.6):
            self.joint("spherical" if self.space else "revolute", a.ground, nodes[0, 0],
                       nodes[0, 0].position)
        if self.chance(0.5):
            law = self.contact_law()
            low = min(sum(u * x for u, x in zip(a.up, b.position)) for b in a.bodies)
            floor = a.flat_surface(scale(low - 0.1, a.up), a.up)
            for body in a.bodies:
                a.connect("contact", first=a.round_shape(body, body.position, 0.05), second=floor,
                          **law)

    def clearance(self):
        """Pins in bores with clearance, one rod after the other along a shaft (space), or discs in
        rings that stand in each other (plane)."""
        a, law = self.assembly, self.contact_law()
        if not self.space:
            hole = a.ground.shape("ring", radius=0.5)
            radius = 0.5
            for _ in range(min(self.n, 6)):
                radius *= self.uniform(0.6, 0.95)
                body = a.body(mass=self.mass(), size=(radius,) * 3)
                a.connect("contact", first=body.shape("circle", radius=radius), second=hole, **law)
                radius *= self.uniform(0.7, 0.95)
                hole = body.shape("ring", radius=radius)
            return
        bore = a.ground.shape("bore", axis_x=1.0, axis_z=0.0, radius=0.1)
        stop = a.flat_surface((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
        for i in range(min(self.n, 12)):
            radius = 0.1 - self.random.choice((1e-4, 1e-3, 1e-2))
            spot = (-0.8 + 0.5 * i, 0.0, 0.0)
            body = a.body(mass=self.mass(), size=(0.3, 0.1, 0.1), position=spot,
                          velocity=(self.uniform(-1, 1), 0.0, 0.0))
            pin = body.shape("pin", axis_x=1.0, axis_z=0.0, radius=radius, length=0.3)
            a.connect("contact", first=pin, second=bore, **law)
            nose = body.shape("sphere", x=-0.1, radius=0.05)
            a.connect("contact", first=nose, second=stop, **law)
            if i > 0:
                tail = a.bodies[i - 1].shape("sphere", x=0.1, radius=0.05)
                a.connect("contact", first=nose, second=tail, **law)

    def obstacles(self):
        """Balls and points that fall over fixed round things and on a floor."""
        a, law = self.assembly, self.contact_law()
        surfaces = [a.flat_surface((0.0, 0.0, 0.0), a.up)]
        for i in range(3):
            spot = add((0.6 * (i - 1), 0.0, 0.0), scale(0.4 + 0.3 * (i % 2), a.up))
            if self.space:
                surfaces.append(a.ground.shape("shaft", x=spot[0], y=spot[1], z=spot[2], axis_y=1.0,
                                               axis_z=0.0, radius=0.15))
                surfaces.append(a.ground.centred("sphere", add(spot, (0.3, 0.3, 0.0)), radius=0.1))
            else:
                surfaces.append(a.ground.centred("circle", spot, radius=0.15))
        shapes = []
        for i in range(self.n):
            spot = add((0.3 * (i % 5 - 2) + self.uniform(-0.03, 0.03), 0.0, 0.0),
                       scale(1.1 + 0.3 * (i // 5), a.up))
            radius = self.random.choice((0.0, 0.05, 0.1))
            body = a.body(mass=self.mass(), size=(0.1,) * 3, position=spot,
                          velocity=scale(self.uniform(0, 2), self.direction()))
            shape = a.round_shape(body, spot, radius)
            for surface in surfaces:
                a.connect("contact", first=shape, second=surface, **law)
            for other, other_radius in shapes:
                if radius + other_radius > 0.0:
                    a.connect("contact", first=shape, second=other, **law)
            shapes.append((shape, radius))

    def bar(self):
        """An elastic bar that runs into a wall or into a mass on a spring."""
        a = self.assembly
        a.gravity = 0.0
        length, speed = self.uniform(0.5, 3), self.uniform(0.5, 3)
        wave, elements = self.uniform(20, 200), self.random.randrange(4, 40)
        density = 10.0 ** self.uniform(1, 3)
        shape = element("point", name="tip", x=length)
        a.extra.append(element("elastic_bar", [shape], name="bar", length=length, elements=elements,
                               area=0.01, youngs_modulus=density * wave ** 2, density=density,
                               initial_velocity_x=speed))
        wall = a.ground.shape("line", x=length + 0.1, normal_angle=math.pi)
        if self.chance(0.5):
            mass = a.body(mass=self.mass(), position=(length + 0.05, 0.0, 0.0))
            face = mass.shape("line", normal_angle=math.pi)
            guide = a.ground.frame(mass.position, PLAIN)
            a.connect("prismatic", first=guide, second=mass.frame(mass.position, PLAIN),
                      friction_force=self.random.choice((0.0, 1.0)))
            a.connect("contact", first="bar.tip", second=face, **self.contact_law())
            back = mass.shape("point")
            a.connect("contact", first=back, second=wall, **self.contact_law())
        else:
            a.connect("contact", first="bar.tip", second=wall, **self.contact_law())
        a.step = 0.2 * length / elements / wave


# What is made, how often, for the plane (P) and for space (S), with how many bodies at most.
FAMILIES = (
    ("chain", 4, "PS", 40, lambda m: m.tree(0.0)),
    ("tree", 3, "PS", 40, lambda m: m.tree(0.6)),
    ("loop", 4, "PS", 40, Maker.loop),
    ("pile", 5, "PS", 32, Maker.pile),
    ("packing", 2, "PS", 36, Maker.packing),
    ("stack", 2, "PS", 24, Maker.stack),
    ("truss", 2, "PS", 40, Maker.truss),
    ("obstacles", 2, "PS", 16, Maker.obstacles),
    ("clearance", 1, "PS", 12, Maker.clearance),
    ("train", 1, "PS", 12, Maker.train),
    ("rollers", 1, "PS", 20, Maker.rollers),
    ("bar", 1, "P", 1, Maker.bar),
)
WORK_LIMIT = 16.0  # s of motion times bodies: large mechanisms run for a shorter time


def model(number):
    draw = random.Random(f"family {number}")
    family, _, where, most, make = draw.choices(FAMILIES, [family[1] for family in FAMILIES])[0]
    space = draw.choice(where) == "S"
    n = 1 + int(most * draw.random() ** 2)  # more small ones than large ones
    maker = Maker(number, space, min(n, most))
    make(maker)
    assembly = maker.assembly
    n_bodies = max(1, len(assembly.bodies))
    assembly.stop = round(min(1.0, max(0.3, WORK_LIMIT / n_bodies)), 3)
    if family != "bar":
        assembly.step = draw.choice((1e-3, 1e-3, 1e-3, 2e-3, 5e-4))
    kind = f"{family}/{'space' if space else 'plane'}"
    return Model(number, kind, n_bodies, assembly.text())


if __name__ == "__main__":
    sys.stdout.write(model(int(sys.argv[1])).text)
