#pragma once

// The binding cycles of some pods: PreBind, Bind and PostBind, one call of each hook for all pods
// of a profile, because a call over many pods costs as much as one over few.
//
// A batch has two halves. `gather`, on the thread that owns the model, asks pre_flight and copies
// all columns that the hooks declare. `run`, on any thread, calls the hooks over these copies; of
// the model it reads nothing but texts of strings, which any thread may (Strings). What hooks and
// sink answered stays in the batch until the thread that owns the model takes it. A batch undoes
// nothing: see Binder.
//
// One thread at a time; who passes a batch on orders the accesses.
//
// Source: kube-scheduler schedule_one.go bindingCycle.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/binding/binding_sink.h"
#include "engine/binding/completion.h"
#include "engine/binding/placement_observer.h"
#include "engine/framework/decision/extenders.h"
#include "engine/framework/decision/point_watch.h"
#include "engine/framework/evaluation/decision_context.h"
#include "engine/host/faults/in_plugin.h"
#include "engine/host/run/moment.h"

namespace berth::binding {

// A pod that is to be bound to the node on which it counts.
struct Bindable {
  model::PodId pod;
  framework::Profile* profile = nullptr;
  std::unique_ptr<PreBindWait> wait{};  // null: its binding cycle begins
  uint64_t skips = 0;                   // see skipped_pre_binds()
  uint64_t number = 0;                  // see Binding; 0: only PostBind runs
  bool announced = false;               // its node was announced before
};

// The rules of binding in which versions differ.
struct BindingRules {
  bool announces = false;  // who has something to pre-bind is found before: see Completion
  bool overlaps = false;   // PreBind hooks that may work at the same time do
};

// The PreBind hooks that are not called for the pod of the decision: a bit for each of the first
// kSkippable.
inline constexpr size_t kSkippable = 64;
uint64_t skipped_pre_binds(const framework::DecisionContext& cycle);

class BindingBatch {
 public:
  static constexpr size_t kMostPods = 256;

  // The way in which `gather` copies. A batch that runs at once may have views of the model's
  // columns; one that is handed over may not.
  enum class Columns : uint8_t { kViews, kCopies };

  // Both outlive the batch. `observed`: whether calls are noted for take_calls().
  BindingBatch(model::Cluster& cluster, bool observed) : cluster_(cluster), observed_(observed) {}

  // [model] Starts over with these pods, in the order of the decisions; takes their `wait`s.
  // Precondition: kMostPods of them at most; they count on nodes, which may be gone.
  void gather(std::span<Bindable> pods, Columns columns, host::CallContext& calls);

  // Runs the binding cycles: their bindings are at the sink afterwards. `sink` and `extenders` may
  // be null; with extenders, on the thread that owns the model and right after `gather`. Throws
  // Error if the sink does.
  void run(BindingSink* sink, framework::Extenders* extenders, host::CallContext& calls);

  // Called by a Bind plugin within `run`: records that the pods are bound to these nodes. False if
  // a handle is not that of a pod of the batch; the pods before it are recorded.
  bool write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes);

  // Appends the pods in the order of `gather`, also while the batch runs. [model]
  void append_pods(std::vector<model::PodId>& to) const {
    for (const Placement& one : placements_) to.push_back(one.pod);
  }
  // The completions of the pods, in the order of `gather`. The caller may move them away.
  std::vector<Completion>& completions() { return completions_; }
  // The calls of hooks, in order, if the batch is observed. [model]
  std::span<const PlacementCall> calls() const { return calls_made_; }

  // Tells `points` how long the points of each pod took. Bind ends when the binding is at the sink;
  // that of a binding which is under way is told by who takes the answer. [model]
  void tell_points() const;

  // Set before `run`; outlives `run` and tell_points(). Null: no point is timed.
  framework::PointWatch* points = nullptr;
  bool timed = false;   // whether the calls of hooks are to be timed
  BindingRules rules;   // set before `gather`
  host::Moment moment;  // of the calls

 private:
  using Mask = std::array<uint64_t, kMostPods / 64>;  // a bit for each position

  struct Placement {
    model::PodId pod;
    model::StringId namespace_name = 0, name = 0, uid = 0, node = 0;
    model::StringId written_to = 0;         // the node that a plugin bound it to; 0: not yet
    const std::string* bound_by = nullptr;  // the plugin or the extender
  };
  // When the points of a group began and ended; 0 where nobody watches.
  struct Times {
    Time flight_begins{}, flight_ends{};
    Time pre_bind_begins{}, pre_bind_ends{}, bind_begins{}, post_bind_begins{}, post_bind_ends{};
  };
  // The pods of one profile. Positions of a call are positions here.
  struct Group {
    framework::Profile* profile = nullptr;
    std::vector<uint32_t> members;                 // indices into placements_
    std::vector<const model::PodRecord*> records;  // only until `gather` returns, or `run` at once
    std::vector<std::unique_ptr<PreBindWait>> wait;  // by position; null: it did not wait
    std::vector<uint64_t> skipped;                   // by position: Bindable::skips
    Mask open{};                                     // not failed, not bound, not waiting
    Mask held{};                                     // of those, a PreBind hook waits
    Times times;
    Mask pre_bound{}, reached_bind{};  // the points were asked about them; where somebody watches
    Mask flown{};                      // PreBindPreFlight is a point, and was asked about them here
    Mask grounded{};                   // of those, a plugin failed there
    // By hook of the point.
    std::vector<Mask> skips;  // PreBind
    std::vector<framework::CallColumns> pre_bind, bind, post_bind;
  };

  Time now() const { return points == nullptr ? Time{} : points->now(); }
  void tell_points(const Group& group, size_t position) const;
  void start(std::span<Bindable> pods);
  host::AboutPod first_pod(const Group& group) const;
  Group& group_of(framework::Profile* profile);
  void gather(Group& group, Columns columns, host::CallContext& calls);
  static bool skip_unconcerned(Group& group, size_t hook);
  void ask_pre_flight(Group& group, size_t hook, host::CallContext& calls);
  void note_work(const Group& group);
  void tell_flight(const Group& group, size_t position) const;
  void pre_bind(Group& group, host::CallContext& calls);
  void pre_bind(Group& group, size_t hook, host::CallContext& calls);
  bool begins_step(const Group& group, size_t hook) const;
  static void hold_those_not_due(Group& group);
  static bool asks(const Group& group, size_t position, size_t hook);
  void hold(Group& group, size_t position, size_t hook);
  void leave_held(Group& group, size_t hook);
  void bind_by_extenders(Group& group, framework::Extenders& extenders);
  void bind(Group& group, host::CallContext& calls);
  void post_bind(Group& group, host::CallContext& calls);
  void write_to_sink(BindingSink& sink);
  void take_answer(uint32_t pod, const BindAnswer& answer);
  Time bind_begins_of(uint32_t pod) const;
  bool is_bound(size_t pod) const {
    return completions_[pod].outcome == Completion::Outcome::kBound;
  }
  bool is_told(size_t pod) const { return completions_[pod].outcome == Completion::Outcome::kTold; }
  static berth_call call(const framework::CallColumns& columns, const Group& group,
                         const Mask& mask);
  // Fails or refuses the pods of `mask` by their codes, or fails all of them if the call failed.
  // Returns the positions that stay.
  Mask fail(Group& group, const Mask& mask, const char* point, const std::string& plugin,
            const host::CallError& error, const host::CallContext& calls);
  void fail(uint32_t pod, std::string message);
  // `error`: null for calls without an answer.
  void note(const Group& group, const Mask& mask, PlacementCall::Point point,
            std::string_view plugin, const host::CallError* error);

  model::Cluster& cluster_;  // in `run` only for texts
  const bool observed_;
  std::vector<Placement> placements_;  // in the order of the decisions
  std::vector<Completion> completions_;
  std::vector<Group> groups_;  // the first `used_groups_` are of this batch
  size_t used_groups_ = 0;
  std::vector<model::Row> rows_;
  std::vector<uint8_t> codes_;
  std::vector<int64_t> waited_, again_;  // nanoseconds, by position
  std::vector<PlacementCall> calls_made_;
  Time bound_at_{};    // the bindings are at the sink
  size_t cursor_ = 0;  // where `write` looks first
};

}  // namespace berth::binding
