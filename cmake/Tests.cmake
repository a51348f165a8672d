# One cmocka program per tests/c/test_*.c, and the checks of the shared object as users get it.
# Test programs run in the source directory, so that they find resources/.

find_path(CMOCKA_INCLUDE_DIR cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
if(CMOCKA_INCLUDE_DIR AND CMOCKA_LIBRARY)
  file(GLOB test_sources CONFIGURE_DEPENDS tests/c/test_*.c)
  file(GLOB helper_sources CONFIGURE_DEPENDS tests/c/helper_*.c)
else()
  message(STATUS "cmocka was not found (apt-get install libcmocka-dev): no C tests are built.")
  set(test_sources)
endif()

foreach(source ${test_sources})
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}" ${helper_sources})
  target_include_directories(${name} SYSTEM PRIVATE "${CMOCKA_INCLUDE_DIR}")
  target_link_libraries(${name} PRIVATE clatter_fmi clatter_api clatter_writer clatter_view
    clatter_plot "${CMOCKA_LIBRARY}"
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

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT CLATTER_SANITIZE)
  add_test(NAME check_binary COMMAND "${CMAKE_SOURCE_DIR}/scripts/check_binary.sh"
    "$<TARGET_FILE:clatter_shared>")
  add_test(NAME check_binary_fmi3 COMMAND "${CMAKE_SOURCE_DIR}/scripts/check_binary.sh"
    "$<TARGET_FILE:clatter_fmi3_shared>" 3)
endif()
