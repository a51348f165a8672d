// The binaries that an FMU is packed with, one for each platform that this program was built with.
#pragma once

#include "base/zip.h"

// Adds binaries/PLATFORM/NAME.so and so on, of FMI 2.0 or 3.0: fmi is 2 or 3, the name is the model
// identifier.
void fmu_binaries_add(ZipWriter* zip, int fmi, const char* model_identifier);

// "linux64, win64", for people
void fmu_binaries_list(TextBuffer* out);
