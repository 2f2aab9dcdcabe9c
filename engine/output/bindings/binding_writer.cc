#include "engine/output/bindings/binding_writer.h"

#include "engine/base/assert.h"
#include "engine/output/bindings/binding_frames.h"
#include "engine/output/bindings/binding_lines.h"
#include "engine/output/bindings/binding_names.h"

namespace berth::output {

BindingFormat binding_format(std::string_view path) {
  return path.ends_with(".jsonl") ? BindingFormat::kJsonLines : BindingFormat::kFrames;
}

std::unique_ptr<BindingWriter> make_binding_writer(BindingFormat format, ByteSink& sink) {
  switch (format) {
    case BindingFormat::kJsonLines:
      return std::make_unique<BindingLines>(sink);
    case BindingFormat::kFrames:
      return std::make_unique<BindingFrames>(sink);
    case BindingFormat::kNames:
      return std::make_unique<BindingNames>(sink);
  }
  BERTH_ASSERT(false);
  return nullptr;
}

}  // namespace berth::output
