#pragma once

// The pods of a load: their templates, and which of them exist. Internal to the player of
// scheduler_perf.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"
#include "loadgen/write/template_numbers.h"

namespace berth::loadgen::scheduler_perf {

// A pod spec that is prepared once for all pods of a kind.
struct PreparedPod {
  PodSample sample;
  TemplateNumbers::Template entry;
  bool stays = false;  // has a finalizer or a grace period: once deleted, it stays in the state
                       // terminating
};

// The facts in which a pod differs from others of its template.
struct OwnParts {
  model::StringMap labels;
  std::vector<std::string> claims;
};

// The label that upstream adds to pods of a createPods operation with a template, and the claim
// that it makes for them.
OwnParts own_parts(const PlanOp& op, int64_t pod);

// The pods of one operation that exist so far.
struct PodRun {
  const PlanOp* op = nullptr;
  uint64_t first = 0;  // number of the first pod
  int64_t made = 0;
  std::shared_ptr<const PreparedPod> prepared;  // null: every pod has a spec of its own
  std::vector<bool> deleted;                    // empty: none is deleted

  // The name of the pod-th pod. `naming`: of its sample.
  std::string name(const Naming& naming, int64_t pod) const;
};

// Makes templates of pods.
class PodTemplates {
 public:
  // Throws Error if an object of the plan is malformed.
  explicit PodTemplates(const Plan& plan);

  // Return the template, which is defined in `step` if it is new. Throw Error as
  // TemplateNumbers::find_or_define() and PlanOp::pod() do.
  std::shared_ptr<const PreparedPod> prepare(PodSample sample, LoadStep& step);
  std::shared_ptr<const PreparedPod> prepare(PodRun& run, int64_t pod, LoadStep& step);
  // Leaves out the node, and volumes if the load has none.
  TemplateNumbers::Template define(model::PodSpec spec, LoadStep& step);

 private:
  bool fits_any_node(const model::PodSpec& pod) const;

  bool volumes_;
  std::vector<model::Node> shapes_;  // a node of each operation that makes some
  TemplateNumbers numbers_;
};

// A pod as updateAny left it. Node and volumes are those of the template.
struct UpdatedPod {
  PodSample sample;
  OwnParts own;
};

// The pods that operations have created.
class CreatedPods {
 public:
  // Index of a run, and the number of its pods at the time of the call.
  using Extent = std::pair<size_t, int64_t>;

  // Begins the run of an operation. `first`: number of the first pod.
  void begin(const PlanOp& op, uint64_t first) { runs_.push_back({&op, first, 0, nullptr, {}}); }
  // References stay valid.
  PodRun& last() { return runs_.back(); }
  PodRun& run(size_t index) { return runs_[index]; }
  std::vector<Extent> in_namespace(const std::string& name) const;

  // The pod of that name in the namespace of `op`. Throws Error if no operation created it. The
  // search in a run begins at `guess`. Requires: guess >= 0.
  UpdatedPod current(const PlanOp& op, const std::string& name, int64_t guess) const;
  void update(const std::string& namespace_name, const std::string& name, UpdatedPod pod);

 private:
  std::deque<PodRun> runs_;
  std::map<std::pair<std::string, std::string>, UpdatedPod> updated_;  // by namespace and name
};

}  // namespace berth::loadgen::scheduler_perf
