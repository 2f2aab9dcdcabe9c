#pragma once

// Plays a Plan. Operations run one after the other. Churn and gradual deletion run beside them:
// each is a Timer, and its ticks are merged with the operations by planned time.
//
// Each step of the load comes either from the earliest timer that is due or from the current
// operation (op(), begun_, done_). An operation that waits (sleep, barrier, deletePods without
// skipWaitToCompletion) advances now_ to the next timer. Pods created by an operation are recorded
// as a Run and not one by one, because names and specs can be rebuilt from their numbers.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"
#include "loadgen/write/template_numbers.h"

namespace berth::loadgen::scheduler_perf {

inline constexpr Nanoseconds kSecond{1'000'000'000};

class PerfLoad : public Load {
 public:
  PerfLoad(Plan plan, std::string note);

  bool next(LoadStep& step) override;
  std::string note() const override { return note_; }

 private:
  // A pod spec that is prepared once for all pods of a kind.
  struct Prepared {
    PodSample sample;
    TemplateNumbers::Template entry;
    bool stays = false;  // has a finalizer or a grace period: once deleted, it stays in the state
                         // terminating
  };

  // The pods of one createPods operation that exist so far.
  struct Run {
    const PlanOp* op = nullptr;
    uint64_t first = 0;  // number of the first pod
    int64_t made = 0;
    std::shared_ptr<const Prepared> prepared;  // null: every pod has a spec of its own
    std::vector<bool> deleted;                 // empty: none is deleted
  };

  // A churn operation in progress.
  struct Churning {
    const PlanOp* op = nullptr;
    const Churn* churn = nullptr;
    int64_t ticks = 0;
    // Names of the existing objects, by template; "" means that there is none.
    std::vector<std::vector<std::string>> names;

    bool is_over() const;
  };
  // A deletePods operation in progress.
  struct Deletion {
    const PlanOp* op = nullptr;
    const DeletePods* pods = nullptr;
    // Index into runs_, and number of pods at the start of the deletion.
    std::vector<std::pair<size_t, int64_t>> runs;
    size_t run = 0;
    int64_t pod = 0;

    bool is_over() const;
  };
  struct Timer {
    Nanoseconds due{0};
    Nanoseconds interval{0};
    std::variant<Churning, Deletion> work;
  };
  // What a pod has that others of its template have otherwise.
  struct Own {
    model::StringMap labels;
    std::vector<std::string> claims;
  };
  // A pod as updateAny left it.
  struct Updated {
    PodSample sample;
    Own own;
  };

  // Performs the timer's work in `step` and plans the next tick.
  void tick(Timer& timer, LoadStep& step);
  // `interval`: of the timer.
  void work(Churning& churning, Nanoseconds interval, LoadStep& step);
  void work(Deletion& deletion, Nanoseconds interval, LoadStep& step);
  // Returns the object's name, or nullopt if an object of that name exists.
  std::optional<std::string> create(const PlanOp& op, AnySample sample, LoadStep& step);
  void remove(const PlanOp& op, const AnySample& sample, const std::string& name, LoadStep& step);
  bool delete_next(Deletion& deletion, LoadStep& step);  // false: no pod is left
  Timer* earliest();

  void play(LoadStep& step);  // the current operation, or part of it
  void play(const CreateNodes& nodes, LoadStep& step);
  void play(const CreateNamespaces& spaces, LoadStep& step);
  void play(const CreatePods& pods, LoadStep& step);
  void play(const CreatePodSets& sets, LoadStep& step);
  void play(const DeletePods& pods, LoadStep& step);
  void play(const Churn& churn, LoadStep& step);
  void play(const CreateAny& objects, LoadStep& step);
  void play(const UpdateAny& objects, LoadStep& step);
  void play(const Barrier& barrier, LoadStep& step);
  void play(const Sleep& sleep, LoadStep& step);
  void play(const StartCollecting& start, LoadStep& step);
  void play(const StopCollecting& stop, LoadStep& step);
  void play(const Missing& missing, LoadStep& step);
  void advance();  // proceeds to the next operation
  void update_next(bool resize, LoadStep& step);
  void update_pod(PodSample wanted, bool resize, LoadStep& step);
  Updated current(const std::string& name) const;
  bool counts();
  void begin_run();  // starts the run of the current operation's pods
  void add_next_pod(LoadStep& step);
  // Until a timer is due or `until`, when the operation is over. `for_pods`: the next one waits for
  // the pods that were created.
  void wait(Nanoseconds until, bool for_pods);
  // Proceeds to the next operation, which waits for the pods that were created.
  void advance_when_placed();

  Nanoseconds planned_of(int64_t pod) const;  // for the current operation
  std::shared_ptr<const Prepared> prepare(PodSample sample, LoadStep& step);
  std::shared_ptr<const Prepared> prepared_of(Run& run, int64_t pod, LoadStep& step);
  // The label that upstream adds to pods of a createPods operation with a template, and the claim
  // that it makes for them.
  static Own own_of(const PlanOp& op, int64_t pod);
  bool take_name(const Naming& naming, const std::string& where);  // false: the name is in use
  void add_pod(const Prepared& pod, const std::string& namespace_name, const std::string& name,
               const Own& own, LoadStep& step);
  void remove_pod(const Prepared& pod, const std::string& namespace_name, const std::string& name,
                  Own own, LoadStep& step);
  // Adds the object to the cluster, or as an event if anything came before.
  void add(model::Object object, LoadStep& step);
  std::string add_node(NodeSample sample, bool with_hostname, LoadStep& step);
  void add_namespace(const std::string& name, model::StringMap labels, LoadStep& step);
  // Returns the object's name, or nullopt if an object of that name exists.
  std::optional<std::string> create_storage(const PlanOp& op, StorageSample sample, LoadStep& step);
  void remove_storage(const PlanOp& op, StorageSample sample, const std::string& name,
                      LoadStep& step);
  void add_csi_node(model::CsiNode object, const std::string& node, LoadStep& step);
  // The volume and the claim of the next pod of the current operation, if it makes some.
  void add_claim_of(int64_t pod, LoadStep& step);
  Deletion list_pods(const DeletePods& pods) const;
  bool is_selected(const DeletePods& deletion, Run& run, int64_t pod, LoadStep& step);
  bool fits_any_node(const model::PodSpec& pod) const;

  const PlanOp& op() const { return plan_.ops[at_]; }  // index of the current operation

  Plan plan_;
  std::string note_;

  size_t at_ = 0;     // the operation at hand
  int64_t done_ = 0;  // of its objects
  bool begun_ = false;
  bool collecting_ = false;
  bool selected_came_ = false;  // pods that are measured were created since collecting began
  bool anything_came_ = false;  // a pod or an event was played: later nodes are events
  Nanoseconds now_{0};
  Nanoseconds began_{0};  // the operation at hand
  std::deque<Timer> timers_;

  TemplateNumbers template_numbers_;
  StepPods pods_;
  std::deque<Run> runs_;
  uint64_t next_node_ = 0, next_pod_ = 0, next_object_ = 0;
  std::set<std::string> namespaces_;
  std::set<std::string> fixed_names_;       // of pods and nodes that are not numbered
  std::map<std::string, int64_t> claimed_;  // number of claims of createPods, by namespace
  std::vector<model::Node> shapes_;         // a node of each operation that makes some
  std::map<std::pair<std::string, std::string>, Updated> updated_;  // by namespace and name
  bool awaits_pods_ = false;                                        // the next step does
};

}  // namespace berth::loadgen::scheduler_perf
