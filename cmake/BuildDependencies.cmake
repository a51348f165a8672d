# For another platform than this one: compiles what is used of Expat, LAPACKE, LAPACK, BLAS, AMD,
# zlib and cmocka from the sources that scripts/get_sources.sh gets. Defines the same targets as
# FindDependencies.cmake, and cmocka_static.
set(sources "${CLATTER_SOURCES}")
set(generated "${CMAKE_BINARY_DIR}/dependencies")
enable_language(Fortran)
# Nothing of Fortran's own libraries is used: src/base/runtime_shims.c has what there is of them.
set(CMAKE_Fortran_IMPLICIT_LINK_LIBRARIES "")
set(CMAKE_Fortran_IMPLICIT_LINK_DIRECTORIES "")
set(CMAKE_Fortran_FLAGS_RELEASE "-O2")

# As the libraries that Debian builds for this machine: -O2, where it matters, and the same sums
# everywhere.
function(add_dependency name folder)
  list(TRANSFORM ARGN PREPEND "${sources}/${folder}/")
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_compile_options(${name} PRIVATE -O2 -ffp-contract=off -w -fno-math-errno
    "-ffile-prefix-map=${sources}/=")
  set_target_properties(${name} PROPERTIES C_EXTENSIONS ON)
endfunction()

# --- Expat ---
add_dependency(expat_static expat/expat/lib xmlparse.c xmlrole.c xmltok.c)
file(WRITE "${generated}/expat/expat_config.h" "#define BYTEORDER 1234\n#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1\n#define XML_NS 1\n#define HAVE_MEMMOVE 1\n")
target_include_directories(expat_static SYSTEM PUBLIC "${sources}/expat/expat/lib"
  PRIVATE "${generated}/expat")
target_compile_definitions(expat_static PRIVATE HAVE_EXPAT_CONFIG_H PUBLIC XML_STATIC)
target_compile_options(expat_static PRIVATE -Os)  # it reads a few pages, once
if(NOT WIN32)  # runtime_shims_posix.c has it; Windows has rand_s
  target_compile_definitions(expat_static PRIVATE HAVE_ARC4RANDOM_BUF)
endif()

# --- LAPACKE, LAPACK, BLAS ---
add_dependency(blas_static lapack/BLAS/SRC dcopy.f dgemm.f dgemv.f dger.f dnrm2.f90 dscal.f dswap.f
  dtrmm.f dtrmv.f dtrsm.f idamax.f)
add_dependency(lapack_static lapack/SRC dgeqp3.f dgeqr2.f dgeqrf.f dgetrf.f dgetrf2.f disnan.f dlaisnan.f
  dlapy2.f dlaqp2.f dlaqps.f dlarf.f dlarfb.f dlarfg.f dlarft.f dlaswp.f dorm2r.f dormqr.f dtrtrs.f
  ieeeck.f iladlc.f iladlr.f ilaenv.f iparmq.f)
add_dependency(lapack_install_static lapack/INSTALL dlamch.f lsame.f)
add_dependency(lapacke_static lapack/LAPACKE src/lapacke_dgeqp3_work.c src/lapacke_dgetrf_work.c
  src/lapacke_dtrtrs_work.c utils/lapacke_dge_trans.c utils/lapacke_dtr_trans.c
  utils/lapacke_lsame.c)
file(WRITE "${generated}/lapacke/lapacke_mangling.h"
  "#define LAPACK_GLOBAL(name, NAME) name##_\n")
target_include_directories(lapacke_static SYSTEM PUBLIC "${sources}/lapack/LAPACKE/include"
  "${generated}/lapacke")
target_compile_options(lapack_static PRIVATE -Os)  # its loops are those of BLAS
target_link_libraries(lapack_static PUBLIC lapack_install_static blas_static)
target_link_libraries(lapacke_static PUBLIC lapack_static)

# --- AMD, of SuiteSparse ---
add_dependency(amd_static suitesparse AMD/Source/amd_1.c AMD/Source/amd_2.c AMD/Source/amd_aat.c
  AMD/Source/amd_order.c AMD/Source/amd_post_tree.c AMD/Source/amd_postorder.c
  AMD/Source/amd_preprocess.c AMD/Source/amd_valid.c SuiteSparse_config/SuiteSparse_config.c)
file(COPY "${sources}/suitesparse/AMD/Include/amd.h"
  "${sources}/suitesparse/SuiteSparse_config/SuiteSparse_config.h"
  DESTINATION "${generated}/amd/suitesparse")
target_include_directories(amd_static SYSTEM PUBLIC "${generated}/amd"
  PRIVATE "${sources}/suitesparse/AMD/Include" "${sources}/suitesparse/SuiteSparse_config")
target_compile_definitions(amd_static PRIVATE DINT NTIMER NPRINT)
target_compile_options(amd_static PRIVATE -Os)  # orders a matrix at load

# --- zlib: of the executable alone ---
add_dependency(zlib_static zlib adler32.c compress.c crc32.c deflate.c gzclose.c gzlib.c gzread.c
  gzwrite.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
target_include_directories(zlib_static SYSTEM PUBLIC "${sources}/zlib")
if(NOT WIN32)
  target_compile_definitions(zlib_static PRIVATE HAVE_UNISTD_H)
endif()

# --- the mathematical functions of Windows ---
# Its own sine and cosine take an angle apart with 66 digits of pi, so that cos(pi/2) is wrong from its
# fifth digit on; exp, log and pow of musl are those of glibc.
if(WIN32)
  set(math_files __cos __math_divzero __math_invalid __math_oflow __math_uflow __math_xflow
    __rem_pio2 __rem_pio2_large __sin __tan cos exp exp_data log log_data pow pow_data sin sincos
    tan)
  list(TRANSFORM math_files APPEND .c)
  add_dependency(math_static musl/src/math ${math_files})
  file(WRITE "${generated}/math/endian.h" "#define __LITTLE_ENDIAN 1234\n#define __BIG_ENDIAN 4321
#define __BYTE_ORDER __LITTLE_ENDIAN\n")
  file(WRITE "${generated}/math/features.h" "")
  file(WRITE "${generated}/math/fp_arch.h" "")
  target_include_directories(math_static PRIVATE "${generated}/math" "${sources}/musl/src/internal")
  target_compile_definitions(math_static PRIVATE hidden=)
  target_compile_options(math_static PRIVATE -fno-builtin -frounding-math)
  target_link_libraries(lapacke_static PUBLIC math_static)
else()
  target_link_libraries(lapacke_static PUBLIC m)
endif()

# --- cmocka, of tests ---
add_dependency(cmocka_static cmocka/src cmocka.c)
file(WRITE "${generated}/cmocka/config.h" "#define HAVE_INTTYPES_H 1\n#define HAVE_STDINT_H 1
#define HAVE_STRUCT_TIMESPEC 1\n#define HAVE_STRING_H 1\n#define HAVE_TIME_H 1
#define HAVE_MALLOC_H 1\n#define HAVE_SIGNAL_H 1\n#define HAVE_SNPRINTF 1\n#define HAVE_VSNPRINTF 1\n")
target_include_directories(cmocka_static SYSTEM PUBLIC "${sources}/cmocka/include"
  PRIVATE "${generated}/cmocka")
target_compile_definitions(cmocka_static PRIVATE HAVE_CONFIG_H)
