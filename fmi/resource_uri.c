// File URIs as hosts really write them.
#include "fmi/resource_uri.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// True if text starts with the lower-case prefix in any case.
static bool starts_with(const char* text, const char* prefix) {
    for (; *prefix; text++, prefix++) {
        char lower = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if (lower != *prefix) {
            return false;
        }
    }
    return true;
}

// Length of "scheme" in "scheme:...", 0 for a plain path.
static size_t scheme_length(const char* uri) {
    if (platform_drive_length(uri) > 0) {
        return 0;
    }
    size_t n = 0;
    while (is_letter(uri[n]) ||
           (n > 0 && uri[n] != '\0' && strchr("0123456789+-.", uri[n]) != NULL)) {
        n++;
    }
    return uri[n] == ':' ? n : 0;
}

// First character of the path in what follows "file:", NULL if there is none on this machine.
static const char* path_of_file_uri(const char* rest, const char** problem) {
    if (starts_with(rest, "//")) {
        rest += 2;
        if (starts_with(rest, "localhost/")) {
            rest += strlen("localhost");
        }
        if (*rest != '/') {
            *problem = "it names another host or has no path";
            return NULL;
        }
    }
    if (*rest != '/') {
        *problem = "a file URI must have an absolute path";
        return NULL;
    }
    while (rest[1] == '/') {
        rest++;
    }
    return platform_drive_length(rest + 1) > 0 ? rest + 1 : rest;
}

// Replaces %XX in place by the byte meant.
static bool decode_escapes(char* text, const char** problem) {
    char* out = text;
    for (const char* in = text; *in != '\0'; in++) {
        if (*in != '%') {
            *out++ = *in;
            continue;
        }
        int high = hex_digit(in[1]);
        int low = high < 0 ? -1 : hex_digit(in[2]);
        if (low < 0) {
            *problem = "% must be followed by two hexadecimal digits";
            return false;
        }
        if (high == 0 && low == 0) {
            *problem = "a path cannot contain %00";
            return false;
        }
        *out++ = (char)(unsigned char)(16 * high + low);
        in += 2;
    }
    *out = '\0';
    return true;
}

static void drop_trailing_slashes(char* path) {
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/' && path[n - 2] != ':') {
        path[--n] = '\0';
    }
}

char* resource_uri_to_path(const char* uri, const char** problem) {
    *problem = NULL;
    if (!uri || !*uri) {
        *problem = "it is empty";
        return NULL;
    }
    const char* start = uri;
    bool is_uri = scheme_length(uri) > 0;
    if (is_uri) {
        if (!starts_with(uri, "file:")) {
            *problem = "only file URIs can be read";
            return NULL;
        }
        start = path_of_file_uri(uri + strlen("file:"), problem);
        if (!start) {
            return NULL;
        }
    }
    size_t n = strlen(start);
    char* path = malloc(n + 1);
    if (!path) {
        *problem = "memory is exhausted";
        return NULL;
    }
    memcpy(path, start, n + 1);
    if (is_uri && !decode_escapes(path, problem)) {
        free(path);
        return NULL;
    }
    drop_trailing_slashes(path);
    return path;
}
