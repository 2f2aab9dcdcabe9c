#pragma once

// The binding cycle: PreBind, Bind and PostBind for pods that were assumed on their nodes.
//
// Pods are bound in batches, because a hook's call over many pods costs as much as one over few. A
// batch may hold pods of several profiles. They are grouped by profile for the hooks; the output
// (the sink's bindings, the completions) is in the order of the decisions again. The data of a
// completion is copied when the pod is added; the columns of the hooks are gathered in `flush`, on
// the thread that owns the model.
//
// A pod is refused when a PreBind hook refuses it. Its binding fails when a PreBind hook fails,
// when the extender that binds it fails, when a Bind hook fails, when all Bind hooks skip it, or
// when the binding cannot be written. The binder undoes nothing: the caller unreserves and takes
// the pod from its node, since that changes the model.
//
// Source: kube-scheduler schedule_one.go bindingCycle.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/binding/binding_sink.h"
#include "engine/binding/placement_observer.h"
#include "engine/framework/decision/extenders.h"
#include "engine/framework/hooks/profile.h"
#include "engine/host/instance/services.h"

namespace berth::binding {

// The result of one pod's binding cycle.
struct Completion {
  model::PodId pod;
  framework::Profile* profile = nullptr;
  enum class Outcome : uint8_t {
    kBound,
    kFailed,
    kRefused,   // by a PreBind plugin
    kLost,      // bound, and the answer was an error; see BindAnswer
    kLostSeen,  // the same
  } outcome = Outcome::kFailed;
  std::string message;     // of a failure or refusal
  std::string extender{};  // that is responsible for the binding; empty: the Bind plugins are
};

// Also the bindings service of plugins (berth/abi/host.h). One thread.
class Binder final : public host::BindingServices {
 public:
  static constexpr size_t kMostPods = 256;

  // All outlive it. `sink` may be null: then bindings are not written anywhere; and so may
  // `observer`.
  Binder(model::Cluster& cluster, BindingSink* sink, PlacementObserver* observer = nullptr)
      : cluster_(cluster), sink_(sink), observer_(observer) {}

  // Extenders are asked before the Bind plugins; they outlive the binder.
  void set_extenders(framework::Extenders* extenders) { extenders_ = extenders; }

  // Precondition: not full; the pod counts on a node, whether or not that exists, and it and the
  // node stay as they are until the next `flush`.
  void add(framework::Profile& profile, model::PodId pod);
  bool full() const { return pods_.size() >= kMostPods; }
  size_t size() const { return pods_.size(); }  // pods in the batch
  std::vector<model::PodId> pods() const;       // the same, in the order of `add`

  // Runs the binding cycle of the pods that were added since the last call: their bindings are at
  // the sink afterwards, and the batch stays. Throws Error if the sink fails: then completions are
  // lost, and the run cannot go on.
  void run(host::CallContext& calls);
  // The same, and ends the batch. Completions are in the order of `add`, valid until the next call.
  std::span<Completion> flush(host::CallContext& calls);

  // Called by plugins, within `flush`: records that the pods are bound to these nodes. False if a
  // handle is not that of a pod in the batch; the pods before it are recorded.
  bool write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) override;

 private:
  struct Placement {
    model::PodId pod;
    framework::Profile* profile = nullptr;
    model::Slot slot = 0;
    model::StringId namespace_name = 0, name = 0;
    model::StringId written_to = 0;         // the node that a plugin bound it to; 0: not yet
    const std::string* bound_by = nullptr;  // the plugin or the extender
  };
  // The pods of one profile. Positions of a call are positions here.
  struct Group {
    framework::Profile* profile = nullptr;
    std::vector<uint32_t> members;  // indices into pods_
    std::vector<const model::PodRecord*> records;
    std::vector<model::Row> rows;
  };
  using Mask = std::array<uint64_t, kMostPods / 64>;  // a bit for each position

  void group();
  void pre_bind(const Group& group, host::CallContext& calls);
  void bind_by_extenders(const Group& group);
  void bind(const Group& group, host::CallContext& calls);
  void post_bind(const Group& group, host::CallContext& calls);
  void write_to_sink();
  bool is_bound(size_t pod) const {
    return completions_[pod].outcome == Completion::Outcome::kBound;
  }
  template <typename Hook>
  berth_call call(Hook& hook, const Group& group, const Mask& mask);
  // Fails or refuses the pods of `mask` by their codes, or fails all of them if the call failed.
  // Returns the positions that stay.
  Mask fail(const Group& group, const Mask& mask, const char* point, const std::string& plugin,
            const host::CallError& error, const host::CallContext& calls);
  void fail(uint32_t pod, std::string message);
  void tell(const Group& group, const Mask& mask, PlacementCall::Point point,
            std::string_view plugin, const host::CallError* error);

  model::Cluster& cluster_;
  BindingSink* sink_;
  size_t ran_ = 0;  // pods whose cycle was run; the first of pods_
  framework::Extenders* extenders_ = nullptr;
  PlacementObserver* observer_;
  std::vector<Placement> pods_;  // in the order of the decisions
  std::vector<Group> groups_;    // the first `used_groups_` are of this batch
  size_t used_groups_ = 0;
  Mask open_{};  // of the group at hand: not failed, not bound
  std::vector<Completion> completions_;
  std::vector<uint8_t> codes_;
  size_t cursor_ = 0;  // where `write` looks first
  framework::CallColumns columns_;
};

}  // namespace berth::binding
