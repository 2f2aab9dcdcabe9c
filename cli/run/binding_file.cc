#include "cli/run/binding_file.h"

namespace berth::cli {

void BindingFile::open() {
  using output::BindingFormat;
  if (!path_.empty())
    add(path_, path_ == "-" ? BindingFormat::kJsonLines : output::binding_format(path_));
  if (names_) add("-", BindingFormat::kNames);
}

void BindingFile::add(const std::string& path, output::BindingFormat format) {
  Output& made = outputs_.emplace_back();
  made.sink = std::make_unique<FileSink>(path);
  made.writer = output::make_binding_writer(format, *made.sink);
}

}  // namespace berth::cli
