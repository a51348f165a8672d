// Repetitions and parts: they mean what is written out by hand, and every mistake in them is told
// with its place and what it was made for.
#include "mechanism.h"

#include "simulation/simulation_struct.h"

#define HEAD "<mechanism xmlns='urn:clatter:model:1' name='m'>\n"
#define TAIL "\n<point_mass name='a' mass='1'/></mechanism>"
#define BODY "<planar_body name='b' mass='1' inertia='1'/>"

static Messages messages;

static bool has_variable(const Simulation* simulation, const char* name) {
    return variable_find(simulation_variables(simulation), name) >= 0;
}

// --- repetitions ---

static void test_indices(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<constant name='n' value='3'/><constant name='twice' value='2*n'/>"
        "<repeat count='n' index='row'><repeat count='row + 1' first='2' index='column'>"
        "<point_mass name='cell' mass='row + column/10' initial_x='twice'/>"
        "</repeat><point_mass name='end' mass='n^row'/></repeat>"
        "<outputs><output variable='cell[3,5].x'/><output variable='end[n-1].velocity_y'/>"
        "<repeat count='2'><output variable='end[i+1].y'/></repeat></outputs>");
    assert_int_equal(simulation_info(simulation)->n_bodies, 2 + 3 + 4 + 3);
    const System* sys = &simulation->model.system;
    static const char* const names[] = {"cell[1,2]", "cell[1,3]", "end[1]", "cell[2,2]"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(sys->bodies[i]->name, names[i]);
    }
    assert_close(simulation->state.p[sys->bodies[1]->p.at], 1.3, 0.0, "mass of cell[1,3]");
    assert_close(simulation->state.p[sys->bodies[2]->p.at], 3.0, 0.0, "mass of end[1]");
    start(simulation);
    assert_close(value_of(simulation, "cell[3,5].x"), 6.0, 0.0, "x");
    assert_true(has_variable(simulation, "cell[3,5].velocity_x"));  // for FMI's derivatives
    assert_true(has_variable(simulation, "cell[3,5].acceleration_x"));
    assert_true(has_variable(simulation, "end[2].acceleration_y"));
    assert_true(has_variable(simulation, "end[3].y"));
    assert_false(has_variable(simulation, "cell[3,5].y"));
    assert_false(has_variable(simulation, "cell[3,5].mass"));
    assert_false(has_variable(simulation, "end[1].y"));
    assert_false(has_variable(simulation, "n"));
    double rate = 1.0;
    const int x = index_of(simulation, "cell[3,5].x");
    assert_int_equal(simulation_get_derivative(simulation, x, &rate), STATUS_OK);
    assert_close(rate, 0.0, 0.0, "derivative of an output");
    simulation_destroy(simulation);
}

// A name without an index is that of the same repetition, or of one around it; one with indices is
// what it says.
static void test_names_in_repetitions(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<parameter name='k' value='100'/><ground><repeat count='2'><point name='peg' y='i'/>"
        "</repeat></ground>"
        "<repeat count='2'><parameter name='r' value='i/10' unit='m'/><constant name='c' "
        "value='7*i'/>"
        "<planar_body name='ball' mass='c' inertia='r' initial_x='i'>"
        "<circle name='rim' radius='r'/><repeat count='2' index='k'><point name='dot' "
        "x='r*k'/></repeat>"
        "</planar_body>"
        "<repeat count='2' index='j'><spring_damper name='spring' first='ball.dot[j]' "
        "second='ground.peg[3-j]' stiffness='k*r[3-i] + c'/></repeat></repeat>"
        "<revolute name='hinge' first='ball[1]' second='ball[2].rim'/>"
        "<solver project_start='yes'/>"
        "<outputs><output variable='spring[2,1].length'/><output variable='ball[2].x'/></outputs>");
    assert_close(value_of(simulation, "r[2]"), 0.2, 0.0, "parameters are one each");
    const System* sys = &simulation->model.system;
    const Element* spring = sys->forces[2].element;
    assert_string_equal(spring->name, "spring[2,1]");
    assert_string_equal(sys->elements[spring->references[0]].name, "ball[2].dot[1]");
    assert_string_equal(sys->elements[spring->references[1]].name, "ground.peg[2]");
    assert_close(simulation->state.p[spring->p.at], 100.0 * 0.1 + 14.0, 1e-15, "stiffness");
    set_value(simulation, "r[1]", 0.5);
    assert_close(simulation->state.p[spring->p.at], 100.0 * 0.5 + 14.0, 1e-15, "follows");
    start(simulation);
    simulation_destroy(simulation);
}

// The points of a repeated contact have one index more, not a second pair of brackets, which FMI
// does not know.
static void test_points_of_repeated_contacts(void** state) {
    (void)state;
    Simulation* simulation = mechanism_new(
        "<gravity y='-9.81'/><ground><line name='floor'/></ground><repeat count='2'>"
        "<planar_body name='crate' mass='1' inertia='1' initial_x='3*i' initial_y='0.5'>"
        "<box name='box' length='1' height='1'/></planar_body>"
        "<contact name='on' first='crate.box' second='ground.floor'/></repeat>"
        "<outputs><output variable='on[2,3].gap'/><output variable='on[1].total_normal_force'/>"
        "<output variable='crate[1].y'/></outputs>");
    start(simulation);
    assert_close(value_of(simulation, "on[2,3].gap"), 1.0, 1e-15, "gap of a corner");
    assert_false(has_variable(simulation, "on[2,1].gap"));
    advance(simulation, 0.01);
    assert_close(value_of(simulation, "on[1].total_normal_force"), 9.81, 1e-8, "weight");
    simulation_destroy(simulation);
}

// --- parts ---

#define LEG                                                                                        \
    "<part name='leg'><parameter name='length' value='2' unit='m'/><constant name='turns' "        \
    "value='0'/><planar_body name='bar' mass='length' inertia='1' initial_x='length/2' "           \
    "initial_angle='turns' initial_velocity_y='1' initial_angular_velocity='0.5'>"                 \
    "<point name='start' x='-length/2'/></planar_body>"                                            \
    "<ground><frame name='hip' angle='turns'/><box name='block' x='1' length='0.4' height='0.2'/>" \
    "</ground><revolute name='hinge' first='bar' second='ground.hip'/>"                            \
    "<torsional_spring_damper name='spring' first='ground.hip' second='bar' stiffness='3'/>"       \
    "</part>"

static void test_poses_in_the_plane(void** state) {
    (void)state;
    const double angle = 4.0;  // more than half a turn: springs must not be wound by it
    Simulation* simulation = mechanism_new(
        LEG
        "<parameter name='tilt' value='4'/><part name='two'><use part='leg' name='leg' x='3' "
        "length='1' turns='1'/></part>"
        "<use part='leg' name='left' x='10' y='20' angle='tilt'/>"
        "<use part='two' name='outer' x='1' angle='pi/2'/><solver project_start='yes'/>");
    assert_close(value_of(simulation, "left.length"), 2.0, 0.0, "length");
    assert_close(value_of(simulation, "outer.leg.length"), 1.0, 0.0, "length");
    const int x = index_of(simulation, "left.bar.x");
    const Variable* variable = &simulation_variables(simulation)->variables[x];
    bool on_tilt = false;
    for (int i = 0; i < variable->n_known_initially; i++) {
        on_tilt = on_tilt || variable->known_initially[i] == index_of(simulation, "tilt");
    }
    assert_true(on_tilt);
    const System* sys = &simulation->model.system;
    double q[6];
    double u[6];
    Properties* properties = &simulation->workspace.properties;
    assert_int_equal(system_update_parameters(sys, simulation->state.p, properties), STATUS_OK);
    system_initial(sys, properties, q, u);
    assert_close(q[0], 10.0 + cos(angle), 1e-14, "x");
    assert_close(q[1], 20.0 + sin(angle), 1e-14, "y");
    assert_close(q[2], angle, 0.0, "angle");
    assert_close(u[0], -sin(angle), 1e-15, "velocity x");
    assert_close(u[1], cos(angle), 1e-15, "velocity y");
    assert_close(u[2], 0.5, 0.0, "angular velocity");
    // the inner use is at (3, 0) of the outer one, which is turned by 90 degrees about (1, 0)
    assert_close(q[3], 1.0, 1e-15, "x");
    assert_close(q[4], 3.5, 1e-15, "y");
    assert_close(q[5], 1.0 + 1.57079632679489661923, 1e-15, "angle");
    start(simulation);
    assert_close(value_of(simulation, "left.spring.angle"), 0.0, 1e-14, "relaxed");
    assert_close(value_of(simulation, "outer.leg.spring.angle"), 0.0, 1e-14, "relaxed");
    assert_close(value_of(simulation, "left.bar.x"), 10.0, 1e-9, "projected on the hip");
    const Marker* corner = NULL;
    for (int i = 0; i < sys->n_markers - 1; i++) {
        if (strcmp(sys->marker_elements[i]->name, "outer.leg.ground.block") == 0) {
            corner = corner != NULL ? corner : &properties->markers[i];
        }
    }
    assert_non_null(corner);  // at (1 - 0.2, -0.1) of the leg
    assert_close(corner->rho.x, 1.0 + 0.1, 1e-15, "x of a corner on the ground");
    assert_close(corner->rho.y, 3.0 + 0.8, 1e-15, "y of a corner on the ground");
    simulation_destroy(simulation);
}

static void assert_alike(Simulation* first, const char* name_1, Simulation* second,
                         const char* name_2, double tolerance) {
    const double expected = value_of(second, name_2);
    const double scale = fmax(1.0, fabs(expected));
    assert_close(value_of(first, name_1), expected, tolerance * scale, name_1);
}

// A double pendulum of space, turned as a whole with gravity, moves likewise.
static void test_poses_in_space(void** state) {
    (void)state;
#define PENDULUM                                                                             \
    "<spatial_body name='one' mass='2' inertia_xx='0.1' inertia_yy='0.2' inertia_zz='0.25' " \
    "initial_x='1' initial_rotation_y='0.3' initial_velocity_z='0.4' "                       \
    "initial_angular_velocity_y='-0.4' centre_of_mass_x='0.05'><frame name='a' x='-1'/>"     \
    "<frame name='b' x='1'/></spatial_body>"                                                 \
    "<driven_frame name='base' z='0.1*sin(t)' angle='0.2*t' axis_x='1' axis_z='0'/>"         \
    "<spherical name='joint' first='one.a' second='base'/>"                                  \
    "<spatial_beam name='rod' length='1' elements='2' width='0.02' height='0.03' "           \
    "youngs_modulus='1e8' density='1000' poisson_ratio='0.3' initial_x='2' initial_z='1' "   \
    "initial_rotation_y='0.4' initial_velocity_x='0.3' initial_angular_velocity_z='0.5'/>"   \
    "<ground><frame name='g' x='0.5' rotation_x='0.2'/></ground>"                            \
    "<spring_damper name='spring' first='one.b' second='ground.g' stiffness='20' "           \
    "free_length='1'/>"
#define SOLVER "<solver scheme='generalized_alpha' project_start='yes' step_size='1e-3'/>"
    Simulation* plain = mechanism_new(SOLVER "<gravity z='-9.81'/>" PENDULUM);
    // z becomes y: turned by -90 degrees about x, gravity with it, and somewhere else
    Simulation* carried = mechanism_new(
        SOLVER "<gravity y='-9.81'/><part name='p'>" PENDULUM
               "</part><use part='p' name='u' x='3' y='-2' z='5' rotation_x='-pi/2'/>");
    start(plain);
    start(carried);
    for (int i = 0; i < 3; i++) {
        static const double TOLERANCE = 1e-9;
        assert_close(value_of(carried, "u.one.x") - 3.0, value_of(plain, "one.x"), TOLERANCE, "x");
        assert_close(value_of(carried, "u.one.y") + 2.0, value_of(plain, "one.z"), TOLERANCE, "y");
        assert_close(value_of(carried, "u.one.z") - 5.0, -value_of(plain, "one.y"), TOLERANCE, "z");
        assert_alike(carried, "u.one.angular_velocity_x", plain, "one.angular_velocity_x",
                     TOLERANCE);
        assert_alike(carried, "u.one.angular_velocity_z", plain, "one.angular_velocity_z",
                     TOLERANCE);
        assert_alike(carried, "u.spring.length", plain, "spring.length", TOLERANCE);
        assert_close(value_of(carried, "u.rod.last_y") + 2.0, value_of(plain, "rod.last_z"), 1e-8,
                     "end y");
        assert_close(value_of(carried, "u.rod.first_z") - 5.0, -value_of(plain, "rod.first_y"),
                     1e-8, "end z");
        assert_alike(carried, "u.joint.force_y", plain, "joint.force_z", 1e-7);
        assert_alike(carried, "u.base.z", plain, "base.z", 0.0);  // coordinates of the part
        assert_alike(carried, "energy.kinetic", plain, "energy.kinetic", TOLERANCE);
        advance(plain, 0.1);
        advance(carried, 0.1);
    }
    assert_true(fabs(value_of(plain, "one.y")) + fabs(value_of(plain, "one.z")) > 0.01);
    simulation_destroy(plain);
    simulation_destroy(carried);
}

// A beam, a driven frame and a point mass of the plane, turned as a whole with gravity.
static void test_poses_of_other_bodies(void** state) {
    (void)state;
#define ARM                                                                                     \
    "<driven_frame name='base' x='0.1*sin(3*t)' angle='0.2*t'/>"                                \
    "<beam name='rod' length='1' elements='3' width='0.02' height='0.02' youngs_modulus='1e8' " \
    "density='1000' initial_x='0' initial_angle='0.4' initial_velocity_y='0' curvature='0.3'>"  \
    "<frame name='clamp'/><frame name='tip' x='1'/></beam>"                                     \
    "<revolute name='joint' first='rod.clamp' second='base'/>"                                  \
    "<spline_beam name='wire' length='1' elements='4' width='0.02' height='0.02' "              \
    "youngs_modulus='1e8' density='1000' initial_x='2' initial_angle='-0.3' "                   \
    "initial_velocity_y='0.2' initial_angular_velocity='0.5' curvature='0.4'/>"                 \
    "<point_mass name='bob' mass='0.2' initial_x='1' initial_y='1' initial_velocity_x='0.3'/>"  \
    "<spring_damper name='spring' first='rod.tip' second='bob' stiffness='5' free_length='0.6'/>"
    Simulation* plain = mechanism_new(
        "<solver scheme='generalized_alpha' project_start='yes'/>"
        "<gravity y='-9.81'/>" ARM);
    Simulation* carried = mechanism_new(
        "<solver scheme='generalized_alpha' project_start='yes'/><gravity x='9.81'/><part "
        "name='p'>" ARM "</part><use part='p' name='u' x='3' y='1' angle='pi/2'/>");
    start(plain);
    start(carried);
    for (int i = 0; i < 3; i++) {
        static const double TOLERANCE = 1e-7;
        assert_close(value_of(carried, "u.bob.x") - 3.0, -value_of(plain, "bob.y"), TOLERANCE, "x");
        assert_close(value_of(carried, "u.bob.y") - 1.0, value_of(plain, "bob.x"), TOLERANCE, "y");
        assert_close(value_of(carried, "u.rod.last_x") - 3.0, -value_of(plain, "rod.last_y"),
                     TOLERANCE, "tip x");
        assert_close(value_of(carried, "u.rod.last_angle"),
                     value_of(plain, "rod.last_angle") + 1.57079632679489661923, TOLERANCE,
                     "angle");
        assert_alike(carried, "u.rod.strain_energy", plain, "rod.strain_energy", TOLERANCE);
        assert_close(value_of(carried, "u.wire.last_x") - 3.0, -value_of(plain, "wire.last_y"),
                     TOLERANCE, "end x");
        assert_close(value_of(carried, "u.wire.first_y") - 1.0, value_of(plain, "wire.first_x"),
                     TOLERANCE, "end y");
        assert_close(value_of(carried, "u.wire.strain_energy"),
                     value_of(plain, "wire.strain_energy"), 1e-9, "energy");
        advance(plain, 0.1);
        advance(carried, 0.1);
    }
    simulation_destroy(plain);
    simulation_destroy(carried);
}

// What is set in the FMU before the start moves the part.
static void test_poses_follow_parameters(void** state) {
    (void)state;
    Simulation* simulation =
        mechanism_new("<part name='p'>" BODY
                      "</part><parameter name='height' value='1'/>"
                      "<use part='p' name='u'/><use part='p' name='v' y='2*height'/>");
    set_value(simulation, "u.x", 4.0);
    set_value(simulation, "u.angle", 0.5);
    set_value(simulation, "height", 3.0);
    start(simulation);
    assert_close(value_of(simulation, "u.b.x"), 4.0, 0.0, "x");
    assert_close(value_of(simulation, "u.b.angle"), 0.5, 0.0, "angle");
    assert_close(value_of(simulation, "v.b.y"), 6.0, 0.0, "y");
    simulation_destroy(simulation);
}

// --- mistakes ---

static void test_problems(void** state) {
    (void)state;
#define REPEAT(attributes, content) HEAD "<repeat " attributes ">" content "</repeat>" TAIL
#define PART(content, uses) HEAD "<part name='p'>" content "</part>\n" uses TAIL
    static const struct {
        const char* text;
        const char* says;
    } cases[] = {
        // repetitions
        {REPEAT("", BODY), "2:1: <repeat> needs the attribute count"},
        {REPEAT("count='-1'", BODY), "2:16: count=\"-1\" is -1: expected from 0"},
        {REPEAT("count='2.5'", BODY), "expected a whole number"},
        {REPEAT("count='1e9'", BODY), "is 1e+09: expected from 0 to 1e+06"},
        {REPEAT("count='1e300^2'", BODY), "is inf"},
        {REPEAT("count='0/0'", BODY), "expected from 0"},
        {REPEAT("count='many'", BODY), "unknown name 'many'"},
        {REPEAT("count='i'", BODY), "unknown name 'i'"},
        {REPEAT("count='3' first='0'", BODY), "first=\"0\" is 0: expected from 1"},
        {REPEAT("count='3' colour='red'", BODY), "<repeat> has no attribute colour"},
        {REPEAT("count='3' index='2'", BODY), "index=\"2\": expected a letter"},
        {REPEAT("count='3' index='pi'", BODY), "index=\"pi\": the name is taken"},
        {REPEAT("count='3' index='b'", BODY), "b is the index of the <repeat> in line 2"},
        {REPEAT("count='3'", "<repeat count='2'>" BODY "</repeat>"),
         "2:19: i is the index of the <repeat> in line 2, too: expected index=\"NAME\" with "
         "another "
         "name (i = 1 of line 2)"},
        {REPEAT("count='600000'", BODY BODY), "make more than 1000000 elements"},
        {REPEAT("count='1000000'", ""), "make more than 1000000 elements"},
        {REPEAT("count='2000'", "<repeat count='2000' index='j'>" BODY "</repeat>"),
         "2:22: repetitions and uses of parts make more than 1000000 elements up to here (i = "},
        {REPEAT("count='2'", BODY "<ground/>"), "expected the <repeat> in the <ground>"},
        {REPEAT("count='2'", BODY "<gravity/>"), "<gravity> stands in <mechanism> itself"},
        {REPEAT("count='2'", BODY "<table name='f' rows='0 0;1 1'/>"), "<table> stands in"},
        {REPEAT("count='2'", BODY "<part name='p'/>"), "<part> stands in <mechanism> alone"},
        {REPEAT("count='2'", "<planar_body name='b' mass='-i' inertia='1'/>"),
         "mass=\"-i\" is -2: expected at least 1e-12 (i = 2 of line 2)"},
        {REPEAT("count='2'", "<planar_body name='b[1]' mass='1' inertia='1'/>"),
         "in a <repeat> the program adds the index"},
        {REPEAT("count='2'", BODY "<force name='f' on='b[i-1]' x='1'/>"),
         "on=\"b[i-1]\", here b[0] is not the name of an element"},
        {REPEAT("count='2'", BODY "<force name='f' on='b[i/2]' x='1'/>"),
         "an index in it is no whole number from 0 on (i = 1 of line 2)"},
        {REPEAT("count='2'", BODY "<force name='f' on='b[i' x='1'/>"), "an index in it is no"},
        {REPEAT("count='2'", BODY "<force name='f' on='b[t]' x='1'/>"), "an index in it is no"},
        {HEAD "<repeat count='2'>" BODY "</repeat>\n<force name='f' on='b' x='1'/>" TAIL,
         "3:21: on=\"b\" is not the name of an element"},
        {HEAD "<repeat count='2'>" BODY
              "</repeat>\n<planar_body name='b' mass='i' inertia='1'/>" TAIL,
         "unknown name 'i'"},
        // names
        {HEAD "<repeat count='2'>" BODY
              "</repeat>\n<planar_body name='b[2]' mass='1' inertia='1'/>" TAIL,
         "3:20: the name b[2] is used twice, first in line 2"},
        {HEAD "<repeat count='2'>" BODY "</repeat>\n" BODY TAIL,
         "the names b[1] and b, of line 3, differ in their indices alone"},
        {HEAD "<point_mass name='b[2]' mass='1'/><point_mass name='b[2,1]' mass='1'/>" TAIL,
         "the names b[2,1] and b[2], of line 2, differ"},
        {HEAD "<point_mass name='b[0]' mass='1'/>" TAIL, "then indices such as [2]"},
        {HEAD "<point_mass name='b[01]' mass='1'/>" TAIL, "b[01]"},
        {HEAD "<point_mass name='b[1' mass='1'/>" TAIL, "b[1"},
        {HEAD "<point_mass name='b[1][2]' mass='1'/>" TAIL, "b[1][2]"},
        {HEAD "<point_mass name='b[1,2,3,4,5,6,7,8,9]' mass='1'/>" TAIL, "8,9"},
        {HEAD "<table name='f[1]' rows='0 0;1 1'/>" TAIL, "the name of a <table> has no indices"},
        {"<mechanism xmlns='urn:clatter:model:1' name='m[1]'><point_mass name='a' mass='1'/>"
         "</mechanism>",
         "the name of a <mechanism> has no indices"},
        // constants
        {HEAD "<constant name='c'/>" TAIL, "<constant> needs the attribute value"},
        {HEAD "<constant value='1'/>" TAIL, "<constant> needs a name"},
        {HEAD "<constant name='c' value='c'/>" TAIL, "unknown name 'c'"},
        {HEAD "<parameter name='p' value='1'/><constant name='c' value='p'/>" TAIL,
         "'p' is a parameter, which can change in the FMU: expected a <constant>"},
        {HEAD "<constant name='c' value='1'/><parameter name='c' value='1'/>" TAIL, "used twice"},
        {HEAD "<constant name='e' value='1'/>" TAIL, "taken by the program"},
        {HEAD "<constant name='c' value='1' unit='m'/>" TAIL, "has no attribute unit"},
        {HEAD "<ground><constant name='c' value='1'/></ground>" TAIL, "<constant> is not known in"},
        {HEAD "<constant name='c' value='1'/><force name='f' on='c' x='c(1)'/>" TAIL,
         "'c' is a constant and no function"},
        {HEAD "<constant name='c' value='1'/><force name='f' on='c' x='1'/>" TAIL,
         "on=\"c\" is not the name of an element"},
        // parts
        {PART(BODY, "<use name='u'/>"), "3:1: <use> needs the attribute part"},
        {PART(BODY, "<use part='q' name='u'/>"), "part=\"q\" is not the name of a <part>"},
        {PART(BODY, "<use part='p'/>"), "<use> needs a name"},
        {PART(BODY, "<use part='p' name='1'/>"), "expected a letter"},
        {PART(BODY, "<use part='p' name='u'><point/></use>"),
         "<use> cannot contain other elements"},
        {PART(BODY, "<use part='p' name='u'/><use part='p' name='u'/>"),
         "the name u is used twice"},
        {PART(BODY, "<use part='p' name='u' size='2'/>"), "<use> has no attribute size"},
        {PART("<parameter name='size' value='1'/>" BODY, "<use part='p' name='u' sise='2'/>"),
         "<use> has no attribute sise, did you mean 'size'?"},
        {PART("<parameter name='size' value='1' max='2'/>" BODY,
              "<use part='p' name='u' size='3'/>"),
         "3:30: size=\"3\" is 3: expected from -inf to 2"},
        {PART("<parameter name='size' value='1'/>" BODY, "<use part='p' name='u' size='size'/>"),
         "3:30: size=\"size\": unknown name 'size'"},
        {PART("<parameter name='x' value='1'/>" BODY, "<use part='p' name='u'/>"),
         "a parameter of a part cannot be called x: every <use> has"},
        {PART("<use part='p' name='v'/>", "<use part='p' name='u'/>"),
         "2:27: the part p uses itself (u of line 3)"},
        {HEAD
         "<part name='p'><use part='q' name='v'/></part><part name='q'><use part='p' name='w'/>"
         "</part>\n<use part='p' name='u'/>" TAIL,
         "the part p uses itself (u.v of line 2, u of line 3)"},
        {PART("<planar_body name='b' mass='0' inertia='1'/>", "<use part='p' name='u'/>"),
         "2:44: mass=\"0\" is 0: expected at least 1e-12 (u of line 3)"},
        {PART("<force name='f' on='nobody' x='1'/>", "<use part='p' name='u'/>"), "(u of line 3)"},
        {PART("<solver/>", "<use part='p' name='u'/>"), "<solver> stands in <mechanism> itself"},
        {PART("<ground colour='red'/>", "<use part='p' name='u'/>"),
         "<ground> has no attribute colour"},
        {PART("<planar_body name='t' mass='1' inertia='1'/>", "<use part='p' name='u'/>"),
         "taken by"},
        {PART(BODY, "<ground><use part='p' name='u'/></ground>"), "<use> stands in <mechanism>"},
        {PART(BODY, "<use part='p' name='u' z='1'/>"), "<use> has the attribute z only in space"},
        {PART(BODY, "<use part='p' name='u'/><force name='f' on='u' x='1'/>"),
         "is a <use>: expected"},
        {HEAD "<part/>" TAIL, "<part> needs a name"},
        {HEAD "<part name='p'/><part name='p'/>" TAIL, "the name p is used twice"},
        {HEAD "<part name='p' size='1'/>" TAIL, "<part> has no attribute size"},
        {HEAD "<repaet count='2'/>" TAIL, "did you mean 'repeat'?"},
        {HEAD "<outputs><repeat count='2'><output variable='a[i].x'/></repeat></outputs>" TAIL,
         "there is no variable a[1].x to put out"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Simulation* simulation = mechanism_read(cases[i].text, NULL, &messages);
        if (simulation != NULL || strstr(messages.text, cases[i].says) == NULL) {
            fail_msg("%s\ngives %s\nexpected %s", cases[i].text, messages.text, cases[i].says);
        }
    }
}

// Problems that show when the motion starts
static void test_refused_poses(void** state) {
    (void)state;
    static const struct {
        const char* content;
        const char* says;
    } cases[] = {
        {"<part name='p'><elastic_bar name='bar' length='1' area='1' youngs_modulus='1' "
         "density='1'/>"
         "</part><use part='p' name='u' x='1'/>",
         "u.bar (line 1, column 67) can stand in no part that a <use> moves"},
        {"<part name='p'>" BODY
         "</part><use part='p' name='u' z='1'/><spatial_body name='s' mass='1' "
         "inertia_xx='1' inertia_yy='1' inertia_zz='1'/>",
         "is of the plane, and the <use> of its part leaves it"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Simulation* simulation = mechanism_new(cases[i].content);
        assert_int_not_equal(simulation_initialize(simulation, 0.0, NULL), STATUS_OK);
        if (strstr(simulation_message(simulation), cases[i].says) == NULL) {
            fail_msg("%s\nexpected %s", simulation_message(simulation), cases[i].says);
        }
        simulation_destroy(simulation);
    }
}

static int count_lines(const char* text) {
    int n = 0;
    for (; *text != '\0'; text++) {
        n += *text == '\n';
    }
    return n;
}

// A mistake in something repeated is told a few times, not a thousand.
static void test_few_messages(void** state) {
    (void)state;
    assert_null(mechanism_read(REPEAT("count='1000'", "<point_mass name='m' mass='-1'/>"), NULL,
                               &messages));
    assert_int_equal(count_lines(messages.text), 5);
    assert_non_null(
        strstr(messages.text, "(i = 5 of line 2); more of these repetitions is not told"));
}

// A shape is idle if no repetition uses it; a part, if nothing does.
static void test_warnings(void** state) {
    (void)state;
    Simulation* simulation = mechanism_read(
        HEAD
        "<part name='unused'/><repeat count='3'><point_mass name='m' mass='1'><point name='p'/>"
        "<point name='q'/></point_mass></repeat><force name='f' on='m[2].p' x='1'/>" TAIL,
        NULL, &messages);
    assert_non_null(simulation);
    assert_int_equal(messages.n_warnings, 2);
    assert_non_null(strstr(messages.text, "2:1: no <use> uses the part unused"));
    assert_non_null(strstr(messages.text, "m[1].q is in no contact"));
    simulation_destroy(simulation);
}

// --- hostile texts ---

static const char rich[] =
    "<mechanism xmlns='urn:clatter:model:1' name='m'>\n<constant name='n' value='3'/>\n"
    "<part name='q'><constant name='k' value='n'/><parameter name='r' value='0.1*k'/>\n"
    "<repeat count='k' index='j'><planar_body name='b' mass='j' inertia='r'><circle name='c' "
    "radius='r'/></planar_body><parameter name='s' value='r/j'/></repeat>\n<ground><line name='l' "
    "y='-r'/></ground><contact name='touch' first='b[k-1].c' second='ground.l'/>\n"
    "<input name='F'/><force name='f' on='b[1]' x='F*s[2]'/></part>\n"
    "<repeat count='n-1' first='2'><use part='q' name='u' x='i' k='i' r='0.2'/></repeat>\n"
    "<use part='q' name='single' angle='1'/>\n<outputs><output variable='u[2].b[1].x'/>\n"
    "<repeat count='2'><output variable='single.b[i].y'/></repeat></outputs></mechanism>";

static void test_rich(void** state) {
    (void)state;
    Simulation* simulation = mechanism_read(rich, NULL, &messages);
    if (simulation == NULL) {
        fail_msg("%s", messages.text);
    }
    assert_close(value_of(simulation, "single.s[2]"), 0.3 / 2.0, 1e-16, "s");
    assert_close(value_of(simulation, "u[3].s[2]"), 0.1, 1e-16, "s");
    assert_true(has_variable(simulation, "u[2].F") && has_variable(simulation, "single.F"));
    assert_true(has_variable(simulation, "single.touch.friction_coefficient"));
    assert_false(has_variable(simulation, "single.b[1].mass"));
    start(simulation);
    assert_close(value_of(simulation, "u[2].b[1].x"), 2.0, 0.0, "x");
    simulation_destroy(simulation);
}

static void try_bytes(const char* text, size_t n) {
    const ModelFiles files = {.model_name = "m", .model = text, .n_model = n};
    Report report = {0};
    Simulation* simulation = simulation_create(&files, &report);
    assert_true((simulation == NULL) == (report.n_errors > 0));
    simulation_destroy(simulation);
}

static void test_mutated(void** state) {
    (void)state;
    enum { SIZE = sizeof rich - 1 };
    static const char pieces[] = "[]i,jkn.1029+-*/() '<>qub";
    char mutant[SIZE];
    for (int trial = 0; trial < tries(6000); trial++) {
        memcpy(mutant, rich, SIZE);
        for (int k = 0; k < 1 + trial % 3; k++) {
            const size_t at = random_bits() % SIZE;
            const size_t from = random_bits() % SIZE;
            const size_t length = random_bits() % 12;
            if (trial % 2 == 0 || at + length >= SIZE || from + length >= SIZE) {
                mutant[at] = pieces[random_bits() % (sizeof pieces - 1)];
            } else {
                memmove(mutant + at, rich + from, length);
            }
        }
        try_bytes(mutant, SIZE);
    }
}

// Whatever the memory ends with, it is told once, with a place in the file and the amount.
static void test_memory_that_does_not_suffice(void** state) {
    (void)state;
    const ModelFiles files = {.model_name = "model.xml", .model = rich, .n_model = strlen(rich)};
    Status status = STATUS_OUT_OF_MEMORY;
    size_t limit = 16;
    const size_t more = (size_t)(320 / tries(20));
    for (; status != STATUS_OK; limit += more) {
        Arena arena = {.limit = limit};
        Model read;
        messages = (Messages){0};
        Report report = {.context = &messages, .add = messages_add};
        status = model_read(&files, &arena, &arena, &report, &read);
        if (status != STATUS_OK && (report.n_errors != 1 || strstr(messages.text, "MiB") == NULL ||
                                    strncmp(messages.text, "0:", 2) == 0)) {
            fail_msg("%zu bytes: %s: %s", limit, status_text(status), messages.text);
        }
        arena_free(&arena);
    }
    assert_true(limit > 10000);
}

// Parts that use two of the next one each would be 2^40 elements; 100,000 parts in a row a stack of
// that depth.
static void test_towers_of_parts(void** state) {
    (void)state;
    enum { LINE = 128 };
    for (int twice = 0; twice <= 1; twice++) {
        const int n = twice ? 25 : tries(100000);
        char* text = malloc((size_t)n * LINE + 512);
        assert_non_null(text);
        size_t at = (size_t)snprintf(text, 256, HEAD "<use part='p0' name='u'/>");
        for (int i = 0; i < n; i++) {
            at += (size_t)snprintf(text + at, LINE, "<part name='p%d'>", i);
            for (int k = 0; k <= twice && i + 1 < n; k++) {
                at += (size_t)snprintf(text + at, LINE, "<use part='p%d' name='%c'/>", i + 1,
                                       'a' + k);
            }
            at += (size_t)snprintf(text + at, LINE, "</part>\n");
        }
        (void)snprintf(text + at, LINE, TAIL);
        assert_null(mechanism_read(text, NULL, &messages));
        assert_non_null(
            strstr(messages.text, twice ? "more than 1000000 elements" : "nested more than"));
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_names_in_repetitions),
        cmocka_unit_test(test_points_of_repeated_contacts),
        cmocka_unit_test(test_poses_in_the_plane),
        cmocka_unit_test(test_poses_in_space),
        cmocka_unit_test(test_poses_of_other_bodies),
        cmocka_unit_test(test_poses_follow_parameters),
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_refused_poses),
        cmocka_unit_test(test_few_messages),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_rich),
        cmocka_unit_test(test_mutated),
        cmocka_unit_test(test_memory_that_does_not_suffice),
        cmocka_unit_test(test_towers_of_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
