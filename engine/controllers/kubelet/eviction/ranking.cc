#include "engine/controllers/kubelet/eviction/ranking.h"

#include <algorithm>
#include <compare>
#include <tuple>

#include "engine/controllers/kubelet/pod/pod_rules.h"

namespace berth::controllers::kubelet {
namespace {

using model::Quantity;

// Smaller goes first.
struct RankKey {
  int by_request = 0;  // without statistics, above its request, within it
  int32_t priority = 0;
  int with_statistics = 0;
  int64_t negative_excess = 0;  // of use above the request
  auto operator<=>(const RankKey&) const = default;
};

RankKey priority_key(const Candidate& candidate) {
  RankKey key;
  key.priority = candidate.pod->priority.value_or(0);
  key.with_statistics = candidate.usage != nullptr ? 1 : 0;
  return key;
}

// `exceeded`: what the use is compared with in the first step; `subtracted`: in the last one.
RankKey usage_key(const Candidate& candidate, int64_t used, const Quantity& exceeded,
                  const Quantity& subtracted) {
  RankKey key = priority_key(candidate);
  if (candidate.usage == nullptr) return key;
  key.by_request = Quantity::from_units(used) > exceeded ? 1 : 2;
  key.negative_excess = subtracted.value() - used;
  return key;
}

// The part of a pod's disk use that lies on the filesystem that runs out.
struct Measured {
  bool layers = false, logs = false, volumes = false;
};

Measured measured(Signal signal, Filesystems filesystems) {
  const bool images = signal == Signal::kImageFsAvailable || signal == Signal::kImageFsInodesFree;
  const bool node = signal == Signal::kNodeFsAvailable || signal == Signal::kNodeFsInodesFree;
  switch (filesystems) {
    case Filesystems::kSingle:
      return {true, true, true};
    case Filesystems::kImages:
      return node ? Measured{false, true, true} : Measured{true, false, false};
    case Filesystems::kSplit:
      return images ? Measured{} : Measured{true, true, true};
  }
  return {};
}

DiskUse disk_use(const Candidate& candidate, const Measured& what) {
  DiskUse sum;
  if (what.layers) sum += layers_of(*candidate.usage);
  if (what.logs) sum += logs_of(*candidate.usage);
  if (what.volumes) sum += volumes_of(*candidate.usage, *candidate.pod, &Volume::local);
  return sum;
}

RankKey disk_key(const Candidate& candidate, Signal signal, Filesystems filesystems) {
  DiskUse use;
  if (candidate.usage != nullptr) use = disk_use(candidate, measured(signal, filesystems));
  const Quantity request = ranked_request(*candidate.pod, "ephemeral-storage");
  return starved_by(signal) == Starved::kInodes
             ? usage_key(candidate, use.inodes, Quantity(), request)
             : usage_key(candidate, use.bytes, request, request);
}

RankKey memory_key(const Candidate& candidate) {
  const int64_t used = candidate.usage == nullptr ? 0 : memory_of(*candidate.usage).value_or(0);
  const Quantity request = ranked_request(*candidate.pod, "memory");
  return usage_key(candidate, used, request, request);
}

RankKey process_key(const Candidate& candidate) {
  RankKey key = priority_key(candidate);
  if (candidate.usage != nullptr) key.negative_excess = -candidate.usage->processes.value_or(0);
  return key;
}

RankKey key_of(const Candidate& candidate, Signal signal, Filesystems filesystems) {
  if (is_memory(signal)) return memory_key(candidate);
  if (signal == Signal::kPidAvailable) return process_key(candidate);
  return disk_key(candidate, signal, filesystems);
}

}  // namespace

void rank(std::vector<Candidate>& pods, Signal signal, Filesystems filesystems) {
  std::vector<std::pair<RankKey, Candidate>> keyed;
  keyed.reserve(pods.size());
  for (const Candidate& one : pods) keyed.emplace_back(key_of(one, signal, filesystems), one);
  std::ranges::stable_sort(keyed, {}, &std::pair<RankKey, Candidate>::first);
  std::ranges::transform(keyed, pods.begin(), &std::pair<RankKey, Candidate>::second);
}

}  // namespace berth::controllers::kubelet
