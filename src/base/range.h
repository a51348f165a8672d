// A run of consecutive indices: where one element's part of a vector lies.
#pragma once

typedef struct Range {
    int at;  // first index
    int n;   // how many
} Range;
