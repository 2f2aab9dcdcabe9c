#pragma once

// Reads a stream of frames while it grows. Everything that comes out was verified. Not safe for
// several threads; the reader and its Diagnostics belong to the thread that reads.

#include <cstdint>
#include <string>

#include "engine/base/error.h"
#include "engine/base/io/frame.h"
#include "engine/base/io/io.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/stream_check.h"
#include "engine/ingest/stream/stream_templates.h"

namespace berth::ingest {

// What a stream brought so far.
struct StreamCounts {
  uint64_t frames = 0;          // whole ones, the end mark and refused ones included
  uint64_t refused_frames = 0;  // of these, those whose payload could not be used
  uint64_t pods = 0;            // in frames of pods, refused ones included
  uint64_t refused_pods = 0;
  uint64_t refused_objects = 0;  // all but pods of frames of pods
  uint64_t damaged_bytes = 0;    // that belong to no whole frame
  uint64_t missing_pods = 0;     // of which the end mark knows and that did not come
};

class StreamReader {
 public:
  // With kStop the first thing wrong is thrown instead of reported.
  enum class OnFault : uint8_t { kReport, kStop };

  StreamReader(ByteSource& source, Diagnostics& diagnostics, OnFault on_fault = OnFault::kReport);

  // Reads the next frame into `batch`, in the order of the stream, waiting for it if need be. What
  // is wrong with a frame or with something in it is reported with the frame's offset, left out,
  // and everything beside it stays. A frame of which nothing is left is passed over.
  //
  // The last batch is kEnd. Who asks again waits until the stream is closed; what lies behind the
  // end mark is reported. False: there is nothing more. A stream that ends without its mark is
  // reported.
  //
  // Throws Error if reading fails, and as OnFault says.
  bool next(Batch& batch);

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
  size_t payload_size_ = 0;  // of the batch in hand
  uint8_t version_ = 0;      // of its frame
  bool ended_ = false;       // the end mark was seen
  bool finished_ = false;    // the end of the bytes was seen
};

}  // namespace berth::ingest
