#pragma once

// Writes bindings in the order of the decisions: as JSON lines for people and scripts,
//   {"namespace":"default","name":"web-1","node":"node-7"}
// or as frames of a stream (abi/schema/README.md), in which damage is noticed.

#include <memory>
#include <string_view>

#include "engine/base/io/io.h"

namespace berth::output {

enum class BindingFormat : uint8_t { kJsonLines, kFrames };

// By the ending of the file's name: .jsonl is JSON lines, anything else frames.
BindingFormat binding_format(std::string_view path);

// Not safe for several threads. All calls throw Error if the sink does; a binding that cannot be
// written (in frames: a name of more than 255 bytes) is an Error too.
class BindingWriter {
 public:
  virtual ~BindingWriter() = default;

  // Collects; allocates nothing in the long run.
  virtual void write(std::string_view namespace_name, std::string_view name,
                     std::string_view node) = 0;

  // Makes everything so far visible to whoever reads.
  virtual void flush() = 0;

  // flush(), and the end mark where the format has one. Nothing may be written afterwards. A writer
  // that is destroyed without it leaves its output cut short.
  virtual void finish() = 0;
};

// The sink must outlive the writer.
std::unique_ptr<BindingWriter> make_binding_writer(BindingFormat format, ByteSink& sink);

}  // namespace berth::output
