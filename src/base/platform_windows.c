// Files of Windows: its functions for wide characters take any name.
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

#include "base/platform.h"

// UTF-16 of a UTF-8 text, freed by the caller; NULL with errno.
static wchar_t* wide(const char* text) {
    const int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t* out = n > 0 ? malloc((size_t)n * sizeof *out) : NULL;
    if (out == NULL) {
        errno = n > 0 ? ENOMEM : EINVAL;
        return NULL;
    }
    (void)MultiByteToWideChar(CP_UTF8, 0, text, -1, out, n);
    return out;
}

static int open_descriptor(const char* path, int flags) {
    wchar_t* name = wide(path);
    const int descriptor =
        name != NULL ? _wopen(name, flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE) : -1;
    const int reason = errno;
    free(name);
    errno = reason;
    return descriptor;
}

static DWORD attributes_of(const char* path) {
    wchar_t* name = wide(path);
    const DWORD attributes = name != NULL ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    free(name);
    return attributes;
}

static bool is_directory(const char* path) {
    const DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

FILE* platform_open(const char* path, const char* mode) {
    const bool reads = mode[0] == 'r';
    const int create = _O_WRONLY | _O_CREAT | (strchr(mode, 'x') != NULL ? _O_EXCL : _O_TRUNC);
    const int descriptor = open_descriptor(path, reads ? _O_RDONLY : create);
    if (descriptor < 0) {
        if (errno == EACCES && is_directory(path)) {
            errno = EISDIR;
        }
        return NULL;
    }
    FILE* file = _fdopen(descriptor, reads ? "rb" : "wb");
    if (file == NULL) {
        (void)_close(descriptor);
    }
    return file;
}

int platform_open_descriptor(const char* path) {
    return open_descriptor(path, _O_WRONLY | _O_CREAT | _O_TRUNC);
}

bool platform_may_replace(const char* path) {
    const DWORD attributes = attributes_of(path);
    if (attributes == INVALID_FILE_ATTRIBUTES) {
        const DWORD reason = GetLastError();
        return reason == ERROR_FILE_NOT_FOUND || reason == ERROR_PATH_NOT_FOUND;
    }
    const DWORD special =
        FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_REPARSE_POINT;
    return (attributes & special) == 0;
}

bool platform_rename(const char* from, const char* to) {
    wchar_t* wide_from = wide(from);
    wchar_t* wide_to = wide(to);
    const bool renamed = wide_from != NULL && wide_to != NULL &&
                         MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING) != 0;
    free(wide_from);
    free(wide_to);
    if (!renamed) {
        errno = EACCES;  // open in another program, or not to be written
    }
    return renamed;
}

void platform_remove(const char* path) {
    wchar_t* name = wide(path);
    if (name != NULL) {
        (void)DeleteFileW(name);
    }
    free(name);
}

static bool identify(const char* path, BY_HANDLE_FILE_INFORMATION* info) {
    wchar_t* name = wide(path);
    const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file = name != NULL ? CreateFileW(name, 0, shared, NULL, OPEN_EXISTING,
                                             FILE_FLAG_BACKUP_SEMANTICS, NULL)
                               : INVALID_HANDLE_VALUE;
    free(name);
    const bool known = file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, info) != 0;
    if (file != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(file);
    }
    return known;
}

bool platform_same_file(const char* path_a, const char* path_b) {
    BY_HANDLE_FILE_INFORMATION a, b;
    return identify(path_a, &a) && identify(path_b, &b) &&
           a.dwVolumeSerialNumber == b.dwVolumeSerialNumber &&
           a.nFileIndexHigh == b.nFileIndexHigh && a.nFileIndexLow == b.nFileIndexLow;
}

static bool is_separator(char c) { return c == '/' || c == '\\'; }

size_t platform_directory_length(const char* path) {
    size_t n = strlen(path);
    const size_t drive = platform_drive_length(path);
    while (n > drive && !is_separator(path[n - 1])) {
        n--;
    }
    return n;
}

bool platform_is_absolute(const char* path) {
    return is_separator(path[0]) || platform_drive_length(path) > 0;
}

size_t platform_drive_length(const char* path) {
    const bool letter = (path[0] >= 'a' && path[0] <= 'z') || (path[0] >= 'A' && path[0] <= 'Z');
    return letter && path[1] == ':' ? 2 : 0;
}
