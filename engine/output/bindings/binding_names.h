#pragma once

// Writes bindings as names of pods.

#include <string>
#include <string_view>

#include "engine/output/bindings/binding_writer.h"

namespace berth::output {

// A line "pod/NAME" for each binding, as kubectl prints names: without the namespace. Collects up
// to 64 KiB. A line reaches the sink whole. `sink` must outlive it.
class BindingNames final : public BindingWriter {
 public:
  explicit BindingNames(ByteSink& sink) : sink_(sink) { lines_.reserve(kCapacity); }

  void write(std::string_view namespace_name, std::string_view name,
             std::string_view node) override;
  void flush() override;
  void finish() override { flush(); }

 private:
  static constexpr size_t kCapacity = size_t{1} << 16;

  ByteSink& sink_;
  std::string lines_;
};

}  // namespace berth::output
