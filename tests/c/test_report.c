// Messages of statuses, and reports that reach whoever asked.
#include "mechanism.h"

typedef struct Received {
    int n;
    Severity severity;
    Place place;
    char message[2048];
} Received;

static void receive(void* context, Severity severity, Place place, const char* message) {
    Received* received = context;
    received->n++;
    received->severity = severity;
    received->place = place;
    snprintf(received->message, sizeof received->message, "%s", message);
}

static void test_status_texts(void** state) {
    (void)state;
    for (int i = 0; i < STATUS_COUNT; i++) {
        const char* text = status_text((Status)i);
        assert_non_null(text);
        assert_true(strlen(text) > 5);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(text, status_text((Status)j));
        }
    }
    assert_non_null(status_text((Status)-1));
    assert_non_null(status_text(STATUS_COUNT));
    assert_non_null(status_text((Status)12345));
}

static void test_report_counts_and_formats(void** state) {
    (void)state;
    Received received = {0};
    Report report = {.context = &received, .add = receive};
    report_add(&report, SEVERITY_ERROR, (Place){.file = "a.xml", .line = 3, .column = 7},
               "%s has %d of %s", "x", 4, "%n%s");
    assert_string_equal(received.message, "x has 4 of %n%s");
    assert_string_equal(received.place.file, "a.xml");
    assert_int_equal(received.place.line, 3);
    assert_int_equal(received.place.column, 7);
    assert_int_equal(received.severity, SEVERITY_ERROR);
    report_add(&report, SEVERITY_WARNING, (Place){0}, "careful");
    report_add(&report, SEVERITY_NOTE, (Place){0}, "by the way");
    assert_int_equal(report.n_errors, 1);
    assert_int_equal(report.n_warnings, 1);
    assert_int_equal(received.n, 3);
}

// What is read more than once is named; of its repetitions five messages are told, all are counted.
static void test_occasions(void** state) {
    (void)state;
    Received received = {0};
    Report report = {.context = &received, .add = receive};
    int n_told = 0;
    const Request repeat = {.name = "i", .line = 12, .n_told = &n_told};
    const Occasion repetition = {.request = &repeat, .number = 3};
    const Request left = {.outer = &repetition, .name = "left", .line = 20};
    const Occasion use = {.request = &left, .number = -1};
    report_add(&report, SEVERITY_ERROR, (Place){.occasion = &use}, "wrong");
    assert_string_equal(received.message, "wrong (left of line 20, i = 3 of line 12)");
    for (int i = 0; i < 10; i++) {
        report_add(&report, SEVERITY_ERROR, (Place){.occasion = &repetition}, "wrong");
    }
    assert_string_equal(received.message,
                        "wrong (i = 3 of line 12); more of these repetitions is not told");
    assert_int_equal(received.n, 5);
    assert_int_equal(report.n_errors, 11);
    report_add(&report, SEVERITY_ERROR, (Place){0}, "another");
    assert_int_equal(received.n, 6);
}

static void test_report_without_listener_counts(void** state) {
    (void)state;
    Report report = {0};
    report_add(&report, SEVERITY_ERROR, (Place){0}, "unheard");
    assert_int_equal(report.n_errors, 1);
}

static void test_long_messages_are_cut(void** state) {
    (void)state;
    Received received = {0};
    Report report = {.context = &received, .add = receive};
    char* text = malloc(100001);
    assert_non_null(text);
    memset(text, 'x', 100000);
    text[100000] = '\0';
    report_add(&report, SEVERITY_ERROR, (Place){0}, "%s", text);
    assert_int_equal(strlen(received.message), 1023);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_texts),
        cmocka_unit_test(test_report_counts_and_formats),
        cmocka_unit_test(test_occasions),
        cmocka_unit_test(test_report_without_listener_counts),
        cmocka_unit_test(test_long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
