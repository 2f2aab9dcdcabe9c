# Run by cpack on the folders that become Debian packages: changes what Debian keeps elsewhere.

file(GLOB roots ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share)
if(NOT roots)
  message(FATAL_ERROR "nothing is installed in ${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
endif()
foreach(root IN LISTS roots)
  # Debian's zsh does not look into site-functions below /usr.
  if(EXISTS ${root}/zsh/site-functions)
    file(RENAME ${root}/zsh/site-functions ${root}/zsh/vendor-completions)
  endif()
  file(GLOB pages ${root}/man/man1/*.1)
  foreach(page IN LISTS pages)
    execute_process(COMMAND gzip -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
