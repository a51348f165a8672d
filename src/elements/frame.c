#include "elements/frame.h"

static DualVec3 vary(Vec3 a, Vec3 direction) {
    return (DualVec3){dual_make(a.x, direction.x), dual_make(a.y, direction.y),
                      dual_make(a.z, direction.z)};
}

static Vec3 unit(int i) { return (Vec3){i == 0, i == 1, i == 2}; }

// Displaced along (dr, dtheta), with velocities changed by (dv, dOmega).
static DualFrame displace(const Frame* frame, Vec3 dr, Vec3 dtheta, Vec3 dv, Vec3 dOmega) {
    DualFrame varied = {.r = vary(frame->r, dr),
                        .v = vary(frame->v, dv),
                        .Omega = vary(frame->Omega, dOmega),
                        .a = vary(frame->a, unit(-1)),
                        .Psi = vary(frame->Psi, unit(-1)),
                        .angle = dual_make(frame->angle, dtheta.z)};
    for (int i = 0; i < 3; i++) {  // R e_i changes by R (dtheta x e_i)
        varied.R.e[i] = vary(frame->R.e[i], turn3(frame->R, cross3(dtheta, unit(i))));
    }
    return varied;
}

DualFrame frame_vary(const Frame* frame, int j, int k) {
    return displace(frame, unit(j < 3 ? j : -1), unit(j - 3), unit(k < 3 ? k : -1), unit(k - 3));
}

DualFrame frame_vary_along(const Frame* frame, const double* twist, bool velocity) {
    const Vec3 d = {twist[0], twist[1], twist[2]};
    const Vec3 turn = {twist[3], twist[4], twist[5]};
    const Vec3 none = {0.0, 0.0, 0.0};
    return velocity ? displace(frame, none, none, d, turn) : displace(frame, d, turn, none, none);
}

DualFrame frame_move(const Frame* frame) {
    return displace(frame, frame->v, frame->Omega, unit(-1), unit(-1));
}
