#pragma once

// Plays a plan: operation by operation, with what churns and is deleted beside them at its planned
// times.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/scheduler_perf/scheduler_perf_plan.h"
#include "loadgen/write/template_book.h"

namespace berth::loadgen::scheduler_perf {

class PerfLoad : public Load {
 public:
  PerfLoad(Plan plan, std::string note);

  bool next(LoadStep& step) override;
  std::string note() const override { return note_; }

 private:
  // A pod with all that its namesakes share.
  struct Prepared {
    PodSample sample;
    TemplateBook::Entry entry;
    bool stays = false;  // once deleted it is terminating, and nobody takes it away
  };

  // Pods of one operation, as far as they were made.
  struct Run {
    const PlanOp* op = nullptr;
    uint64_t first = 0;  // number of the first pod
    int64_t made = 0;
    std::shared_ptr<const Prepared> prepared;  // null: each is its own
    std::vector<bool> deleted;                 // empty: none
  };

  // What goes on beside the operations.
  struct Churn {
    const PlanOp* op = nullptr;
    int64_t ticks = 0;
    // By template, what its objects are called; "": there is none.
    std::vector<std::vector<std::string>> names;
  };
  struct Deletion {
    const PlanOp* op = nullptr;
    std::vector<std::pair<size_t, int64_t>> runs;  // and how many pods of each there are
    size_t run = 0;
    int64_t pod = 0;
  };
  struct Timer {
    Nanoseconds due{0};
    Nanoseconds interval{0};
    std::unique_ptr<Churn> churn;  // one of them is set
    std::unique_ptr<Deletion> deletion;
  };

  // Puts into the step what is due.
  void tick(Timer& timer, LoadStep& step);
  void tick_churn(Churn& churn, LoadStep& step);
  // Its name; nothing: there is one of that name already.
  std::optional<std::string> create(const PlanOp& op, AnySample sample, LoadStep& step);
  void remove(const PlanOp& op, const AnySample& sample, const std::string& name, LoadStep& step);
  bool delete_next(Deletion& deletion, LoadStep& step);  // false: there is no further pod
  bool is_over(const Timer& timer) const;
  Timer* earliest();

  void play(LoadStep& step);  // the operation at hand, or a part of it
  void advance();             // to the next operation
  void create_nodes(LoadStep& step);
  void create_namespaces(LoadStep& step);
  void create_pods(LoadStep& step);
  void create_any(LoadStep& step);
  void begin_run();  // of the pods of the operation at hand
  void add_next_pod(LoadStep& step);
  void delete_pods(LoadStep& step);
  void start_churn(LoadStep& step);
  void wait();  // until a timer is due, or the operation is over

  Nanoseconds planned_of(int64_t pod) const;  // of the operation at hand
  std::shared_ptr<const Prepared> prepare(PodSample sample, LoadStep& step);
  std::shared_ptr<const Prepared> prepared_of(Run& run, int64_t pod, LoadStep& step);
  // The label that upstream gives each pod of createPods that has a template.
  static model::StringMap own_labels(const PlanOp& op, int64_t pod);
  bool take_name(const Naming& naming, const std::string& where);  // false: somebody has it
  void add_pod(const Prepared& pod, const std::string& namespace_name, const std::string& name,
               const model::StringMap& labels, LoadStep& step);
  void remove_pod(const Prepared& pod, const std::string& namespace_name, const std::string& name,
                  model::StringMap labels, LoadStep& step);
  std::string add_node(NodeSample sample, bool with_hostname, LoadStep& step);
  void add_namespace(const std::string& name, model::StringMap labels, LoadStep& step);
  void add_selector_owner(model::SelectorOwner set, LoadStep& step);
  std::unique_ptr<Deletion> list_pods() const;
  bool is_selected(const PlanOp& deletion, Run& run, int64_t pod, LoadStep& step);
  bool fits_any_node(const model::PodSpec& pod) const;

  const PlanOp& op() const { return plan_.ops[at_]; }

  Plan plan_;
  std::string note_;

  size_t at_ = 0;     // the operation at hand
  int64_t done_ = 0;  // of its objects
  bool begun_ = false;
  bool collecting_ = false;
  bool anything_came_ = false;  // a pod or an event: from then on nodes come as events
  Nanoseconds now_{0};
  Nanoseconds began_{0};  // the operation at hand
  Nanoseconds until_{0};  // what it waits for
  std::deque<Timer> timers_;

  TemplateBook book_;
  StepPods pods_;
  std::deque<Run> runs_;
  uint64_t next_node_ = 0, next_pod_ = 0, next_object_ = 0;
  std::set<std::string> namespaces_;
  std::set<std::string> fixed_names_;  // of pods and nodes that are not numbered
  std::vector<model::Node> shapes_;    // a node of each operation that makes some
};

}  // namespace berth::loadgen::scheduler_perf
