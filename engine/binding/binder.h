#pragma once

// Binding of pods that were assumed on their nodes, in batches, on a thread of their own.
//
// The owner adds pods in the order of its decisions and calls `flush` at points that depend on its
// input alone: there completions count. Between two such points the binder hands pods over in
// batches of kHandOver or more, and the binding thread runs their binding cycles while the next
// pods are decided. So a run does not depend on timing: batches are cut by number, the thread runs
// them in their order, and what they answered is looked at in `flush` only, which waits for them.
//
//   add, add, ... (enough pods)     -> gather -> BindingThread -> PreBind, Bind, sink, PostBind
//   flush: hand over the rest, wait, completions in the order of `add`
//
// A batch may hold pods of several profiles. They are grouped by profile for the hooks; the output
// (the sink's bindings, the completions) is in the order of the decisions again, except that a pod
// that waits in PreBind is bound later than pods after it.
//
// Without a thread, `flush` gathers and runs one batch at once. That is how profiles bind that have
// no PostBind plugins and whose PreBind and Bind plugins say that they are quick: there is nothing
// to overlap with, and a hand-over adds copies, a wake-up, and at each `flush` a wait for a thread
// that may have no processor.
//
// Pods of which a PreBind hook belongs to the owner's thread (BERTH_PRE_BIND_ON_CYCLE) run at once
// in `flush`, and in no `run` before it, after the other pods: what the hook reads and writes is
// the model, so it depends on the time of the call.
//
// A pod is refused when a PreBind hook refuses it. Its binding fails when a PreBind hook fails,
// when the extender that binds it fails, when a Bind hook fails, when all Bind hooks skip it, or
// when the binding cannot be written. The binder undoes nothing: the caller unreserves and takes
// the pod from its node, since that changes the model. The caller also keeps pods for which a
// PreBind hook waits, and adds them again.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/binding/binding_batch.h"
#include "engine/binding/binding_sink.h"
#include "engine/binding/binding_thread.h"
#include "engine/binding/completion.h"
#include "engine/binding/placement_observer.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/run/moment.h"

namespace berth::binding {

// Also the bindings service of plugins (berth/abi/host.h). One thread calls it, except `write`.
class Binder final : public host::BindingServices {
 public:
  static constexpr size_t kMostPods = BindingBatch::kMostPods;
  // Pods of the first batch after a flush: enough that a call of a hook costs little for a pod, few
  // enough that the thread begins long before the owner waits. Each further batch has at least
  // twice the pods of all before it, so that plugins that sleep or wait for a server in each call
  // do so a few times for a flush.
  static constexpr size_t kHandOver = 32;

  // All outlive it. `sink` may be null: then bindings are not written anywhere; and so may
  // `observer`, which is told in `flush`.
  Binder(model::Cluster& cluster, BindingSink* sink, PlacementObserver* observer = nullptr)
      : cluster_(cluster), sink_(sink), observer_(observer) {}

  // True if the profile's pods bind without a thread.
  static bool is_quick(const framework::Profile& profile);

  // Extenders are asked before the Bind plugins; they outlive the binder. Precondition: they bind
  // only if there is no thread, since they belong to the caller's.
  void set_extenders(framework::Extenders* extenders);
  // The run's moment, which outlives the binder. In binding cycles its clock stands where the first
  // pod since the last flush was added, whatever the time of the call: so it does not depend on how
  // batches are cut.
  void set_moment(const host::Moment* moment) { moment_ = moment; }
  // Tells how long the points take, in `flush`, from now on; null: nobody. The watch outlives the
  // next call. Waits for the thread; throws what that threw.
  void time_points(framework::PointWatch* watch);
  // Those that hold from now on. To be called before pods are added.
  void set_rules(BindingRules rules) { rules_ = rules; }
  // Binds on a thread of its own from now on, which starts with the first batch.
  void use_thread();
  // Ends the thread. To be called before the plugins go; nothing can be bound afterwards.
  void stop() { thread_.reset(); }
  // The context of the binding thread's calls; null: there is no thread. In use except between
  // `run` or `flush` and the next `add`.
  host::CallContext* thread_calls() { return thread_calls_.get(); }

  // Adds a pod, and hands pods over if there are enough. `calls` is the owner's, for pre_flight.
  // Precondition: not full; the pod counts on a node, whether or not that exists. `wait`: of a pod
  // that goes on in PreBind. `skips`: skipped_pre_binds(); 0: all are asked. `announced`: see
  // Bindable.
  void add(framework::Profile& profile, model::PodId pod, host::CallContext& calls,
           std::unique_ptr<PreBindWait> wait = nullptr, uint64_t skips = 0, bool announced = false);
  // Runs PostBind for a pod whose binding was under way and is answered. Precondition: not full.
  // The pod stays until the next flush.
  void add_bound(framework::Profile& profile, model::PodId pod);
  bool full() const { return size() >= kMostPods; }
  // Pods that were added since the last flush.
  size_t size() const { return handed_over_ + pods_.size() + owned_.size(); }
  std::vector<model::PodId> pods() const;  // the same, in the order of `add`

  // Runs the binding cycles of the pods that were added, but for those of the owner's thread: their
  // bindings are at the sink afterwards, and no thread works. Throws Error if the sink fails: then
  // completions are lost, and the run cannot go on; so does each later call.
  void run(host::CallContext& calls);
  // Runs all, and takes what came of the pods, in the order of `add`, those of the owner's thread
  // last. Valid until the next call.
  std::span<Completion> flush(host::CallContext& calls);
  // Makes all bindings that were run visible to readers of the sink's output. Throws Error.
  void show() {
    if (sink_ != nullptr) sink_->flush();
  }
  // Returns when no thread works. To be called before strings of the model are retired.
  void wait() {
    if (thread_) thread_->wait();
  }

  // Called by Bind plugins, on the thread that runs them: records that the pods are bound to these
  // nodes. False if a handle is not that of a pod of their call, whose pods before it are recorded.
  bool write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) override;

 private:
  void begin_cycles();  // sets their moment, if these are the first pods since the last flush
  bool on_thread() const { return thread_calls_ != nullptr; }
  size_t next_hand_over() const { return std::max(kHandOver, 2 * handed_over_); }
  BindingBatch& next_batch();
  // Notes in `pod` the hooks of the owner's thread that have nothing to do; true if another has.
  bool is_owned(Bindable& pod, host::CallContext& calls);
  void hand_over(host::CallContext& calls);
  void run_at_once(std::vector<Bindable>& pods, host::CallContext& calls);
  void run_on_thread(BindingBatch& batch);

  model::Cluster& cluster_;
  BindingSink* sink_;
  framework::Extenders* extenders_ = nullptr;  // null: none binds
  BindingRules rules_;
  const host::Moment* moment_ = nullptr;  // null: that of the calls
  host::Moment cycles_moment_;            // of the pods since the last flush
  PlacementObserver* observer_;
  framework::PointWatch* points_ = nullptr;
  std::vector<Bindable> pods_;   // not handed over
  std::vector<Bindable> owned_;  // of the owner's thread
  framework::CallColumns columns_;
  uint64_t added_ = 0;      // calls of add()
  size_t handed_over_ = 0;  // pods of the first `used_` batches
  std::vector<std::unique_ptr<BindingBatch>> batches_;
  size_t used_ = 0;
  std::vector<Completion> completions_;
  std::unique_ptr<host::CallContext> thread_calls_;  // null: no thread
  // The batch that is being run. One thread at a time runs batches: the binding thread, or the
  // owner if there is none.
  BindingBatch* running_ = nullptr;
  std::exception_ptr failure_;           // of the sink, without a thread
  std::optional<BindingThread> thread_;  // last: it uses the others
};

}  // namespace berth::binding
