#pragma once

// Writes bindings as JSON lines.

#include <string>
#include <string_view>
#include <vector>

#include "engine/output/bindings/binding_writer.h"

namespace berth::output {

// Collects lines in a buffer of 64 KiB, which grows only for a longer line. Texts must be valid
// UTF-8. A line reaches the sink whole. `sink` must outlive it.
class BindingLines final : public BindingWriter {
 public:
  explicit BindingLines(ByteSink& sink);

  void write(std::string_view namespace_name, std::string_view name,
             std::string_view node) override;
  void flush() override;
  void finish() override { flush(); }

 private:
  ByteSink& sink_;
  std::vector<char> buffer_;
  size_t used_ = 0;         // bytes used in buffer_
  std::string escapes_[3];  // scratch space for strings that need escapes
};

}  // namespace berth::output
