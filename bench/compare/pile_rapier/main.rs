//! The pile in Rapier, with double or single precision (features of the crate), driven by driver.c
//! as the other programs are. Nothing falls asleep; friction is Coulomb's of each contact; lengths
//! are told to be of the size of a sphere, as Rapier wants it (length_unit). Settings:
//!   iterations   of the solver, each of which is a shorter step (Rapier's default: 4)
//!   inner        iterations within each (1)
//!   frequency    Hz, of the spring that takes penetrations back (30; twice that with walls)
//!   damping      its damping ratio (10)

use std::ffi::{c_char, c_int, CString};
use std::ptr::null_mut;

#[cfg(feature = "single")]
use rapier3d::prelude::*;
#[cfg(feature = "double")]
use rapier3d_f64::prelude::*;

const VERSION: &str = if cfg!(feature = "single") {
    "Rapier 0.36.1, single precision"
} else {
    "Rapier 0.36.1"
};

// --- driver.h and pile.h ---

#[repr(C)]
pub struct Options {
    case_name: *const c_char,
    variant: *const c_char,
    model: *const c_char,
    library: *const c_char,
    observe: *const c_char,
    settings: *const c_char,
    dt: f64,
    stop: f64,
    n: c_int,
}

#[repr(C)]
pub struct Motion {
    steps: extern "C" fn(*mut Motion, c_int, c_int) -> bool,
    observe: extern "C" fn(*mut Motion, *mut f64),
    destroy: extern "C" fn(*mut Motion),
    width: c_int,
}

#[repr(C)]
pub struct Program {
    version: *const c_char,
    create: extern "C" fn(*const Options, *mut *const c_char) -> *mut Motion,
}

#[repr(C)]
pub struct Pile {
    n: c_int,
    n_x: c_int,
    n_y: c_int,
    radius: f64,
    mass: f64,
    inertia: f64,
    mu: f64,
    gravity: f64,
    half_width: f64,
    half_depth: f64,
}

const COLUMNS: usize = 9; // PILE_COLUMNS

extern "C" {
    fn driver_main(program: *const Program, argc: c_int, argv: *mut *mut c_char) -> c_int;
    fn pile_of(options: *const Options) -> Pile;
    fn pile_start(pile: *const Pile, i: c_int, position: *mut f64);
    fn pile_setting(options: *const Options, name: *const c_char, otherwise: f64) -> f64;
}

// --- the motion ---

#[repr(C)]
struct RapierMotion {
    motion: Motion,
    world: PhysicsWorld,
    spheres: Vec<RigidBodyHandle>,
}

extern "C" fn steps(motion: *mut Motion, from: c_int, to: c_int) -> bool {
    let m = unsafe { &mut *(motion as *mut RapierMotion) };
    for _ in from..to {
        m.world.step();
    }
    m.world.bodies[m.spheres[0]].translation().z.is_finite()
}

extern "C" fn observe(motion: *mut Motion, row: *mut f64) {
    let m = unsafe { &*(motion as *const RapierMotion) };
    let row = unsafe { std::slice::from_raw_parts_mut(row, COLUMNS * m.spheres.len()) };
    for (columns, handle) in row.chunks_mut(COLUMNS).zip(&m.spheres) {
        let body = &m.world.bodies[*handle];
        let vectors = [body.translation(), body.linvel(), body.angvel()];
        for (j, v) in vectors.iter().enumerate() {
            columns[3 * j] = f64::from(v.x);
            columns[3 * j + 1] = f64::from(v.y);
            columns[3 * j + 2] = f64::from(v.z);
        }
    }
}

extern "C" fn destroy(motion: *mut Motion) {
    drop(unsafe { Box::from_raw(motion as *mut RapierMotion) });
}

fn setting(options: *const Options, name: &str, otherwise: f64) -> f64 {
    let name = CString::new(name).unwrap();
    unsafe { pile_setting(options, name.as_ptr(), otherwise) }
}

fn parameters(options: *const Options, pile: &Pile) -> IntegrationParameters {
    let frequency = setting(options, "frequency", 30.0) as Real;
    let damping = setting(options, "damping", 10.0) as Real;
    let mut p = IntegrationParameters::default();
    p.dt = unsafe { (*options).dt } as Real;
    p.length_unit = 2.0 * pile.radius as Real;
    p.num_solver_iterations = setting(options, "iterations", 4.0) as usize;
    p.num_internal_pgs_iterations = setting(options, "inner", 1.0) as usize;
    p.contact_softness = SpringCoefficients::new(frequency, damping);
    p.static_contact_softness = SpringCoefficients::new(2.0 * frequency, damping);
    p.friction_model = FrictionModel::Coulomb;
    p
}

fn add_wall(world: &mut PhysicsWorld, pile: &Pile, normal: Vector, distance: f64) {
    let shape = SharedShape::halfspace(normal);
    let wall = ColliderBuilder::new(shape)
        .translation(-normal * distance as Real)
        .friction(pile.mu as Real);
    world.colliders.insert(wall);
}

fn add_sphere(world: &mut PhysicsWorld, pile: &Pile, i: c_int) -> RigidBodyHandle {
    let mut r = [0.0; 3];
    unsafe { pile_start(pile, i, r.as_mut_ptr()) };
    let place = Vector::new(r[0] as Real, r[1] as Real, r[2] as Real);
    let body = RigidBodyBuilder::dynamic().translation(place).can_sleep(false);
    let handle = world.bodies.insert(body);
    let ball = ColliderBuilder::ball(pile.radius as Real)
        .mass(pile.mass as Real)
        .friction(pile.mu as Real);
    world.colliders.insert_with_parent(ball, handle, &mut world.bodies);
    handle
}

extern "C" fn create(options: *const Options, _why: *mut *const c_char) -> *mut Motion {
    let pile = unsafe { pile_of(options) };
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, 0.0, -pile.gravity as Real);
    world.integration_parameters = parameters(options, &pile);
    add_wall(&mut world, &pile, Vector::Z, 0.0);
    for (normal, distance) in [(Vector::X, pile.half_width), (Vector::Y, pile.half_depth)] {
        add_wall(&mut world, &pile, normal, distance);
        add_wall(&mut world, &pile, -normal, distance);
    }
    let spheres = (0..pile.n).map(|i| add_sphere(&mut world, &pile, i)).collect();
    let motion = Motion { steps, observe, destroy, width: COLUMNS as c_int * pile.n };
    Box::into_raw(Box::new(RapierMotion { motion, world, spheres })) as *mut Motion
}

fn main() {
    let words: Vec<CString> = std::env::args().map(|word| CString::new(word).unwrap()).collect();
    let mut argv: Vec<*mut c_char> = words.into_iter().map(CString::into_raw).collect();
    let argc = argv.len() as c_int;
    argv.push(null_mut());
    let version = CString::new(VERSION).unwrap();
    let program = Program { version: version.as_ptr(), create };
    std::process::exit(unsafe { driver_main(&program, argc, argv.as_mut_ptr()) });
}
