// Categories, their FMI names and the status that goes with each.
#include "fmi/logger.h"

#include <stdarg.h>
#include <string.h>

typedef struct CategoryRule {
    const char* name;  // NULL: that of the version of FMI
    FmiStatus status;
} CategoryRule;

static const CategoryRule category_rules[LOG_CATEGORY_COUNT] = {
    [LOG_ERROR] = {"logError", FMI_ERROR},
    [LOG_WARNING] = {"logStatusWarning", FMI_WARNING},
    [LOG_DISCARD] = {"logStatusDiscard", FMI_DISCARD},
    [LOG_SOLVER] = {"logSolver", FMI_OK},
    [LOG_FMI_CALL] = {NULL, FMI_OK},
};

enum { ALL_CATEGORIES = (1 << LOG_CATEGORY_COUNT) - 1, MESSAGE_SIZE = 2048 };

static const char* category_name(const Logger* logger, LogCategory category) {
    return category == LOG_FMI_CALL ? logger->call_category : category_rules[category].name;
}

// The bits that a category name switches on, 0 if there is no such category.
static unsigned category_bits(const Logger* logger, const char* name) {
    if (strcmp(name, "logAll") == 0) {
        return ALL_CATEGORIES;
    }
    for (unsigned i = 0; i < LOG_CATEGORY_COUNT; i++) {
        if (strcmp(name, category_name(logger, (LogCategory)i)) == 0) {
            return 1u << i;
        }
    }
    return 0;
}

const char* logger_select(Logger* logger, bool on, size_t n, const char* const names[]) {
    unsigned enabled = n == 0 ? ALL_CATEGORIES : 0;
    for (size_t i = 0; i < n; i++) {
        unsigned bits = names[i] ? category_bits(logger, names[i]) : 0;
        if (bits == 0) {
            return names[i] ? names[i] : "(NULL)";
        }
        enabled |= bits;
    }
    atomic_store_explicit(&logger->enabled, on ? enabled : 0, memory_order_relaxed);
    return NULL;
}

static void send(Logger* logger, LogCategory category, const char* format, va_list arguments) {
    if (!logger->callback) {
        return;
    }
    char message[MESSAGE_SIZE];
    text_format(message, sizeof message, format, arguments);
    logger->send(logger, category_rules[category].status, category_name(logger, category), message);
}

void logger_write(Logger* logger, LogCategory category, const char* format, ...) {
    if (category != LOG_ERROR && !logger_wants(logger, category)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    send(logger, category, format, arguments);
    va_end(arguments);
}

void logger_tell(Logger* logger, LogCategory category, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    send(logger, category, format, arguments);
    va_end(arguments);
}

NumberText number_text(double value) {
    NumberText number = {{0}};
    text_from_double(value, number.text);
    return number;
}
