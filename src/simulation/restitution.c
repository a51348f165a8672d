#include "simulation/restitution.h"

#include <string.h>

#include "base/text.h"

Status restitution_create(const System* sys, Arena* arena, Restitution* r) {
    *r = (Restitution){.contacts = ARENA_NEW(arena, sys->most_contacts, ContactRestitution),
                       .left_out = ARENA_NEW(arena, sys->most_contacts, bool),
                       .impacts = ARENA_NEW(arena, sys->n_fixed + sys->n_totals, ToldImpact)};
    return r->contacts != NULL && r->left_out != NULL && r->impacts != NULL ? STATUS_OK
                                                                            : STATUS_OUT_OF_MEMORY;
}

void restitution_keep(const System* sys, const Restitution* before, Restitution* r) {
    memcpy(r->impacts, before->impacts,
           (size_t)(sys->n_fixed + sys->n_totals) * sizeof *r->impacts);
}

void restitution_reset(const System* sys, Restitution* r) {
    if (r->noted) {  // else they have not been written to
        memset(r->contacts, 0, (size_t)sys->most_contacts * sizeof *r->contacts);
        memset(r->left_out, 0, (size_t)sys->most_contacts * sizeof *r->left_out);
    }
    memset(r->impacts, 0, (size_t)(sys->n_fixed + sys->n_totals) * sizeof *r->impacts);
    *r = (Restitution){.contacts = r->contacts, .left_out = r->left_out, .impacts = r->impacts};
}

void restitution_begin_step(const System* sys, Restitution* r) {
    for (int k = 0; k < sys->n_contacts && r->suspected; k++) {
        r->left_out[k] = false;
        r->contacts[k].suspect = false;
    }
    r->n_left_out = 0;
    r->suspected = r->proven = false;
}

// Those of the islands that have a problem which was not solved; if all problems were, and it was
// the step that did not converge, those of all islands.
void restitution_suspect(const ContactSet* set, bool unsolvable, Restitution* r) {
    bool any = false;
    r->proven = r->proven || unsolvable;
    for (int j = 0; j < set->n_islands; j++) {
        any = any || set->islands[j].unsolved;
    }
    for (int i = 0; i < set->n; i++) {
        const ActiveLaw* active = &set->active[i];
        if (active->form.normal && (!any || set->islands[active->island].unsolved)) {
            r->contacts[active->law].suspect = r->suspected = r->noted = true;
        }
    }
}

static bool is_elastic(const System* sys, const double* p, int contact) {
    const Link* link = &sys->laws[contact];
    return link_parameter(link, p, NORMAL_RESTITUTION) != 0.0 ||
           link_parameter(link, p, TANGENTIAL_RESTITUTION) != 0.0;
}

bool restitution_is_at_fault(const System* sys, const double* p, const Restitution* r) {
    bool any = false;
    for (int k = 0; k < sys->n_contacts && r->proven && !any; k++) {
        any = r->contacts[k].suspect && !r->left_out[k] && is_elastic(sys, p, k);
    }
    return any;
}

bool restitution_leave_out(const System* sys, const double* p, bool all, Restitution* r) {
    const int before = r->n_left_out;
    for (int k = 0; k < sys->n_contacts; k++) {
        if (!r->left_out[k] && (all || r->contacts[k].suspect) && is_elastic(sys, p, k)) {
            r->left_out[k] = r->noted = true;
            r->n_left_out++;
        }
        r->contacts[k].suspect = false;
    }
    r->suspected = r->suspected || r->n_left_out > 0;
    return r->n_left_out > before;
}

void restitution_begin_attempt(const System* sys, Restitution* r) {
    for (int k = 0; k < sys->n_contacts && r->n_left_out > 0; k++) {
        r->contacts[k].struck = false;
    }
}

void restitution_end_part(const ContactSet* set, Restitution* r) {
    for (int i = 0; i < set->n && r->n_left_out > 0; i++) {
        const ActiveLaw* active = &set->active[i];
        if (active->impact && r->left_out[active->law]) {
            r->contacts[active->law].struck = true;
        }
    }
}

// What is told of contact k
static ToldImpact* impact_of(const System* sys, int k, const Restitution* r) {
    const Link* link = &sys->laws[k];
    const bool fixed = k < sys->n_fixed;
    ToldImpact* impact = &r->impacts[fixed ? k : sys->n_fixed + link->element->total];
    impact->link = fixed ? link : NULL;
    impact->element = link->element;
    return impact;
}

bool restitution_end_step(const System* sys, double t, Restitution* r) {
    bool any = false;
    for (int k = 0; k < sys->n_contacts && r->n_left_out > 0; k++) {
        if (!r->contacts[k].struck) {
            continue;
        }
        any = true;
        ToldImpact* impact = impact_of(sys, k, r);
        if (!impact->told) {
            impact->due = impact->told = true;
            r->due_proven = r->proven && (r->n_due == 0 || r->due_proven);
            impact->t = t;
            r->n_due++;
        }
    }
    return any;
}

// Those that are due
static void report_due(const System* sys, Restitution* r, Report* report) {
    enum { NAMES_SIZE = 512, MOST_NAMES = 8 };
    char names[NAMES_SIZE] = "";
    const Element* first = NULL;
    int n = 0;
    for (int i = 0; i < sys->n_fixed + sys->n_totals; i++) {
        ToldImpact* impact = &r->impacts[i];
        if (impact->due && n++ < MOST_NAMES) {
            text_append(names, sizeof names, "%s %s (line %ld) at t = %.9g s", n > 1 ? "," : "",
                        impact->link != NULL ? impact->link->name : impact->element->name,
                        impact->element->place.line, impact->t);
        }
        first = impact->due && first == NULL ? impact->element : first;
        impact->due = false;
    }
    r->n_due = 0;
    if (first == NULL) {
        return;
    }
    if (n > MOST_NAMES) {
        text_append(names, sizeof names, " and %d more", n - MOST_NAMES);
    }
    report_add(report, SEVERITY_WARNING, first->place,
               "the laws of impact %s with the restitution and friction of contact%s%s: friction "
               "wedges the bodies. Such impacts are made without restitution; "
               "solver.inelastic_steps counts them",
               r->due_proven ? "have no solution" : "were not solved", n > 1 ? "s" : "", names);
}

void restitution_report(const System* sys, Restitution* r, Report* report) {
    if (r->n_due > 0) {
        report_due(sys, r, report);
    }
}
