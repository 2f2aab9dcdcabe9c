#include "loadgen/scheduler_perf/scheduler_perf_refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/text/typed_number.h"
#include "engine/model/objects/pod_requests.h"
#include "engine/model/selectors/label_selectors.h"

namespace berth::loadgen::scheduler_perf {
namespace {

// Feature gates that do not change decisions here, with the setting that is accepted.
struct MetGate {
  std::string_view gate;
  std::optional<bool> setting;  // nullopt: either
};
constexpr MetGate kMetGates[] = {
    // There is no API server and therefore no call to wait for.
    {"SchedulerAsyncAPICalls", std::nullopt},
    {"SchedulerAsyncPreemption", std::nullopt},  // workloads with preemption are refused
    // Hints decide when a pod is retried; workloads that need a retry are refused.
    {"SchedulerQueueingHints", std::nullopt},
    {"OpportunisticBatching", false},
    {"NodeDeclaredFeatures", false},
};

bool is_met(const std::string& gate, bool enabled) {
  return std::ranges::any_of(kMetGates, [&](const MetGate& met) {
    return met.gate == gate && met.setting.value_or(enabled) == enabled;
  });
}

constexpr char kRetries[] = "a queue that tries pods again";

// Pods made from one template: of an operation, or of one template of a churn.
struct PodGroup {
  size_t op = 0;
  std::string namespace_name;
  model::Labels namespace_labels;
  model::Labels labels;
  PodSample sample;

  bool gated() const { return !sample.pod.spec.scheduling_gates.empty(); }
  int32_t priority() const { return sample.pod.spec.priority.value_or(0); }
};

struct NodeGroup {
  size_t op = 0;
  model::Node node;
};

class Survey {
 public:
  explicit Survey(const Plan& plan) : selectors_(strings_) {
    for (const PlanOp& op : plan.ops) visit(op);
  }

  std::vector<std::string> take() {
    if (preempts()) missing_.emplace_back("preemption");
    if (std::ranges::any_of(pods_, [&](const PodGroup& pods) { return waits(pods); }))
      missing_.emplace_back(kRetries);
    return std::move(missing_);
  }

 private:
  void visit(const PlanOp& op) {
    switch (op.op->kind) {
      case OpKind::kCreateNodes:
        for (const int64_t i : kinds_of(op)) nodes_.push_back({op.index, op.node(i).node});
        return;
      case OpKind::kCreatePods:
        for (const PodSample& sample : samples_of(op)) add(op, sample);
        return;
      case OpKind::kCreateNamespaces:
        namespaces_.push_back(
            {op.op->prefix + "-", op.count,
             op.object ? op.object->namespace_object().labels : model::StringMap()});
        return;
      case OpKind::kCreateAny:
        for (const int64_t i : kinds_of(op)) add(op, [&] { return op.any(i); });
        return;
      case OpKind::kChurn:
        for (const auto& object : op.churned) add(op, [&] { return object->any({}, true); });
        churns_.push_back(op.namespace_name);
        return;
      case OpKind::kDeletePods:
        if (std::ranges::find(churns_, op.namespace_name) != churns_.end())
          missing_.emplace_back("deletePods among the pods of a churn");
        return;
      default:
        return;
    }
  }

  std::vector<int64_t> kinds_of(const PlanOp& op) {
    if (op.has_too_many_kinds())
      missing_.push_back(
          fmt::format("objects of one operation that .Index makes differ in more than their names, "
                      "more than {} of them",
                      PlanOp::kMostKinds));
    return op.kinds();
  }

  // Cached, because splitting createPodSets repeats the same Op.
  const std::vector<PodSample>& samples_of(const PlanOp& op) {
    const auto [at, fresh] = samples_.try_emplace(std::pair(op.op, op.count > 0));
    if (fresh)
      for (const int64_t i : kinds_of(op)) at->second.push_back(op.pod(i));
    return at->second;
  }

  // The labels given by the operation that creates the namespace. A namespace that only pods
  // mention has only its name as label.
  model::Labels labels_of(const std::string& namespace_name) {
    model::StringMap labels;
    for (const Namespaces& made : namespaces_) {
      if (!namespace_name.starts_with(made.prefix)) continue;
      const std::string number = namespace_name.substr(made.prefix.size());
      if (!whole_number_problem(number, 0, kMostObjects).empty()) continue;
      if (std::stoll(number) < made.count) labels = made.labels;
    }
    labels.emplace_back("kubernetes.io/metadata.name", namespace_name);
    std::ranges::sort(labels);
    return model::intern_labels(strings_, labels);
  }

  void add(const PlanOp& op, PodSample sample) {
    for (const std::string& missing : sample.missing) missing_.push_back(missing);
    PodGroup pods{op.index, op.namespace_name, labels_of(op.namespace_name), {}, {}};
    pods.labels = model::intern_labels(strings_, sample.pod.spec.labels);
    pods.sample = std::move(sample);
    pods_.push_back(std::move(pods));
  }

  template <typename Make>
  requires std::is_invocable_v<Make>
  void add(const PlanOp& op, Make make) {
    try {
      AnySample sample = make();
      if (auto* node = std::get_if<NodeSample>(&sample))
        nodes_.push_back({op.index, std::move(node->node)});
      if (auto* pod = std::get_if<PodSample>(&sample)) add(op, std::move(*pod));
    } catch (const UnknownKind& error) {
      missing_.push_back(error.message());
    }
  }

  // True if kube-scheduler could preempt: a pod has a higher priority than another and fits an
  // empty node.
  bool preempts() const {
    const auto lowest = std::ranges::min_element(pods_, {}, &PodGroup::priority);
    return std::ranges::any_of(pods_, [&](const PodGroup& pods) {
      return pods.priority() > lowest->priority() && !pods.gated() &&
             pods.sample.pod.spec.preemption_policy != "Never" &&
             std::ranges::any_of(nodes_, [&](const NodeGroup& nodes) {
               return fits_empty_node(pods.sample.pod.spec, nodes.node);
             });
    });
  }

  // True if the pods fit no node when they arrive, but fit one that is added later.
  bool waits(const PodGroup& pods) {
    if (pods.gated()) return false;
    bool before = false, after = false;
    for (const NodeGroup& nodes : nodes_)
      if (fits_empty_node(pods.sample.pod.spec, nodes.node))
        (nodes.op < pods.op ? before : after) = true;
    if (!before && after) return true;
    const auto& affinity = pods.sample.pod.spec.affinity.pod_affinity;
    return affinity && std::ranges::any_of(affinity->required, [&](const auto& term) {
             return waits_for_others(term, pods);
           });
  }

  bool waits_for_others(const model::PodAffinityTerm& term, const PodGroup& pods) {
    const model::LabelSelectors::Handle selector = selectors_.of(term.label_selector);
    const model::LabelSelectors::Handle namespaces = selectors_.of(term.namespace_selector);
    const auto matches = [&](const PodGroup& other) {
      const bool listed =
          std::ranges::find(term.namespaces, other.namespace_name) != term.namespaces.end();
      const bool own = term.namespaces.empty() && !term.namespace_selector &&
                       pods.namespace_name == other.namespace_name;
      return (listed || own || selectors_.matches(namespaces, other.namespace_labels)) &&
             selectors_.matches(selector, other.labels);
    };
    if (matches(pods)) return false;  // the first pod of a group may go anywhere
    bool later = false;
    for (const PodGroup& other : pods_) {
      if (other.op == pods.op || other.gated() || !matches(other)) continue;
      if (other.op < pods.op) return false;
      later = true;
    }
    return later;
  }

  struct Namespaces {
    std::string prefix;
    int64_t count = 0;
    model::StringMap labels;
  };

  model::Strings strings_;
  model::LabelSelectors selectors_;
  std::map<std::pair<const Op*, bool>, std::vector<PodSample>> samples_;
  std::vector<PodGroup> pods_;
  std::vector<NodeGroup> nodes_;
  std::vector<Namespaces> namespaces_;
  std::vector<std::string> churns_;  // namespaces of churn operations
  std::vector<std::string> missing_;
};

}  // namespace

std::vector<std::string> missing_settings(const TestCase& test, const PerfWorkload& workload) {
  std::vector<std::string> missing;
  for (const auto& [gate, enabled] : workload.feature_gates)
    if (!is_met(gate, enabled)) missing.push_back(fmt::format("feature gate {}={}", gate, enabled));
  for (const std::string& setting : test.missing) missing.push_back(setting);
  for (const Op& op : test.ops)
    for (const std::string& needed : op.missing) missing.push_back(needed);
  return missing;
}

std::vector<std::string> missing_in(const Plan& plan) { return Survey(plan).take(); }

bool fits_empty_node(const model::PodSpec& pod, const model::Node& node) {
  const auto allocatable = [&](std::string_view resource) {
    for (const auto& [name, amount] : node.allocatable)
      if (name == resource) return model::resource_amount(name, amount);
    return int64_t{0};
  };
  if (allocatable("pods") < 1) return false;
  const model::ResourceList requests = model::pod_requests(pod).requests;
  return std::ranges::all_of(requests, [&](const auto& request) {
    return model::resource_amount(request.first, request.second) <= allocatable(request.first);
  });
}

}  // namespace berth::loadgen::scheduler_perf
