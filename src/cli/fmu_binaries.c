#include "cli/fmu_binaries.h"

#include "cli/embedded.h"

typedef struct Embedded {
    const unsigned char* bytes;
    const unsigned char* end;
} Embedded;

typedef struct FmuBinary {
    const char* folders[2];  // as FMI 2.0.5 and FMI 3.0 call the platform
    const char* suffix;
    Embedded versions[2];  // of FMI 2.0 and 3.0
} FmuBinary;

static const FmuBinary binaries[] = {
    {{"linux64", "x86_64-linux"},
     ".so",
     {{embedded_linux64, embedded_linux64_end},
      {embedded_linux64_fmi3, embedded_linux64_fmi3_end}}},
    {{"win64", "x86_64-windows"},
     ".dll",
     {{embedded_win64, embedded_win64_end}, {embedded_win64_fmi3, embedded_win64_fmi3_end}}},
    {{"aarch64-linux", "aarch64-linux"},
     ".so",
     {{embedded_aarch64_linux, embedded_aarch64_linux_end},
      {embedded_aarch64_linux_fmi3, embedded_aarch64_linux_fmi3_end}}},
};

enum { N_BINARIES = sizeof binaries / sizeof binaries[0] };

// 0 for a platform that was not built
static size_t size_of(const Embedded* file) {
    return (size_t)((uintptr_t)file->end - (uintptr_t)file->bytes);
}

void fmu_binaries_add(ZipWriter* zip, int fmi, const char* model_identifier) {
    for (int i = 0; i < N_BINARIES; i++) {
        const Embedded* file = &binaries[i].versions[fmi - 2];
        TextBuffer name = {0};
        text_add_format(&name, "binaries/%s/%s%s", binaries[i].folders[fmi - 2], model_identifier,
                        binaries[i].suffix);
        zip->out->failed |= name.failed;
        if (size_of(file) > 0 && !zip->out->failed) {
            zip_add_gzip(zip, name.text, file->bytes, size_of(file), true);
        }
        text_buffer_free(&name);
    }
}

void fmu_binaries_list(TextBuffer* out) {
    for (int i = 0; i < N_BINARIES; i++) {
        if (size_of(&binaries[i].versions[0]) > 0) {
            text_add(out, out->n > 0 ? ", " : "");
            text_add(out, binaries[i].folders[0]);
        }
    }
}
