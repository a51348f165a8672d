// What the files of the reader share while one model is read.
#pragma once

#include "base/text.h"
#include "expression/table.h"
#include "reader/format.h"
#include "reader/materials.h"
#include "reader/model.h"
#include "reader/xml_tree.h"

// A name that a user gave (or that is built in) and what it stands for.
typedef enum NameType {
    NAME_ELEMENT,
    NAME_USER_PARAMETER,
    NAME_INPUT,
    NAME_TABLE,
    NAME_CONSTANT,  // its value is that of the node
    NAME_PART,
} NameType;

typedef struct Name {
    const char* text;  // full
    NameType type;
    int index;
    const XmlNode* node;
} Name;

// Where the last parameters of a kind are that never change (parameters.c)
typedef struct LastParameters {
    struct LastParameters* next;
    const ElementKind* kind;
    int at;  // in p; -1: there are none so far
} LastParameters;

typedef struct Reader {
    const XmlTree* tree;
    const XmlNode* source;           // the root before repetitions and parts were written out
    const MaterialTable* materials;  // NULL: the model uses none
    bool lacks_materials;            // it names a table that is not there
    Arena* arena;                    // of the model
    Arena* scratch;                  // of what is needed while it is read alone (SCRATCH_NEW)
    Arena* start;                    // of start values
    Report* report;
    Model* model;
    Element* elements;      // (n_elements)
    const XmlNode** nodes;  // (n_elements) NULL for settings that the file leaves out
    int n_elements;
    int ground;                       // the element, -1: there is none so far
    const XmlNode** user_parameters;  // (system.n_user_parameters)
    const char** parameter_names;     // (system.n_user_parameters) full
    const XmlNode** inputs;           // (system.n_inputs)
    const char** input_names;         // (system.n_inputs) full
    const XmlNode** output_nodes;     // (n_output_nodes)
    int n_output_nodes;
    const XmlNode** table_nodes;  // (n_tables)
    Table* tables;                // (n_tables) with n = 0 where there was an error
    bool* table_is_used;          // (n_tables)
    int n_tables;
    const XmlNode* experiment;  // NULL: the defaults hold
    const char** groups;  // (n_groups) names of groups of shapes, sorted; numbers count from 1
    int n_groups;
    Name* names;  // (n_names) sorted by text
    int n_names;
    ModelParameter* parameters;   // (system.n_open)
    ComputedParameter* computed;  // (n_computed of room) of the other ones
    int n_computed, room_for_computed;
    double* p;  // (system.n_parameters) start values
    int n_p;    // of p that have their place
    LastParameters* last_parameters;
    double* user_values;  // (system.n_user_parameters) start values of those read so far
    const Expression** signals;
    Place* signal_places;
    TextBuffer* written;    // scratch of scopes.c: a name with its indices as numbers
    TextBuffer* full;       // and in full
    bool told_of_shortage;  // that the arena is exhausted
} Reader;

// Adds an error at the node, or at the value of one of its attributes.
#define NODE_ERROR(reader, node, ...) \
    report_add((reader)->report, SEVERITY_ERROR, xml_place((reader)->tree, (node)), __VA_ARGS__)
#define ATTRIBUTE_ERROR(reader, node, name, ...) \
    report_add((reader)->report, SEVERITY_ERROR, \
               xml_attribute_place((reader)->tree, (node), (name), 0), __VA_ARGS__)

// Like ARENA_NEW, from the scratch; the reader's arena is exhausted if there is none.
#define SCRATCH_NEW(reader, count, Type) \
    ((Type*)reader_scratch((reader), (size_t)(count), sizeof(Type)))
void* reader_scratch(const Reader* reader, size_t count, size_t size);

// Has the memory sufficed up to this node (NULL: all nodes)? Tells once if not.
bool reader_has_memory(Reader* reader, const XmlNode* node);

const Name* reader_find(const Reader* reader, const char* text, size_t n);

// Looking for what a user may have meant takes time in proportion to the names that there are: it
// is done for the first errors of a file alone.
static inline bool reader_may_suggest(const Reader* reader) {
    enum { MOST_SUGGESTIONS = 20 };
    return reader->report->n_errors < MOST_SUGGESTIONS;
}

// expand.c: writes out repetitions and uses of parts: the tree of a model as if each of their
// elements stood there by itself. Not OK after problems, which are reported.
MUST_CHECK Status expand_tree(Reader* reader, XmlTree* tree);
// Does a part have a parameter or constant of that name, which its uses can give?
bool part_has_parameter(const XmlNode* part, const char* name);

// scopes.c: names in repetitions and uses. Names of elements, parameters and so on have the index
// of each repetition that they stand in behind them, and the name of the use before them. The full
// name of what stands there, NULL: no memory. owner: of a shape, the full name of its body, whose
// scope is given; NULL of all else.
const char* scope_name(const Reader* reader, const XmlScope* scope, const char* owner,
                       const XmlScope* owner_scope, const char* name, Arena* arena);
// Is this name, as it stands there, repeated by an index of its own?
bool scope_has_indices(const XmlScope* scope, const XmlScope* owner_scope);
// The text with indices that are numbers, NULL if one of them is no whole number; valid until the
// next call.
const char* scope_write(const Reader* reader, const XmlScope* scope, const char* text, size_t n);
// What a text means there: in the repetitions and the use of a part, then in those around it.
const Name* scope_find(const Reader* reader, const XmlScope* scope, const char* text, size_t n);
// The same of an index or constant.
bool scope_constant(const Reader* reader, const XmlScope* scope, const char* text, size_t n,
                    double* value);
// The number of the use of a part that the scope is in; 0: none.
int scope_use(const XmlScope* scope);

// symbols.c: what the expression of an attribute can use
typedef struct Scope {
    const Reader* reader;
    const XmlScope* where;
    const char* attribute;  // for messages
    int n_user_parameters;  // those that can be used: the first ones
    bool ordered;           // of a <parameter>, which is the next one
    bool inputs;            // and time
    bool of_x;              // x, the first symbol, and parameters after it
    const char* variable;   // the name of x
} Scope;
SymbolTable scope_symbols(const Scope* scope);

// values.c: numbers, expressions, signals and choices of attributes, and attributes unknown
void check_format(Reader* reader, const XmlNode* node, const FormatElement* format);
void check_element_attributes(Reader* reader, const Element* element, const XmlNode* node);
void refuse_children(Reader* reader, const XmlNode* node);
// The value of a plain real attribute (an expression of constants); NAN after an error.
double read_number(Reader* reader, const XmlNode* node, const char* name, double otherwise,
                   double min, double max);
// The choice that an attribute makes, 1 ... n_items, or what holds otherwise.
int read_choice(Reader* reader, const XmlNode* node, const char* name, const EnumerationType* type,
                int otherwise);
// The same of a whole number, which is required unless there is another one; -1 after an error.
long read_count(Reader* reader, const XmlNode* node, const char* name, long otherwise, long min,
                long max);
// The value of an attribute where a use gives it, or of the node's own; NAN after an error.
double read_constant(Reader* reader, const XmlNode* node);
void read_experiment(Reader* reader);
void read_user_parameters(Reader* reader);
void read_inputs(Reader* reader);
void read_element_values(Reader* reader, int index);

// parameters.c: of what is repeated
// Of a parameter; after an error, which may have left a structural one out of range, one within
double start_value(const ModelParameter* parameter);
// The parameters of an element that is repeated stand after those before it, in place of the room
// that was counted for them; when they have been read, equal ones are shared.
void place_parameters(Reader* reader, Element* element);
void share_parameters(Reader* reader, Element* element);
// Notes that one follows from user parameters; hands all of these to the model.
void add_computed(Reader* reader, int at, int element, const Expression* expression);
void list_computed(Reader* reader);

// tables.c: functions that are given by their values
void read_tables(Reader* reader, const ModelFiles* files);
// Tells of tables that jump or have kinks where a signal must not.
void check_table_uses(Reader* reader, const XmlNode* node, const SignalInfo* info,
                      const Expression* expression);

// vertices.c: adds what stands in a shape behind it; a shape that has none contains nothing
void add_vertices(Reader* reader, const XmlNode* node, int shape);

// groups.c: groups of shapes
void read_groups(Reader* reader);
// The number of a group, from 1; -1: no shape is in such a group.
int find_group(const Reader* reader, const char* name);
// The same, with an error if there is none.
int resolve_group(Reader* reader, const XmlNode* node, const ReferenceInfo* info, const char* name);
void warn_of_idle_groups(Reader* reader);

// shape_files.c: points of shapes
void read_shape_files(Reader* reader, const ModelFiles* files);

// references.c: what elements refer to
// The element or group that an attribute of this node names, -1 if it names none; no errors are
// reported.
int find_reference(const Reader* reader, const XmlNode* node, const ReferenceInfo* info);
void read_references(Reader* reader, int index);
// The table that the mechanism names. Problems are reported; no memory alone is a failure.
Status read_materials(Reader* reader, const ModelFiles* files, MaterialTable* table);

// contact_materials.c: what contacts take from the table
// The material of a shape, or of the body on which it stands; NULL: none
const char* material_of(const Reader* reader, int shape);
// Does a contact leave out this parameter, or any, so that materials give it?
bool takes_from_materials(const Reader* reader, int contact, int parameter);
bool needs_materials(const Reader* reader, int contact);
void read_contact_materials(Reader* reader, int index);

// material_pairs.c: lists the pairs of materials of <contacts> with shapes of several, and numbers
// their parameters
void number_material_pairs(Reader* reader);
// Do all shapes of a group have the same material, or none? Its number, 0: none.
bool group_has_one_material(const Reader* reader, int group, int* material);

// warnings.c: p (n_parameters) are start values; references must be there
void warn_of_oddities(Reader* reader, const double* p);

// surfaces.c: shapes that have no surface with these start values
void check_surfaces(Reader* reader, const double* p);
// Start values of masses that follow from the shapes, which have surfaces: into p, too.
void read_masses(Reader* reader, double* p);

// connect.c: numbers of values, then values, references and connections
void number_elements(Reader* reader);
Status connect_elements(Reader* reader);
