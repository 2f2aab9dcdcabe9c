#pragma once

// One `kubectl drain` of a node that is cordoned. Source: k8s.io/kubectl pkg/drain/drain.go and
// pkg/cmd/drain.
//
// - The pods are those that the node has when it begins. If one of them may not go without another
//   option, none is evicted.
// - Each pod is evicted by the eviction API. An answer 429 is tried again 5 s later, any other
//   error ends the drain for that pod.
// - It waits until the pods are gone. With a timeout it gives up those that are not, and does not
//   ask for them again.
//
// Kubectl looks once a second whether a pod is gone; here it ends as the last pod does.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/disruption/eviction.h"
#include "engine/controllers/drain/drain_filter.h"
#include "engine/controllers/drain/drain_options.h"

namespace berth::controllers {

// The cluster that a drain talks to.
class DrainCluster {
 public:
  virtual ~DrainCluster() = default;

  // The eviction API. A pod that goes at once may be told of as gone within the call.
  virtual ApiStatus evict(const DrainPod& pod, std::optional<int64_t> grace_seconds) = 0;
  // Deletes the pod.
  virtual void remove(const DrainPod& pod, std::optional<int64_t> grace_seconds) = 0;
  // A line that kubectl prints.
  virtual void say(const std::string& node, const std::string& line) = 0;
};

class Drain {
 public:
  enum class Outcome { kUnderWay, kDrained, kRefused, kFailed, kStopped };
  enum class State {
    kLeft,     // not evicted, as the options say
    kRefused,  // in the way of the drain
    kSpared,   // others are in the way
    kAsking,   // an eviction is tried again
    kGoing,    // it terminates
    kGone,
    kFailed  // it was not evicted, or is not gone in time
  };
  struct Pod {
    DrainPod pod;
    State state = State::kAsking;
    std::string message{};  // why it is left, or not gone; of the last try
    uint32_t tries = 0;     // evictions that were asked for
    Time next{};            // try, of kAsking
    std::string refusal{};  // what the budget said that refused it last; stays; empty: none did
  };

  // The pods of the node, in the order in which they are evicted. `cluster` outlives it.
  Drain(std::string node, DrainOptions options, std::vector<DrainPod> pods, DrainCluster& cluster);
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;

  // To be called once, and first.
  void begin(Time now);
  // The pod is gone. Any pod may be told of.
  void pod_gone(Time now, std::string_view namespace_name, std::string_view name);
  // Somebody interrupts it, unless it is over.
  void stop(Time now);

  // When it tries again, or gives up; nothing: only the end of a pod changes anything.
  std::optional<Time> next() const;
  void run_due(Time now);

  Outcome outcome() const { return outcome_; }
  bool over() const { return outcome_ != Outcome::kUnderWay; }
  const std::string& node() const { return node_; }
  const DrainOptions& options() const { return options_; }
  const std::vector<Pod>& pods() const { return pods_; }
  Time began() const { return began_; }
  Time ended() const { return ended_; }                  // if it is over
  const std::string& message() const { return error_; }  // kubectl's error; empty: none

 private:
  static constexpr Time kRetryDelay = std::chrono::seconds(5);

  void ask(Time now, Pod& pod);
  void fail(Pod& pod, std::string error);
  void end_if_done(Time now);
  void end(Time now, Outcome outcome);
  // Nothing: it waits for ever.
  std::optional<Time> deadline() const;

  const std::string node_;
  const DrainOptions options_;
  DrainCluster& cluster_;
  std::vector<Pod> pods_;
  Outcome outcome_ = Outcome::kUnderWay;
  bool asking_ = false;  // within ask(): it does not end there
  Time began_{}, ended_{};
  std::vector<std::string> errors_;  // of pods, in the order in which they came
  std::string error_;
};

}  // namespace berth::controllers
