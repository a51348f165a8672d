// Sweeps with four contacts at once, compiled for processors that have registers of four doubles.
#define LANES 4
#define SWEEP_BLOCKS cone_sweep_blocks_avx2
#include "solvers/cone_sweeps.inc"
