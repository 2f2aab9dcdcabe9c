#include "engine/cli/binding_file.h"

namespace berth::cli {

BindingFile::BindingFile(const std::string& path)
    : sink_(path),
      writer_(output::make_binding_writer(
          path == "-" ? output::BindingFormat::kJsonLines : output::binding_format(path), sink_)) {}

}  // namespace berth::cli
