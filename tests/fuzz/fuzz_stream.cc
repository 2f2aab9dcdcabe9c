// Any bytes as a stream of frames, and any bytes as payloads of valid frames. Hardly any mutation
// passes the CRCs, so the second form is what reaches the decoders. Its input is a list of pieces.
// A piece is the kind of a frame (one byte), the length of its payload (two bytes, little-endian;
// the last payload may be shorter) and the payload.

#include <algorithm>
#include <optional>
#include <span>

#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/stream/write/stream_writer.h"
#include "engine/output/bindings/binding_frames.h"
#include "tests/fuzz/batch_check.h"
#include "tests/fuzz/fuzz_objects.h"
#include "tests/fuzz/stream_transcript.h"

namespace berth::fuzz {
namespace {

using namespace ingest;
using Bytes = std::span<const uint8_t>;

// Writes batches to new streams.
class Rewriter {
 public:
  void write(const Batch& batch) {
    switch (batch.kind) {
      case BatchKind::kNote:
        return objects_.note(batch.note);
      case BatchKind::kTemplates:
        for (const auto& [id, spec] : batch.templates) ids_[id] = objects_.template_id(*spec);
        return;
      case BatchKind::kCluster:
        return objects_.cluster(batch.changes);
      case BatchKind::kEvents:
        return objects_.events(batch.changes);
      case BatchKind::kPods:
        return write(batch.pods);
      case BatchKind::kBindings:
        for (size_t i = 0; i < batch.bindings.size(); ++i) {
          bindings_.write(batch.bindings.namespaces[i], batch.bindings.names[i],
                          batch.bindings.nodes[i]);
        }
        return;
      case BatchKind::kTime:  // of lines alone
      case BatchKind::kEnd:
        return;
    }
  }

  Bytes objects() {
    objects_.end();
    return objects_sink_.bytes();
  }
  Bytes bindings() {
    bindings_.finish();
    return bindings_sink_.bytes();
  }

 private:
  void write(const PodBatch& pods) {
    for (size_t i = 0; i < pods.size(); ++i) {
      StreamPod pod = stream_pod(pods, i);
      pod.template_id = ids_.at(pods.template_ids[i]);
      // Content that came in one frame fits in one frame again, because it is written no longer
      // than it was.
      BERTH_ASSERT(objects_.add_pod(pod));
    }
    objects_.write_pods();
  }

  MemorySink objects_sink_, bindings_sink_;
  StreamWriter objects_{objects_sink_};
  output::BindingFrames bindings_{bindings_sink_};
  std::map<uint32_t, uint32_t> ids_;  // template numbers, from the original to the copy
};

struct Reading {
  Transcript transcript;
  StreamCounts counts;
  std::vector<std::string> faults;  // with their places
  std::optional<Rewriter> again;
};

void check_counts(const StreamCounts& counts, uint64_t pods, uint64_t faults, size_t size) {
  BERTH_ASSERT(counts.refused_frames <= counts.frames);
  BERTH_ASSERT(counts.refused_pods <= counts.pods);
  BERTH_ASSERT(counts.pods - counts.refused_pods == pods);
  BERTH_ASSERT(counts.damaged_bytes <= size);
  BERTH_ASSERT(faults >= counts.refused_frames + counts.refused_objects);
  BERTH_ASSERT(counts.missing_pods == 0 || faults != 0);
  BERTH_ASSERT(counts.damaged_bytes == 0 || faults != 0);
}

// Reads the stream to its end, in pieces of the given size.
Reading read(Bytes stream, size_t piece) {
  MemorySource source(stream, "stream", piece);
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  Reading reading;
  reading.again.emplace();
  BatchCheck check(BatchCheck::Of::kFrames);
  bool ended = false;
  uint64_t end = 0;
  for (Batch batch; reader.next(batch);) {
    BERTH_ASSERT(!ended && batch.offset >= end && batch.offset < stream.size());
    end = batch.offset + kFrameHeaderSize;
    ended = batch.kind == BatchKind::kEnd;
    check.check(batch);
    reading.transcript.add(batch);
    reading.again->write(batch);
  }
  reading.counts = reader.counts();
  check_counts(reading.counts, check.pods(), diagnostics.count(), stream.size());
  BERTH_ASSERT(ended || diagnostics.count() != 0);
  for (const Error& fault : diagnostics.kept()) {
    BERTH_ASSERT(!fault.message().empty() && fault.place().byte <= stream.size());
    check_text(fault.message());
    reading.faults.emplace_back(fault.what());
  }
  return reading;
}

bool operator==(const StreamCounts& a, const StreamCounts& b) {
  return a.frames == b.frames && a.refused_frames == b.refused_frames && a.pods == b.pods &&
         a.refused_pods == b.refused_pods && a.refused_objects == b.refused_objects &&
         a.damaged_bytes == b.damaged_bytes && a.missing_pods == b.missing_pods;
}

void check_equal(const Transcript& a, const Transcript& b) {
  BERTH_ASSERT(a.objects() == b.objects());
  BERTH_ASSERT(a.bindings() == b.bindings());
}

// A reader that stops at the first fault stops at the first one that a tolerant reader reports.
void check_stop(Bytes stream, const Reading& reading) {
  MemorySource source(stream, "stream");
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics, StreamReader::OnFault::kStop);
  try {
    for (Batch batch; reader.next(batch);) {
    }
    BERTH_ASSERT(reading.faults.empty());
  } catch (const Error& fault) {
    BERTH_ASSERT(!reading.faults.empty() && fault.what() == reading.faults.front());
  }
  BERTH_ASSERT(diagnostics.count() == 0);
}

// A copy of the stream has the same content and no faults.
void check_round_trip(Reading& reading) {
  const Reading objects = read(reading.again->objects(), SIZE_MAX);
  const Reading bindings = read(reading.again->bindings(), SIZE_MAX);
  BERTH_ASSERT(objects.faults.empty() && bindings.faults.empty());
  BERTH_ASSERT(objects.transcript.objects() == reading.transcript.objects());
  BERTH_ASSERT(bindings.transcript.bindings() == reading.transcript.bindings());
}

StreamCounts check_stream(Bytes stream) {
  Reading reading = read(stream, SIZE_MAX);
  const Reading again = read(stream, 1 + stream.size() % 61);
  check_equal(reading.transcript, again.transcript);
  BERTH_ASSERT(reading.counts == again.counts && reading.faults == again.faults);
  check_stop(stream, reading);
  check_round_trip(reading);
  return reading.counts;
}

// Builds frames from the pieces.
MemorySink framed(Bytes pieces) {
  MemorySink sink;
  FrameWriter writer(sink);
  while (pieces.size() >= 3) {
    const uint8_t kind = pieces[0];
    const size_t length = pieces[1] | size_t{pieces[2]} << 8;
    pieces = pieces.subspan(3);
    const Bytes payload = pieces.first(std::min(length, pieces.size()));
    writer.write(kind, payload);
    pieces = pieces.subspan(payload.size());
  }
  return sink;
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::fuzz;
  if (berth::begins_like_frame({data, size})) {
    check_stream({data, size});
  } else {
    BERTH_ASSERT(check_stream(framed({data, size}).bytes()).damaged_bytes == 0);
  }
  return 0;
}
