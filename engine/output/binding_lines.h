#pragma once

// Bindings as JSON lines.

#include <string>
#include <string_view>
#include <vector>

#include "engine/output/binding_writer.h"

namespace berth::output {

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
  size_t used_ = 0;         // bytes of buffer_
  std::string escapes_[3];  // memory for strings that cannot be copied as they are
};

}  // namespace berth::output
