# The binaries that `clatter pack` puts into FMUs: that of the machine itself, and those of other
# platforms for which there are a compiler and sources of the libraries. Where there are several, this
# build makes them by builds of the same tree within itself, in PLATFORM/, of small code
# (CLATTER_SMALL), so that FMUs stay small; and the programs for the other platforms, too.
#   Sets fmu_binaries: the directory with PLATFORM.gz (FMI 2.0) and PLATFORM_fmi3.gz of each, empty
#   for those that are not built; fmu_binary_files: all of them.
set(known_platforms linux64 win64 aarch64-linux)
if(WIN32)
  set(CLATTER_PLATFORM win64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(CLATTER_PLATFORM aarch64-linux)
else()
  set(CLATTER_PLATFORM linux64)
endif()

macro(list_binary_files)
  set(fmu_binary_files)
  foreach(platform ${known_platforms})
    list(APPEND fmu_binary_files "${fmu_binaries}/${platform}.gz" "${fmu_binaries}/${platform}_fmi3.gz")
  endforeach()
endmacro()

if(CLATTER_FMU_BINARIES)  # this is such a build
  set(fmu_binaries "${CLATTER_FMU_BINARIES}")
  list_binary_files()
  return()
endif()

set(fmu_binaries "${CMAKE_BINARY_DIR}/fmu")
list_binary_files()
set(compiler_win64 x86_64-w64-mingw32)
set(compiler_aarch64-linux aarch64-linux-gnu)
file(MAKE_DIRECTORY "${fmu_binaries}")

# The whole tree, for the builds within this one: what they depend on
file(GLOB_RECURSE platform_sources CONFIGURE_DEPENDS
  src/*.c src/*.h src/*.inc src/*.S fmi/*.[ch] fmi/*.map modelDescription/*.[ch] view/*.[ch]
  view/page/* resources/schema/*.xsd cmake/*.cmake)
list(APPEND platform_sources "${CMAKE_SOURCE_DIR}/CMakeLists.txt")

function(add_platform platform)
  set(tree "${CMAKE_BINARY_DIR}/${platform}")
  if(platform STREQUAL CLATTER_PLATFORM)
    set(how "-DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}")
  else()
    set(how "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_SOURCE_DIR}/cmake/toolchains/${platform}.cmake")
  endif()
  set(suffix .so)
  if(platform STREQUAL "win64")
    set(suffix .dll)
    set(program_suffix .exe)
  endif()
  add_custom_command(OUTPUT "${fmu_binaries}/${platform}.gz" "${fmu_binaries}/${platform}_fmi3.gz"
    COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_SOURCE_DIR}" -B "${tree}" -G "${CMAKE_GENERATOR}"
      ${how} -DCLATTER_CROSS=OFF
      "-DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}" "-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}"
      "-DCLATTER_WERROR=${CLATTER_WERROR}" -DCLATTER_LTO=OFF -DCLATTER_SMALL=ON
      "-DCLATTER_SOURCES=${CLATTER_SOURCES}" "-DCLATTER_FMU_BINARIES=${fmu_binaries}"
      "-DFMI2_INCLUDE_DIR=${FMI2_INCLUDE_DIR}" "-DFMI3_INCLUDE_DIR=${FMI3_INCLUDE_DIR}"
      "-DCLATTER_THREE_JS=${CLATTER_THREE_JS}"
      "-DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER}" > "${tree}.log"
    COMMAND "${CMAKE_COMMAND}" --build "${tree}" --target clatter_shared clatter_fmi3_shared
    COMMAND gzip -9 -n -c "${tree}/clatter${suffix}" > "${fmu_binaries}/${platform}.gz"
    COMMAND gzip -9 -n -c "${tree}/clatter_fmi3${suffix}" > "${fmu_binaries}/${platform}_fmi3.gz"
    DEPENDS ${platform_sources}
    COMMENT "Building the FMU's binary for ${platform}" VERBATIM)
  if(platform STREQUAL CLATTER_PLATFORM)
    return()
  endif()
  add_custom_command(OUTPUT "${tree}/clatter${program_suffix}"
    COMMAND "${CMAKE_COMMAND}" --build "${tree}" --target clatter
    DEPENDS ${fmu_binary_files} ${platform_sources}
    COMMENT "Building the program for ${platform}" VERBATIM)
  add_custom_target(program_${platform} ALL DEPENDS "${tree}/clatter${program_suffix}")
  add_dependencies(program_${platform} fmu_binaries)
endfunction()

# Why FMUs cannot have a binary for a platform, if there is a reason
function(find_obstacle platform variable)
  set(obstacle)
  if(NOT CLATTER_CROSS)
    set(obstacle "CLATTER_CROSS is off")
  elseif(NOT compiler_${platform})
    set(obstacle "no compiler is known for it here")
  elseif(NOT EXISTS "${CLATTER_SOURCES}/versions.txt")
    set(obstacle "scripts/get_sources.sh was not run")
  else()
    foreach(tool gcc gfortran)
      find_program(CLATTER_${compiler_${platform}}_${tool} ${compiler_${platform}}-${tool})
      if(NOT CLATTER_${compiler_${platform}}_${tool})
        set(obstacle "there is no ${compiler_${platform}}-${tool}")
      endif()
    endforeach()
  endif()
  set(${variable} "${obstacle}" PARENT_SCOPE)
endfunction()

set(packed_platforms ${CLATTER_PLATFORM})
foreach(platform ${known_platforms})
  if(NOT platform STREQUAL CLATTER_PLATFORM)
    find_obstacle(${platform} obstacle)
    if(obstacle)
      message(STATUS "FMUs will not run on ${platform}: ${obstacle}")
      file(WRITE "${fmu_binaries}/${platform}.gz" "")
      file(WRITE "${fmu_binaries}/${platform}_fmi3.gz" "")
    else()
      add_platform(${platform})
      list(APPEND packed_platforms ${platform})
    endif()
  endif()
endforeach()
if(packed_platforms STREQUAL CLATTER_PLATFORM)  # alone: the fastest
  foreach(version "" _fmi3)
    add_custom_command(OUTPUT "${fmu_binaries}/${CLATTER_PLATFORM}${version}.gz"
      COMMAND gzip -9 -n -c "$<TARGET_FILE:clatter${version}_shared>"
        > "${fmu_binaries}/${CLATTER_PLATFORM}${version}.gz"
      DEPENDS clatter${version}_shared VERBATIM)
  endforeach()
else()
  add_platform(${CLATTER_PLATFORM})
endif()
list(JOIN packed_platforms ", " packed_platforms)
message(STATUS "FMUs will run on ${packed_platforms}")
add_custom_target(fmu_binaries DEPENDS ${fmu_binary_files})
