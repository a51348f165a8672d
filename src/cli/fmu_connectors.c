// What another FMU can be connected by: <ScalarVariable> elements that are inputs or outputs, of an
// FMI 2.0 FMU for co-simulation. Each has a child that tells its type.
#include "cli/fmu_connectors.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "cli/unzip.h"

enum { LARGEST_DESCRIPTION = 256 << 20 };  // bytes

typedef struct Scan {
    Arena* arena;
    SspComponent* component;
    SspConnector* open;  // the variable whose type is to come; NULL: none
    bool is_fmi2, is_co_simulation, failed;
} Scan;

static const char* attribute(const char** attributes, const char* name) {
    for (; *attributes != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return "";
}

static void open_variable(Scan* scan, const char** attributes) {
    const char* causality = attribute(attributes, "causality");
    const char* name = attribute(attributes, "name");
    const bool is_output = strcmp(causality, "output") == 0;
    if (is_output || strcmp(causality, "input") == 0) {
        SspConnector* connector = ARENA_NEW(scan->arena, 1, SspConnector);
        const char* copy = arena_copy(scan->arena, name, strlen(name));
        if (connector == NULL || copy == NULL) {
            scan->failed = true;
            return;
        }
        *connector = (SspConnector){.name = copy, .is_output = is_output};
        scan->open = connector;
    }
}

static void close_variable(Scan* scan, const char* tag) {
    static const struct {
        const char* tag;
        VariableType type;
    } types[] = {{"Real", VARIABLE_REAL},
                 {"Integer", VARIABLE_INTEGER},
                 {"Boolean", VARIABLE_BOOLEAN},
                 {"String", VARIABLE_STRING},
                 {"Enumeration", VARIABLE_ENUMERATION}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(tag, types[i].tag) == 0) {
            scan->open->type = types[i].type;
            ssp_add_connector(scan->component, scan->open);
            scan->open = NULL;
            return;
        }
    }
}

static void XMLCALL start_element(void* context, const char* tag, const char** attributes) {
    Scan* scan = context;
    if (strcmp(tag, "fmiModelDescription") == 0) {
        scan->is_fmi2 = strcmp(attribute(attributes, "fmiVersion"), "2.0") == 0;
    } else if (strcmp(tag, "CoSimulation") == 0) {
        scan->is_co_simulation = true;
    } else if (strcmp(tag, "ScalarVariable") == 0) {
        open_variable(scan, attributes);
    } else if (scan->open != NULL) {
        close_variable(scan, tag);
    }
}

const char* fmu_connectors_read(const void* archive, size_t n, Arena* arena,
                                SspComponent* component) {
    char* text;
    size_t n_text;
    const Status status =
        unzip_entry(archive, n, "modelDescription.xml", LARGEST_DESCRIPTION, &text, &n_text);
    if (status != STATUS_OK) {
        return status == STATUS_INVALID_MODEL ? "this is no zip archive"
               : status == STATUS_NO_FILE     ? "this is no FMU: it has no modelDescription.xml"
                                              : status_text(status);
    }
    Scan scan = {.arena = arena, .component = component};
    XML_Parser parser = XML_ParserCreate(NULL);
    bool well_formed = false;
    if (parser != NULL) {
        XML_SetUserData(parser, &scan);
        XML_SetStartElementHandler(parser, start_element);
        well_formed = XML_Parse(parser, text, (int)n_text, 1) == XML_STATUS_OK;
        XML_ParserFree(parser);
    }
    free(text);
    return parser == NULL || scan.failed ? status_text(STATUS_OUT_OF_MEMORY)
           : !well_formed                ? "its modelDescription.xml is no well-formed XML"
           : !scan.is_fmi2               ? "it is no FMI 2.0 FMU"
           : !scan.is_co_simulation      ? "it is not for co-simulation"
                                         : NULL;
}
