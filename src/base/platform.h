// What differs between operating systems in reading and writing files; the rest of the project is
// plain C. One platform_*.c each, chosen by CMake. Paths are UTF-8 everywhere.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// fopen; NULL with errno. The mode "wbx" makes a file that was not there.
FILE* platform_open(const char* path, const char* mode);

// A descriptor of a file to write, made anew; -1 with errno.
int platform_open_descriptor(const char* path);

// Nothing there, or a regular file: renaming onto a device or a link would destroy it.
bool platform_may_replace(const char* path);

// Gives a file another name, in the place of what has it; false with errno.
bool platform_rename(const char* from, const char* to);

void platform_remove(const char* path);

// Both are there and are one file.
bool platform_same_file(const char* path_a, const char* path_b);

// Number of characters up to and with the last separator of directories, 0 if there is none.
size_t platform_directory_length(const char* path);

// A path that does not depend on a directory.
bool platform_is_absolute(const char* path);

// Number of characters of a drive's name, "C:", at the start of a path; 0 where there are none.
size_t platform_drive_length(const char* path);
