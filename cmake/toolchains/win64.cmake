# Windows, 64 bit (x86-64), by mingw-w64; what it makes runs here under Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_Fortran_COMPILER x86_64-w64-mingw32-gfortran)
find_program(CLATTER_EMULATOR NAMES wine64 wine64-stable wine PATHS /usr/lib/wine)
if(CLATTER_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${CLATTER_EMULATOR}")
endif()
