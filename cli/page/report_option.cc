#include "cli/page/report_option.h"

#include "engine/base/error.h"
#include "engine/base/io/overwrite.h"

namespace berth::cli {

CLI::Option* add_report_option(CLI::App& command, std::string& file) {
  return command
      .add_option("--report", file,
                  "output of one HTML page that needs no network; - is standard output")
      ->option_text("FILE");
}

void check_report_file(const std::string& file, std::span<const std::string> inputs,
                       const output::FormatOption& format) {
  refuse_overwriting(file, inputs);
  if (file == "-" && format.given())
    throw Error("-o: standard output is that of --report: name a file");
}

}  // namespace berth::cli
