#include "engine/controllers/kubelet/eviction/machine.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::controllers::kubelet {
namespace {

struct Disk {
  Signal available, inodes_free;
};

void observe_disk(const Disk& disk, const FilesystemSize& size, const DiskUse& used, Time now,
                  Statistics& found) {
  const auto left = [&](int64_t all, int64_t taken) {
    return Observation{std::max<int64_t>(all - taken, 0), all, now};
  };
  found.signals[disk.available] = left(size.bytes, used.bytes);
  found.signals[disk.inodes_free] = left(size.inodes, used.inodes);
}

// The capacity of memory is what a kubelet makes of its statistics: what is available and what is
// used.
Observation observe_memory(int64_t all, int64_t used, Time now) {
  const int64_t available = std::max<int64_t>(all - used, 0);
  return {available, available + used, now};
}

}  // namespace

const Machine::Entry& Machine::entry(PodNumber number) const {
  const auto at = pods_.find(number);
  BERTH_ASSERT(at != pods_.end());
  return at->second;
}

PodNumber Machine::add(Pod pod, const StopTimes& times, std::optional<PodUsage> usage) {
  pods_.emplace_hint(pods_.end(), next_, Entry{std::move(pod), times, std::move(usage), {}});
  return next_++;
}

void Machine::remove(PodNumber number) {
  const size_t removed = pods_.erase(number);
  BERTH_ASSERT(removed == 1);
}

void Machine::set_usage(PodNumber number, std::optional<PodUsage> usage) {
  BERTH_ASSERT(has(number));
  pods_.find(number)->second.usage = std::move(usage);
}

std::vector<PodNumber> Machine::running(Time now) const {
  std::vector<PodNumber> numbers;
  for (const auto& [number, one] : pods_)
    if (runs(one, now)) numbers.push_back(number);
  return numbers;
}

const Statistics& Machine::look(Time now) {
  if (!frozen_ || !last_) last_ = measure(now);
  return *last_;
}

Time Machine::stop(PodNumber number, Time now, Time grace) {
  BERTH_ASSERT(runs(entry(number), now));
  Entry& one = pods_.find(number)->second;
  one.stopped = now + std::min(one.times.stop, grace);
  return *one.stopped;
}

bool Machine::cleaned_up(PodNumber number, Time now) const {
  if (!has(number)) return true;
  const Entry& one = entry(number);
  BERTH_ASSERT(one.stopped);
  return *one.stopped + one.times.cleanup <= now;
}

Statistics Machine::measure(Time now) const {
  Statistics found;
  Sums pods;
  for (const auto& [number, one] : pods_) {
    if (!one.usage || !runs(one, now)) continue;
    found.pods.emplace(number, *one.usage);
    pods.memory += memory_of(*one.usage).value_or(0);
    pods.processes += one.usage->processes.value_or(0);
    pods.layers += layers_of(*one.usage);
    pods.logs_and_volumes += logs_of(*one.usage);
    pods.logs_and_volumes += volumes_of(*one.usage);
  }
  found.signals[Signal::kMemoryAvailable] =
      observe_memory(size_.memory, system_.memory + pods.memory, now);
  found.signals[Signal::kAllocatableMemoryAvailable] =
      observe_memory(size_.allocatable_memory, pods.memory, now);
  found.signals[Signal::kPidAvailable] =
      Observation{size_.processes - system_.processes - pods.processes, size_.processes, now};
  measure_disks(pods, now, found);
  return found;
}

void Machine::measure_disks(const Sums& pods, Time now, Statistics& found) const {
  constexpr Disk kNode{Signal::kNodeFsAvailable, Signal::kNodeFsInodesFree};
  constexpr Disk kImages{Signal::kImageFsAvailable, Signal::kImageFsInodesFree};
  constexpr Disk kContainers{Signal::kContainerFsAvailable, Signal::kContainerFsInodesFree};
  DiskUse on_node = system_.node, on_images = system_.images;
  on_node += pods.logs_and_volumes;
  const bool layers_on_node = filesystems_ != Filesystems::kImages;
  DiskUse& with_layers = layers_on_node ? on_node : on_images;
  with_layers += pods.layers;
  with_layers += dead_;
  const bool one_disk = filesystems_ == Filesystems::kSingle;
  (one_disk ? on_node : on_images) += images_;
  observe_disk(kNode, size_.node, on_node, now, found);
  observe_disk(kImages, one_disk ? size_.node : size_.images, one_disk ? on_node : on_images, now,
               found);
  observe_disk(kContainers, layers_on_node ? size_.node : size_.images, with_layers, now, found);
}

}  // namespace berth::controllers::kubelet
