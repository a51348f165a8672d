"""Models of the comparison that come in any size, for Clatter and for MuJoCo."""

import math

MECHANISM = '''<?xml version="1.0" encoding="UTF-8"?>
<!-- {description} -->
<mechanism xmlns="urn:clatter:model:1" name="{name}" description="{description}">
  <experiment stop_time="{stop}"/>
  <solver step_size="{step}"/>
  <gravity y="-9.81"/>
{elements}
</mechanism>
'''


def mechanism(name, description, stop, step, elements):
    return MECHANISM.format(name=name, description=description, stop=stop, step=step,
                            elements="\n".join("  " + line for line in elements))


def chain(n, contacts, length=None):
    """A chain of n rods, 1 m and 1 kg in all (or each of a length in m, of as many kg), hinged 0.6 m
    above a floor, starts level and falls. With contacts the far end of each rod touches the floor (no rebound, no friction)."""
    length = length or 1 / n
    mass, height = length, 0.6
    elements = []
    for i in range(n):
        elements += [f'<planar_body name="link_{i}" mass="{mass!r}" '
                     f'inertia="{mass * length**2 / 12!r}" initial_x="{(i + 0.5) * length!r}" '
                     f'initial_y="{height}">',
                     f'  <point name="near" x="{-length / 2!r}"/>',
                     f'  <point name="far" x="{length / 2!r}"/>', '</planar_body>']
    elements += ['<ground>', '  <line name="floor"/>', f'  <point name="hook" y="{height}"/>',
                 '</ground>']
    for i in range(n):
        second = f"link_{i - 1}.far" if i else "ground.hook"
        elements.append(f'<revolute name="hinge_{i}" first="link_{i}.near" second="{second}"/>')
        if contacts:
            elements.append(f'<contact name="floor_{i}" first="link_{i}.far" '
                            'second="ground.floor"/>')
    return mechanism("chain", f"Chain of {n} rods that falls on a floor", 1, 1e-3, elements)


def chain_mjcf(n):
    length, mass, height = 1 / n, 1 / n, 0.6
    inertia = repr(mass * length**2 / 12)
    links = ""
    for i in reversed(range(n)):
        place = f"{length!r} 0 0" if i else f"0 {height} 0"
        links = (f'<body name="link_{i}" pos="{place}"><inertial pos="{length / 2!r} 0 0" '
                 f'mass="{mass!r}" diaginertia="{inertia} {inertia} {inertia}"/>'
                 f'<joint type="hinge" axis="0 0 1"/>'
                 f'<geom type="sphere" size="1e-6" pos="{length!r} 0 0" contype="1" '
                 f'conaffinity="0"/>{links}</body>\n')
    return f'''<mujoco model="chain">
<option gravity="0 -9.81 0" cone="elliptic"/>
<size memory="1M"/>
<default><geom condim="1"/></default>
<worldbody>
<geom type="plane" size="10 10 1" zaxis="0 1 0" contype="0" conaffinity="1"/>
{links}</worldbody>
</mujoco>
'''


def row_of_balls(n):
    """n balls that fall on a floor side by side: n bodies, n contacts, no joints."""
    elements = []
    for i in range(n):
        elements += [f'<planar_body name="ball_{i}" mass="1" inertia="0.004" initial_x="{i}" '
                     'initial_y="0.1" initial_angular_velocity="50">',
                     '  <circle name="rim" radius="0.1"/>', '</planar_body>']
    elements += ['<ground>', '  <line name="floor"/>', '</ground>']
    elements += [f'<contact name="floor_{i}" first="ball_{i}.rim" second="ground.floor" '
                 'friction_coefficient="0.2"/>' for i in range(n)]
    return mechanism("row_of_balls", f"{n} balls that slide and roll on a floor", 1, 1e-3, elements)


# --- beams; order 0: B-splines of degree 3; shear: what is left of the compliance in shear and of the
# cross sections' inertia, of those that are no splines ---

def stiffnesses(order, EA, GA, EI, mass, inertia):
    text = (f'axial_stiffness="{EA!r}" bending_stiffness="{EI!r}" mass_per_length="{mass!r}"')
    return text if order == 0 else (f'{text} order="{order}" shear_stiffness="{GA!r}" '
                                    f'inertia_per_length="{inertia!r}"')


def kind(order):
    return "beam" if order else "spline_beam"


def beam(name, length, elements, order, section, shear, attributes="", points=""):
    width, height, modulus, density = section
    area, second = width * height, width * height**3 / 12
    section = stiffnesses(order, modulus * area, modulus / 2.6 * 5 / 6 * area / shear,
                          modulus * second, density * area, density * second * shear)
    return [f'<{kind(order)} name="{name}" length="{length!r}" elements="{elements}" {section} '
            f'{attributes}>',
            f'  <point name="first"/><point name="last" x="{length!r}"/>{points}',
            f'</{kind(order)}>']


def roll_up(elements, order, _):
    """Quasi-static: of so little mass that each step ends at rest. The moment is there after 2 s."""
    return mechanism("roll_up", "Cantilever that an end moment rolls up", 2, 1, [
        f'<{kind(order)} name="rod" length="1" elements="{elements}" '
        f'{stiffnesses(order, 1e3, 1e3, 1, 1e-6, 1e-8)}>',
        '  <frame name="root"/><frame name="tip" x="1"/>', f'</{kind(order)}>',
        '<rigid name="clamp" first="ground" second="rod.root"/>',
        '<torque name="load" on="rod.tip" value="0.6*pi*min(t/2, 1)"/>'
        ]).replace('step_size="1"', 'step_size="1" theta="1"').replace('y="-9.81"', 'y="0"')


def pendulum(elements, order, shear):
    """Starts level, hinged at one end: it bends as it swings."""
    return mechanism("pendulum", "Elastic pendulum", 1, 1e-3, [
        *beam("rod", 1.0, elements, order, (0.01, 0.01, 1e8, 1000.0), shear),
        '<revolute name="hinge" first="ground" second="rod.first"/>'])


def elastic_crank(elements, order, shear):
    """flexible_slider_crank (CH 5.6.2), its slider guided instead of between walls"""
    crank, rod, omega = 0.153, 0.306, 150.0
    speed = omega * crank
    return mechanism("elastic_crank", "Slider-crank, crank and rod elastic", 0.05, 1e-4, [
        *beam("crank", crank, elements, order, (0.0064, 0.005, 2.1e11, 7800.0), shear,
              f'initial_angular_velocity="{omega!r}"'),
        *beam("rod", rod, elements, order, (0.0032, 0.005, 2.1e11, 7800.0), shear,
              f'initial_x="{crank!r}" initial_velocity_y="{speed!r}" '
              f'initial_angular_velocity="{-speed / rod!r}"',
              f'<point name="middle" x="{rod / 2!r}"/>'),
        f'<planar_body name="slider" mass="0.076" inertia="2.7e-6" initial_x="{crank + rod!r}"/>',
        '<revolute name="axle" first="crank.first"/>',
        '<revolute name="crank_pin" first="crank.last" second="rod.first"/>',
        '<revolute name="slider_pin" first="rod.last" second="slider"/>',
        '<prismatic name="guide" first="ground" second="slider"/>',
        '<sensor name="middle" at="rod.middle"/>']).replace('y="-9.81"', 'y="-10"')


# --- piles of spheres: pile.c has the same formulas ---

RADIUS, DENSITY, FRICTION, GRAVITY = 0.05, 1000.0, 0.3, 9.81
SPHERE_COLUMNS = tuple(name + axis for name in ("", "velocity_", "angular_velocity_")
                       for axis in "xyz")


def pile_names(n_x, n_y, n_z):
    """Variables of a row of the trajectory, in the order of all programs"""
    return [f"ball[{layer},{row},{column}].{name}" for layer in range(1, n_z + 1)
            for row in range(1, n_y + 1) for column in range(1, n_x + 1) for name in SPHERE_COLUMNS]


def pile_positions(n_x, n_y, n_z):
    """Of the spheres at the start: lists of x, y, z"""
    places = []
    for i in range(n_x * n_y * n_z):
        column, row, layer, k = i % n_x, i // n_x % n_y, i // (n_x * n_y), (i + 1.0) ** 2
        places.append([RADIUS * (2.2 * (column - 0.5 * (n_x - 1)) + 0.08 * math.sin(k)),
                       RADIUS * (2.2 * (row - 0.5 * (n_y - 1)) + 0.08 * math.cos(1.3 * k)),
                       RADIUS * (2.2 * (layer + 0.5) + 0.08 * math.sin(0.7 * k + 1.0))])
    return places


def pile(n_x, n_y, n_z):
    """Spheres on a disturbed grid that fall into a box open above"""
    width, depth = 1.15 * RADIUS * n_x, 1.15 * RADIUS * n_y
    spheres = [f'<repeat count="{n_z}" index="layer"><repeat count="{n_y}" index="row">'
               f'<repeat count="{n_x}" index="column">']
    walls = [("left", f'x="{-width!r}" normal_x="1"'), ("right", f'x="{width!r}" normal_x="-1"'),
             ("front", f'y="{-depth!r}" normal_y="1"'), ("back", f'y="{depth!r}" normal_y="-1"')]
    square = f"(column + {n_x}*(row - 1) + {n_x * n_y}*(layer - 1))^2"
    place = {"x": f"2.2*R*(column - {0.5 * (n_x + 1)!r}) + 0.08*R*sin({square})",
             "y": f"2.2*R*(row - {0.5 * (n_y + 1)!r}) + 0.08*R*cos(1.3*{square})",
             "z": f"2.2*R*(layer - 0.5) + 0.08*R*sin(0.7*{square} + 1)"}
    friction = f'friction_coefficient="{FRICTION}"'
    return mechanism("pile", f"{n_x * n_y * n_z} spheres fall into a box", 3, 2e-3, [
        f'<constant name="R" value="{RADIUS}"/>', *spheres,
        '<spatial_body name="ball" '
        + " ".join(f'initial_{axis}="{value}"' for axis, value in place.items()) + '>',
        f'  <sphere name="skin" radius="R" density="{DENSITY}" group="balls"/>',
        '</spatial_body>', '</repeat></repeat></repeat>',
        '<ground>', '  <plane name="floor" group="box"/>',
        *(f'  <plane name="{name}" {where} normal_z="0" group="box"/>' for name, where in walls),
        '</ground>',
        f'<contacts name="pile" first="balls" {friction}/>',
        f'<contacts name="box" first="balls" second="box" {friction}/>',
        '<outputs>', *spheres, *(f'<output variable="ball.{name}"/>' for name in SPHERE_COLUMNS),
        '</repeat></repeat></repeat>', '</outputs>',
        ]).replace('<gravity y="-9.81"/>', f'<gravity z="{-GRAVITY}"/>')


def pile_mjcf(n_x, n_y, n_z):
    positions = pile_positions(n_x, n_y, n_z)
    width, depth = 1.15 * RADIUS * n_x, 1.15 * RADIUS * n_y
    planes = [("0 0 0", "0 0 1"), (f"{-width!r} 0 0", "1 0 0"), (f"{width!r} 0 0", "-1 0 0"),
              (f"0 {-depth!r} 0", "0 1 0"), (f"0 {depth!r} 0", "0 -1 0")]
    spheres = "\n".join(
        f'<body pos="{x!r} {y!r} {z!r}"><freejoint/>'
        f'<geom type="sphere" size="{RADIUS}" density="{DENSITY}"/></body>'
        for x, y, z in positions)
    return f'''<mujoco model="pile">
<option gravity="0 0 {-GRAVITY}" cone="elliptic"/>
<size memory="{max(64, 24 * len(positions) // 1000 * 10)}M"/>
<default><geom friction="{FRICTION} 0 0" condim="3"/></default>
<worldbody>
{"".join(f'<geom type="plane" size="0 0 1" pos="{p}" zaxis="{n}"/>' for p, n in planes)}
{spheres}
</worldbody>
</mujoco>
'''
