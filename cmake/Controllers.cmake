# The example controller in C, as an FMU: examples/pd_controller.fmu in the build directory.
add_library(pd_controller MODULE examples/controllers/pd_controller.c)
target_link_libraries(pd_controller PRIVATE clatter_options fmi_headers)
set(controller_directory "${CMAKE_BINARY_DIR}/examples/pd_controller")
set_target_properties(pd_controller PROPERTIES PREFIX "" SUFFIX .so C_VISIBILITY_PRESET default
  LIBRARY_OUTPUT_DIRECTORY "${controller_directory}/binaries/linux64")
add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/examples/pd_controller.fmu"
  COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_SOURCE_DIR}/examples/controllers/pd_controller.xml"
    "${controller_directory}/modelDescription.xml"
  COMMAND "${CMAKE_COMMAND}" -E chdir "${controller_directory}" "${CMAKE_COMMAND}" -E tar cf
    "${CMAKE_BINARY_DIR}/examples/pd_controller.fmu" --format=zip --mtime=1980-01-02 modelDescription.xml binaries
  DEPENDS pd_controller examples/controllers/pd_controller.xml
  VERBATIM)
add_custom_target(controllers ALL DEPENDS "${CMAKE_BINARY_DIR}/examples/pd_controller.fmu")
