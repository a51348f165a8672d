# How everything is compiled: the interface target clatter_options; the variables
# CLATTER_LTO_COMPILE and CLATTER_LTO_LINK for what is optimised across files, CLATTER_LTO_ALL_LINK for
# what is unless CLATTER_LTO_ALL is off, CLATTER_NO_LTO_LINK for what is not; CLATTER_SHARED_LINK,
# CLATTER_PROGRAM_LINK and CLATTER_READ_ONLY_SECTION, which depend on the system.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

add_library(clatter_options INTERFACE)
target_include_directories(clatter_options INTERFACE
  "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}")
target_compile_definitions(clatter_options INTERFACE CLATTER_VERSION="${PROJECT_VERSION}")
target_compile_options(clatter_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wmissing-prototypes
  $<$<BOOL:${CLATTER_WERROR}>:-Werror>
  # The same sums on every processor: no fused multiply-add. sqrt is one instruction, not a call
  # for errno, which nothing here reads.
  -ffp-contract=off -fno-math-errno)

if(CLATTER_SANITIZE)
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_compile_options(clatter_options INTERFACE ${sanitizers})
  target_link_options(clatter_options INTERFACE ${sanitizers})
else()
  # Model files come from anywhere: let glibc check the buffers. Names of directories of the
  # machine that built it do not belong into an FMU.
  target_compile_options(clatter_options INTERFACE
    -fstack-protector-strong
    $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>
    $<$<AND:$<CONFIG:Release>,$<NOT:$<PLATFORM_ID:Windows>>>:-D_FORTIFY_SOURCE=2>
    "$<$<CONFIG:Release>:-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=>")
endif()

if(WIN32)
  # The time of the build would make each build another file. Formats are checked where printf is
  # that of the C library: here it is mingw's own, which takes the same. Its isfinite and its like
  # choose between types by conversions that are never made.
  set(CLATTER_SHARED_SUFFIX .dll)
  set(CLATTER_SHARED_LINK -static LINKER:--gc-sections LINKER:--no-insert-timestamp)
  set(CLATTER_PROGRAM_LINK ${CLATTER_SHARED_LINK})
  set(CLATTER_READ_ONLY_SECTION ".rdata,\"dr\"")
  target_compile_definitions(clatter_options INTERFACE __USE_MINGW_ANSI_STDIO=1
    _WIN32_WINNT=0x0601 UNICODE)
  target_compile_options(clatter_options INTERFACE -Wno-format -Wno-float-conversion)
  target_link_options(clatter_options INTERFACE -static)
else()
  set(CLATTER_SHARED_SUFFIX .so)
  set(CLATTER_SHARED_LINK LINKER:--exclude-libs,ALL LINKER:--as-needed LINKER:--gc-sections
    LINKER:-z,relro,-z,now LINKER:-z,noexecstack)
  set(CLATTER_PROGRAM_LINK LINKER:--gc-sections LINKER:-z,noexecstack)
  if(NOT CLATTER_SANITIZE)
    list(APPEND CLATTER_SHARED_LINK LINKER:--no-undefined)
    list(APPEND CLATTER_PROGRAM_LINK -static)
  endif()
  set(CLATTER_READ_ONLY_SECTION .rodata)
endif()

# Across-file optimisation for what users run. Objects hold machine code too (fat), so that the many
# test programs link quickly without it. clang would need a linker plug-in that Debian's lacks.
set(CLATTER_LTO_COMPILE)
set(CLATTER_LTO_LINK)
set(CLATTER_NO_LTO_LINK)
if(CLATTER_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  # A step is many small functions, most of them called from one place: inlining them saves 3 % of
  # the instructions and makes the shared object 6 % larger.
  set(CLATTER_LTO_COMPILE -flto=auto -ffat-lto-objects
    --param=large-function-growth=1000 --param=large-stack-frame-growth=4000
    --param=inline-unit-growth=100 --param=max-inline-insns-auto=40)
  set(CLATTER_LTO_LINK -flto=auto)
  set(CLATTER_NO_LTO_LINK -fno-lto)
endif()
# Each such link compiles the library once more. That of libclatter.so shows what becomes of it, and
# the tests compare its numbers with those of other binaries.
set(CLATTER_LTO_ALL_LINK ${CLATTER_LTO_LINK})
if(NOT CLATTER_LTO_ALL)
  set(CLATTER_LTO_ALL_LINK ${CLATTER_NO_LTO_LINK})
endif()
