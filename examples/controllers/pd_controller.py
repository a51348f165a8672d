"""A PD controller as an FMU written in Python, the same law as pd_controller.c:

    python -m pythonfmu build -f examples/controllers/pd_controller.py
"""

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class PdController(Fmi2Slave):
    description = "A PD controller that moves a carriage by a distance"

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.position = self.velocity = 0.0
        self.force = 0.0
        self.stiffness, self.damping = 200.0, 40.0
        self.distance, self.duration, self.start_time, self.limit = 0.6, 1.0, 0.1, 50.0
        self.origin = None  # the position at start_time
        for name in "position", "velocity":
            self.register_variable(Real(name, causality=Fmi2Causality.input))
        self.register_variable(Real("force", causality=Fmi2Causality.output))
        for name in "stiffness", "damping", "distance", "duration", "start_time", "limit":
            self.register_variable(Real(name, causality=Fmi2Causality.parameter,
                                        variability=Fmi2Variability.tunable))

    def do_step(self, current_time, step_size):
        self.force = self.control(current_time)
        return True

    def control(self, t):
        if t < self.start_time:
            return 0.0
        if self.origin is None:
            self.origin = self.position
        tau = (t - self.start_time) / self.duration
        way, speed = 1.0, 0.0
        if tau < 1.0:
            way = tau * tau * tau * (10.0 + tau * (-15.0 + 6.0 * tau))
            speed = 30.0 * tau * tau * (1.0 - tau) * (1.0 - tau) / self.duration
        command = self.origin + self.distance * way
        command_velocity = self.distance * speed
        force = (self.stiffness * (command - self.position)
                 + self.damping * (command_velocity - self.velocity))
        return max(-self.limit, min(self.limit, force))
