# The page of `clatter view`: its own files and three.js, joined into one. Sets `embedded_page`; that
# file is empty if three.js is not there, and the program then says what it misses.
find_file(CLATTER_THREE_JS three.min.js PATHS /usr/share/javascript/three
  DOC "three.js r111, as Debian's libjs-three has it")
set(embedded_page "${CMAKE_BINARY_DIR}/page.html")
set(page_scripts data.js theme.js geometry.js anchors.js extent.js shapes.js bodies.js instances.js links.js
  contacts.js camera.js compass.js stage.js inspector.js plots.js panel.js player.js main.js)
if(EXISTS "${CLATTER_THREE_JS}")
  set(page_folder "${CMAKE_SOURCE_DIR}/view/page")
  list(TRANSFORM page_scripts PREPEND "${page_folder}/" OUTPUT_VARIABLE page_sources)
  list(JOIN page_scripts "," page_script_list)
  add_custom_command(OUTPUT "${embedded_page}"
    COMMAND "${CMAKE_COMMAND}" "-DPAGE=${page_folder}" "-DTHREE=${CLATTER_THREE_JS}"
      "-DSCRIPTS=${page_script_list}" "-DOUTPUT=${embedded_page}"
      -P "${CMAKE_SOURCE_DIR}/cmake/JoinPage.cmake"
    DEPENDS ${page_sources} "${page_folder}/page.html" "${page_folder}/style.css"
      "${CLATTER_THREE_JS}" "${CMAKE_SOURCE_DIR}/cmake/JoinPage.cmake"
    COMMENT "Joining the page of clatter view" VERBATIM)
else()
  message(STATUS "three.js was not found: clatter view will not work. apt-get install libjs-three, "
    "or -DCLATTER_THREE_JS=/path/to/three.min.js (r111)")
  file(WRITE "${embedded_page}" "")
endif()
add_custom_target(clatter_page ALL DEPENDS "${embedded_page}")
