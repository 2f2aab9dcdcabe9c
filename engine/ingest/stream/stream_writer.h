#pragma once

// Writes a stream of frames, of the newest version of the format. Each frame is visible to readers
// when the call that wrote it returns. The counterpart of stream_reader.h; abi/schema/README.md
// describes the format.

#include <flatbuffers/flatbuffers.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "berth/schema/frame_generated.h"
#include "engine/base/io/frame.h"
#include "engine/base/io/io.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/stream_pod_columns.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// All calls throw Error if writing fails, or if an object is too large for a frame.
class StreamWriter {
 public:
  explicit StreamWriter(ByteSink& sink) : frames_(sink) {}

  void note(std::string_view text);

  // The template of pods with this spec; it is written when it is first asked for.
  uint32_t template_id(const model::PodSpec& spec);

  // Pods that wait to be scheduled. Those added between two calls of write_pods() go into one frame
  // and arrive together. False if the frame is full: write it, and add again. Throws Error if the
  // pod cannot be written (no name, or strings above kMaxColumnString bytes).
  // Requires: template_id() gave the id, for a spec without a node.
  bool add_pod(const StreamPod& pod) { return pods_.add(pod); }
  void write_pods();                                    // nothing if there are none
  size_t waiting_pods() const { return pods_.size(); }  // added since

  // Any number of objects; they take as many frames as they need, in their order. What a pod has of
  // its own is its placement and its labels; the rest of its spec is its template.
  void cluster(std::span<const model::Node> nodes, std::span<const model::Namespace> namespaces,
               std::span<const model::Pod> pods,
               std::span<const model::SelectorOwner> selector_owners = {});

  // The template_id in an event's pod is not looked at: templates are numbered anew.
  void events(std::span<const Event> events);

  // Writes the end mark; nothing may follow. Pods that were added are written before.
  void end();

 private:
  using Builder = flatbuffers::FlatBufferBuilder;

  template <typename Encode, typename Finish>
  void write_parts(schema::FrameKind kind, size_t count, Encode encode, Finish finish);
  template <typename Table>
  void write_frame(schema::FrameKind kind, Builder& payload, flatbuffers::Offset<Table> root);
  flatbuffers::Offset<schema::Pod> encode_pod(const model::Pod& pod);
  flatbuffers::Offset<schema::Pod> encode_pod(const TemplatePod& pod);
  flatbuffers::Offset<schema::Event> encode_event(const Event& event);

  FrameWriter frames_;
  Builder builder_;  // of the frame in hand
  Builder
      template_builder_;  // of a template, which may have to be written while a frame is in hand
  boost::unordered_flat_map<std::string, uint32_t> template_ids_;  // by the encoded spec
  PodColumnsBuilder pods_;
  uint64_t frame_count_ = 0;
  uint64_t pod_count_ = 0;
  bool ended_ = false;
};

}  // namespace berth::ingest
