// Impacts that are made without restitution, because the laws have no solution with it.
//
// Friction that wedges bodies (a prop that leans against the motion of its tip) presses a contact
// the more, the more it presses: Newton's law of impact with restitution asks for a velocity that
// no percussion in the cone of friction gives. Without restitution the laws of impact have a
// solution, unless something is driven into the wedge. So a step that fails is tried again without
// the restitution of the contacts in the islands that failed, at last of all, and the user is told.
#pragma once

#include "base/report.h"
#include "schemes/workspace.h"

// Of one contact, within a step
typedef struct ContactRestitution {
    bool suspect;  // it was part of an attempt at the present step that failed
    bool struck;   // it had an impact without restitution in the present step
} ContactRestitution;

// What the user is told of: a fixed contact, or all that an element has found
typedef struct ToldImpact {
    const Link* link;  // of a fixed one, else NULL
    const Element* element;
    bool due;   // the user is to be told ...
    bool told;  // ... or has been: once in a run
    double t;   // the first time
} ToldImpact;

typedef struct Restitution {
    ContactRestitution* contacts;  // (n_contacts)
    bool* left_out;                // (n_contacts) StepInput.inelastic
    int n_left_out;                // of them
    ToldImpact* impacts;           // (n_fixed + n_totals)
    bool suspected;                // some contacts are
    bool noted;                    // something has been written to the two since the last run began
    bool proven;                   // the laws of the present step have no solution
    // of the impacts that are due
    int n_due;
    bool due_proven;  // all of them have no solution; otherwise none was found
} Restitution;

// STATUS_OUT_OF_MEMORY if the arena is exhausted.
MUST_CHECK Status restitution_create(const System* sys, Arena* arena, Restitution* r);
// Takes over what was told before there was more room.
void restitution_keep(const System* sys, const Restitution* before, Restitution* r);
// A new run: every contact is told of again.
void restitution_reset(const System* sys, Restitution* r);

// A new step: all contacts have their restitution.
void restitution_begin_step(const System* sys, Restitution* r);
// An attempt at the step failed with these contacts, because their laws have no solution?
void restitution_suspect(const ContactSet* set, bool unsolvable, Restitution* r);
// Does the present step have no solution because of a restitution that may be left out? Smaller
// steps would have none either: what is wrong is the velocity before the impact. p: parameters.
bool restitution_is_at_fault(const System* sys, const double* p, const Restitution* r);
// Leaves out the restitution of the suspects that have one, or of all contacts. False if there are
// no more of them than before.
bool restitution_leave_out(const System* sys, const double* p, bool all, Restitution* r);
// A new attempt at the step; a part of it was solved with these contacts; all of it was, at t. True
// if there was an impact without restitution.
void restitution_begin_attempt(const System* sys, Restitution* r);
void restitution_end_part(const ContactSet* set, Restitution* r);
bool restitution_end_step(const System* sys, double t, Restitution* r);

// Reports the impacts that are due, with the names of their contacts.
void restitution_report(const System* sys, Restitution* r, Report* report);
