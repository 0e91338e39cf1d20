# Debian packages by `cpack -G DEB` in a build folder (./dev package), one for each component:
#   gpurt         the programs that need no window, the scenario library, manuals, documents
#   gpurt-view    the window, which brings SDL2
#   gpurt-mpi     what joins processes under mpirun, which brings Open MPI
#   libgpurtX     the shared library, X being its soname's version
#   libgpurt-dev  headers, the static library, examples: for embedding, and for policies of one's own
# What they depend on is found in the binaries by dpkg-shlibdeps.

install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        FILES_MATCHING REGEX "\\.(md|json|svg|png)$")
install(FILES CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")
file(RELATIVE_PATH to_data "${CMAKE_INSTALL_FULL_DOCDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/gpurt")
file(RELATIVE_PATH to_headers "${CMAKE_INSTALL_FULL_DOCDIR}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}/gpurt")
set(documents "${CMAKE_INSTALL_DOCDIR}")
if(NOT IS_ABSOLUTE "${documents}")
  set(documents "\${CMAKE_INSTALL_PREFIX}/${documents}")
endif()
install(CODE "set(DOCUMENTS \"${documents}\")
              set(TO_DATA \"${to_data}\")
              set(TO_HEADERS \"${to_headers}\")
              include(\"${CMAKE_CURRENT_LIST_DIR}/installed_documents.cmake\")")

if(NOT PROJECT_IS_TOP_LEVEL) # packages are the other project's
  install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/gpurt" RENAME copyright)
  return()
endif()

set(CPACK_PACKAGE_NAME gpurt)
set(CPACK_PACKAGE_VENDOR "The gpurt authors")
set(CPACK_PACKAGE_CONTACT "The gpurt authors <gpurt@localhost>")
if(DEFINED ENV{DEBEMAIL}) # as Debian's own tools have it
  set(name "The gpurt authors")
  if(DEFINED ENV{DEBFULLNAME})
    set(name "$ENV{DEBFULLNAME}")
  endif()
  set(CPACK_PACKAGE_CONTACT "${name} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL programs library development)
if(TARGET gpurt-view)
  list(APPEND CPACK_COMPONENTS_ALL view)
endif()
if(TARGET gpurt-mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()

set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${CPACK_PACKAGE_CONTACT}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(same "(= ${PROJECT_VERSION}-1)")
set(library libgpurt${soversion})

# grt_package(COMPONENT name section SUMMARY LONG [variable value]...): LONG is the description below the summary.
function(grt_package component name section summary long)
  string(TOUPPER "${component}" upper)
  set(values PACKAGE_NAME "${name}" PACKAGE_SECTION "${section}" DESCRIPTION "${summary}\n${long}" ${ARGN})
  while(values)
    list(POP_FRONT values variable value)
    if(variable STREQUAL "DESCRIPTION")
      set(CPACK_COMPONENT_${upper}_DESCRIPTION "${value}" PARENT_SCOPE)
    else()
      set(CPACK_DEBIAN_${upper}_${variable} "${value}" PARENT_SCOPE)
    endif()
  endwhile()
  install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/${name}" RENAME copyright COMPONENT ${component})
endfunction()

grt_package(programs gpurt science "simulates and analyses how real-time tasks share a GPU"
  "Simulates tasks thread block by thread block, by published rules of real
devices: streams, priorities, copy engines, SMs and their limits, under
published scheduling policies or one's own. Says who missed a deadline and why,
bounds the worst case, audits traces, draws them, and sweeps experiments over
random task sets.
gpurt-calib measures a CUDA device, so that the numbers are its own."
  PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot" PACKAGE_SUGGESTS "gpurt-view, gpurt-mpi, libgpurt-dev")
grt_package(view gpurt-view science "window that shows how real-time tasks share a GPU"
  "Timelines of simulated and measured runs, why a deadline was missed, two
runs side by side, pictures of it."
  PACKAGE_RECOMMENDS "gpurt, fonts-dejavu-core")
grt_package(mpi gpurt-mpi science "sweeps of gpurt on several machines"
  "A module that gpurt loads where it is started by mpirun." PACKAGE_DEPENDS "gpurt ${same}")
grt_package(library ${library} libs "simulator of real-time tasks that share a GPU, as a library"
  "The engine, models, policies, analyses and auditor of gpurt, for programs
that embed them.")
grt_package(development libgpurt-dev libdevel "simulator of real-time tasks that share a GPU, for development"
  "Headers and the static library for programs that embed gpurt, headers for
scheduling policies outside its tree, and examples of both."
  PACKAGE_DEPENDS "${library} ${same}" PACKAGE_RECOMMENDS "gpurt, libgsl-dev, libcjson-dev, pkg-config")

# Which package programs need that were linked with the library, and that its arrival is to be noticed.
set(control "${PROJECT_BINARY_DIR}/packaging")
file(CONFIGURE OUTPUT "${control}/shlibs" CONTENT "libgpurt ${soversion} ${library} (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT "${control}/triggers" CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${control}/shlibs;${control}/triggers")

set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake")

include(CPack)
