#include "engine/metrics/parts/batch_metrics.h"

#include "engine/metrics/machine_clock.h"

namespace berth::metrics {
namespace {

using framework::BatchEnd;
using framework::BatchMiss;

// Null: a batch without nodes has nothing to flush, and one that serves stays.
const char* reason_of(BatchMiss miss) {
  switch (miss) {
    case BatchMiss::kSkipped:
      return "pod_skipped";
    case BatchMiss::kOtherPod:
      return "pod_incompatible";
    case BatchMiss::kExpired:
      return "expired";
    case BatchMiss::kNodeMissing:
      return "node_missing";
    case BatchMiss::kNodeNotFull:
      return "node_not_full";
    case BatchMiss::kNone:
    case BatchMiss::kEmpty:
      break;
  }
  return nullptr;
}

}  // namespace

BatchMetrics::BatchMetrics(prometheus::Registry& registry, const runtime::Core& core)
    : core_(core),
      attempts_(families::batch_attempts(registry)),
      flushes_(families::batch_flushes(registry)),
      hints_(families::node_hint_duration(registry)),
      stores_(families::store_duration(registry)) {}

void BatchMetrics::asked(size_t profile, BatchMiss miss, Time took) {
  const bool named = miss == BatchMiss::kNone;
  hints_.Add({{"hinted", named ? "hint" : "no_hint"}, {"profile", name(profile)}}, batch_buckets())
      .Observe(seconds(took));
  if (!named) count(profile, "no_hint");
  if (const char* reason = reason_of(miss)) flush(profile, reason);
}

void BatchMetrics::told(size_t profile, bool named, BatchEnd end, Time took) {
  stores_.Add({{"profile", name(profile)}}, batch_buckets()).Observe(seconds(took));
  if (end == BatchEnd::kServed) return count(profile, "hint_used");
  if (named) count(profile, "hint_not_used");
  if (end == BatchEnd::kNoNodes) flush(profile, "empty_list");
  if (end == BatchEnd::kNotComparable) flush(profile, "pod_not_batchable");
}

const std::string& BatchMetrics::name(size_t profile) const {
  return core_.assembly().profiles[profile]->scheduler_name();
}

void BatchMetrics::count(size_t profile, const char* result) {
  attempts_.Add({{"profile", name(profile)}, {"result", result}}).Increment();
}

void BatchMetrics::flush(size_t profile, const char* reason) {
  flushes_.Add({{"profile", name(profile)}, {"reason", reason}}).Increment();
}

}  // namespace berth::metrics
