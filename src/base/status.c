#include "base/status.h"

const char* status_text(Status status) {
    static const char* const texts[STATUS_COUNT] = {
        [STATUS_OK] = "no failure",
        [STATUS_NO_CONVERGENCE] = "the iteration did not converge",
        [STATUS_SINGULAR] = "a matrix is singular",
        [STATUS_NOT_FINITE] = "a value is not finite",
        [STATUS_OUT_OF_RANGE] = "a value is out of range",
        [STATUS_NOT_ALLOWED] = "the call is not allowed here",
        [STATUS_NOT_AVAILABLE] = "the quantity is not available here",
        [STATUS_INVALID_MODEL] = "the model is not valid",
        [STATUS_NO_FILE] = "a file could not be read or written",
        [STATUS_TOO_LARGE] = "a size exceeds its limit",
        [STATUS_OUT_OF_MEMORY] = "out of memory",
        [STATUS_NO_ROOM] = "scratch memory has to grow",
        [STATUS_NO_SOLUTION] = "the contact laws have no solution",
        [STATUS_TOO_LONG] = "springs or elastic bodies oscillate too fast for it",
    };
    return status >= 0 && status < STATUS_COUNT ? texts[status] : "unknown status";
}
