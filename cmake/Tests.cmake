# One cmocka program per tests/c/test_*.c, and the checks of the shared object as users get it.
# Test programs run in the source directory, so that they find resources/.

if(CMAKE_CROSSCOMPILING)
  set(CMOCKA_LIBRARY cmocka_static)
else()
  find_path(CMOCKA_INCLUDE_DIR cmocka.h)
  find_library(CMOCKA_LIBRARY cmocka)
endif()
if(CMOCKA_LIBRARY)
  file(GLOB test_sources CONFIGURE_DEPENDS tests/c/test_*.c)
  file(GLOB helper_sources CONFIGURE_DEPENDS tests/c/helper_*.c)
else()
  message(STATUS "cmocka was not found (apt-get install libcmocka-dev): no C tests are built.")
  set(test_sources)
endif()

# For another platform, where an emulator runs them: those that use what its C library and compiler do.
if(CMAKE_CROSSCOMPILING)
  list(FILTER test_sources INCLUDE REGEX "/test_(text|unit|report|zip|csv_table|resource_uri|xml_tree|crew|\
expression|jet|table|lu|saddle|saddle_blocks|kernels|solid|\
contact_solver|model_reader|moreau|generalized_alpha|simulation|plot)\\.c$")
endif()

foreach(source ${test_sources})
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}" ${helper_sources})
  if(CMOCKA_INCLUDE_DIR)
    target_include_directories(${name} SYSTEM PRIVATE "${CMOCKA_INCLUDE_DIR}")
  endif()
  target_link_libraries(${name} PRIVATE clatter_fmi clatter_api clatter_writer clatter_view
    clatter_plot ${CMOCKA_LIBRARY}
    Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE ${CLATTER_NO_LTO_LINK})
  file(STRINGS "${source}" counts_allocations REGEX "count_allocations.h")
  if(counts_allocations)
    target_link_options(${name} PRIVATE LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES TIMEOUT 120 ENVIRONMENT
    "CLATTER_BUILD=${CMAKE_BINARY_DIR};UBSAN_OPTIONS=print_stacktrace=1;\
ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1")
endforeach()

# The longest first: no core waits for the last of them.
foreach(name solid_cylinder outline_near solid_near derivatives)
  if(TARGET test_${name})
    set_tests_properties(test_${name} PROPERTIES COST 10)
  endif()
endforeach()

# A host for the FMU's binary of each platform (tests/python/test_platforms.py)
add_executable(fmu_host EXCLUDE_FROM_ALL tests/platforms/fmu_host.c
  tests/platforms/load_${system}.c $<TARGET_OBJECTS:clatter_runtime>)
target_link_libraries(fmu_host PRIVATE clatter_options fmi_headers ${CMAKE_DL_LIBS})
target_compile_options(fmu_host PRIVATE -Wno-cast-function-type)

# What test.sh builds of a platform
add_custom_target(platform_tests DEPENDS fmu_host)
if(CMAKE_CROSSCOMPILING)
  foreach(source ${test_sources})
    get_filename_component(name "${source}" NAME_WE)
    add_dependencies(platform_tests ${name})
  endforeach()
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CLATTER_SANITIZE)
  add_test(NAME check_binary COMMAND "${CMAKE_SOURCE_DIR}/scripts/check_binary.sh"
    "$<TARGET_FILE:clatter_shared>")
  add_test(NAME check_binary_fmi3 COMMAND "${CMAKE_SOURCE_DIR}/scripts/check_binary.sh"
    "$<TARGET_FILE:clatter_fmi3_shared>" 3)
endif()
