#pragma once

// The option --report of commands that write one HTML page beside what they print.

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>

#include "engine/base/io/new_file.h"
#include "engine/output/format_option.h"

namespace berth::cli {

// `file` outlives the parsing; empty: no page is asked for.
CLI::Option* add_report_option(CLI::App& command, std::string& file);

// Throws Error where the page would destroy an input, and where standard output is asked for twice,
// by the page and by -o.
void check_report_file(const std::string& file, std::span<const std::string> inputs,
                       const output::FormatOption& format);

// The page's file, which is opened before the work, that would be lost if this failed after it.
class ReportFile {
 public:
  // Empty: none is written. Throws Error.
  explicit ReportFile(const std::string& path) : path_(path) {
    if (!path_.empty()) file_.emplace(path_);
  }
  bool is_standard_output() const { return path_ == "-"; }
  // Writes the page that `page` makes, if one is asked for. Call it once. Throws Error.
  template <typename Page>
  void write(Page&& page) {
    if (!file_) return;
    file_->write(page());
    file_->finish();
  }

 private:
  std::string path_;
  std::optional<NewFile> file_;
};

}  // namespace berth::cli
