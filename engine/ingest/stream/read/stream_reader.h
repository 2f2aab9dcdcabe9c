#pragma once

// Reads a stream of frames, possibly while it is being written. All output is verified. Not
// thread-safe; the reader and its Diagnostics belong to the reading thread.

#include <cstdint>
#include <string>

#include "engine/base/error.h"
#include "engine/base/io/frame.h"
#include "engine/base/io/io.h"
#include "engine/ingest/stream/read/stream_check.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/stream_templates.h"

namespace berth::ingest {

// Counts since the beginning of the stream.
struct StreamCounts {
  uint64_t frames = 0;          // complete frames, including the end mark and refused ones
  uint64_t refused_frames = 0;  // frames whose payload could not be used
  uint64_t pods = 0;            // in frames of pods, including refused ones
  uint64_t refused_pods = 0;
  uint64_t refused_objects = 0;  // all objects except pods in frames of pods
  uint64_t damaged_bytes = 0;    // bytes that belong to no complete frame
  uint64_t missing_pods = 0;     // pods counted by the end mark that did not arrive
};

class StreamReader final : public BatchSource {
 public:
  // kStop: throws the first fault instead of reporting it.
  enum class OnFault : uint8_t { kReport, kStop };

  // The source and the diagnostics must outlive the reader.
  StreamReader(ByteSource& source, Diagnostics& diagnostics, OnFault on_fault = OnFault::kReport);

  // Reads the next frame into `batch`, waiting for it if necessary. Faults are reported with the
  // frame's offset; the faulty frame or object is left out and everything else stays. A frame
  // without valid content is skipped.
  //
  // The last batch is kEnd. A further call waits until the stream is closed and reports any bytes
  // after the end mark. Returns false when there is nothing more; a stream without end mark is
  // reported.
  //
  // Throws Error if reading fails, and with kStop for the first fault.
  bool next(Batch& batch) override;

  const StreamCounts& counts() const { return counts_; }

 private:
  bool next_frame(Batch& batch, const Frame& frame);
  bool decode(Batch& batch, const Frame& frame);
  bool decode_note(Batch& batch);
  bool decode_templates(Batch& batch);
  bool decode_cluster(Batch& batch);
  bool decode_events(Batch& batch);
  bool decode_pods(Batch& batch);
  bool decode_bindings(Batch& batch);
  bool decode_end(Batch& batch);
  template <typename Root>
  const Root* verified(const Batch& batch, const flatbuffers::TypeTable* type);
  void finish(uint64_t offset);

  void report(uint64_t offset, std::string field, std::string message);
  void report(uint64_t offset, const StreamFault& fault) {
    report(offset, fault.path, fault.message);
  }
  bool refuse_frame(const Batch& batch, const StreamFault& fault);

  ByteSource& source_;
  Diagnostics& diagnostics_;
  const OnFault on_fault_;
  FrameReader frames_;
  StreamTemplates templates_;
  StreamCounts counts_;
  size_t payload_size_ = 0;  // of the current batch
  bool ended_ = false;       // the end mark was read
  bool finished_ = false;    // the end of the source was reached
};

}  // namespace berth::ingest
