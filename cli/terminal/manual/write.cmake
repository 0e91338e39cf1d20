# Has a program write its manual pages, and its completion for each shell, below FOLDER:
#   cmake -DPROGRAM=path/gpurt -DFOLDER=generated/manual/gpurt -P write.cmake
# The commands that have pages of their own are those of --help.

function(ask result)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " arguments)
    message(FATAL_ERROR "${PROGRAM} ${arguments}: ${code}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

get_filename_component(name "${PROGRAM}" NAME_WE)
file(REMOVE_RECURSE "${FOLDER}")
ask(help --help)
set(commands "")
if("${help}" MATCHES "\nCommands:\n(.*)\n\nExamples:")
  string(REGEX MATCHALL "(^|\n)  [a-z]+" commands "${CMAKE_MATCH_1}")
  string(REGEX REPLACE "[\n ]+" "" commands "${commands}")
  list(REMOVE_ITEM commands help)
endif()

ask(text --man)
file(WRITE "${FOLDER}/man1/${name}.1" "${text}")
foreach(command IN LISTS commands)
  ask(text --man=${command})
  file(WRITE "${FOLDER}/man1/${name}-${command}.1" "${text}")
endforeach()
foreach(file IN ITEMS bash/${name} zsh/_${name} fish/${name}.fish)
  get_filename_component(shell "${file}" DIRECTORY)
  ask(text --completion=${shell})
  file(WRITE "${FOLDER}/${file}" "${text}")
endforeach()
