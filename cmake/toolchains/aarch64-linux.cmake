# Linux, 64 bit ARM; what it makes runs here under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_Fortran_COMPILER aarch64-linux-gnu-gfortran)
find_program(CLATTER_EMULATOR NAMES qemu-aarch64 qemu-aarch64-static)
if(CLATTER_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${CLATTER_EMULATOR};-L;/usr/aarch64-linux-gnu")
endif()
