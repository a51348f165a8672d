"""Small models that several tests use."""

from exact import G
from tools import mechanism

# A mass on a floor that an input pushes: m 2, g 10, friction 0.5, so it sticks below 10 N and then
# slides with (push - 10)/2. With explode > 0 the force exceeds all numbers at t = 710/explode.
SLED = mechanism("""
<experiment stop_time="1"/>
<parameter name="drag" value="1" unit="N" min="0" max="1e6" tunable="true"/>
<parameter name="length" value="2" unit="m"/>
<input name="push" unit="N" min="-1000" max="1000" description="force to the right"/>
<input name="explode"/>
<gravity y="-10"/>
<point_mass name="sled" mass="2"><point name="tip"/></point_mass>
<ground><line name="floor"/></ground>
<spring_damper name="band" first="sled" stiffness="drag-1" free_length="length/2"/>
<force name="hand" on="sled" x="push + exp(explode*t) - 1"/>
<contact name="floor" first="sled.tip" second="ground.floor" friction_coefficient="0.5"/>
<outputs>
  <output variable="sled.x"/><output variable="sled.y"/>
  <output variable="sled.velocity_x"/><output variable="sled.velocity_y"/>
  <output variable="sled.acceleration_x"/><output variable="sled.acceleration_y"/>
  <output variable="floor.gap"/><output variable="floor.sliding_velocity"/>
  <output variable="floor.normal_percussion"/><output variable="floor.friction_percussion"/>
  <output variable="floor.state"/><output variable="floor.closed"/>
  <output variable="energy.kinetic"/><output variable="energy.potential"/>
  <output variable="energy.total"/><output variable="band.length"/><output variable="band.tension"/>
</outputs>
""", name="sled", step=1e-3)

# Free flight: m 2, g 10, an input force along x.
FLIGHT = mechanism("""
<input name="push" unit="N"/>
<gravity y="-10"/>
<point_mass name="stone" mass="2" initial_velocity_x="3" initial_velocity_y="4"/>
<force name="wind" on="stone" x="push"/>
<outputs>
  <output variable="stone.x"/><output variable="stone.y"/>
  <output variable="stone.velocity_x"/><output variable="stone.velocity_y"/>
  <output variable="stone.acceleration_x"/><output variable="stone.acceleration_y"/>
  <output variable="energy.kinetic"/><output variable="energy.potential"/>
  <output variable="energy.total"/>
</outputs>
""", name="flight", step=1e-3)

# Several balls that bounce and roll in a bowl and on each other: many contacts, many digits.
BOWL = mechanism("""
<experiment stop_time="1"/>
<gravity y="-9.81"/>
<input name="push" unit="N"/>
""" + "".join(f"""
<planar_body name="ball_{i}" mass="1" inertia="0.004" initial_x="{0.21 * i - 0.4}"
   initial_y="{0.3 + 0.07 * i}" initial_angular_velocity="{3 * i}">
  <circle name="rim" radius="0.1"/></planar_body>
<contact name="wall_{i}" first="ball_{i}.rim" second="ground.wall" friction_coefficient="0.3"
  normal_restitution="0.4"/>""" for i in range(4)) + "".join(f"""
<contact name="pair_{i}_{j}" first="ball_{i}.rim" second="ball_{j}.rim" friction_coefficient="0.2"
  normal_restitution="0.6"/>""" for i in range(4) for j in range(i)) + """
<ground><ring name="wall" radius="1" y="1"/></ground>
<force name="hand" on="ball_0" x="push + sin(9*t)"/>
""", name="bowl", step=1e-3)

# Balls of space that fall into a box, strike each other and settle, and a swinging paddle that stirs
# them up, helped by an input: contacts open and close.
RATTLE = mechanism("""
<experiment stop_time="2"/>
<gravity z="-9.81"/>
<input name="push" unit="N"/>
<spatial_body name="paddle" mass="2" inertia_xx="0.05" inertia_yy="0.05" inertia_zz="0.01"
   initial_z="0.6">
  <frame name="axle" z="0.4" rotation_x="pi/2"/><sphere name="head" z="-0.3" radius="0.12"/>
</spatial_body>
<ground>
  <frame name="axle" z="1" rotation_x="pi/2"/>
  <plane name="floor"/><plane name="left" x="-0.6" normal_x="1" normal_z="0.2"/>
  <plane name="right" x="0.6" normal_x="-1" normal_z="0"/>
  <plane name="front" y="-0.3" normal_y="1" normal_z="0"/>
  <plane name="back" y="0.3" normal_y="-1" normal_z="0.3"/>
</ground>
<revolute name="hinge" first="ground.axle" second="paddle.axle" friction_torque="0.02"/>
<torque name="swing" on="paddle" y="4*sin(7*t) + push"/>
""" + "".join(f"""
<spatial_body name="ball_{i}" mass="{0.2 + 0.3 * i}" inertia_xx="{0.001 + 0.001 * i}"
   inertia_yy="{0.001 + 0.001 * i}" inertia_zz="{0.001 + 0.001 * i}" initial_x="{0.22 * i - 0.33}"
   initial_y="{0.05 * (-1) ** i}" initial_z="{0.5 + 0.1 * i}" initial_velocity_y="{0.3 - 0.2 * i}"
   initial_angular_velocity_x="{5 * i}"><sphere name="s" radius="{0.08 + 0.01 * i}"/></spatial_body>
<contact name="paddle_{i}" first="ball_{i}.s" second="paddle.head" friction_coefficient="0.2"
   normal_restitution="0.3"/>""" + "".join(f"""
<contact name="{wall}_{i}" first="ball_{i}.s" second="ground.{wall}" friction_coefficient="0.3"
   normal_restitution="0.2"/>""" for wall in ("floor", "left", "right", "front", "back"))
    for i in range(4)) + "".join(f"""
<contact name="pair_{i}_{j}" first="ball_{i}.s" second="ball_{j}.s" friction_coefficient="0.2"
   normal_restitution="0.2"/>""" for i in range(4) for j in range(i)), name="rattle", step=1e-3)

# A prop that falls, until it is wedged under its hinge: friction does not let it rebound, the law of
# impact wants it to. With restitution no step has a solution then.
WEDGE = mechanism("""
  <gravity y="-9.81"/>
  <planar_body name="rod" mass="1" inertia="0.0133" initial_x="0.2" initial_y="0.2">
    <point name="hinge" x="-0.2"/><point name="tip" x="0.2"/>
  </planar_body>
  <ground><line name="floor"/><point name="hook" y="0.2"/></ground>
  <revolute name="j" first="ground.hook" second="rod.hinge"/>
  <contact name="tip" first="rod.tip" second="ground.floor" friction_coefficient="1.8"
           normal_restitution="0.5"/>
""")

# A ball that is pressed against a ceiling from t = 0.257 s on: there is no solution.
JAM = mechanism("""
  <planar_body name="ball" mass="1" inertia="0.01" initial_y="0.1">
    <circle name="tip" radius="0.1"/>
  </planar_body>
  <ground><line name="ceiling" y="0.2514" normal_angle="-pi/2"/></ground>
  <driven_frame name="press" y="0.2*t"><line name="face"/></driven_frame>
  <contact name="tip" first="ball.tip" second="ground.ceiling"/>
  <contact name="face" first="ball.tip" second="press.face"/>
""")

# Two stiff springs: one iteration is not enough for them
TAUT = mechanism("""
<point_mass name="mass" mass="1" initial_x="1" initial_velocity_y="30"/>
<ground><point name="a"/><point name="b" x="2" y="1"/></ground>
<spring_damper name="spring" first="mass" second="ground.a" stiffness="1e5" free_length="0.7"/>
<spring_damper name="other" first="mass" second="ground.b" stiffness="1e5" free_length="2"/>
""", name="taut", step=0.05)

PLANAR_FOUR_BAR = """
<gravity y="-9.81"/>
<planar_body name="crank" mass="1" inertia="1/12" initial_y="0.5">
  <point name="bottom" y="-0.5"/><point name="top" y="0.5"/></planar_body>
<planar_body name="coupler" mass="2" inertia="2/3" initial_x="1" initial_y="1">
  <point name="left" x="-1"/><point name="right" x="1"/></planar_body>
<planar_body name="rocker" mass="1.3" inertia="1.3^3/12" initial_x="2.25" initial_y="0.4"
  initial_angle="atan2(0.5, 1.2)">
  <point name="bottom" y="-0.65"/><point name="top" y="0.65"/></planar_body>
<ground><point name="right" x="2.5" y="-0.2"/></ground>
<revolute name="hinge_1" first="crank.bottom"/>
<revolute name="hinge_2" first="crank.top" second="coupler.left"/>
<revolute name="hinge_3" first="coupler.right" second="rocker.top"/>
<revolute name="hinge_4" first="rocker.bottom" second="ground.right"/>"""


def spatial(name, attributes, content="", m=1.0, J=(0.1, 0.1, 0.1)):
    return (f'<spatial_body name="{name}" mass="{m}" inertia_xx="{J[0]}" inertia_yy="{J[1]}" '
            f'inertia_zz="{J[2]}" {attributes}>{content}</spatial_body>')


def puck(friction, velocity, extra="", gravity=f'<gravity z="{-G}"/>', contact=""):
    body = spatial("puck", f'initial_velocity_x="{velocity[0]}" initial_velocity_y="{velocity[1]}" '
                   f"{extra}", '<point name="sole"/>')
    return mechanism(f'{gravity}{body}<ground><plane name="table"/></ground>'
                     f'<contact name="seat" first="puck.sole" second="ground.table" '
                     f'friction_coefficient="{friction}" {contact}/>')

# 1000 internal steps as communication steps
SPLITS = [[1000], [1] * 1000, [100] * 10, [10] * 100, [250, 250, 500], [1, 999], [333, 333, 334],
          [7] * 142 + [6]]

# Blocks and discs that are thrown to and fro in a trough: contacts of surfaces, found as they come,
# more of them than there is room for at the start.
TUMBLE = mechanism("""
<gravity y="-9.81"/>
<input name="push" unit="N"/>
<repeat count="3">
  <planar_body name="block" initial_x="0.11*(i - 2)" initial_y="0.1" initial_angle="0.4*i">
    <box name="hull" length="0.1" height="0.06" density="100" group="things"/>
  </planar_body>
  <planar_body name="disc" initial_x="0.11*(i - 2) + 0.01" initial_y="0.2">
    <circle name="hull" radius="0.035" density="100" group="things"/>
  </planar_body>
  <force name="shake" on="block" x="push"/>
</repeat>
<planar_body name="cross" initial_y="0.35" initial_angle="0.2">
  <outline name="hull" density="100" group="things">
    <to x="0.08" y="-0.02"/><to x="0.08" y="0.02"/><to x="0.02" y="0.02"/><to x="0.02" y="0.08"/>
    <to x="-0.02" y="0.08"/><to x="-0.02" y="0.02"/><to x="-0.08" y="0.02"/>
    <to x="-0.08" y="-0.02"/>
  </outline>
</planar_body>
<ground>
  <line name="floor" group="walls"/>
  <line name="left" x="-0.25" normal_angle="0" group="walls"/>
  <line name="right" x="0.25" normal_angle="pi" group="walls"/>
</ground>
<contacts name="among" first="things" friction_coefficient="0.3"/>
<contacts name="around" first="things" second="walls" friction_coefficient="0.3"/>
<outputs>
  <output variable="cross.x"/><output variable="cross.angle"/>
  <repeat count="3"><output variable="block.x"/><output variable="disc.y"/></repeat>
  <output variable="among.contacts"/><output variable="around.contacts"/>
  <output variable="among.total_normal_force"/><output variable="around.largest_penetration"/>
  <output variable="energy.total"/><output variable="solver.penetration"/>
</outputs>
""", name="tumble")
