// XML as a tree: structure, places, and documents that are refused.
#include "mechanism.h"

#include "reader/xml_tree.h"

#define NAMESPACE "urn:test"

typedef struct Parsed {
    Arena arena;
    Messages messages;
    XmlTree tree;
    Status status;
} Parsed;

static Parsed parsed;  // of the last call

static void parse_bytes(const char* text, size_t n) {
    parsed = (Parsed){0};
    Report report = {.context = &parsed.messages, .add = messages_add};
    parsed.status =
        xml_tree_parse("test.xml", text, n, NAMESPACE, &parsed.arena, &report, &parsed.tree);
    assert_true((parsed.status == STATUS_OK) == (report.n_errors == 0));
}

static void parse(const char* text) { parse_bytes(text, strlen(text)); }

static void done(void) { arena_free(&parsed.arena); }

static void test_structure(void** state) {
    (void)state;
    parse("<a xmlns='urn:test' x='1'><b y='2' z='&lt;3'/><!-- c --><c><d/></c></a>");
    assert_int_equal(parsed.status, STATUS_OK);
    const XmlNode* a = parsed.tree.root;
    assert_string_equal(a->tag, "a");
    assert_int_equal(parsed.tree.n_nodes, 4);
    assert_string_equal(xml_attribute(a, "x"), "1");
    assert_null(xml_attribute(a, "y"));
    const XmlNode* b = a->first_child;
    assert_string_equal(xml_attribute(b, "z"), "<3");
    const XmlNode* c = b->next;
    assert_string_equal(c->tag, "c");
    assert_ptr_equal(a->last_child, c);
    assert_null(c->next);
    assert_string_equal(c->first_child->tag, "d");
    assert_ptr_equal(c->first_child->parent, c);
    done();
}

static void test_prefixes_and_foreign_attributes(void** state) {
    (void)state;
    parse("<m:a xmlns:m='urn:test' xmlns:o='urn:other' o:hint='x' y='2'><m:b/></m:a>");
    assert_int_equal(parsed.status, STATUS_OK);
    assert_string_equal(parsed.tree.root->tag, "a");
    assert_int_equal(parsed.tree.root->n_attributes, 1);
    done();
}

static void assert_place(Place place, long line, long column) {
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
    assert_string_equal(place.file, "test.xml");
}

static void test_places(void** state) {
    (void)state;
    parse(
        "<?xml version='1.0'?>\n<a xmlns='urn:test'\n   other = \"q\"\n   x='a>b'>\n"
        "  <b y=''\tz=\"\xC3\xA4\xC3\xB6\" zz='1'/>\n</a>");
    assert_int_equal(parsed.status, STATUS_OK);
    const XmlNode* a = parsed.tree.root;
    assert_place(xml_place(&parsed.tree, a), 2, 1);
    assert_place(xml_attribute_place(&parsed.tree, a, "other", 0), 3, 13);
    assert_place(xml_attribute_place(&parsed.tree, a, "x", 2), 4, 9);
    assert_place(xml_attribute_place(&parsed.tree, a, "missing", 0), 2, 1);
    assert_place(xml_place(&parsed.tree, a->first_child), 5, 3);
    assert_place(xml_attribute_place(&parsed.tree, a->first_child, "y", 9), 5, 9);
    assert_place(xml_attribute_place(&parsed.tree, a->first_child, "zz", 0), 5, 22);
    done();
}

static void test_refused(void** state) {
    (void)state;
    static const struct {
        const char* text;
        const char* says;
    } cases[] = {
        {"", "1:1: not well-formed"},
        {"   \n ", "not well-formed"},
        {"hello", "1:1: not well-formed"},
        {"<a xmlns='urn:test'>", "not well-formed"},
        {"<a xmlns='urn:test'></b>", "not well-formed"},
        {"<a xmlns='urn:test' x='1' x='2'/>", "not well-formed"},
        {"<a xmlns='urn:test'/><b/>", "not well-formed"},
        {"<a/>", "1:1: <a> is not in the namespace"},
        {"<a xmlns='urn:other'/>", "write xmlns=\"urn:test\""},
        {"<a xmlns='urn:test'><b xmlns='urn:x'/></a>", "1:21: <b> is not in the namespace"},
        {"<a xmlns='urn:test'>text</a>", "text is not expected"},
        {"<!DOCTYPE a><a xmlns='urn:test'/>", "document type"},
        {"<!DOCTYPE a [<!ENTITY x 'y'>]><a xmlns='urn:test' x='&x;'/>", "document type"},
        {"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a xmlns='urn:test'/>", "document type"},
        {"<a xmlns='urn:test' x='&undefined;'/>", "not well-formed"},
        {"<a xmlns='urn:test' x='\x01'/>", "not well-formed"},
        {"<a xmlns='urn:test' x='\xFF'/>", "not well-formed"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parse(cases[i].text);
        assert_int_equal(parsed.status, STATUS_INVALID_MODEL);
        if (strstr(parsed.messages.text, cases[i].says) == NULL) {
            fail_msg("%s\ngives %s", cases[i].text, parsed.messages.text);
        }
        done();
    }
}

// The classic bomb: each entity ten times the one before.
static void test_entity_bomb(void** state) {
    (void)state;
    char text[4096];
    size_t n = (size_t)snprintf(text, sizeof text, "<!DOCTYPE a [<!ENTITY e0 'ha'>");
    for (int i = 1; i < 12; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "<!ENTITY e%d '&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;'>",
                              i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1,
                              i - 1);
    }
    snprintf(text + n, sizeof text - n, "]><a xmlns='urn:test' x='&e11;'/>");
    parse(text);
    assert_int_equal(parsed.status, STATUS_INVALID_MODEL);
    assert_true(parsed.arena.n_bytes < 10000);
    done();
}

static void test_depth(void** state) {
    (void)state;
    enum { DEPTH = 100000 };
    char* text = malloc(DEPTH * 3 + 64);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, 64, "<a xmlns='urn:test'>");
    for (int i = 0; i < DEPTH; i++, n += 3) {
        memcpy(text + n, "<b>", 3);
    }
    parse_bytes(text, n);
    assert_int_equal(parsed.status, STATUS_INVALID_MODEL);
    assert_non_null(strstr(parsed.messages.text, "nested more than 32 deep"));
    done();
    free(text);
}

static void test_counts_and_sizes(void** state) {
    (void)state;
    enum { COUNT = 1000001 };
    char* text = malloc(COUNT * 4 + 64);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, 64, "<a xmlns='urn:test'>");
    for (int i = 0; i < COUNT; i++, n += 4) {
        memcpy(text + n, "<b/>", 4);
    }
    parse_bytes(text, n);
    assert_int_equal(parsed.status, STATUS_INVALID_MODEL);
    assert_non_null(strstr(parsed.messages.text, "more than 1000000 elements"));
    done();
    parse_bytes(text, (size_t)65 * 1024 * 1024);  // refused before a byte is read
    assert_int_equal(parsed.status, STATUS_INVALID_MODEL);
    assert_non_null(strstr(parsed.messages.text, "larger than 64 MiB"));
    done();
    free(text);
}

// Every beginning of a good document is refused without harm.
static void test_truncated(void** state) {
    (void)state;
    static const char text[] = "<?xml version='1.0'?><a xmlns='urn:test'><b y=\"2\"/><c>\n</c></a>";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        char* exact = malloc(n > 0 ? n : 1);  // so that reading past the end is seen
        assert_non_null(exact);
        memcpy(exact, text, n);
        parse_bytes(exact, n);
        assert_int_equal(parsed.status, STATUS_INVALID_MODEL);
        done();
        free(exact);
    }
}

static void test_memory_limit(void** state) {
    (void)state;
    static const char text[] = "<a xmlns='urn:test'><b y='2'/><b y='2'/><b y='2'/></a>";
    for (size_t limit = 1; limit < 600; limit += 7) {
        parsed = (Parsed){.arena = {.limit = limit}};
        Report report = {.context = &parsed.messages, .add = messages_add};
        parsed.status = xml_tree_parse("test.xml", text, sizeof text - 1, NAMESPACE, &parsed.arena,
                                       &report, &parsed.tree);
        assert_true((parsed.status == STATUS_OK) == (report.n_errors == 0));
        done();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_prefixes_and_foreign_attributes),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_entity_bomb),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_counts_and_sizes),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
