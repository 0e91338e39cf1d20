# Makes the links of installed documents, which lead out of docs/, lead to what else is installed; where that is nothing, their text is left.
# Run at installation: DOCUMENTS is their folder without $DESTDIR, TO_DATA and TO_HEADERS are the ways from there to the folders of
# scenarios and examples, and of headers.
get_filename_component(root "$ENV{DESTDIR}${DOCUMENTS}" ABSOLUTE) # $DESTDIR may be relative
file(GLOB_RECURSE pages "${root}/*.md")
foreach(page IN LISTS pages)
  file(READ "${page}" text)
  set(before "${text}")
  file(RELATIVE_PATH up "${page}" "${root}") # ../ for the page, and for each folder that it is in
  string(REGEX REPLACE "([^/])$" "\\1/" up "${up}")
  string(REPLACE "." "\\." out "${up}")
  string(REGEX REPLACE "\\.\\./$" "" inner "${up}")
  string(REGEX REPLACE "\\]\\(${out}((sim|models|policies|scenarios|verify|study)/[a-z_/]+\\.h)" "](<headers>/\\1" text "${text}")
  string(REGEX REPLACE "\\]\\(${out}(scenarios|examples)/" "](<data>/\\1/" text "${text}")
  string(REGEX REPLACE "\\[([^]\n]*)\\]\\(${out}[^)]*\\)" "\\1" text "${text}")
  string(REPLACE "](<headers>/" "](${inner}${TO_HEADERS}/" text "${text}")
  string(REPLACE "](<data>/" "](${inner}${TO_DATA}/" text "${text}")
  if(NOT text STREQUAL before)
    file(WRITE "${page}" "${text}")
  endif()
endforeach()
