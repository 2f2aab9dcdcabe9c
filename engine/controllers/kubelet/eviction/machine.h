#pragma once

// A node's machine, played: its size, the system, and the pods on it with what they use. Everything
// that a kubelet measures follows from these figures.
//
// - Writable layers, logs and all volumes with usage count on the filesystem that they lie on;
//   unused images and dead containers too, until they are reclaimed.
// - Containers of a pod that is stopped take `stop` to end, at most the grace period; until then
//   the pod uses what it used. It is cleaned up `cleanup` later.

#include <map>
#include <optional>
#include <vector>

#include "engine/controllers/kubelet/eviction/usage.h"

namespace berth::controllers::kubelet {

struct FilesystemSize {
  int64_t bytes = 0;
  int64_t inodes = 0;
};

struct MachineSize {
  int64_t memory = 0;              // bytes
  int64_t allocatable_memory = 0;  // of it, what pods may use
  FilesystemSize node, images;
  int64_t processes = 0;
};

// The use of all that runs beside pods.
struct SystemUsage {
  int64_t memory = 0;
  DiskUse node, images;
  int64_t processes = 0;
};

// The things that a kubelet can remove before it evicts pods.
enum class Reclaim : uint8_t { kDeadContainers, kUnusedImages };

// The time that a pod needs to end.
struct StopTimes {
  Time stop{};
  Time cleanup{};
};

class Machine {
 public:
  Machine(Filesystems filesystems, const MachineSize& size)
      : filesystems_(filesystems), size_(size) {}

  Filesystems filesystems() const { return filesystems_; }
  SystemUsage& system() { return system_; }
  const SystemUsage& system() const { return system_; }
  DiskUse& garbage(Reclaim what) { return what == Reclaim::kUnusedImages ? images_ : dead_; }

  // Without usage there are no statistics for the pod.
  PodNumber add(Pod pod, const StopTimes& times, std::optional<PodUsage> usage);
  // The pod is gone at once. Precondition, as below: has(number).
  void remove(PodNumber number);
  void set_usage(PodNumber number, std::optional<PodUsage> usage);
  bool has(PodNumber number) const { return pods_.contains(number); }
  const Pod& pod(PodNumber number) const { return entry(number).pod; }

  // Pods whose containers run, in order.
  std::vector<PodNumber> running(Time now) const;
  // While the machine is frozen, the statistics are those of the look before it was.
  const Statistics& look(Time now);
  void freeze(bool on) { frozen_ = on; }

  // Returns when the containers have stopped. Precondition: they run.
  Time stop(PodNumber number, Time now, Time grace);
  // Also true for a pod that is gone. Precondition else: it is being stopped.
  bool cleaned_up(PodNumber number, Time now) const;

 private:
  struct Entry {
    Pod pod;
    StopTimes times;
    std::optional<PodUsage> usage;
    std::optional<Time> stopped;  // its containers, when they are being stopped
  };
  // The use of all pods.
  struct Sums {
    int64_t memory = 0;
    int64_t processes = 0;
    DiskUse layers, logs_and_volumes;
  };

  const Entry& entry(PodNumber number) const;
  static bool runs(const Entry& entry, Time now) { return !entry.stopped || *entry.stopped > now; }
  Statistics measure(Time now) const;
  void measure_disks(const Sums& pods, Time now, Statistics& found) const;

  Filesystems filesystems_;
  MachineSize size_;
  SystemUsage system_;
  DiskUse images_, dead_;
  std::map<PodNumber, Entry> pods_;
  PodNumber next_ = 0;
  bool frozen_ = false;
  std::optional<Statistics> last_;
};

}  // namespace berth::controllers::kubelet
