#pragma once

// Writes bindings in the order in which they are passed, in one of three formats. JSON lines are
// for people and scripts:
//
//   {"namespace":"default","name":"web-1","node":"node-7"}
//
// Frames of a stream (abi/schema/README.md) are smaller and protected by checksums. Names are
// lines "pod/web-1".

#include <memory>
#include <string_view>

#include "engine/base/io/io.h"

namespace berth::output {

enum class BindingFormat : uint8_t { kJsonLines, kFrames, kNames };

// Chosen by the file name: .jsonl gives JSON lines, anything else frames.
BindingFormat binding_format(std::string_view path);

// Not thread-safe. All calls throw Error if the sink does, and if a binding cannot be expressed in
// the format (frames: a name longer than 255 bytes).
class BindingWriter {
 public:
  virtual ~BindingWriter() = default;

  // Collects a binding. JSON lines and frames do not allocate memory in steady state.
  virtual void write(std::string_view namespace_name, std::string_view name,
                     std::string_view node) = 0;

  // Writes everything collected so far to the sink.
  virtual void flush() = 0;

  // Flushes and writes the end mark, if the format has one. Must be the last call. Without it the
  // output counts as cut short.
  virtual void finish() = 0;
};

// `sink` must outlive the writer.
std::unique_ptr<BindingWriter> make_binding_writer(BindingFormat format, ByteSink& sink);

}  // namespace berth::output
