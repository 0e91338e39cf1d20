# What Debian asks of the files in packages (policy 12.1, 12.5, 12.7): manual pages and changelogs are compressed, every package has a
# changelog and a copyright file. CPack runs this before it packs, or: cmake -DFOLDER=F -DVERSION=V -DMAINTAINER=M -DLICENSE=L -P this, where F has
# a folder for each component, with usr/ in it. The same files come out of the same input: gzip notes no name and no time, and where
# SOURCE_DATE_EPOCH is set, files are no younger.
if(NOT DEFINED FOLDER)
  set(FOLDER "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
  set(VERSION "${CPACK_PACKAGE_VERSION}")
  set(MAINTAINER "${CPACK_PACKAGE_CONTACT}")
  set(LICENSE "${CPACK_RESOURCE_FILE_LICENSE}")
endif()
find_program(GZIP gzip REQUIRED)

function(compress)
  if(ARGN)
    execute_process(COMMAND "${GZIP}" -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
    list(TRANSFORM ARGN APPEND .gz)
    file(CHMOD ${ARGN} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
endfunction()

# In the machine-readable format of copyright files, version 1.0.
function(write_copyright path)
  file(READ "${LICENSE}" text)
  string(REGEX MATCH "Copyright \\(c\\) ([^\n]+)" line "${text}")
  set(holder "${CMAKE_MATCH_1}")
  string(REGEX REPLACE "^.*${holder}\n+" "" text "${text}")
  string(STRIP "${text}" text)
  string(REPLACE "\n" "\n " text " ${text}")
  string(REGEX REPLACE "\n +\n" "\n .\n" text "${text}")
  file(WRITE "${path}" "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gpurt

Files: *
Copyright: ${holder}
License: Expat

License: Expat
${text}
")
endfunction()

# The packages are made here, not by Debian: their changelog says the version, and when it was made.
function(write_changelog path)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE "${path}" "gpurt (${VERSION}-1) unstable; urgency=medium

  * Version ${VERSION}.

 -- ${MAINTAINER}  ${date}
")
endfunction()

# A page that is a link to another becomes a link to the compressed one.
file(GLOB pages "${FOLDER}/*/usr/share/man/man[1-9]/*.[1-9]")
foreach(page IN LISTS pages)
  if(IS_SYMLINK "${page}")
    file(READ_SYMLINK "${page}" other)
    file(REMOVE "${page}")
    file(CREATE_LINK "${other}.gz" "${page}.gz" SYMBOLIC)
    list(REMOVE_ITEM pages "${page}")
  endif()
endforeach()
compress(${pages})
file(GLOB copyrights "${FOLDER}/*/usr/share/doc/*/copyright")
foreach(copyright IN LISTS copyrights)
  get_filename_component(documents "${copyright}" DIRECTORY)
  write_copyright("${copyright}")
  write_changelog("${documents}/changelog.Debian")
  compress("${documents}/changelog.Debian")
endforeach()
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(epoch "@$ENV{SOURCE_DATE_EPOCH}")
  execute_process(COMMAND find "${FOLDER}" -newermt "${epoch}" -exec touch --no-dereference "--date=${epoch}" {} +
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
