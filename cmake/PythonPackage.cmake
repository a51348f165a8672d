# What the Python package has beside its Python files: the executable, the shared library, models.
# CLATTER_PREBUILT takes the first two from a build that is there, so that a test of the package
# does not compile everything once more.
set(CLATTER_PREBUILT "" CACHE PATH "directory of a build to make the Python package of")
set(python_binaries "${CMAKE_BINARY_DIR}")
if(CLATTER_PREBUILT)
  set(python_binaries "${CLATTER_PREBUILT}")
  add_custom_target(clatter)
  add_custom_target(clatter_api_shared)
endif()
install(PROGRAMS "${python_binaries}/clatter" COMPONENT python DESTINATION clatter/bin)
install(FILES "${python_binaries}/libclatter.so" COMPONENT python DESTINATION clatter)
install(DIRECTORY resources/models COMPONENT python DESTINATION clatter)
install(FILES resources/materials.xml COMPONENT python DESTINATION clatter)
