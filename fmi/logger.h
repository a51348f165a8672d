// Messages of one instance to the host's logger, by category.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

// What a call answers: the numbers are those of fmi2Status and fmi3Status.
typedef enum FmiStatus { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR } FmiStatus;

typedef enum LogCategory {
    LOG_ERROR,     // "logError", with error; sent even when logging is off
    LOG_WARNING,   // "logStatusWarning", with warning
    LOG_DISCARD,   // "logStatusDiscard", with discard
    LOG_SOLVER,    // "logSolver", with OK
    LOG_FMI_CALL,  // "logFmi2Call" or "logFmi3Call", with OK
    LOG_CATEGORY_COUNT
} LogCategory;

// Calls the host's function, whose type differs between versions of FMI.
typedef struct Logger Logger;
typedef void LogSend(const Logger* logger, FmiStatus status, const char* category,
                     const char* message);

struct Logger {
    LogSend* send;
    void (*callback)(void);  // the host's function, as send knows it; NULL: nobody listens
    void* environment;       // the host's
    const char* instance_name;
    const char* call_category;  // the name of LOG_FMI_CALL
    atomic_uint enabled;        // bit 1 << LogCategory; atomic as it may be changed during a step
};

// Switches categories on, all others off; on with n = 0 means all, and so does the name "logAll".
// If a name is unknown it is returned and nothing changes; NULL otherwise. A name that is itself
// missing gives "(NULL)".
const char* logger_select(Logger* logger, bool on, size_t n, const char* const names[]);

static inline bool logger_wants(const Logger* logger, LogCategory category) {
    return (atomic_load_explicit(&logger->enabled, memory_order_relaxed) >> category & 1u) != 0;
}

// Formats (text and integers only: floating point would follow the host's locale) and sends; cut at
// 2 KiB. Costs nothing more than the call if the category is off.
void logger_write(Logger* logger, LogCategory category, const char* format, ...) PRINTF_LIKE(3, 4);

// The same whether the category is on or not: for what the user must know.
void logger_tell(Logger* logger, LogCategory category, const char* format, ...) PRINTF_LIKE(3, 4);

// A number as text that does not depend on the locale, for use in the arguments of logger_write.
typedef struct NumberText {
    char text[TEXT_NUMBER_SIZE];
} NumberText;

NumberText number_text(double value);
