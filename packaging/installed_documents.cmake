# Makes the links of installed documents, which lead out of docs/, lead to what else is installed; where that is nothing, their text is left.
# Run at installation: DOCUMENTS is their folder without $DESTDIR, TO_DATA and TO_HEADERS are the ways from there to the folders of
# scenarios and examples, and of headers.
file(GLOB pages "$ENV{DESTDIR}${DOCUMENTS}/*.md")
foreach(page IN LISTS pages)
  file(READ "${page}" text)
  set(before "${text}")
  string(REGEX REPLACE "\\]\\(\\.\\./((sim|models|policies|scenarios|verify|study)/[a-z_/]+\\.h)" "](<headers>/\\1" text "${text}")
  string(REGEX REPLACE "\\]\\(\\.\\./(scenarios|examples)/" "](<data>/\\1/" text "${text}")
  string(REGEX REPLACE "\\[([^]\n]*)\\]\\(\\.\\./[^)]*\\)" "\\1" text "${text}")
  string(REPLACE "](<headers>/" "](${TO_HEADERS}/" text "${text}")
  string(REPLACE "](<data>/" "](${TO_DATA}/" text "${text}")
  if(NOT text STREQUAL before)
    file(WRITE "${page}" "${text}")
  endif()
endforeach()
