"""A model for tests of sweeps: runs of a millisecond that can be refused and can fail on the way."""

from tools import NAMESPACE

# A puck is pushed until t = end, where its force ceases to be a number.
TEXT = f"""<mechanism {NAMESPACE} name="puck">
  <experiment stop_time="0.1"/>
  <solver step_size="1e-3"/>
  <gravity y="-9.81"/>
  <input name="push" unit="N" start="3"/>
  <parameter name="mass" value="1" unit="kg" min="0.1"/>
  <parameter name="end" value="1" unit="s"/>
  <point_mass name="puck" mass="mass" initial_y="0.01"><point name="base"/></point_mass>
  <ground><line name="floor"/></ground>
  <force name="hand" on="puck" x="push*sqrt(end - t)"/>
  <contact name="touch" first="puck.base" second="ground.floor" friction_coefficient="0.1"/>
  <outputs>
    <output variable="puck.x"/>
    <output variable="puck.y"/>
    <output variable="puck.velocity_x"/>
    <output variable="touch.state"/>
  </outputs>
</mechanism>
"""


def write(folder):
    path = folder / "puck.xml"
    path.write_text(TEXT)
    return path
