#pragma once

// The eviction manager of a kubelet. Source: k8s.io/kubernetes pkg/kubelet/eviction v1.36.
//
//   EvictionManager manager(settings, machine, actions);
//   manager.start(now);
//   machine.set_usage(pod, usage);
//   manager.figures_changed(now);
//   while (manager.next() <= now) manager.run_due(*manager.next());
//
// A round looks at the machine, finds the thresholds that are met, and evicts at most one pod for
// them; pods above a limit of local storage go before that, all in one round. Rounds are 10 s
// apart. After an eviction the manager waits until the containers of the pod have stopped, then
// asks each second, for 30 s at most, whether it is cleaned up, and begins the next round at once.
//
// A kubelet chooses by chance between several thresholds and between equal pods. Here the first
// threshold counts (memory before all else, then hard before soft, each in the order of settings),
// and the first pod.
//
// While nothing is met and no figure changes, rounds would do nothing: next() is then nothing, and
// figures_changed() takes the rounds up where they would be.

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine/controllers/conditions.h"
#include "engine/controllers/kubelet/eviction/eviction_text.h"
#include "engine/controllers/kubelet/eviction/machine.h"
#include "engine/controllers/kubelet/eviction/pressure_watch.h"
#include "engine/controllers/kubelet/refusal.h"

namespace berth::controllers::kubelet {

struct EvictionSettings {
  std::vector<Threshold> thresholds;
  // The time for which a condition stays True after its cause. 0: it never shows.
  Time transition = std::chrono::minutes(5);
  int64_t most_grace_seconds = 0;  // evictionMaxPodGracePeriod; of soft thresholds
};

inline constexpr std::string_view kEvicted = "Evicted";      // the reason in the pod's status
inline constexpr std::string_view kOomKilled = "OOMKilled";  // that of a container's status

// A pod whose phase becomes Failed, with the reason Evicted, and whose containers are stopped.
struct Eviction {
  PodNumber pod = 0;
  int64_t grace_seconds = 0;           // in the place of the pod's own
  EvictionText text;                   // of the status and of an event on the pod
  std::optional<Condition> condition;  // of the pod; nothing: none changes
};

// The actions of the manager on others than the machine.
class EvictionActions {
 public:
  virtual ~EvictionActions() = default;
  virtual void set_pressures(Time now, const std::vector<Pressure>& pressures) = 0;
  // A warning on the node, with the reason EvictionThresholdMet.
  virtual void warn_of_node(Time now, const std::string& message) = 0;
  virtual void reclaimed(Time now, Reclaim what) = 0;
  virtual void evict(Time now, const Eviction& eviction) = 0;
};

class EvictionManager {
 public:
  // `machine` and `actions` outlive the manager.
  EvictionManager(const EvictionSettings& settings, Machine& machine, EvictionActions& actions)
      : most_grace_seconds_(settings.most_grace_seconds),
        watch_(settings.thresholds, machine.filesystems(), settings.transition),
        machine_(&machine),
        actions_(&actions) {}

  // The first round is due now. To be called once.
  void start(Time now);
  // Something of the machine has changed. Precondition: started.
  void figures_changed(Time now);
  std::optional<Time> next() const { return due_; }
  // Does all that is due. Precondition: next() is not later.
  void run_due(Time now);

  // The conditions of the node that are True, in the order of their names.
  const std::vector<Pressure>& pressures() const { return watch_.pressures(); }
  // Why the pod may not start. Nothing: it may. Critical pods always may. Under pressure of memory
  // alone, so may those with requests or limits, and those that tolerate its taint.
  std::optional<Refusal> refusal_of(const Pod& pod) const;

 private:
  enum class Phase : uint8_t { kNotStarted, kBetweenRounds, kStopping, kCleanup };

  void step(Time now);
  void round(Time now);
  bool evict_over_limits(const Statistics& seen, Time now);
  bool evict_for(const std::vector<const Threshold*>& acting, const Statistics& seen, Time now);
  bool reclaim(Signal signal, Time now);
  void evict_first(const Threshold& threshold, const Statistics& seen, Time now);
  Eviction eviction_for(const Threshold& threshold, const Candidate& candidate,
                        const Statistics& seen, Time now) const;
  std::vector<Candidate> candidates(const Statistics& seen, Time now) const;
  void stop_next(Time now);
  bool all_cleaned_up(Time now) const;
  void wait_for_round(Time now, bool idle);

  int64_t most_grace_seconds_;
  PressureWatch watch_;
  Machine* machine_;          // never null
  EvictionActions* actions_;  // never null

  Phase phase_ = Phase::kNotStarted;
  std::optional<Time> due_;
  Time last_round_{};
  std::deque<Eviction> to_evict_;
  std::vector<PodNumber> evicted_;  // of the last round
  Time wait_ends_{};                // in kCleanup
};

}  // namespace berth::controllers::kubelet
