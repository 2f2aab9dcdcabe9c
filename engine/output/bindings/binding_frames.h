#pragma once

// Writes bindings as frames of a stream (abi/schema/README.md).

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/io/frame.h"
#include "engine/output/bindings/binding_writer.h"

namespace berth::output {

// Collects bindings in columns and writes a frame when there are kFull of them (binding_frames.cc)
// or at flush(). write() throws Error for a text that is empty or longer than 255 bytes. finish()
// writes the end mark with the numbers of frames, which readers check. `sink` must outlive it.
class BindingFrames final : public BindingWriter {
 public:
  explicit BindingFrames(ByteSink& sink) : frames_(sink) {}

  void write(std::string_view namespace_name, std::string_view name,
             std::string_view node) override;
  void flush() override;
  void finish() override;

 private:
  // One length byte per text, and all texts without gaps.
  struct Column {
    void add(std::string_view text);
    void clear();
    std::vector<uint8_t> lengths;
    std::string bytes;
  };

  void send(uint8_t kind);  // writes the content of builder_ as a frame of this kind

  FrameWriter frames_;
  flatbuffers::FlatBufferBuilder builder_;
  Column namespaces_, names_, nodes_;
  uint64_t frame_count_ = 0;
};

}  // namespace berth::output
