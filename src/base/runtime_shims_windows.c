// What the stack protectors of the compiler call: its own library for them would need ADVAPI32.
#define _CRT_RAND_S  // rand_s

#include <stdint.h>
#include <stdlib.h>

extern uintptr_t __stack_chk_guard;
void __stack_chk_fail(void);

uintptr_t __stack_chk_guard = 0x595e9fbd94fda766;  // until the constructor has run

__attribute__((constructor, optimize("no-stack-protector"))) static void choose_guard(void) {
    unsigned low = 0, high = 0;
    if (rand_s(&low) == 0 && rand_s(&high) == 0) {
        __stack_chk_guard = ((uintptr_t)high << 32 | low) & ~(uintptr_t)0xff;  // a 0 ends texts
    }
}

void __stack_chk_fail(void) { abort(); }
