#include "engine/output/binding_frames.h"

#include <algorithm>
#include <functional>

#include "berth/schema/bindings_generated.h"
#include "berth/schema/frame_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/base/error.h"

namespace berth::output {
namespace {

constexpr size_t kLongest = 255;
// Bindings of a frame. Three strings of the greatest length each, with their surroundings, stay
// below the largest payload, so a frame never has to be cut by its size.
constexpr size_t kFull = 1024;
static_assert(kFull * (3 * (kLongest + 1) + 64) < kMaxFramePayload);

void check(std::string_view text, const char* what) {
  if (text.empty() || text.size() > kLongest) {
    throw Error("a binding cannot be written to a stream: the " + std::string(what) + " \"" +
                std::string(text) + "\" has " + std::to_string(text.size()) +
                " bytes, and from 1 to " + std::to_string(kLongest) + " are possible");
  }
}

}  // namespace

BindingFrames::Table::Table() : slots_(2 * kFull) {}

uint32_t BindingFrames::Table::number(std::string_view wanted) {
  static_assert((2 * kFull & (2 * kFull - 1)) == 0 && kFull < UINT16_MAX);
  size_t at = std::hash<std::string_view>()(wanted) & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    if (text(slots_[at] - 1u) == wanted) return slots_[at] - 1u;
  }
  bytes_ += wanted;
  ends_.push_back(static_cast<uint32_t>(bytes_.size()));
  slots_[at] = static_cast<uint16_t>(ends_.size());
  return slots_[at] - 1u;
}

BindingFrames::Texts BindingFrames::Table::encode(flatbuffers::FlatBufferBuilder& to) {
  offsets_.clear();
  for (size_t i = 0; i < size(); ++i) {
    offsets_.push_back(to.CreateString(text(i).data(), text(i).size()));
  }
  return to.CreateVector(offsets_);
}

void BindingFrames::Table::clear() {
  std::fill(slots_.begin(), slots_.end(), uint16_t{0});
  bytes_.clear();
  ends_.clear();
}

void BindingFrames::write(std::string_view namespace_name, std::string_view name,
                          std::string_view node) {
  check(namespace_name, "namespace");
  check(name, "name");
  check(node, "node");
  namespace_indices_.push_back(static_cast<uint16_t>(namespaces_.number(namespace_name)));
  node_indices_.push_back(nodes_.number(node));
  name_lengths_.push_back(static_cast<uint8_t>(name.size()));
  names_.insert(names_.end(), name.begin(), name.end());
  if (node_indices_.size() == kFull) flush();
}

void BindingFrames::flush() {
  if (node_indices_.empty()) return;
  const auto namespaces = namespaces_.encode(builder_);
  const auto namespace_indices = namespaces_.size() == 1
                                     ? flatbuffers::Offset<flatbuffers::Vector<uint16_t>>()
                                     : builder_.CreateVector(namespace_indices_);
  const auto nodes = nodes_.encode(builder_);
  const auto node_indices = builder_.CreateVector(node_indices_);
  const auto name_lengths = builder_.CreateVector(name_lengths_);
  const auto names = builder_.CreateVector(names_);
  builder_.Finish(schema::CreateBindings(builder_, namespaces, namespace_indices, nodes,
                                         node_indices, name_lengths, names));
  send(static_cast<uint8_t>(schema::FrameKind::Bindings));
  ++frame_count_;
  namespaces_.clear();
  nodes_.clear();
  namespace_indices_.clear();
  node_indices_.clear();
  name_lengths_.clear();
  names_.clear();
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
