"""Written by tools/model_format from the tables of the program: the elements of a mechanism."""

from __future__ import annotations

from typing import Literal

from clatter._element import Container, Element, Number, Reference, Rows

Unit = Literal[
    "1",
    "kg",
    "m",
    "s",
    "rad",
    "m/s",
    "rad/s",
    "m/s2",
    "rad/s2",
    "kg.m2",
    "N",
    "N.m",
    "N.s",
    "N.m.s",
    "N/m",
    "N.s/m",
    "N.m/rad",
    "N.m.s/rad",
    "J",
    "m2",
    "Pa",
    "kg/m3",
    "Hz",
    "N.m2",
    "kg/m",
    "kg.m",
    "rad/m",
    "kg/m2",
]

#: tags of bodies, on which shapes stand
BODIES = frozenset((
    "point_mass",
    "planar_body",
    "spatial_body",
    "elastic_bar",
    "beam",
    "spline_beam",
    "spatial_beam",
    "driven_frame",
    "ground",
))

#: tags of elements of which there is one at most
SINGLE = frozenset((
    "experiment",
    "gravity",
    "solver",
    "ground",
))

#: tags of shapes in which vertices stand
WITH_VERTICES = frozenset((
    "polygon",
    "outline",
    "hull",
))


class Vertices(Element):
    """A shape with its vertices, or a repetition of them."""

    def repeat(
        self,
        count: Number,
        *,
        index: str | None = None,
        first: Number | None = None,
    ) -> Vertices:
        """Makes what stands in it again and again. It can stand in a mechanism, a part, a body, the outputs or another repetition.

        count: how often, a whole number
        index: name of the index, which expressions in it can use; default: i
        first: index of the first repetition; default: 1
        """
        return self._add("repeat", Vertices, locals())

    def vertex(
        self,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A corner of a polygon, in the order in which they stand around it; of a hull, a point of it or within it, in any order.

        x: x in the coordinates of the shape, m; default: 0
        y: y in the coordinates of the shape, m; default: 0
        z: z in the coordinates of the shape (in space), m; default: 0
        description: a note for readers of the file; default: empty
        """
        return self._add("vertex", Element, locals())

    def to(
        self,
        *,
        x: Number | None = None,
        y: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A step of an outline's path: straight on to this point.

        x: x in the coordinates of the shape, m; default: 0
        y: y in the coordinates of the shape, m; default: 0
        description: a note for readers of the file; default: empty
        """
        return self._add("to", Element, locals())

    def arc_to(
        self,
        *,
        x: Number | None = None,
        y: Number | None = None,
        radius: Number,
        large: Literal[
            "no",
            "yes",
        ] | None = None,
        description: str | None = None,
    ) -> Element:
        """A step of an outline's path: along an arc to this point.

        x: x of its end in the coordinates of the outline, m; default: 0
        y: y of its end in the coordinates of the outline, m; default: 0
        radius: radius; above 0 it turns left on the way, below 0 right, m
        large: which one of the two arcs with this radius and these ends; default: no
        description: a note for readers of the file; default: empty
        """
        return self._add("arc_to", Element, locals())


class Body(Element):
    """A body, or the ground, with its shapes; or a repetition of shapes."""

    holds_shapes = True

    def repeat(
        self,
        count: Number,
        *,
        index: str | None = None,
        first: Number | None = None,
    ) -> Body:
        """Makes what stands in it again and again. It can stand in a mechanism, a part, a body, the outputs or another repetition.

        count: how often, a whole number
        index: name of the index, which expressions in it can use; default: i
        first: index of the first repetition; default: 1
        """
        return self._add("repeat", Body, locals())

    def frame(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        angle: Number | None = None,
        z: Number | None = None,
        rotation_x: Number | None = None,
        rotation_y: Number | None = None,
        rotation_z: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Element:
        """A point with axes, for joints: hinges turn about z, slides move along x.

        x: position x in the body's coordinates, m; default: 0
        y: position y in the body's coordinates, m; default: 0
        angle: angle of the frame's x axis in the body's coordinates (in the plane), rad; default: 0
        z: position z in the body's coordinates (in space), m; default: 0
        rotation_x: rotation vector of the frame's axes, x: axis times angle (in space), rad; default: 0
        rotation_y: rotation vector, y (in space), rad; default: 0
        rotation_z: rotation vector, z (in space), rad; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        """
        return self._add("frame", Element, locals())

    def point(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A point fixed to the body: it touches other shapes; joints, springs and forces can act on it.

        x: position x in the body's coordinates, m; default: 0
        y: position y in the body's coordinates, m; default: 0
        z: position z in the body's coordinates (in space), m; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("point", Element, locals())

    def circle(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        radius: Number,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A disc of the plane, solid inside: others touch it from outside.

        x: centre x in the body's coordinates, m; default: 0
        y: centre y in the body's coordinates, m; default: 0
        radius: radius, m
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m2; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("circle", Element, locals())

    def ring(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        radius: Number,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A round hole of the plane: points and circles touch it from inside.

        x: centre x in the body's coordinates, m; default: 0
        y: centre y in the body's coordinates, m; default: 0
        radius: radius, m
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("ring", Element, locals())

    def line(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        normal_angle: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A straight line of the plane without ends, solid on the side away from its normal.

        x: x of a point on the line, in the body's coordinates, m; default: 0
        y: y of a point on the line, in the body's coordinates, m; default: 0
        normal_angle: direction of the normal in the body's coordinates; the free side is where it points (the default is up), rad; default: 1.5707963267948966
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("line", Element, locals())

    def curve(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        angle: Number | None = None,
        reach: Number | None = None,
        function: Number,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A curve y = f(x) of the plane without ends, solid below and free above. It should be smooth, without kinks and poles. A contact of its own with a point or a circle, which touches in one point, has variables of its own; then hollows should be wider than the circle. In groups circles touch it on both sides.

        x: x of the curve's origin in the body's coordinates, m; default: 0
        y: y of the curve's origin in the body's coordinates, m; default: 0
        angle: angle of the curve's x axis in the body's coordinates, rad; default: 0
        reach: how far from its origin, along x, lines and other curves can touch it: what has no ends either does not tell where it is near, m; default: 1
        function: height f(x) over the curve's origin in metres, x being the distance from it in metres along the curve's x axis: an expression of x, such as exp(-x), and of parameters that are not tunable, m; an expression of x and parameters
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("curve", Element, locals())

    def cam(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        angle: Number | None = None,
        density: Number | None = None,
        function: Number,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A closed smooth profile of the plane in polar form, solid inside: its distance from its own origin is a function of the angle. It has to be above 0, and at the angle 2*pi what it is at 0, slope included. What touches it follows the function itself.

        x: x of its own origin in the body's coordinates, m; default: 0
        y: y of its own origin in the body's coordinates, m; default: 0
        angle: angle of its own x axis, from which the angle in its function counts, in the body's coordinates, rad; default: 0
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m2; default: 0
        function: distance of the profile from the cam's own origin in metres at every angle from 0 to 2*pi, counter-clockwise from its own x axis: an expression of angle, such as 0.03 + 0.005*cos(angle), and of parameters that are not tunable, m; an expression of the angle and parameters
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("cam", Element, locals())

    def sphere(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        radius: Number,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A ball, solid inside.

        x: centre x in the body's coordinates, m; default: 0
        y: centre y in the body's coordinates, m; default: 0
        z: centre z in the body's coordinates, m; default: 0
        radius: radius, m
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m3; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("sphere", Element, locals())

    def hollow_sphere(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        radius: Number,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A spherical hole: points and spheres touch it from inside.

        x: centre x in the body's coordinates, m; default: 0
        y: centre y in the body's coordinates, m; default: 0
        z: centre z in the body's coordinates, m; default: 0
        radius: radius, m
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("hollow_sphere", Element, locals())

    def plane(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        normal_x: Number | None = None,
        normal_y: Number | None = None,
        normal_z: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A plane without ends, solid on the side away from its normal.

        x: x of a point on the plane, in the body's coordinates, m; default: 0
        y: y of a point on the plane, in the body's coordinates, m; default: 0
        z: z of a point on the plane, in the body's coordinates, m; default: 0
        normal_x: direction of the normal, of any length; the free side is where it points (the default is up, along z); default: 0
        normal_y: direction of the normal; default: 0
        normal_z: direction of the normal; default: 1
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("plane", Element, locals())

    def shaft(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        axis_x: Number | None = None,
        axis_y: Number | None = None,
        axis_z: Number | None = None,
        radius: Number,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A cylinder without ends, solid inside: points and spheres touch it from outside.

        x: x of a point on the axis, in the body's coordinates, m; default: 0
        y: y of a point on the axis, in the body's coordinates, m; default: 0
        z: z of a point on the axis, in the body's coordinates, m; default: 0
        axis_x: direction of the axis, of any length (the default is z); default: 0
        axis_y: direction of the axis; default: 0
        axis_z: direction of the axis; default: 1
        radius: radius, m
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("shaft", Element, locals())

    def bore(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        axis_x: Number | None = None,
        axis_y: Number | None = None,
        axis_z: Number | None = None,
        radius: Number,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A cylindrical hole without ends: points and spheres touch it from inside.

        x: x of a point on the axis, in the body's coordinates, m; default: 0
        y: y of a point on the axis, in the body's coordinates, m; default: 0
        z: z of a point on the axis, in the body's coordinates, m; default: 0
        axis_x: direction of the axis, of any length (the default is z); default: 0
        axis_y: direction of the axis; default: 0
        axis_z: direction of the axis; default: 1
        radius: radius, m
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("bore", Element, locals())

    def box(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        length: Number,
        height: Number,
        angle: Number | None = None,
        density: Number | None = None,
        z: Number | None = None,
        width: Number | None = None,
        rotation_x: Number | None = None,
        rotation_y: Number | None = None,
        rotation_z: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """The corners of a box, four in the plane and eight in space: each touches other shapes as a point, with a contact of its own.

        x: centre x in the body's coordinates, m; default: 0
        y: centre y in the body's coordinates, m; default: 0
        length: size along the box's x axis, m
        height: size along the box's y axis, in space along its z axis, m
        angle: angle of the box's x axis in the body's coordinates (in the plane), rad; default: 0
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m2; default: 0
        z: centre z in the body's coordinates (in space), m; default: 0
        width: size along the box's y axis (in space), m
        rotation_x: rotation vector of the box's axes, x: axis times angle (in space), rad; default: 0
        rotation_y: rotation vector, y (in space), rad; default: 0
        rotation_z: rotation vector, z (in space), rad; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("box", Element, locals())

    def pin(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        axis_x: Number | None = None,
        axis_y: Number | None = None,
        axis_z: Number | None = None,
        radius: Number,
        length: Number,
        description: str | None = None,
        material: str | None = None,
    ) -> Element:
        """The side of a cylinder that sits in a <bore> with clearance: each of its two ends touches with a contact of its own.

        x: centre x in the body's coordinates, m; default: 0
        y: centre y in the body's coordinates, m; default: 0
        z: centre z in the body's coordinates, m; default: 0
        axis_x: direction of the axis, of any length (the default is z); default: 0
        axis_y: direction of the axis; default: 0
        axis_z: direction of the axis; default: 1
        radius: radius, m
        length: distance of its two ends, m
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        """
        return self._add("pin", Element, locals())

    def skin(
        self,
        name: str,
        *,
        first: Number | None = None,
        last: Number | None = None,
        stations: Number | None = None,
        radius: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """The surface of a <beam>, or of a part of it, as round cross sections: each touches other shapes as a circle, in space as a sphere, with a contact of its own.

        first: where it begins, as a fraction of the length; default: 0
        last: where it ends, as a fraction of the length; default: 1
        stations: number of round cross sections that touch, evenly spaced from first to last; 0: as many as touch each other, at most 101; default: 0
        radius: radius of the cross sections; 0: half the thickness, m; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("skin", Element, locals())

    def segment(
        self,
        name: str,
        *,
        x_1: Number | None = None,
        y_1: Number | None = None,
        x_2: Number | None = None,
        y_2: Number | None = None,
        thickness: Number | None = None,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A straight wall of the plane between two points: others touch it from both sides and at its ends.

        x_1: x of its one end in the body's coordinates, m; default: 0
        y_1: y of its one end in the body's coordinates, m; default: 0
        x_2: x of its other end in the body's coordinates, m; default: 0
        y_2: y of its other end in the body's coordinates, m; default: 0
        thickness: thickness; its ends are round and reach half of it beyond their points, m; default: 0
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m2; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("segment", Element, locals())

    def arc(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        radius: Number,
        from_angle: Number,
        to_angle: Number,
        thickness: Number,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A curved wall of the plane, a part of a circle or a whole one: others touch it from inside, from outside and at its ends.

        x: centre x in the body's coordinates, m; default: 0
        y: centre y in the body's coordinates, m; default: 0
        radius: radius, m
        from_angle: angle at which it begins, from the body's x axis, rad
        to_angle: angle at which it ends, counter-clockwise: more than from_angle, by a turn at most, rad
        thickness: thickness, half of it on each side of the radius; the ends are round, m
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m2; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("arc", Element, locals())

    def polygon(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        angle: Number | None = None,
        sides: Number | None = None,
        radius: Number | None = None,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Vertices:
        """A convex polygon of the plane, solid inside: by the vertices that stand in it, in either sense, or regular.

        x: x of its own origin in the body's coordinates; of a regular one its centre, m; default: 0
        y: y of its own origin in the body's coordinates, m; default: 0
        angle: angle of its own x axis in the body's coordinates; a regular one has its first corner there, rad; default: 0
        sides: number of sides of a regular polygon; 0: it has the vertices that stand in it; default: 0
        radius: distance of the corners of a regular polygon from its centre, m; default: 0
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m2; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("polygon", Vertices, locals())

    def outline(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        angle: Number | None = None,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Vertices:
        """A closed path of the plane, solid inside, convex or not: steps from point to point, straight or along arcs, the last one ending where the first one begins. It may go round in either sense.

        x: x of its own origin in the body's coordinates, m; default: 0
        y: y of its own origin in the body's coordinates, m; default: 0
        angle: angle of its own x axis in the body's coordinates, rad; default: 0
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m2; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("outline", Vertices, locals())

    def capsule(
        self,
        name: str,
        *,
        x_1: Number | None = None,
        y_1: Number | None = None,
        z_1: Number | None = None,
        x_2: Number | None = None,
        y_2: Number | None = None,
        z_2: Number | None = None,
        radius: Number,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A cylinder with half a ball on each end, solid inside: all that is within the radius of the straight line between two points.

        x_1: x of the centre of its one end, in the body's coordinates, m; default: 0
        y_1: y of the centre of its one end, m; default: 0
        z_1: z of the centre of its one end, m; default: 0
        x_2: x of the centre of its other end, in the body's coordinates, m; default: 0
        y_2: y of the centre of its other end, m; default: 0
        z_2: z of the centre of its other end, m; default: 0
        radius: radius, m
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m3; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("capsule", Element, locals())

    def cylinder(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        axis_x: Number | None = None,
        axis_y: Number | None = None,
        axis_z: Number | None = None,
        radius: Number,
        length: Number,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
    ) -> Element:
        """A cylinder with two flat ends, solid inside.

        x: centre x in the body's coordinates, m; default: 0
        y: centre y in the body's coordinates, m; default: 0
        z: centre z in the body's coordinates, m; default: 0
        axis_x: direction of the axis, of any length (the default is z); default: 0
        axis_y: direction of the axis; default: 0
        axis_z: direction of the axis; default: 1
        radius: radius, m
        length: distance of its two flat ends, m
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m3; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        """
        return self._add("cylinder", Element, locals())

    def hull(
        self,
        name: str,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        rotation_x: Number | None = None,
        rotation_y: Number | None = None,
        rotation_z: Number | None = None,
        scale: Number | None = None,
        rounding: Number | None = None,
        density: Number | None = None,
        description: str | None = None,
        material: str | None = None,
        group: str | None = None,
        file: str | None = None,
    ) -> Vertices:
        """The convex hull of points, solid inside: of the vertices that stand in it, or of all points of a file.

        x: x of its own origin in the body's coordinates, m; default: 0
        y: y of its own origin in the body's coordinates, m; default: 0
        z: z of its own origin in the body's coordinates, m; default: 0
        rotation_x: rotation vector of its own axes, x: axis times angle, rad; default: 0
        rotation_y: rotation vector, y, rad; default: 0
        rotation_z: rotation vector, z, rad; default: 0
        scale: factor for the coordinates of its points: 0.001 for a file in millimetres; default: 1
        rounding: what is within this distance of the points' hull belongs to it, too; edges and corners are then round, m; default: 0
        density: density, from which the body's mass follows if it is left out there: mass per area in the plane, per volume in space, kg/m3; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: that of the body it stands in
        group: name of the group that it is in, for <contacts>; default: none
        file: file with its points, STL (binary or text) or OBJ, relative to the model file; how they are connected does not matter; default: it has vertices
        """
        return self._add("hull", Vertices, locals())


class Elements(Container):
    """What stands in a mechanism, a part or a repetition."""

    single = SINGLE

    def experiment(
        self,
        *,
        start_time: Number | None = None,
        stop_time: Number | None = None,
    ) -> Element:
        """The default experiment: from when to when a simulation runs if nobody says otherwise.

        start_time: time at which the motion starts, s; default: 0
        stop_time: time at which it ends, s; later than start_time; default: start_time + 1
        """
        return self._add("experiment", Element, locals())

    def parameter(
        self,
        name: str,
        value: Number,
        *,
        unit: Unit | None = None,
        min: Number | None = None,
        max: Number | None = None,
        description: str | None = None,
        tunable: bool | None = None,
    ) -> Element:
        """A number of your own that expressions can use by its name. The attributes that depend on it follow when it is set in the FMU.

        name: name, for expressions and of the FMU's variable
        value: value in SI units
        unit: unit of the FMU's variable; default: 1
        min: smallest value allowed; default: no bound
        max: largest value allowed; default: no bound
        description: what it is; default: empty
        tunable: may it change between steps?; default: false
        """
        return self._add("parameter", Element, locals())

    def constant(
        self,
        name: str,
        value: Number,
        *,
        description: str | None = None,
    ) -> Element:
        """A number with a name that every expression can use, also where a constant is expected, such as in the count of a repetition. It stands in a mechanism, a part or any repetition and is no variable of the FMU.

        name: name, for expressions
        value: value in SI units
        description: a note for readers of the file; default: empty
        """
        return self._add("constant", Element, locals())

    def input(
        self,
        name: str,
        *,
        unit: Unit | None = None,
        start: Number | None = None,
        min: Number | None = None,
        max: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A signal that the host of the FMU sets while it runs; forces and torques can use it.

        name: name, for expressions and of the FMU's variable
        unit: unit of the FMU's variable; default: 1
        start: value until the host sets another; default: 0
        min: smallest value allowed; default: no bound
        max: largest value allowed; default: no bound
        description: what it is; default: empty
        """
        return self._add("input", Element, locals())

    def table(
        self,
        name: str,
        *,
        rows: str | Rows | None = None,
        file: str | None = None,
        argument: str | None = None,
        value: str | None = None,
        interpolation: Literal[
            "linear",
            "held",
            "smooth",
        ] | None = None,
        beyond: Literal[
            "hold",
            "repeat",
            "extrapolate",
            "error",
        ] | None = None,
        description: str | None = None,
    ) -> Element:
        """A function of one argument that is given by its values: expressions call it by its name, as in profile(t).

        name: name, to be called in expressions
        rows: the rows, separated by semicolons: argument and value of each, separated by blanks; arguments increase; default: those of the file
        file: file with the rows as CSV, relative to the model file; default: rows are given
        argument: name of the file's column with the arguments, which increase; default: the first column
        value: name of the file's column with the values; default: the second column of a file that has two
        interpolation: what is between the rows; default: linear
        beyond: what is before the first and after the last row; default: hold
        description: a note for readers of the file; default: empty
        """
        return self._add("table", Element, locals())

    def output(
        self,
        variable: str,
    ) -> Element:
        """One output.

        variable: name of a variable of the FMU, such as ball.velocity_x
        """
        return self._add("output", Element, locals())

    def repeat(
        self,
        count: Number,
        *,
        index: str | None = None,
        first: Number | None = None,
    ) -> Elements:
        """Makes what stands in it again and again. It can stand in a mechanism, a part, a body, the outputs or another repetition.

        count: how often, a whole number
        index: name of the index, which expressions in it can use; default: i
        first: index of the first repetition; default: 1
        """
        return self._add("repeat", Elements, locals())

    def part(
        self,
        name: str,
        *,
        description: str | None = None,
    ) -> Elements:
        """What a mechanism has more than once: bodies, joints and all else that stands in a mechanism. It is made where a <use> says so, and nowhere else.

        name: name, for <use>
        description: a note for readers of the file; default: empty
        """
        return self._add("part", Elements, locals())

    def gravity(
        self,
        *,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """Gravitational acceleration of all bodies; none without this element.

        x: gravitational acceleration x, m/s2; default: 0
        y: gravitational acceleration y, m/s2; default: 0
        z: gravitational acceleration z, m/s2; default: 0
        description: a note for readers of the file; default: empty
        """
        return self._add("gravity", Element, locals())

    def solver(
        self,
        *,
        scheme: Literal[
            "moreau_jean",
            "generalized_alpha",
            "moreau_jean_projected",
            "moreau_jean_combined",
            "generalized_alpha_velocity",
            "implicit_newmark",
            "schatzman_paoli",
            "lobatto",
            "cone_complementarity",
        ] | None = None,
        step_size: Number | None = None,
        theta: Number | None = None,
        activation: Literal[
            "explicit",
            "free",
        ] | None = None,
        forecast: Number | None = None,
        keep_active: Literal[
            "no",
            "yes",
        ] | None = None,
        spectral_radius: Number | None = None,
        alpha: Literal[
            "generalized",
            "hht",
            "newmark",
        ] | None = None,
        stages: Number | None = None,
        stage_friction: Literal[
            "moments",
            "stages",
        ] | None = None,
        tolerance: Number | None = None,
        maximum_iterations: Number | None = None,
        prox_parameter: Number | None = None,
        project_start: Literal[
            "no",
            "yes",
        ] | None = None,
        locate_impacts: Literal[
            "no",
            "yes",
        ] | None = None,
        maximum_located_impacts: Number | None = None,
        cone_law: Literal[
            "coulomb",
            "relaxed",
        ] | None = None,
        cone_method: Literal[
            "sweeps",
            "gradient",
            "plain_sweeps",
        ] | None = None,
        cone_iterations: Number | None = None,
        cone_tolerance: Number | None = None,
        cone_projection: Literal[
            "no",
            "yes",
        ] | None = None,
        recovery_velocity: Number | None = None,
        threads: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """How the motion is computed.

        scheme: time-stepping scheme; default: moreau_jean
        step_size: internal step; a communication step that it does not divide is split into the fewest equal steps that are no longer, s; default: 0.001
        theta: weight of the end of a step in the forces and velocities: 0.5 is of second order in smooth motion and keeps energy, 1 damps; default: 0.5
        activation: of moreau_jean, moreau_jean_projected, generalized_alpha_velocity and implicit_newmark: which gap must be closed for a contact to be considered in a step; default: explicit
        forecast: of explicit activation: a contact is considered in a step if its gap, moved on by this fraction of the step at its present speed, is closed; default: 0.5
        keep_active: of schemes on velocity level: contacts that pressed in the last step are considered whatever the forecast says, so that rounding lets no resting body fall; no: as in the papers; default: yes
        spectral_radius: of generalized_alpha and generalized_alpha_velocity: what a step leaves of motion at infinite frequency; 1 keeps energy, 0 damps most; default: 0.5
        alpha: of generalized_alpha_velocity: how its parameters follow from spectral_radius; default: generalized
        stages: of lobatto: stages s of a step; smooth motion is of order 2s - 2; default: 3
        stage_friction: of lobatto: what friction at the stages follows; default: moments
        tolerance: relative residual, in the norm of kinetic energy, below which a step counts as solved; of cone_complementarity: see cone_tolerance; default: 1e-10
        maximum_iterations: iterations after which a step is retried in smaller steps; of cone_complementarity: see cone_iterations; default: 50
        prox_parameter: r of the prox functions in the contact solver, in units of mass; 0: taken from the diagonal of the Delassus matrix, kg; default: 0
        project_start: move the initial positions and velocities, as little as possible, to where the joints hold; default: no
        locate_impacts: divide a step where contacts close in it, so that impacts act at their own instants: the order of the scheme goes through them; no: an impact acts at the end of its step, with first order; default: no
        maximum_located_impacts: of locate_impacts: most impacts located in one internal step; behind them the rest of it is made as without, which brings bodies to rest where impacts accumulate; default: 10
        cone_law: of cone_complementarity: the law of contact; default: coulomb
        cone_method: of cone_complementarity: how its problems are solved; default: sweeps
        cone_iterations: of cone_complementarity: most iterations in a step, and in each of its projections; what is left then is in solver.residual; default: 100
        cone_tolerance: of cone_complementarity: residual at which iterations end, relative to the mean motion of a body, in the norm of kinetic energy; default: 0.0001
        cone_projection: of cone_complementarity: move bodies, after each step, to where contacts do not penetrate and joints hold, without giving them a velocity; no: a velocity takes penetrations back, solver.recovery_velocity at most; default: yes
        recovery_velocity: of cone_complementarity without cone_projection: the largest velocity at which shapes that penetrate are moved apart; it adds energy, m/s; default: 0.5
        threads: of cone_complementarity: how many threads work on a step with thousands of contacts; with two or more the motion is the same, to the last bit, whatever their number; default: 1
        description: a note for readers of the file; default: empty
        """
        return self._add("solver", Element, locals())

    def point_mass(
        self,
        name: str,
        *,
        mass: Number,
        initial_x: Number | None = None,
        initial_y: Number | None = None,
        initial_velocity_x: Number | None = None,
        initial_velocity_y: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """A mass without extent or rotation, free in the plane.

        mass: mass, kg
        initial_x: position x at the start, m; default: 0
        initial_y: position y at the start, m; default: 0
        initial_velocity_x: velocity x at the start, m/s; default: 0
        initial_velocity_y: velocity y at the start, m/s; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("point_mass", Body, locals())

    def planar_body(
        self,
        name: str,
        *,
        mass: Number | None = None,
        inertia: Number | None = None,
        initial_x: Number | None = None,
        initial_y: Number | None = None,
        initial_angle: Number | None = None,
        initial_velocity_x: Number | None = None,
        initial_velocity_y: Number | None = None,
        initial_angular_velocity: Number | None = None,
        centre_of_mass_x: Number | None = None,
        centre_of_mass_y: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """A rigid body that moves in the plane. Without a mass of its own it has that of its shapes, with their densities; where shapes overlap, both count.

        mass: mass, kg; default: from its shapes
        inertia: moment of inertia about the centre of mass, kg.m2; default: from its shapes
        initial_x: position x of the body's origin at the start, which is the centre of mass unless centre_of_mass_x, y or the shapes say otherwise, m; default: 0
        initial_y: position y of the body's origin at the start, m; default: 0
        initial_angle: angle at the start, rad; default: 0
        initial_velocity_x: velocity x of the centre of mass at the start, m/s; default: 0
        initial_velocity_y: velocity y of the centre of mass at the start, m/s; default: 0
        initial_angular_velocity: angular velocity at the start, rad/s; default: 0
        centre_of_mass_x: centre of mass x in the body's coordinates, m; default: 0
        centre_of_mass_y: centre of mass y in the body's coordinates, m; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("planar_body", Body, locals())

    def spatial_body(
        self,
        name: str,
        *,
        mass: Number | None = None,
        inertia_xx: Number | None = None,
        inertia_yy: Number | None = None,
        inertia_zz: Number | None = None,
        inertia_xy: Number | None = None,
        inertia_xz: Number | None = None,
        inertia_yz: Number | None = None,
        centre_of_mass_x: Number | None = None,
        centre_of_mass_y: Number | None = None,
        centre_of_mass_z: Number | None = None,
        initial_x: Number | None = None,
        initial_y: Number | None = None,
        initial_z: Number | None = None,
        initial_rotation_x: Number | None = None,
        initial_rotation_y: Number | None = None,
        initial_rotation_z: Number | None = None,
        initial_velocity_x: Number | None = None,
        initial_velocity_y: Number | None = None,
        initial_velocity_z: Number | None = None,
        initial_angular_velocity_x: Number | None = None,
        initial_angular_velocity_y: Number | None = None,
        initial_angular_velocity_z: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """A rigid body that moves in space. Without a mass of its own it has that of its shapes, with their densities; where shapes overlap, both count.

        mass: mass, kg; default: from its shapes
        inertia_xx: moment of inertia about the body's x direction through the centre of mass, kg.m2; default: from its shapes
        inertia_yy: moment of inertia about y, kg.m2; default: from its shapes
        inertia_zz: moment of inertia about z, kg.m2; default: from its shapes
        inertia_xy: entry xy of the inertia tensor, kg.m2; default: 0
        inertia_xz: entry xz of the inertia tensor, kg.m2; default: 0
        inertia_yz: entry yz of the inertia tensor, kg.m2; default: 0
        centre_of_mass_x: centre of mass x in the body's coordinates, m; default: 0
        centre_of_mass_y: centre of mass y in the body's coordinates, m; default: 0
        centre_of_mass_z: centre of mass z in the body's coordinates, m; default: 0
        initial_x: position x of the body's origin at the start, m; default: 0
        initial_y: position y of the body's origin at the start, m; default: 0
        initial_z: position z of the body's origin at the start, m; default: 0
        initial_rotation_x: rotation vector x at the start: axis times angle, rad; default: 0
        initial_rotation_y: rotation vector y at the start, rad; default: 0
        initial_rotation_z: rotation vector z at the start, rad; default: 0
        initial_velocity_x: velocity x of the centre of mass at the start, m/s; default: 0
        initial_velocity_y: velocity y of the centre of mass at the start, m/s; default: 0
        initial_velocity_z: velocity z of the centre of mass at the start, m/s; default: 0
        initial_angular_velocity_x: angular velocity at the start about the body's x axis, rad/s; default: 0
        initial_angular_velocity_y: angular velocity at the start about the body's y axis, rad/s; default: 0
        initial_angular_velocity_z: angular velocity at the start about the body's z axis, rad/s; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("spatial_body", Body, locals())

    def elastic_bar(
        self,
        name: str,
        *,
        length: Number,
        elements: Number | None = None,
        area: Number,
        youngs_modulus: Number,
        density: Number,
        initial_x: Number | None = None,
        initial_velocity_x: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """An elastic bar along x that moves and deforms in that direction alone; shapes can stand anywhere on it, x counting from its first end.

        length: length when relaxed, m
        elements: number of finite elements; default: 10
        area: area of the cross section, m2
        youngs_modulus: Young's modulus, Pa
        density: mass per volume, kg/m3
        initial_x: position of the first end at the start; the bar extends from there in the direction of x, relaxed, m; default: 0
        initial_velocity_x: velocity of all its points at the start, m/s; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("elastic_bar", Body, locals())

    def beam(
        self,
        name: str,
        *,
        length: Number,
        elements: Number | None = None,
        width: Number | None = None,
        height: Number | None = None,
        youngs_modulus: Number | None = None,
        density: Number | None = None,
        axial_stiffness: Number | None = None,
        bending_stiffness: Number | None = None,
        mass_per_length: Number | None = None,
        damping_time: Number | None = None,
        initial_x: Number | None = None,
        initial_y: Number | None = None,
        initial_angle: Number | None = None,
        initial_velocity_x: Number | None = None,
        initial_velocity_y: Number | None = None,
        initial_angular_velocity: Number | None = None,
        order: Number | None = None,
        poisson_ratio: Number | None = None,
        shear_stiffness: Number | None = None,
        inertia_per_length: Number | None = None,
        curvature: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """A slender elastic body of the plane that stretches, shears and bends by any angle (geometrically exact, Timoshenko); shapes can stand anywhere on it, x counting along its axis from the first end, y across.

        length: length of its axis when relaxed, m
        elements: number of finite elements; default: 8
        width: size of its rectangular cross section out of the plane, m; default: 0
        height: size of its rectangular cross section in the plane of bending, m; default: 0
        youngs_modulus: Young's modulus, Pa; default: 0
        density: mass per volume, kg/m3; default: 0
        axial_stiffness: stiffness EA of a cross section; 0: from cross section and material, N; default: 0
        bending_stiffness: stiffness EI of a cross section; 0: from cross section and material, N.m2; default: 0
        mass_per_length: mass per length; 0: from cross section and density, kg/m; default: 0
        damping_time: viscous damping of its material: stresses are those of the strains plus this time times the strain rates, s; default: 0
        initial_x: position x of the first end at the start, m; default: 0
        initial_y: position y of the first end at the start, m; default: 0
        initial_angle: direction in which the beam, relaxed, leaves its first end at the start, rad; default: 0
        initial_velocity_x: velocity x of the first end at the start, m/s; default: 0
        initial_velocity_y: velocity y of the first end at the start, m/s; default: 0
        initial_angular_velocity: angular velocity at the start, with which it turns as if it were rigid, rad/s; default: 0
        order: order of the elements: 1 has two nodes, 2 three; default: 2
        poisson_ratio: Poisson's ratio, for the stiffness in shear (shear area: 5/6 of the cross section); default: 0.3
        shear_stiffness: stiffness GA of a cross section in shear; 0: from cross section and material, N; default: 0
        inertia_per_length: moment of inertia of cross sections per length; 0: from cross section and density, kg.m; default: 0
        curvature: curvature of the relaxed beam, positive to the left: it is an arc of a circle, rad/m; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("beam", Body, locals())

    def spline_beam(
        self,
        name: str,
        *,
        length: Number,
        elements: Number | None = None,
        width: Number | None = None,
        height: Number | None = None,
        youngs_modulus: Number | None = None,
        density: Number | None = None,
        axial_stiffness: Number | None = None,
        bending_stiffness: Number | None = None,
        mass_per_length: Number | None = None,
        damping_time: Number | None = None,
        initial_x: Number | None = None,
        initial_y: Number | None = None,
        initial_angle: Number | None = None,
        initial_velocity_x: Number | None = None,
        initial_velocity_y: Number | None = None,
        initial_angular_velocity: Number | None = None,
        degree: Number | None = None,
        gauss_points: Number | None = None,
        curvature: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """A thin elastic body of the plane that stretches and bends by any angle (Euler and Bernoulli: no shear), straight or curved when relaxed, its axis a B-spline; shapes can stand anywhere on it, x counting along its axis from the first end, y across. Angles are told within half a turn of those of the relaxed beam.

        length: length of its axis when relaxed, m
        elements: number of finite elements; default: 8
        width: size of its rectangular cross section out of the plane, m; default: 0
        height: size of its rectangular cross section in the plane of bending, m; default: 0
        youngs_modulus: Young's modulus, Pa; default: 0
        density: mass per volume, kg/m3; default: 0
        axial_stiffness: stiffness EA of a cross section; 0: from cross section and material, N; default: 0
        bending_stiffness: stiffness EI of a cross section; 0: from cross section and material, N.m2; default: 0
        mass_per_length: mass per length; 0: from cross section and density, kg/m; default: 0
        damping_time: viscous damping of its material: stresses are those of the strains plus this time times the strain rates, s; default: 0
        initial_x: position x of the first end at the start, m; default: 0
        initial_y: position y of the first end at the start, m; default: 0
        initial_angle: direction in which the beam, relaxed, leaves its first end at the start, rad; default: 0
        initial_velocity_x: velocity x of the first end at the start, m/s; default: 0
        initial_velocity_y: velocity y of the first end at the start, m/s; default: 0
        initial_angular_velocity: angular velocity at the start, with which it turns as if it were rigid, rad/s; default: 0
        degree: degree of the splines: elements meet with one derivative fewer than that continuous; default: 3
        gauss_points: points in each element at which strains are integrated as they are; 0: as many as the degree, the stretch being the mean over the element, so that slender beams are not too stiff; default: 0
        curvature: curvature of the relaxed beam in radians per metre, positive to the left, x being the arc length from the first end in metres: an expression of x and parameters, such as 2 - 3*x, rad/m; an expression of x and parameters; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("spline_beam", Body, locals())

    def spatial_beam(
        self,
        name: str,
        *,
        length: Number,
        elements: Number | None = None,
        order: Number | None = None,
        width: Number | None = None,
        height: Number | None = None,
        diameter: Number | None = None,
        youngs_modulus: Number | None = None,
        poisson_ratio: Number | None = None,
        density: Number | None = None,
        axial_stiffness: Number | None = None,
        shear_stiffness_y: Number | None = None,
        shear_stiffness_z: Number | None = None,
        torsional_stiffness: Number | None = None,
        bending_stiffness_y: Number | None = None,
        bending_stiffness_z: Number | None = None,
        mass_per_length: Number | None = None,
        inertia_per_length_y: Number | None = None,
        inertia_per_length_z: Number | None = None,
        twist: Number | None = None,
        curvature_y: Number | None = None,
        curvature: Number | None = None,
        damping_time: Number | None = None,
        initial_x: Number | None = None,
        initial_y: Number | None = None,
        initial_z: Number | None = None,
        initial_rotation_x: Number | None = None,
        initial_rotation_y: Number | None = None,
        initial_rotation_z: Number | None = None,
        initial_velocity_x: Number | None = None,
        initial_velocity_y: Number | None = None,
        initial_velocity_z: Number | None = None,
        initial_angular_velocity_x: Number | None = None,
        initial_angular_velocity_y: Number | None = None,
        initial_angular_velocity_z: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """A slender elastic body of space that stretches, shears, twists and bends by any angle (geometrically exact, Simo and Reissner); shapes can stand anywhere on it, x counting along its axis from the first end, y and z across.

        length: length of its axis when relaxed, m
        elements: number of finite elements; default: 8
        order: order of the elements: 1 has two nodes, 2 three; default: 2
        width: size of its rectangular cross section along z, m; default: 0
        height: size of its rectangular cross section along y, m; default: 0
        diameter: diameter of its round cross section, instead of width and height, m; default: 0
        youngs_modulus: Young's modulus, Pa; default: 0
        poisson_ratio: Poisson's ratio, for the stiffness in shear and torsion (shear area: 5/6 of a rectangle, 9/10 of a circle); default: 0.3
        density: mass per volume, kg/m3; default: 0
        axial_stiffness: stiffness EA of a cross section; 0: from cross section and material, N; default: 0
        shear_stiffness_y: stiffness GA in shear along y; 0: from cross section and material, N; default: 0
        shear_stiffness_z: stiffness GA in shear along z; 0: from cross section and material, N; default: 0
        torsional_stiffness: stiffness GJ in torsion; 0: from cross section and material (St. Venant), N.m2; default: 0
        bending_stiffness_y: stiffness EI in bending about y; 0: from cross section and material, N.m2; default: 0
        bending_stiffness_z: stiffness EI in bending about z; 0: from cross section and material, N.m2; default: 0
        mass_per_length: mass per length; 0: from cross section and density, kg/m; default: 0
        inertia_per_length_y: moment of inertia of cross sections about y per length; 0: from cross section and density. That about x is the sum of those about y and z, kg.m; default: 0
        inertia_per_length_z: moment of inertia of cross sections about z per length; 0: from cross section and density, kg.m; default: 0
        twist: rotation per length of the relaxed beam's cross sections about its axis, rad/m; default: 0
        curvature_y: curvature of the relaxed beam about its cross sections' y axis, rad/m; default: 0
        curvature: curvature of the relaxed beam about its cross sections' z axis, positive towards y: it is an arc of a circle, with twist a helix, rad/m; default: 0
        damping_time: viscous damping of its material: stresses are those of the strains plus this time times the strain rates, s; default: 0
        initial_x: position x of the first end at the start, m; default: 0
        initial_y: position y of the first end at the start, m; default: 0
        initial_z: position z of the first end at the start, m; default: 0
        initial_rotation_x: rotation vector x of the first cross section at the start: axis times angle; without rotation the beam goes along x, rad; default: 0
        initial_rotation_y: rotation vector y at the start, rad; default: 0
        initial_rotation_z: rotation vector z at the start, rad; default: 0
        initial_velocity_x: velocity x of the first end at the start, m/s; default: 0
        initial_velocity_y: velocity y of the first end at the start, m/s; default: 0
        initial_velocity_z: velocity z of the first end at the start, m/s; default: 0
        initial_angular_velocity_x: angular velocity at the start, with which it turns as if it were rigid, about the first cross section's x axis, rad/s; default: 0
        initial_angular_velocity_y: angular velocity at the start about its y axis, rad/s; default: 0
        initial_angular_velocity_z: angular velocity at the start about its z axis, rad/s; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("spatial_beam", Body, locals())

    def driven_frame(
        self,
        name: str,
        *,
        axis_x: Number | None = None,
        axis_y: Number | None = None,
        axis_z: Number | None = None,
        x: Number | None = None,
        y: Number | None = None,
        angle: Number | None = None,
        z: Number | None = None,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """A frame whose motion is prescribed by expressions of time and inputs; shapes stand on it and move others. A value set before a step is reached at its end.

        axis_x: direction of the axis of rotation, of any length (in space); default: 0
        axis_y: direction of the axis of rotation, of any length (in space); default: 0
        axis_z: direction of the axis of rotation, of any length (in space); default: 1
        x: position x, m; an expression of time and inputs; default: 0
        y: position y, m; an expression of time and inputs; default: 0
        angle: angle about the axis, in the plane about z, rad; an expression of time and inputs; default: 0
        z: position z (in space), m; an expression of time and inputs; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("driven_frame", Body, locals())

    def ground(
        self,
        *,
        description: str | None = None,
        material: str | None = None,
    ) -> Body:
        """What does not move; shapes stand on it.

        description: a note for readers of the file; default: empty
        material: name of its material in the table of material pairs; default: none
        """
        return self._add("ground", Body, locals())

    def revolute(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        friction_torque: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A hinge: the two points coincide and the bodies turn about the z axis of the markers.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        friction_torque: largest torque of dry friction in the hinge, N.m; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("revolute", Element, locals())

    def prismatic(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        friction_force: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A slide: the second body moves along the x axis of the first marker and does not turn against the first.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        friction_force: largest force of dry friction in the slide, N; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("prismatic", Element, locals())

    def cylindrical(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        description: str | None = None,
    ) -> Element:
        """The second body turns about and slides along the z axis of the first marker; for bodies of space.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("cylindrical", Element, locals())

    def spherical(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        description: str | None = None,
    ) -> Element:
        """The two points coincide; all rotations are free.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("spherical", Element, locals())

    def planar(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        description: str | None = None,
    ) -> Element:
        """The second body moves in the x-y plane of the first marker; for bodies of space.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("planar", Element, locals())

    def rigid(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        description: str | None = None,
    ) -> Element:
        """The two markers stay on each other with parallel axes.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("rigid", Element, locals())

    def distance(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        length: Number,
        description: str | None = None,
    ) -> Element:
        """A massless rod: the two points keep their distance.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        length: distance of the two points, m
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("distance", Element, locals())

    def angle_drive(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        angle: Number,
        description: str | None = None,
    ) -> Element:
        """Prescribes the angle between two bodies as a function of time and inputs; a hinge is a joint of its own beside it. A value set before a step is reached at its end.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        angle: angle of the second marker against the first about its z axis, rad; an expression of time and inputs
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("angle_drive", Element, locals())

    def slide_drive(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        position: Number,
        description: str | None = None,
    ) -> Element:
        """Prescribes the position along a slide as a function of time and inputs; the slide is a joint of its own beside it. A value set before a step is reached at its end.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        position: position of the second point along the x axis of the first marker, m; an expression of time and inputs
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("slide_drive", Element, locals())

    def speed_drive(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        speed: Number,
        description: str | None = None,
    ) -> Element:
        """Prescribes the angular velocity between two bodies as a function of time and inputs; a value set before a step holds from its start.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        speed: angular velocity of the second body against the first about the z axis of the first marker, rad/s; an expression of time and inputs
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("speed_drive", Element, locals())

    def skate(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        description: str | None = None,
    ) -> Element:
        """A blade or wheel that cannot move sideways: the first point has no velocity along the y axis of its marker relative to the second body.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("skate", Element, locals())

    def rolling(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference,
        description: str | None = None,
    ) -> Element:
        """Two shapes that stay in touch and roll on each other without sliding.

        first: one shape
        second: the other shape
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("rolling", Element, locals())

    def spring_damper(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        free_length: Number | None = None,
        compression_factor: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A spring and damper in line between two points.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        stiffness: stiffness, N/m; default: 0
        damping: viscous damping, N.s/m; default: 0
        free_length: length at which the spring is relaxed, m; default: 0
        compression_factor: stiffness when shorter than the free length, relative to that when longer; 0: a rope; default: 1
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("spring_damper", Element, locals())

    def torsional_spring_damper(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        free_angle: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A spring and damper between the angles of two bodies, about the z axis of the first marker, which in space a hinge is to keep parallel to that of the second.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        stiffness: torsional stiffness, N.m/rad; default: 0
        damping: torsional viscous damping, N.m.s/rad; default: 0
        free_angle: angle of the second body against the first when relaxed, rad; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("torsional_spring_damper", Element, locals())

    def angle_actuator(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        proportional_gain: Number | None = None,
        derivative_gain: Number | None = None,
        limit: Number | None = None,
        target: Number | None = None,
        torque: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A motor between two bodies about the z axis of the first marker: a torque and a proportional-derivative controller towards a target angle, within a limit.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        proportional_gain: torque per angle between target and angle, N.m/rad; default: 0
        derivative_gain: torque per difference of angular velocities, N.m.s/rad; default: 0
        limit: largest torque, N.m; default: 1000000000000
        target: angle that the controller aims at, rad; an expression of time and inputs; default: 0
        torque: torque in addition to the controller's, N.m; an expression of time and inputs; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("angle_actuator", Element, locals())

    def slide_actuator(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        proportional_gain: Number | None = None,
        derivative_gain: Number | None = None,
        limit: Number | None = None,
        target: Number | None = None,
        force: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A linear motor along the x axis of the first marker: a force on the second point and a proportional-derivative controller towards a target position, within a limit.

        first: one body, or a point or frame on it
        second: the other; the ground's origin if absent; default: the ground
        proportional_gain: force per distance from the target, N/m; default: 0
        derivative_gain: force per difference of velocities, N.s/m; default: 0
        limit: largest force, N; default: 1000000000000
        target: position that the controller aims at, m; an expression of time and inputs; default: 0
        force: force in addition to the controller's, N; an expression of time and inputs; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("slide_actuator", Element, locals())

    def force(
        self,
        name: str,
        *,
        on: Reference,
        frame: Literal[
            "world",
            "body",
        ] | None = None,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A force on a body, an expression of time and inputs.

        on: where it acts: a body (at its origin) or a point or shape on it
        frame: axes of the components; default: world
        x: force component x, N; an expression of time and inputs; default: 0
        y: force component y, N; an expression of time and inputs; default: 0
        z: force component z (in space), N; an expression of time and inputs; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("force", Element, locals())

    def line_load(
        self,
        name: str,
        *,
        on: Reference,
        frame: Literal[
            "world",
            "body",
        ] | None = None,
        first: Number | None = None,
        last: Number | None = None,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A force per length of a relaxed beam along it, an expression of time and inputs: fixed in space, or (frame=\"body\") turning with the cross sections, as a pressure does.

        on: the beam
        frame: axes of the components; default: world
        first: where it begins, as a fraction of the length; default: 0
        last: where it ends, as a fraction of the length; default: 1
        x: force per length, x, N/m; an expression of time and inputs; default: 0
        y: force per length, y, N/m; an expression of time and inputs; default: 0
        z: force per length, z (in space), N/m; an expression of time and inputs; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("line_load", Element, locals())

    def torque(
        self,
        name: str,
        *,
        on: Reference,
        against: Reference | None = None,
        frame: Literal[
            "world",
            "body",
        ] | None = None,
        value: Number | None = None,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A torque on a body, an expression of time and inputs.

        on: the body, or a point of it
        against: what takes the reaction; the ground if absent; default: the ground
        frame: axes of the components (in space); default: world
        value: torque, counter-clockwise (in the plane), N.m; an expression of time and inputs
        x: torque component x (in space), N.m; an expression of time and inputs; default: 0
        y: torque component y (in space), N.m; an expression of time and inputs; default: 0
        z: torque component z (in space), N.m; an expression of time and inputs; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("torque", Element, locals())

    def contact(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference,
        friction_coefficient: Number | None = None,
        normal_restitution: Number | None = None,
        tangential_restitution: Number | None = None,
        friction_ratio: Number | None = None,
        contact_radius: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """A contact between two shapes: no penetration, impact with restitution, dry friction.

        first: one shape
        second: the other shape
        friction_coefficient: Coulomb friction coefficient; default: from the materials, else 0
        normal_restitution: Newton's coefficient of restitution normal to the surfaces; default: from the materials, else 0
        tangential_restitution: coefficient of restitution along the surfaces; default: from the materials, else 0
        friction_ratio: friction coefficient along the second tangent divided by that along the first: other than 1, the set of forces is an ellipse. On cylinders the first tangent is the axis; on planes and spheres the tangents follow from the normal alone (in space); default: 1
        contact_radius: radius of the contact area, for friction against drilling (Coulomb-Contensou); 0: none (in space), m; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("contact", Element, locals())

    def contacts(
        self,
        name: str,
        *,
        first: Reference,
        second: Reference | None = None,
        friction_coefficient: Number | None = None,
        normal_restitution: Number | None = None,
        tangential_restitution: Number | None = None,
        joined_bodies: Literal[
            "pass",
            "touch",
        ] | None = None,
        friction_ratio: Number | None = None,
        contact_radius: Number | None = None,
        description: str | None = None,
    ) -> Element:
        """Contacts of everything in a group of shapes with everything in another group, or in the same: they are found while the bodies move. Shapes of one body do not touch each other; those of bodies that a joint connects do if joined_bodies says so.

        first: one group of shapes
        second: the other group; left out: the same one, each shape of it touching all others; default: the same
        friction_coefficient: Coulomb friction coefficient; default: from the materials, else 0
        normal_restitution: Newton's coefficient of restitution normal to the surfaces; default: from the materials, else 0
        tangential_restitution: coefficient of restitution along the surfaces; default: from the materials, else 0
        joined_bodies: do shapes touch whose bodies a joint connects?; default: pass
        friction_ratio: friction coefficient along the second tangent divided by that along the first: other than 1, the set of forces is an ellipse. On cylinders the first tangent is the axis; on planes and spheres the tangents follow from the normal alone (in space); default: 1
        contact_radius: radius of the contact area, for friction against drilling (Coulomb-Contensou); 0: none (in space), m; default: 0
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("contacts", Element, locals())

    def sensor(
        self,
        name: str,
        *,
        at: Reference,
        relative_to: Reference | None = None,
        description: str | None = None,
    ) -> Element:
        """Tells where a point of a body is and how it moves, seen from the ground or from another body.

        at: what it looks at: a body, or a shape or frame on it
        relative_to: what it looks from, along whose axes it measures; the ground if absent; default: the ground
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("sensor", Element, locals())

    def gauge(
        self,
        name: str,
        *,
        at: Reference,
        description: str | None = None,
    ) -> Element:
        """Tells what a cross section of a beam carries: forces, strains, stresses.

        at: a shape or frame on a beam: the cross section
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("gauge", Element, locals())

    def contact_sensor(
        self,
        name: str,
        *,
        on: Reference,
        of: Reference | None = None,
        description: str | None = None,
    ) -> Element:
        """Tells what contacts exert on a body, or on one shape of it: the sum of their forces, and of their torques about the body's origin, or about a frame.

        on: what it weighs: a body, or a frame on it, for the contacts of all its shapes; or one shape, for its own
        of: the contacts that count; default: all
        name: name, unique where it stands
        description: a note for readers of the file; default: empty
        """
        return self._add("contact_sensor", Element, locals())

    def use(
        self,
        name: str,
        part: Reference,
        *,
        x: Number | None = None,
        y: Number | None = None,
        angle: Number | None = None,
        z: Number | None = None,
        rotation_x: Number | None = None,
        rotation_y: Number | None = None,
        rotation_z: Number | None = None,
        description: str | None = None,
        **parameters: Number,
    ) -> Element:
        """Makes what a <part> contains, at a place of its own. Its other attributes are values for the parameters and constants of the part, by their names.

        x: position x of the part's origin, m; default: 0
        y: position y of the part's origin, m; default: 0
        angle: angle of the part's x axis (in the plane), rad; default: 0
        z: position z of the part's origin (in space), m; default: 0
        rotation_x: rotation vector of the part's axes, x: axis times angle (in space), rad; default: 0
        rotation_y: rotation vector, y (in space), rad; default: 0
        rotation_z: rotation vector, z (in space), rad; default: 0
        name: name, unique where it stands
        part: name of the <part>
        description: a note for readers of the file; default: empty
        parameters: values for parameters and constants of the part
        """
        return self._add("use", Element, locals())
