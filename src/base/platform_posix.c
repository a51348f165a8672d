// Files of Linux and its relatives. Calls of the stat family are avoided where they can be: their
// present symbols need a newer glibc than the FMU may ask for (statx is old enough).
#define _GNU_SOURCE  // statx

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/platform.h"

FILE* platform_open(const char* path, const char* mode) { return fopen(path, mode); }

int platform_open_descriptor(const char* path) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

bool platform_may_replace(const char* path) {
    struct statx info = {0};
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &info) != 0) {
        return errno == ENOENT;
    }
    return S_ISREG(info.stx_mode);
}

bool platform_rename(const char* from, const char* to) { return rename(from, to) == 0; }

void platform_remove(const char* path) { (void)remove(path); }

bool platform_same_file(const char* path_a, const char* path_b) {
    struct statx a = {0}, b = {0};
    return statx(AT_FDCWD, path_a, 0, STATX_INO, &a) == 0 &&
           statx(AT_FDCWD, path_b, 0, STATX_INO, &b) == 0 && a.stx_ino == b.stx_ino &&
           a.stx_dev_major == b.stx_dev_major && a.stx_dev_minor == b.stx_dev_minor;
}

size_t platform_directory_length(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

bool platform_is_absolute(const char* path) { return path[0] == '/'; }

size_t platform_drive_length(const char* path) {
    (void)path;
    return 0;
}
