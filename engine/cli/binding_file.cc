#include "engine/cli/binding_file.h"

namespace berth::cli {

void BindingFile::open() {
  sink_.emplace(path_);
  writer_ = output::make_binding_writer(
      path_ == "-" ? output::BindingFormat::kJsonLines : output::binding_format(path_), *sink_);
}

}  // namespace berth::cli
