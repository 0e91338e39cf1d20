# Installs the headers of headers.txt in FOLDER, below the prefix; SOURCES is the root of the sources, BUILD a folder for what is made.
#
# Installed headers include each other by where they are ("../models/task.h"), which compilers try before all search paths: a program may
# have a models/task.h of its own.
if(NOT IS_ABSOLUTE "${FOLDER}")
  set(FOLDER "${CMAKE_INSTALL_PREFIX}/${FOLDER}")
endif()
file(STRINGS "${SOURCES}/lib/headers.txt" headers)
foreach(header IN LISTS headers)
  get_filename_component(place "${header}" DIRECTORY)
  string(REGEX REPLACE "[^/]+(/|$)" "../" up "${place}")
  file(READ "${SOURCES}/${header}" text)
  string(REPLACE "#include \"" "#include \"${up}" text "${text}")
  file(WRITE "${BUILD}/${header}" "${text}")
  file(INSTALL "${BUILD}/${header}" DESTINATION "${FOLDER}/${place}")
endforeach()
file(INSTALL "${SOURCES}/lib/gpurt.h" DESTINATION "${FOLDER}")
