# Fetches uPlot at the version and with the checksum of package-lock.json; `./dev setup` runs it:
#   cmake -D NPM=<npm> -D OUTPUT=<folder> -P install.cmake
# Does nothing if that version is in OUTPUT already, so a second run needs no network.
set(library ${OUTPUT}/node_modules/uplot/dist/uPlot.iife.min.js)
file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/package-lock.json wanted)
set(found)
if(EXISTS ${library} AND EXISTS ${OUTPUT}/package-lock.json)
  file(SHA256 ${OUTPUT}/package-lock.json found)
endif()
if(found STREQUAL wanted)
  return()
endif()
file(REMOVE_RECURSE ${OUTPUT})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/package.json ${CMAKE_CURRENT_LIST_DIR}/package-lock.json
     DESTINATION ${OUTPUT})
execute_process(
  COMMAND ${NPM} ci --prefer-offline --ignore-scripts --no-audit --no-fund --no-update-notifier
          --loglevel=error
  WORKING_DIRECTORY ${OUTPUT} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said)
if(NOT result EQUAL 0 OR NOT EXISTS ${library})
  file(REMOVE_RECURSE ${OUTPUT})
  message(FATAL_ERROR "npm could not fetch uPlot (${result}):\n${said}")
endif()
# `npm ci` keeps the times that files have in the archive.
file(TOUCH ${library})
