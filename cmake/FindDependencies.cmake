# Finds what the build needs from outside: the headers of FMI 2.0 and 3.0 and static Expat, LAPACKE, LAPACK,
# BLAS, AMD and zlib. Defines the imported targets fmi_headers, expat_static, lapacke_static,
# amd_static and zlib_static.

# --- FMI headers: they come with the Python package FMPy -----------------------------------------
if(NOT FMI2_INCLUDE_DIR OR NOT FMI3_INCLUDE_DIR)
  file(GLOB fmpy_hints "${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/fmpy/c-code")
  set(python python3)
  if(Python_EXECUTABLE)  # of pip, when it builds the Python package
    set(python "${Python_EXECUTABLE}")
  endif()
  execute_process(
    COMMAND ${python} -c "import importlib.util as u, os
s = u.find_spec('fmpy')
print(os.path.join(os.path.dirname(s.origin), 'c-code') if s and s.origin else '')"
    OUTPUT_VARIABLE system_fmpy OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  find_path(FMI2_INCLUDE_DIR fmi2Functions.h HINTS ${fmpy_hints} ${system_fmpy}
    PATH_SUFFIXES fmi2 DOC "directory with fmi2Functions.h")
  find_path(FMI3_INCLUDE_DIR fmi3Functions.h HINTS "${FMI2_INCLUDE_DIR}" ${fmpy_hints} ${system_fmpy}
    PATH_SUFFIXES fmi3 DOC "directory with fmi3Functions.h")
endif()
if(NOT EXISTS "${FMI2_INCLUDE_DIR}/fmi2Functions.h" OR
   NOT EXISTS "${FMI3_INCLUDE_DIR}/fmi3Functions.h")
  unset(FMI2_INCLUDE_DIR CACHE)
  unset(FMI3_INCLUDE_DIR CACHE)
  message(FATAL_ERROR
    "The FMI headers (fmi2Functions.h, fmi3Functions.h) were not found. Any one of these gets them:\n"
    "  ./demo.sh or ./test.sh, which install all that is needed;\n"
    "  python3 -m venv .venv && .venv/bin/pip install -r requirements.txt  (FMPy has them);\n"
    "  cmake --preset release -DFMI2_INCLUDE_DIR=/where/they/are -DFMI3_INCLUDE_DIR=/where/they/are\n")
endif()
add_library(fmi_headers INTERFACE IMPORTED)
target_include_directories(fmi_headers SYSTEM INTERFACE "${FMI2_INCLUDE_DIR}" "${FMI3_INCLUDE_DIR}")

if(CMAKE_CROSSCOMPILING)
  include(BuildDependencies)
  return()
endif()

# --- static libraries -----------------------------------------------------------------------------
# The reference LAPACK and BLAS are wanted, in the directories where Debian keeps them apart from
# faster ones: OpenBLAS is 26 MB, starts threads and hangs hosts that unload the FMU.
function(find_static variable archive package)
  set(arch "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
  find_library(${variable} ${archive} HINTS ${arch}/lapack ${arch}/blas ${arch}
    DOC "static library from ${package}")
  if(NOT ${variable})
    message(FATAL_ERROR "${archive} was not found: apt-get install ${package}, or ./test.sh, "
      "which installs all that is needed.")
  endif()
  file(REAL_PATH "${${variable}}" real_path)
  if(real_path MATCHES "openblas|atlas|blis|mkl")
    message(FATAL_ERROR "${${variable}} is ${real_path}, but the FMU needs the reference "
      "implementation: apt-get install ${package}, or set ${variable}.")
  endif()
endfunction()
find_static(EXPAT_ARCHIVE libexpat.a libexpat1-dev)
find_static(LAPACKE_ARCHIVE liblapacke.a liblapacke-dev)
find_static(LAPACK_ARCHIVE liblapack.a liblapack-dev)
find_static(BLAS_ARCHIVE libblas.a libblas-dev)
foreach(name amd suitesparseconfig)
  string(TOUPPER ${name} upper_name)
  find_static(${upper_name}_ARCHIVE lib${name}.a libsuitesparse-dev)
endforeach()
find_static(ZLIB_ARCHIVE libz.a zlib1g-dev)
find_path(EXPAT_INCLUDE_DIR expat.h REQUIRED)
find_path(LAPACKE_INCLUDE_DIR lapacke.h REQUIRED)
find_path(SUITESPARSE_INCLUDE_DIR suitesparse/amd.h REQUIRED)
find_path(ZLIB_INCLUDE_DIR zlib.h REQUIRED)

add_library(expat_static INTERFACE IMPORTED)
target_include_directories(expat_static SYSTEM INTERFACE "${EXPAT_INCLUDE_DIR}")
target_link_libraries(expat_static INTERFACE "${EXPAT_ARCHIVE}")

add_library(lapacke_static INTERFACE IMPORTED)
target_include_directories(lapacke_static SYSTEM INTERFACE "${LAPACKE_INCLUDE_DIR}")
target_link_libraries(lapacke_static INTERFACE
  "${LAPACKE_ARCHIVE}" "${LAPACK_ARCHIVE}" "${BLAS_ARCHIVE}" m)

# Of SuiteSparse, AMD alone: KLU and BTF are LGPL, and every FMU would contain them.
add_library(amd_static INTERFACE IMPORTED)
target_include_directories(amd_static SYSTEM INTERFACE "${SUITESPARSE_INCLUDE_DIR}")
target_link_libraries(amd_static INTERFACE "${AMD_ARCHIVE}" "${SUITESPARSECONFIG_ARCHIVE}" m)

# Of the executable alone: no FMU contains it.
add_library(zlib_static INTERFACE IMPORTED)
target_include_directories(zlib_static SYSTEM INTERFACE "${ZLIB_INCLUDE_DIR}")
target_link_libraries(zlib_static INTERFACE "${ZLIB_ARCHIVE}")
