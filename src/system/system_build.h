// Builds a System from elements, whoever made them: the reader or a test.
//
// The caller fills kind, name, place, parent, references and function of the elements, settings
// (gravity, solver) among them once each; the rest is numbered here, in two steps, since values of
// parameters are needed for the second:
//   system_number    chooses the kinds for plane or space and numbers parameters and signals
//   system_connect   numbers markers, outputs, coordinates and rows; connects forces, joints and
//                    contacts
// What is wrong with the elements is reported with their place.
#pragma once

#include "base/arena.h"
#include "base/report.h"
#include "system/system.h"

// n_user_parameters and n_inputs of *sys are the caller's, all else is written.
void system_number(Element* elements, int n_elements, Report* report, System* sys);
// Once more those parameters that come after the open ones, when others have been added to these.
void system_number_repeated(Element* elements, System* sys);

// p (n_parameters): start values; structural ones and the places of markers on bodies that deform
// decide how many coordinates there are and which ones are coupled. p, signals (n_signals) and
// the elements must stay where they are. Fails for lack of memory only: errors are in the report.
MUST_CHECK Status system_connect(Element* elements, const double* p,
                                 const Expression* const* signals, Arena* arena, Report* report,
                                 System* sys);
