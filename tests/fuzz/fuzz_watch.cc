// Any bytes as watch events. The result does not depend on the size of the pieces in which the
// input is read. A strict reading stops at the first fault that a tolerant one reports.

#include "engine/ingest/watch/watch_stream.h"
#include "tests/fuzz/batch_check.h"
#include "tests/fuzz/fuzz_objects.h"
#include "tests/fuzz/stream_transcript.h"

namespace berth::fuzz {
namespace {

using namespace ingest;
using Bytes = std::span<const uint8_t>;

struct Reading {
  Transcript transcript;
  std::vector<std::string> faults;
  std::vector<std::string> unknown_fields;
  uint64_t rejected_pods = 0;
};

Reading read(Bytes text, size_t piece) {
  MemorySource source(text, "watch", piece);
  Diagnostics of_lines;
  WatchStream watch(source, of_lines, false);
  Reading reading;
  bool ended = false;
  BatchCheck check(BatchCheck::Of::kLines);
  for (Batch batch; watch.next(batch);) {
    BERTH_ASSERT(!ended);
    check.check(batch);
    ended = batch.kind == BatchKind::kEnd;
    reading.transcript.add(batch);
  }
  BERTH_ASSERT(ended);
  reading.rejected_pods = watch.rejected_pods();
  BERTH_ASSERT(reading.rejected_pods <= of_lines.count());
  for (const Error& fault : of_lines.kept()) {
    BERTH_ASSERT(!fault.message().empty() && fault.place().line != 0);
    reading.faults.emplace_back(fault.what());
  }
  for (const Remarks::Field& field : watch.remarks().unknown_fields)
    reading.unknown_fields.emplace_back(field.first.what());
  return reading;
}

void check_strict(Bytes text, const Reading& reading) {
  MemorySource source(text, "watch");
  Diagnostics diagnostics;
  WatchStream watch(source, diagnostics, true);
  try {
    for (Batch batch; watch.next(batch);) {
    }
    BERTH_ASSERT(reading.faults.empty() && reading.unknown_fields.empty());
  } catch (const Error& fault) {
    const auto is_first = [&](const std::vector<std::string>& all) {
      return !all.empty() && fault.what() == all.front();
    };
    BERTH_ASSERT(is_first(reading.faults) || is_first(reading.unknown_fields));
  }
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::fuzz;
  const Bytes text(data, size);
  const Reading whole = read(text, SIZE_MAX);
  const Reading pieces = read(text, 1 + size % 61);
  BERTH_ASSERT(whole.faults == pieces.faults && whole.rejected_pods == pieces.rejected_pods);
  BERTH_ASSERT(whole.transcript.objects() == pieces.transcript.objects());
  check_strict(text, whole);
  return 0;
}
