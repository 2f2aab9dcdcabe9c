#pragma once

// The target of a stream: the cluster, the pods that wait, and what happens, as frames, as JSON
// lines or as a list of objects. The load generator and conversions write here.

#include <memory>
#include <span>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/ingest/stream/stream.h"

namespace berth::ingest {

inline constexpr size_t kWrittenTogether = 256 * 1024;  // bytes of text

// One thread. All calls throw Error if writing fails.
class StreamSink {
 public:
  virtual ~StreamSink() = default;
  // Tells where what follows comes from. A list has notes before its first object alone.
  virtual void note(std::string_view text) = 0;
  // Templates of the pods that follow.
  virtual void define(std::span<const TemplateDefinition> templates) { known_.define(templates); }
  // Objects of the cluster, which are all added.
  virtual void cluster(std::span<const Change> objects) = 0;
  virtual void events(std::span<const Change> changes) = 0;
  // Pods that arrive together. Requires: their templates are defined.
  virtual void pods(const PodBatch& pods) = 0;
  // What follows happens at this time of a run, in nanoseconds. Lines alone can tell: what has
  // another form throws Error.
  virtual void time(int64_t /*at*/) {
    throw Error("it tells when things happen, which JSON lines alone can hold (*.jsonl)");
  }
  // When it returns, a reader at the other end can see what was written.
  virtual void flush() {}
  // Must be the last call.
  virtual void end() = 0;

 protected:
  const KnownTemplates& known() const { return known_; }

 private:
  KnownTemplates known_;
};

// The sink of the bytes must outlive what these return.
//
// Frames as `berth run --pods` reads them. Objects that do not fit in a frame are reported to
// `faults` and left out; null: they are an Error.
std::unique_ptr<StreamSink> frame_sink(ByteSink& sink, Diagnostics* faults = nullptr);
// The events of a watch, one JSON object per line, with a bookmark after pods that arrive together.
std::unique_ptr<StreamSink> line_sink(ByteSink& sink);

}  // namespace berth::ingest
