// The files of a model are found by reading it twice: here for the names in it, and when all texts
// are there for what it says (model_reader.c). What is wrong with its XML is told then.
#include "reader/model_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "reader/element_kinds.h"
#include "reader/model.h"
#include "reader/points_file.h"
#include "reader/xml_tree.h"

enum { LARGEST_FILE = 64 * 1024 * 1024, LARGEST_SUM = 4 * LARGEST_FILE };  // bytes

typedef struct Loader {
    const char* beside;  // the path of the model file
    bool packed;         // files have the names that they are packed with
    XmlTree tree;
    ModelFile* named;  // (n_named)
    size_t n_bytes;    // read so far
    ModelFiles* files;
    Report* report;
} Loader;

// The first n characters of one text, then two others, or NULL.
static char* join(Arena* arena, const char* first, size_t n, const char* second,
                  const char* third) {
    const size_t size = n + strlen(second) + strlen(third) + 1;
    char* joined = ARENA_NEW(arena, size, char);
    if (joined != NULL) {
        (void)snprintf(joined, size, "%.*s%s%s", (int)n, first, second, third);
    }
    return joined;
}

// name taken relative to the directory of the file beside, or NULL.
static char* path_beside(Arena* arena, const char* beside, const char* name) {
    const size_t n = platform_is_absolute(name) ? 0 : platform_directory_length(beside);
    return join(arena, beside, n, name, "");
}

static Status read_text(Loader* loader, const char* path, const char** text, size_t* n) {
    const size_t rest = LARGEST_SUM - loader->n_bytes;
    char* bytes = NULL;
    errno = 0;
    const Status status = file_read(path, rest < LARGEST_FILE ? rest : LARGEST_FILE, &bytes, n);
    *text = bytes;
    loader->n_bytes += *n;
    return status;
}

// Reads the file that an attribute of a node names, unless that was done before.
static void read_named(Loader* loader, const XmlNode* node, const char* attribute, const char* what,
                       const char* packed) {
    ModelFiles* files = loader->files;
    const char* name = xml_attribute(node, attribute);
    if (name == NULL || model_files_find(files, name) != NULL) {
        return;
    }
    Status status = STATUS_OUT_OF_MEMORY;
    const char* place = loader->packed ? packed : name;
    char* path =
        packed != NULL ? path_beside(&files->arena, loader->beside, place) : NULL;  // no memory
    ModelFile file = {.name = arena_copy(&files->arena, name, strlen(name)), .packed = packed};
    file.path = loader->packed ? packed : path;
    if (path != NULL && file.name != NULL) {
        status = read_text(loader, path, &file.text, &file.n);
        loader->named[files->n_named++] = file;
    }
    if (status != STATUS_OK) {
        report_add(loader->report, SEVERITY_ERROR,
                   xml_attribute_place(&loader->tree, node, attribute, 0),
                   "%s '%s', which the model names, cannot be read: %s", what,
                   path != NULL ? path : name, file_reason(status));
    }
}

// A file of values is packed under the name of the first table that uses it, which no other has.
static void read_table(Loader* loader, const XmlNode* node) {
    const char* name = xml_attribute(node, "name");
    if (name == NULL || !text_is_name(name)) {
        return;  // the model cannot be used, and its reader says so
    }
    static const char folder[] = "tables/";
    const char* packed = join(&loader->files->arena, folder, sizeof folder - 1, name, ".csv");
    read_named(loader, node, "file", "the file of a table", packed);
}

// A file of points is packed under a number, which is the same whenever the model is read.
static void read_shape(Loader* loader, const XmlNode* node) {
    enum { ROOM = 32 };
    static const char* const ends[] = {
        [POINTS_UNKNOWN] = "", [POINTS_STL] = "stl", [POINTS_OBJ] = "obj"};
    ModelFiles* files = loader->files;
    const char* name = xml_attribute(node, "file");
    const PointsFormat format = name != NULL ? points_file_format(name) : POINTS_UNKNOWN;
    char* packed = format != POINTS_UNKNOWN ? ARENA_NEW(&files->arena, ROOM, char) : NULL;
    if (packed != NULL) {
        (void)snprintf(packed, ROOM, "shapes/%d.%s", files->n_named + 1, ends[format]);
    }
    if (format != POINTS_UNKNOWN) {  // otherwise the model's reader says so
        read_named(loader, node, "file", "the file of a shape", packed);
    }
}

// Files that shapes name, wherever these stand
static void read_shapes(Loader* loader, const XmlNode* parent) {
    for (const XmlNode* node = parent->first_child; node != NULL; node = node->next) {
        const ElementKind* kind = element_kind_find(node->tag);
        if (kind != NULL && kind->has_file && loader->files->n_named <= MODEL_FILES_MOST_TABLES) {
            read_shape(loader, node);
        }
        read_shapes(loader, node);
    }
}

static void read_all_named(Loader* loader) {
    Arena arena = {0};
    Report silent = {0};  // the reader of the model tells what is wrong with it
    ModelFiles* files = loader->files;
    const Status status = xml_tree_parse(files->model_name, files->model, files->n_model,
                                         MODEL_NAMESPACE, &arena, &silent, &loader->tree);
    loader->named = ARENA_NEW(&files->arena, loader->tree.n_nodes, ModelFile);
    files->named = loader->named;
    if (loader->named == NULL || status == STATUS_OUT_OF_MEMORY) {
        report_add(loader->report, SEVERITY_ERROR,
                   (Place){.file = files->model_name, .line = 0, .column = 0}, "%s",
                   status_text(STATUS_OUT_OF_MEMORY));
    } else if (loader->tree.root != NULL) {
        const XmlNode* root = loader->tree.root;
        read_named(loader, root, "materials", "the table of materials",
                   MODEL_FILES_PACKED_MATERIALS);
        for (const XmlNode* node = root->first_child; node != NULL; node = node->next) {
            if (strcmp(node->tag, "table") == 0 && files->n_named <= MODEL_FILES_MOST_TABLES) {
                read_table(loader, node);
            }
        }
        read_shapes(loader, root);
    }
    arena_free(&arena);
}

static bool read_model(Loader* loader) {
    ModelFiles* files = loader->files;
    const int n_errors = loader->report->n_errors;
    const Status status = read_text(loader, loader->beside, &files->model, &files->n_model);
    if (status == STATUS_OK) {
        read_all_named(loader);
    } else {
        report_add(loader->report, SEVERITY_ERROR,
                   (Place){.file = loader->beside, .line = 0, .column = 0},
                   "the model cannot be read: %s", file_reason(status));
    }
    return loader->report->n_errors == n_errors;
}

bool model_files_read(const char* path, Report* report, ModelFiles* files) {
    *files = (ModelFiles){.model_name = path};
    Loader loader = {.beside = path, .files = files, .report = report};
    return read_model(&loader);
}

bool model_files_read_packed(const char* directory, Report* report, ModelFiles* files) {
    *files = (ModelFiles){.model_name = MODEL_FILES_PACKED_MODEL};
    const char* path =
        join(&files->arena, directory, strlen(directory), "/" MODEL_FILES_PACKED_MODEL, "");
    if (path == NULL) {
        report_add(report, SEVERITY_ERROR,
                   (Place){.file = files->model_name, .line = 0, .column = 0}, "%s",
                   status_text(STATUS_OUT_OF_MEMORY));
        return false;
    }
    Loader loader = {.beside = path, .packed = true, .files = files, .report = report};
    return read_model(&loader);
}

void model_files_release(ModelFiles* files) {
    free((char*)files->model);
    for (int i = 0; i < files->n_named; i++) {
        free((char*)files->named[i].text);
    }
    arena_free(&files->arena);
    *files = (ModelFiles){0};
}

const ModelFile* model_files_find(const ModelFiles* files, const char* name) {
    for (int i = 0; i < files->n_named; i++) {
        if (strcmp(files->named[i].name, name) == 0) {
            return &files->named[i];
        }
    }
    return NULL;
}
