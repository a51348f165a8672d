"""A mechanism under construction: bodies with poses in the world, markers placed on them by world
pose, and the model text that comes of it.

Joints are consistent by construction: both markers of a joint get the same pose in the world, and
what their coordinates in a body are follows from the body's pose.
"""

import math

NAMESPACE = "urn:clatter:model:1"

# --- small vectors and unit quaternions (w, x, y, z) ---


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def subtract(a, b):
    return tuple(x - y for x, y in zip(a, b))


def scale(factor, a):
    return tuple(factor * x for x in a)


def norm(a):
    return math.sqrt(sum(x * x for x in a))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def multiply(p, q):
    w = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3]
    v = add(add(scale(p[0], q[1:]), scale(q[0], p[1:])), cross(p[1:], q[1:]))
    return (w, *v)


def conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q, a):
    return multiply(multiply(q, (0.0, *a)), conjugate(q))[1:]


def quaternion(vector):
    """Of a rotation vector, axis times angle."""
    angle = norm(vector)
    if angle == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    return (math.cos(angle / 2), *scale(math.sin(angle / 2) / angle, vector))


def rotation_vector(q):
    if q[0] < 0.0:
        q = scale(-1.0, q)
    sine = norm(q[1:])
    if sine == 0.0:
        return (0.0, 0.0, 0.0)
    return scale(2.0 * math.atan2(sine, q[0]) / sine, q[1:])


def turn_to(direction):
    """A rotation that takes x to a direction."""
    direction = scale(1.0 / norm(direction), direction)
    axis = cross((1.0, 0.0, 0.0), direction)
    if norm(axis) < 1e-9:
        return (1.0, 0.0, 0.0, 0.0) if direction[0] > 0.0 else (0.0, 0.0, 0.0, 1.0)
    return quaternion(scale(math.atan2(norm(axis), direction[0]) / norm(axis), axis))


def element(tag, children=(), **attributes):
    text = "".join(f' {name}="{value if isinstance(value, str) else repr(value)}"'
                   for name, value in attributes.items() if value is not None)
    if not children:
        return f"<{tag}{text}/>"
    return f"<{tag}{text}>" + "".join(children) + f"</{tag}>"


class Body:
    """A rigid body of the plane or of space, or the ground if it has no mass. Its origin is its
    centre of mass."""

    def __init__(self, name, space, mass=None, size=(0.1, 0.1, 0.1), position=(0.0, 0.0, 0.0),
                 rotation=(1.0, 0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0)):
        self.name, self.space, self.mass, self.size = name, space, mass, size
        self.position, self.rotation, self.velocity, self.spin = position, rotation, velocity, spin
        self.shapes = []

    def place(self, point):
        return rotate(conjugate(self.rotation), subtract(point, self.position))

    def shape(self, tag, **attributes):
        """Adds a shape; what to call it elsewhere in the file."""
        name = f"{tag}_{len(self.shapes)}"
        self.shapes.append(element(tag, name=name, **attributes))
        return f"{self.name}.{name}"

    def centred(self, tag, point, **attributes):
        """Adds a shape at a point given in the world."""
        x, y, z = self.place(point)
        return self.shape(tag, x=x, y=y, z=z if self.space else None, **attributes)

    def frame(self, point, rotation):
        """Adds a frame with a pose given in the world."""
        local = rotation_vector(multiply(conjugate(self.rotation), rotation))
        if self.space:
            return self.centred("frame", point, rotation_x=local[0], rotation_y=local[1],
                                rotation_z=local[2])
        return self.centred("frame", point, angle=local[2])

    def text(self):
        if self.mass is None:
            return element("ground", self.shapes) if self.shapes else ""
        x, y, z = self.position
        turn = rotation_vector(self.rotation)
        # The moments of inertia of a solid box.
        xx, yy, zz = (self.mass * (norm(self.size) ** 2 - a * a) / 12.0 for a in self.size)
        start = {"mass": self.mass, "initial_x": x, "initial_y": y}
        speed = {"initial_velocity_x": self.velocity[0], "initial_velocity_y": self.velocity[1]}
        if not self.space:
            return element("planar_body", self.shapes, name=self.name, **start, inertia=zz,
                           initial_angle=turn[2], **speed, initial_angular_velocity=self.spin[2])
        return element("spatial_body", self.shapes, name=self.name, **start, inertia_xx=xx,
                       inertia_yy=yy, inertia_zz=zz, initial_z=z, initial_rotation_x=turn[0],
                       initial_rotation_y=turn[1], initial_rotation_z=turn[2], **speed,
                       initial_velocity_z=self.velocity[2], initial_angular_velocity_x=self.spin[0],
                       initial_angular_velocity_y=self.spin[1],
                       initial_angular_velocity_z=self.spin[2])


class Assembly:
    def __init__(self, name, space, gravity=9.81):
        self.name, self.space, self.gravity = name, space, gravity
        self.ground = Body("ground", space)
        self.bodies, self.extra, self.connections = [], [], []
        self.step, self.stop = 1e-3, 1.0
        self.up = (0.0, 0.0, 1.0) if space else (0.0, 1.0, 0.0)

    def body(self, **attributes):
        made = Body(f"b{len(self.bodies)}", self.space, **attributes)
        self.bodies.append(made)
        return made

    def connect(self, tag, **attributes):
        """Adds a joint, a force or a contact; its name."""
        name = f"{tag}_{len(self.connections)}"
        self.connections.append(element(tag, name=name, **attributes))
        return name

    def flat_surface(self, point, normal, on=None):
        """A line or plane; it stands on the ground unless told otherwise."""
        on = on or self.ground
        x, y, z = point
        if self.space:
            return on.shape("plane", x=x, y=y, z=z, normal_x=normal[0], normal_y=normal[1],
                            normal_z=normal[2])
        return on.shape("line", x=x, y=y, normal_angle=math.atan2(normal[1], normal[0]))

    def round_shape(self, body, point, radius):
        if radius == 0.0:
            return body.centred("point", point)
        return body.centred("sphere" if self.space else "circle", point, radius=radius)

    def text(self):
        gravity = element("gravity", **{"z" if self.space else "y": -self.gravity})
        parts = [element("experiment", stop_time=self.stop), element("solver", step_size=self.step),
                 gravity, self.ground.text(), *(body.text() for body in self.bodies), *self.extra,
                 *self.connections]
        return (f'<mechanism xmlns="{NAMESPACE}" name="{self.name}">\n'
                + "\n".join(part for part in parts if part) + "\n</mechanism>\n")
