#include "system/state.h"

#include "system/system.h"

// The arrays of a state, in order, with their lengths.
enum { N_ARRAYS = 22 };

static void array_lengths(const System* sys, size_t n[N_ARRAYS]) {
    const int lengths[N_ARRAYS] = {
        sys->nq,           sys->nu,       sys->nla_g,    sys->n_laws,  sys->nla_c, sys->nla_c,
        sys->n_laws,       sys->nla_g,    sys->nla_g,    sys->nla_c,   sys->nla_c, sys->nu,
        sys->nu,           sys->nla_g,    sys->nla_c,    sys->nu,      sys->nla_g, sys->nla_c,
        sys->n_parameters, sys->n_inputs, sys->n_inputs, sys->n_inputs};
    for (int i = 0; i < N_ARRAYS; i++) {
        n[i] = (size_t)lengths[i];
    }
}

size_t state_size(const System* sys) {
    size_t n[N_ARRAYS];
    array_lengths(sys, n);
    size_t size = sizeof(StateHead);
    for (int i = 0; i < N_ARRAYS; i++) {
        size += n[i] * sizeof(double);
    }
    return size;
}

State state_view(const System* sys, void* block) {
    size_t n[N_ARRAYS];
    array_lengths(sys, n);
    State s = {.head = block, .size = state_size(sys)};
    double** const arrays[N_ARRAYS] = {&s.q,
                                       &s.u,
                                       &s.P_g,
                                       &s.g_N,
                                       &s.gamma,
                                       &s.P,
                                       &s.contact_state,
                                       &s.la_g,
                                       &s.La_g,
                                       &s.la,
                                       &s.La,
                                       &s.a,
                                       &s.a_bar,
                                       &s.la_g_bar,
                                       &s.la_bar,
                                       &s.a_change,
                                       &s.la_g_change,
                                       &s.la_change,
                                       &s.p,
                                       &s.input,
                                       &s.input_slope,
                                       &s.input_time};
    double* next = (double*)(void*)(s.head + 1);
    for (int i = 0; i < N_ARRAYS; i++) {
        *arrays[i] = next;
        next += n[i];
    }
    return s;
}
