// Any bytes as an API server's audit log. What it tells does not depend on the size of the pieces
// in which it is read, and a watch takes each of its lines.

#include <memory>
#include <string>

#include "engine/base/assert.h"
#include "engine/ingest/audit/audit_log.h"
#include "engine/ingest/watch/watch_stream.h"

namespace berth::fuzz {
namespace {

using Bytes = std::span<const uint8_t>;

struct AuditReading {
  std::string lines;
  ingest::AuditCounts counts;
};

AuditReading read(Bytes text, size_t piece) {
  AuditReading reading;
  reading.lines = read_all(*ingest::watch_of_audit_log(
      std::make_unique<MemorySource>(text, "audit", piece), reading.counts));
  return reading;
}

// Every line is one event, which the watch reads as such.
void check_lines(const AuditReading& reading) {
  const std::string& lines = reading.lines;
  BERTH_ASSERT(lines.empty() || lines.back() == '\n');
  MemorySource source({reinterpret_cast<const uint8_t*>(lines.data()), lines.size()}, "watch");
  Diagnostics faults;
  ingest::WatchStream watch(source, faults, false);
  uint64_t times = 0;
  for (ingest::Batch batch; watch.next(batch);)
    times += batch.kind == ingest::BatchKind::kTime ? 1 : 0;
  BERTH_ASSERT(times == reading.counts.taken);
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::fuzz;
  const Bytes text(data, size);
  const AuditReading whole = read(text, SIZE_MAX);
  BERTH_ASSERT(read(text, 1 + size % 61).lines == whole.lines);
  BERTH_ASSERT(whole.counts.taken <= whole.counts.events);
  check_lines(whole);
  return 0;
}
