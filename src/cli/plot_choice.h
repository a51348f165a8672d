// Which variables are plotted, and in which panels.
#pragma once

#include "simulation/simulation.h"

enum { PLOT_MOST_PANELS = 24, PLOT_MOST_CURVES = 12 };

// Variables of one unit, or of one enumeration, over time or another variable
typedef struct PlotPanel {
    int over;  // variable on the x axis; -1: time
    int variables[PLOT_MOST_CURVES];
    int n_variables;
    int group;  // variables of different groups are in different panels
} PlotPanel;

typedef struct PlotChoice {
    PlotPanel panels[PLOT_MOST_PANELS];
    int n_panels;
    int n_groups;
} PlotChoice;

// Adds what a text chooses: "a,b;c" are two groups, "ball.*" all outputs, locals and inputs whose
// names fit (* any characters, ? one), "ball.y over ball.x" a curve over another variable.
// Variables of a group that differ in unit get a panel each. False after a message to stderr that
// begins with the command's name.
bool plot_choice_add(PlotChoice* choice, const char* text, const VariableTable* variables,
                     const char* command);

// What is worth seeing of most models: positions and angles, forces and states of contacts, and
// velocities where there is little else; the first ones of many.
void plot_choice_default(PlotChoice* choice, const VariableTable* variables);
