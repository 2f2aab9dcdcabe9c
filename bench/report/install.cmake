# Installs uPlot at the version and with the checksum of package-lock.json:
#   cmake -D NPM=<npm> -D FOLDER=<bench/report> -D OUTPUT=<folder> -P install.cmake
file(COPY ${FOLDER}/package.json ${FOLDER}/package-lock.json DESTINATION ${OUTPUT})
execute_process(
  COMMAND ${NPM} ci --prefer-offline --ignore-scripts --no-audit --no-fund --no-update-notifier
          --loglevel=error
  WORKING_DIRECTORY ${OUTPUT} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm could not install uPlot, which the report of berth-bench draws with: see "
    "below. Without a way to npm's registry, configure with -D BERTH_REPORT=OFF to build berth-bench "
    "without --report.\n${said}")
endif()
# `npm ci` keeps the file times of the archive.
file(TOUCH ${OUTPUT}/node_modules/uplot/dist/uPlot.iife.min.js)
