#pragma once

// Writes a stream of frames in the newest version of the format. A frame is visible to readers when
// the call that writes it returns. The counterpart of stream_reader.h; abi/schema/README.md
// describes the format.

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "berth/schema/frame_generated.h"
#include "engine/base/io/frame.h"
#include "engine/base/io/io.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/template_ids.h"
#include "engine/ingest/stream/write/stream_pod_columns.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// One thread. All calls throw Error if writing fails or an object is too large for a frame. `sink`
// must outlive the writer.
class StreamWriter {
 public:
  explicit StreamWriter(ByteSink& sink) : frames_(sink) {}

  // Writes a text for people.
  void note(std::string_view text);

  // Returns the id of the template with this spec, and writes its definition if the reader does not
  // have it. The id is valid until retire_templates() retires the template. Throws Error if there
  // are 2^20 templates.
  uint32_t template_id(const model::PodSpec& spec);
  // Retires the templates that no call since the last one of this used, so that reader and writer
  // forget them; their ids are given to other templates. Precondition: no pod waits to be written.
  void retire_templates();
  bool many_templates() const { return templates_.due(); }  // retire_templates() is worth it
  size_t templates() const { return templates_.size(); }    // that the reader has

  // Adds a pod to be scheduled. The pods added between two calls of write_pods() share a frame and
  // arrive together. Returns false if the frame is full: call write_pods() and add the pod again.
  // Throws Error if the pod cannot be written (empty name, or strings longer than
  // kMaxColumnString). Requires: template_id() returned the id, for a spec without a node.
  bool add_pod(const StreamPod& pod) { return pods_.add(pod); }
  void write_pods();  // writes the frame, unless it is empty

  // Write any number of objects in as many frames as needed. The template_id of pods is ignored,
  // because the writer numbers templates itself.
  //
  // Objects of a cluster, which are all added, by kind, and within a kind in order. Pods that
  // differ in nothing but placement, labels and claims share a template. Precondition: none is an
  // eviction, which is an event.
  void cluster(std::span<const Change> objects);
  // In order.
  void events(std::span<const Change> changes);

  // Writes the current frame of pods and the end mark. Must be the last call.
  void end();

 private:
  using Builder = flatbuffers::FlatBufferBuilder;

  template <typename Encode, typename Finish>
  void write_parts(schema::FrameKind kind, size_t count, Encode encode, Finish finish);
  template <typename Table>
  void write_frame(schema::FrameKind kind, Builder& payload, flatbuffers::Offset<Table> root);
  flatbuffers::Offset<schema::Pod> encode_pod(const model::Pod& pod);
  flatbuffers::Offset<schema::Pod> encode_pod(const TemplatePod& pod);
  // Writes the objects of one kind.
  template <typename Kind, typename Encode, typename Finish>
  void write_kind(std::span<const Change> objects, Encode encode, Finish finish);
  void write_json(std::span<const Change> objects);
  flatbuffers::Offset<schema::Event> encode_event(const Change& change);

  FrameWriter frames_;
  Builder builder_;           // the current frame
  Builder template_builder_;  // a template, which can be written while a frame is being built
  TemplateIds templates_;     // by encoded spec
  PodColumnsBuilder pods_;
  uint64_t frame_count_ = 0;
  uint64_t pod_count_ = 0;
  bool ended_ = false;
};

}  // namespace berth::ingest
