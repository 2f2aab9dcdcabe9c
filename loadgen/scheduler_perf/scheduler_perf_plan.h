#pragma once

// A workload of kube-scheduler's benchmark with all its parameters filled in: what happens, in
// which order.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/scheduler_perf/scheduler_perf_definition.h"
#include "loadgen/scheduler_perf/scheduler_perf_objects.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen::scheduler_perf {

// The settings beside the workload's own parameters: how many pods take a second of planned time.
inline constexpr char kPodsPerSecond[] = "podsPerSecond";
// And whether pods get the labels named signature that upstream gives them, most pods one of their
// own.
inline constexpr char kSignatureLabels[] = "signatureLabels";

// The templates of a definition, each read once.
class Templates {
 public:
  // `folder` is what paths are relative to.
  Templates(std::string folder, ReadFile read)
      : folder_(std::move(folder)), read_(std::move(read)) {}

  // Throws Error, with the place that names the template, if it cannot be read.
  std::shared_ptr<const ObjectTemplate> get(const TemplatePath& path);
  std::string resolve(const std::string& path) const;
  // The files of all templates that get() was asked for.
  std::vector<std::string> files() const;

 private:
  std::string folder_;
  ReadFile read_;
  std::map<std::string, std::shared_ptr<const ObjectTemplate>> templates_;  // by resolved path
};

struct PlanOp {
  const Op* op = nullptr;  // createPodSets are taken apart to createPods
  size_t index = 0;        // among the operations, as upstream counts
  int64_t count = 0;
  std::string namespace_name;                    // of pods, churn and objects
  std::shared_ptr<const ObjectTemplate> object;  // null: none is given
  std::vector<std::shared_ptr<const ObjectTemplate>> churned;
  TemplateValues values;
  int64_t signature_batch = 0;  // so many pods in a row have one signature; 0: none has any
  int64_t duration_ns = 0;
  bool makes_pods = false;  // createPods, and createAny of pods
  bool measured = false;    // pods of this operation are what is measured

  // One of the objects that it makes; `number` is below `count`. Throw Error for what is malformed.
  NodeSample node(int64_t number) const;
  PodSample pod(int64_t number) const;
  AnySample any(int64_t number) const;

  // The objects that stand for all: between them and the others there is no difference but names,
  // and labels of nodes. If these would be more than kMostKinds, the first and the last.
  static constexpr int64_t kMostKinds = 1024;
  std::vector<int64_t> kinds() const;
  bool has_too_many_kinds() const;

 private:
  TemplateValues values_of(int64_t number) const;
  bool varies_in_kind() const;
};

struct Plan {
  std::shared_ptr<const Definition> definition;  // what the operations point into
  std::vector<PlanOp> ops;
  int64_t pods_per_second = 1000;
  bool signature_labels = true;
  std::vector<std::string> missing;  // unique
  std::string settings;              // "initNodes=5 initPods=10 podsPerSecond=1000"
};

// Throws Error for what is malformed in templates, for settings that the workload does not have or
// that make no sense, and for operations that do not go together.
Plan make_plan(std::shared_ptr<const Definition> definition, const TestCase& test,
               const PerfWorkload& workload, const LoadSettings& settings, Templates& templates);

// The parameters that can be set, with their values.
std::map<std::string, std::string> parameters_of(const PerfWorkload& workload);

}  // namespace berth::loadgen::scheduler_perf
