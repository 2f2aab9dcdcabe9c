#pragma once

// Bindings as frames of a stream.

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/frame.h"
#include "engine/output/binding_writer.h"

namespace berth::output {

class BindingFrames final : public BindingWriter {
 public:
  explicit BindingFrames(ByteSink& sink) : frames_(sink) {}

  void write(std::string_view namespace_name, std::string_view name,
             std::string_view node) override;
  void flush() override;
  void finish() override;

 private:
  using Texts = flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>>;

  // Strings of one frame, numbered in the order in which they first came: a hash table with open
  // addressing, at most half full, whose entries are numbers of texts plus one.
  class Table {
   public:
    Table();
    uint32_t number(std::string_view text);
    size_t size() const { return ends_.size(); }
    Texts encode(flatbuffers::FlatBufferBuilder& to);
    void clear();

   private:
    std::string_view text(size_t number) const {
      const size_t begin = number == 0 ? 0 : ends_[number - 1];
      return std::string_view(bytes_).substr(begin, ends_[number] - begin);
    }

    std::vector<uint16_t> slots_;
    std::string bytes_;
    std::vector<uint32_t> ends_;
    std::vector<flatbuffers::Offset<flatbuffers::String>> offsets_;
  };

  void send(uint8_t kind);

  FrameWriter frames_;
  flatbuffers::FlatBufferBuilder builder_;
  Table namespaces_, nodes_;
  std::vector<uint16_t> namespace_indices_;
  std::vector<uint32_t> node_indices_;
  std::vector<uint8_t> name_lengths_, names_;
  uint64_t frame_count_ = 0;
};

}  // namespace berth::output
