#pragma once

// The core: one cluster, the profiles of one configuration at work on it, and one door.
//
// Whatever changes the cluster or the queue enters through `door` (door.h); `step` makes one
// decision; `settle` ends what is under way. What happened leaves through the report function that
// the caller gave, in order. Between calls the model is consistent and may be read. `berth run`,
// berth-bench, `evaluate` and `explain` are callers of this class and differ in where input comes
// from and where reports go.
//
// The core decides when rows are put in search order and when bindings count; callers do
// neither. PreBind, Bind and PostBind may run on a thread of their own (binding/binder.h). Bindings
// leave at the latest when their batch is full, when the queue is empty and the caller settles, and
// 100 ms after a decision, by the core's clock.
//
// Time. The core has a clock, which moves only when the caller says so: `advance_to`. What falls
// due on the way happens at its own time: pods that were deleted leave as their grace periods end,
// volumes are bound and provisioned, Permit timers fire, PreBind plugins that wait are called
// again, backoff ends at whole seconds, and every 30 seconds the queue looks for pods that wait for
// too long. A caller that plays input as fast as possible moves the clock by a fixed amount for
// each decision, and to `next_due` when there is nothing to decide, so a run depends on its input
// alone. A caller that follows the wall clock passes its time on.
//
// Scheduling writes bindings, evictions, statuses and objects of storage through the server port
// (server.h). Their results return at the door.
//
// One thread calls the core; the watchdog and the binding thread run beside it. What threads of
// plugins raise and wake (berth/abi/external.h) is taken before the next pod leaves the queue, and
// before the core says whether it has work.

#include <chrono>
#include <concepts>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/assert.h"
#include "engine/config/effective.h"
#include "engine/host/calls/checks/watchdog.h"
#include "engine/runtime/actors.h"
#include "engine/runtime/assembly.h"
#include "engine/runtime/audit.h"
#include "engine/runtime/clock.h"
#include "engine/runtime/door.h"
#include "engine/runtime/plugin_services.h"
#include "engine/runtime/scheduling/scheduler.h"
#include "engine/runtime/server.h"

namespace berth::runtime {

class KeptObjects;
class SecondOpinion;
struct OtherSettings;

struct CoreOptions {
  SchedulerOptions scheduler;
  host::WatchdogOptions deadlines;
  // The server that scheduling writes to; outlives the core. Null: bindings are accepted, and what
  // else is written is lost. Then nothing may be evicted.
  Server* server = nullptr;
  binding::PlacementObserver* observer = nullptr;  // outlives the core; may be null
  // The way in which nodes see images that several have; as kube-scheduler's cache unless single
  // decisions are compared with recorded ones.
  model::ImageRule image_rule = model::ImageRule::kCached;
  // Retires what pods and nodes left behind before every event, and not once it is worth it.
  // Decisions are the same, which tests show.
  bool retire_always = false;
  // When the core checks its own state; a fault ends the program with its description.
  AuditPace audits = kBuildsAuditPace;
  // Entries that the change log of the cluster holds, a power of two; 0: as many as a cluster has.
  size_t change_log = 0;
  // In the place of the configuration's extenders; outlives the core. Null: those.
  framework::Extenders* extenders = nullptr;
  // True if plugins that may take time in PreBind, Bind and PostBind run on a thread of their own,
  // while the next pods are decided. Decisions, reports and bindings are the same, which tests
  // show.
  bool binding_thread = true;
  // Plugins cannot write to columns: one that does ends the process, with the plugin's name.
  bool guard_columns = false;
  // Settings that can be asked what they would decide in the state of this core (Core::opinion).
  // Null: none. The core takes what it points to.
  OtherSettings* other = nullptr;
};

class Core {
 public:
  // Throws Error as `assemble` does. From here on a call of a plugin that does not return ends the
  // process, with the plugin's name.
  Core(
      config::Configuration configuration, Plugins& plugins, CoreOptions options = {},
      OnReport report = [](const Report&) {});
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core();

  // All changes of the cluster and of the queue enter there.
  Door& door() { return *door_; }
  const Door& door() const { return *door_; }
  // The strings of which actors have ids: they retain them.
  model::Strings& strings() { return cluster_.strings(); }
  model::LabelSelectors& label_selectors() { return cluster_.label_selectors(); }
  model::PodTemplates& templates() { return cluster_.templates(); }
  // The actor outlives the core's last call, and hears of what happens from now on.
  void join(Actor& actor) { actors_.join(actor); }
  // See actor.h. Has no effect if the actor is awake.
  void wake(Actor& actor) { actors_.wake(actor); }

  // The clock.
  Time now() const { return clock_.now(); }
  const Clock& clock() const { return clock_; }
  // It is `wall` now, or later, in nanoseconds since 1970. Else the clock begins in 2024.
  void has_seen(int64_t wall) {
    clock_.has_seen(wall);
    tell_time();
  }
  // Moves the clock. Precondition: `to` is not before now.
  void advance_to(Time to);
  // The next time, after now, at which something falls due; nothing if time alone changes nothing.
  std::optional<Time> next_due() const;

  // True if a pod can be tried now; pods that back off can when no pod is active.
  bool has_work();
  // True if a pod is active.
  bool has_active() const;
  // True while time alone brings more than another try of pods that wait for too long: pods back
  // off, or wait in Permit or PreBind, or an actor has something to do.
  bool unfinished() const;
  // True if an actor is going to remove pods.
  bool pods_leave() const { return actors_.removes_pods(); }

  // True if threads of plugins may say something.
  bool hears_threads() const { return services_.external.in_use(); }
  // True if they did, and has_work() may answer otherwise. To be asked where the caller sleeps.
  bool threads_said() const { return services_.external.waits(); }

  // Steps.
  //
  // Makes one decision; false if no pod can be tried now.
  bool step();
  // The halves of `step`, for histories in which something happens in between: takes the next pod
  // out of the queue; tries it. Precondition of attempt: `pop` returned the pod, which is still
  // there, and it was not tried since.
  std::optional<model::PodId> pop();
  void attempt(model::PodId pod);
  // The same after advance_to(now).
  bool step(Time now) {
    advance_to(now);
    return step();
  }
  // Decides all pods that can be tried now, and settles.
  void run_until_idle();
  // Binds what was decided and makes it visible. To be called where input ends.
  void settle();
  // Makes what was decided visible: the binding cycles run, and their bindings are written. What
  // follows from them (events, pods that go back to the queue) waits for `settle` or the next full
  // batch, so decisions do not depend on when this is called. To be called before the caller waits
  // for input.
  void publish();
  // Describes the first thing that is wrong with the state, whatever the pace of audits; empty:
  // nothing is. See audit.h.
  std::string fault() const;

  // Tells the keeper how long work takes, from now on; null: nobody. It outlives the core, or the
  // next call. Waits for the binding thread.
  void keep_time(Timekeeper* keeper) { scheduler_->keep_time(keeper); }
  // Takes reports from now on.
  void report_to(OnReport report) { report_ = std::move(report); }
  // Errors of input so far that contradicts itself or the model.
  Diagnostics& diagnostics() { return diagnostics_; }

  // Reads.
  const model::Cluster& cluster() const { return cluster_; }
  // The values of the column of that id (abi/columns.md), which comes into being when it is first
  // asked for. Valid until the model is next modified. Preconditions: there is such a column, and
  // it is not one of the pods table.
  berth_column column(std::string_view id) { return cluster_.view(cluster_.find_column(id)); }
  // Calls `search` with the model, in which it may take pods off their nodes, change labels of
  // nodes and add texts. It undoes what it changed of nodes and pods, which it tells nobody.
  template <std::invocable<model::Cluster&> Search>
  void try_changes(Search search) {
    const uint64_t placed = cluster_.placed_pods();
    search(cluster_);
    BERTH_ASSERT(cluster_.placed_pods() == placed);
  }
  // The cluster, with the rows of the node table in search order and of nodes that exist, as the
  // next decision would see them. Nodes that are removed and added again before the next snapshot
  // or decision keep their place, so taking one more can change later decisions: take one where
  // input begins or ends.
  const model::Cluster& snapshot() {
    cluster_.order_rows();
    return cluster_;
  }
  Scheduler& scheduler() { return *scheduler_; }
  const Scheduler& scheduler() const { return *scheduler_; }
  host::CallContext& calls() { return services_.calls; }
  host::HookTable& hooks() { return services_.hooks; }
  const host::Metrics& metrics() const { return services_.metrics; }
  const config::Configuration& configuration() const { return configuration_; }
  const Assembly& assembly() const { return assembly_; }
  // Of the other settings (second_opinion.h); null: there are none.
  SecondOpinion* opinion() { return opinion_.get(); }

 private:
  friend struct ModelAccess;  // tests
  static constexpr Time kLongestUnbound = std::chrono::milliseconds(100);

  // Precondition: the plugins are there, and no pod was handed to binding.
  void decide_where_to_bind(framework::Extenders* extenders, bool binding_thread);

  // Tells plugins. To be called where the clock moves.
  void tell_time() { services_.moment.now = clock_.wall(); }
  void run_due();
  void take_external();
  void settle_all();
  void catch_up() { actors_.catch_up(cluster_.volumes()); }

  config::Configuration configuration_;
  OnReport report_;
  Diagnostics diagnostics_;
  Clock clock_;
  model::Cluster cluster_;
  PluginServices services_{cluster_};
  framework::DecisionWatch* watch_;
  binding::Binder binder_;
  std::unique_ptr<KeptObjects> objects_;
  Assembly assembly_;  // before what it lives in goes
  std::unique_ptr<SecondOpinion> opinion_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<host::Watchdog> watchdog_;  // goes first: it looks at call contexts of the others
  Actors actors_;
  // Made when the scheduler is.
  std::optional<Audits> audits_;
  std::optional<Door> door_;
  std::optional<Time> unsettled_since_;  // the first decision that was not settled
};

}  // namespace berth::runtime
