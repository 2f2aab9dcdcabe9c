#include "engine/output/bindings/binding_frames.h"

#include <string>

#include "berth/schema/bindings_generated.h"
#include "berth/schema/frame_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/base/error.h"

namespace berth::output {
namespace {

constexpr size_t kLongest = 255;
// Bindings per frame. Even if all strings have the maximum length, a frame stays below the largest
// payload, so frames are never split by size.
constexpr size_t kFull = 1024;
static_assert(kFull * (3 * (kLongest + 1) + 64) < kMaxFramePayload);

void check(std::string_view text, const char* what) {
  if (text.empty() || text.size() > kLongest) {
    throw Error("a binding cannot be written to a stream: the " + std::string(what) + " \"" +
                std::string(text) + "\" has " + std::to_string(text.size()) +
                " bytes, and from 1 to " + std::to_string(kLongest) + " are possible");
  }
}

auto vector_of(flatbuffers::FlatBufferBuilder& builder, const std::string& bytes) {
  return builder.CreateVector(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

void BindingFrames::Column::add(std::string_view text) {
  lengths.push_back(static_cast<uint8_t>(text.size()));
  bytes.append(text);
}

void BindingFrames::Column::clear() {
  lengths.clear();
  bytes.clear();
}

void BindingFrames::write(std::string_view namespace_name, std::string_view name,
                          std::string_view node) {
  check(namespace_name, "namespace");
  check(name, "name");
  check(node, "node");
  namespaces_.add(namespace_name);
  names_.add(name);
  nodes_.add(node);
  if (names_.lengths.size() == kFull) flush();
}

void BindingFrames::flush() {
  if (names_.lengths.empty()) return;
  const auto namespace_lengths = builder_.CreateVector(namespaces_.lengths);
  const auto namespaces = vector_of(builder_, namespaces_.bytes);
  const auto name_lengths = builder_.CreateVector(names_.lengths);
  const auto names = vector_of(builder_, names_.bytes);
  const auto node_lengths = builder_.CreateVector(nodes_.lengths);
  const auto nodes = vector_of(builder_, nodes_.bytes);
  builder_.Finish(schema::CreateBindings(builder_, namespace_lengths, namespaces, name_lengths,
                                         names, node_lengths, nodes));
  send(static_cast<uint8_t>(schema::FrameKind::Bindings));
  ++frame_count_;
  namespaces_.clear();
  names_.clear();
  nodes_.clear();
}

void BindingFrames::finish() {
  flush();
  builder_.Finish(schema::CreateEnd(builder_, frame_count_, 0));
  send(static_cast<uint8_t>(schema::FrameKind::End));
}

void BindingFrames::send(uint8_t kind) {
  frames_.write(kind, {builder_.GetBufferPointer(), builder_.GetSize()});
  builder_.Clear();
}

}  // namespace berth::output
