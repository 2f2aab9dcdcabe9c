#pragma once

// A plan: one workload of kube-scheduler's benchmark with all parameters resolved.
//
// From definition to plan: a TestCase lists operations with parameters ($initPods), a PerfWorkload
// gives values to the parameters, and make_plan() combines the two. It resolves every count, loads
// every template, replaces createPodSets by one createPods per namespace, and decides which pods
// are measured: those of operations with collectMetrics, and those created in the namespaces
// between startCollectingMetrics and stopCollectingMetrics. It also lists what the workload needs
// and the engine lacks (scheduler_perf_refusals.h). PerfLoad then plays the plan without errors
// from the definition.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/scheduler_perf/plan/scheduler_perf_objects.h"
#include "loadgen/scheduler_perf/read/scheduler_perf_definition.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen::scheduler_perf {

// Settings that every workload has in addition to its own parameters. podsPerSecond: the number of
// pods that arrive per second of planned time.
inline constexpr char kPodsPerSecond[] = "podsPerSecond";
// signatureLabels: whether pods get the label "signature" that upstream gives them. Upstream gives
// most pods a value of their own.
inline constexpr char kSignatureLabels[] = "signatureLabels";
// volumes: false leaves out all volumes, so that a workload that needs them runs without.
inline constexpr char kVolumes[] = "volumes";

// The templates of a definition. Each file is read once. Not thread-safe.
class Templates {
 public:
  // Paths are relative to `folder`.
  Templates(std::string folder, ReadFile read)
      : folder_(std::move(folder)), read_(std::move(read)) {}

  // Throws Error, with the place that mentions the template, if it cannot be read.
  std::shared_ptr<const ObjectTemplate> get(const TemplatePath& path);
  // The path relative to `folder`, normalised.
  std::string resolve(const std::string& path) const;
  // The files of all templates that get() was asked for.
  std::vector<std::string> files() const;

 private:
  std::string folder_;
  ReadFile read_;
  std::map<std::string, std::shared_ptr<const ObjectTemplate>> templates_;  // by resolved path
};

// A claim that a pod has for itself, and its volume.
struct OwnVolume {
  model::PersistentVolume volume;
  model::PersistentVolumeClaim claim;
};

// The claim that upstream makes for the number-th pod of an operation.
std::string claim_name(int64_t number);

// One operation with its parameters resolved.
struct PlanOp {
  const Op* op = nullptr;  // never createPodSets, which is split into createPods
  size_t index = 0;        // upstream's index of the operation
  int64_t count = 0;
  std::string namespace_name;                    // for pods, churn and objects
  std::shared_ptr<const ObjectTemplate> object;  // null: upstream's default object
  std::vector<std::shared_ptr<const ObjectTemplate>> churned;
  TemplateValues values;
  std::optional<OwnVolume> own_volume;  // createPods: that each pod gets
  // This many consecutive pods share a signature; 0: no signature label.
  int64_t signature_batch = 0;
  int64_t duration_ns = 0;
  bool makes_pods = false;  // createPods, or createAny of pods
  bool measured = false;    // its pods are part of the measurement

  // The number-th object of the operation. Requires: number < count; for node() a createNodes, for
  // pod() `makes_pods`, for any() a template. Throw Error if the rendered object is malformed.
  NodeSample node(int64_t number) const;
  PodSample pod(int64_t number) const;
  AnySample any(int64_t number) const;
  // The volume and the claim of the number-th pod, bound to each other. Requires: `own_volume`.
  OwnVolume volume_of(int64_t number) const;

  // Numbers of objects that represent all others: every object equals one of them, apart from names
  // and node labels. If more than kMostKinds would be needed, only the first and the last object
  // are returned; has_too_many_kinds() is then true.
  static constexpr int64_t kMostKinds = 16384;
  std::vector<int64_t> kinds() const;
  bool has_too_many_kinds() const;

 private:
  TemplateValues values_of(int64_t number) const;
  bool varies_in_kind() const;
};

// The whole workload.
struct Plan {
  std::shared_ptr<const Definition> definition;  // owns what the operations refer to
  std::vector<PlanOp> ops;
  int64_t pods_per_second = 1000;
  bool signature_labels = true;
  bool volumes = true;
  std::vector<std::string> missing;  // features it needs that the engine lacks; unique
  std::string settings;              // "initNodes=5 initPods=10 podsPerSecond=1000"
};

// Throws Error for malformed templates, for unknown or senseless settings, and for operations that
// contradict each other. If the workload needs missing features, errors in templates are ignored,
// because their files may not be available.
Plan make_plan(std::shared_ptr<const Definition> definition, const TestCase& test,
               const PerfWorkload& workload, const LoadSettings& settings, Templates& templates);

// The parameters that a user can set, with their default values.
std::map<std::string, std::string> parameters_of(const PerfWorkload& workload);

}  // namespace berth::loadgen::scheduler_perf
