#include "loadgen/scheduler_perf/read/scheduler_perf_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "loadgen/workload/fields/fields.h"
#include "loadgen/workload/fields/strict_fields.h"

namespace berth::loadgen::scheduler_perf {
namespace {

using document::Kind;
using document::Value;

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

// Converts "$name" to "name". Other texts are reported.
std::string parameter(StrictFields& in, std::string_view name) {
  const std::string text = in.text(name);
  if (text.empty()) return text;
  if (text.size() > 1 && text.front() == '$') return text.substr(1);
  in.report(in.at(name), fmt::format("{} must name a parameter, such as $initPods", name));
  return {};
}

Amount amount(StrictFields& in, const std::string& name, int64_t otherwise = 0) {
  Amount result;
  const std::string parameter_field = name + "Param";
  result.value = in.integer(name, 0, kMostObjects).value_or(otherwise);
  result.parameter = parameter(in, parameter_field);
  result.where = in.at(result.parameter.empty() ? name : parameter_field);
  if (!result.where.present()) result.where = in.value();
  return result;
}

TemplatePath path(StrictFields& in, std::string_view name) {
  const Value where = in.at(name);
  return {in.text(name), where};
}

std::optional<std::string> namespace_of(StrictFields& in) {
  if (!in.at("namespace").present()) return std::nullopt;
  return in.text("namespace");
}

std::map<std::string, Value> template_values(StrictFields& in) {
  std::map<std::string, Value> result;
  const Value values = in.at("templateParams");
  if (values.present() && !values.is(Kind::kObject)) {
    in.report(values, "templateParams must be an object of names and values");
    return result;
  }
  for (const document::Member& member : values.members())
    result[std::string(member.key)] = member.value;
  return result;
}

// Upstream makes a CSINode for each node of the strategy, also if it names no drivers.
model::CsiNode csi_node(StrictFields& in, Diagnostics& diagnostics) {
  model::CsiNode result;
  const Value drivers = in.at("csiNodeAllocatable");
  if (drivers.present() && !drivers.is(Kind::kObject))
    in.report(drivers, "csiNodeAllocatable must be an object of drivers and their limits");
  for (const document::Member& member : drivers.members()) {
    model::CsiNode::Driver driver{std::string(member.key), std::nullopt, {}};
    if (!member.value.is(Kind::kNull)) {
      StrictFields limits(member.value, "the limits of a driver", diagnostics);
      driver.count = limits.integer("count", 0, kMost);
      limits.finish();
    }
    result.drivers.push_back(std::move(driver));
  }
  std::ranges::sort(result.drivers, {}, &model::CsiNode::Driver::name);
  result.migrated_plugins = fmt::format("{}", fmt::join(in.texts("migratedPlugins"), ","));
  return result;
}

void read_allocatable_strategy(StrictFields& op_in, CreateNodes& nodes, Diagnostics& diagnostics) {
  const Value value = op_in.at("nodeAllocatableStrategy");
  if (!value.present()) return;
  StrictFields in(value, "nodeAllocatableStrategy", diagnostics);
  for (const auto& [resource, text] : in.text_map("nodeAllocatable")) {
    if (const std::optional<model::Quantity> amount = model::Quantity::parse(text)) {
      nodes.allocatable.emplace_back(resource, *amount);
    } else {
      in.report(in.at("nodeAllocatable").find(resource),
                fmt::format("\"{}\" is no quantity", text));
    }
  }
  nodes.csi_node = csi_node(in, diagnostics);
  in.finish();
}

NodeLabel node_label(StrictFields& op_in, Diagnostics& diagnostics) {
  NodeLabel label;
  const Value robin = op_in.at("labelNodePrepareStrategy");
  const Value unique = op_in.at("uniqueNodeLabelStrategy");
  if (robin.present()) {
    StrictFields in(robin, "labelNodePrepareStrategy", diagnostics);
    label.strategy = LabelStrategy::kRoundRobin;
    label.key = in.text("labelKey");
    label.values = in.texts("labelValues");
    if (label.values.empty()) in.report(robin, "labelNodePrepareStrategy needs labelValues");
    in.finish();
  } else if (unique.present()) {
    StrictFields in(unique, "uniqueNodeLabelStrategy", diagnostics);
    label.strategy = LabelStrategy::kUnique;
    label.key = in.text("labelKey");
    in.finish();
  }
  if (label.strategy != LabelStrategy::kNone && label.key.empty())
    op_in.report(robin.present() ? robin : unique, "a strategy for labels needs a labelKey");
  return label;
}

// Features that an operation needs and the engine lacks.
using Lacks = std::vector<std::string>;

Action read_create_nodes(StrictFields& in, Lacks&, Diagnostics& diagnostics) {
  CreateNodes nodes;
  nodes.count = amount(in, "count");
  nodes.path = path(in, "nodeTemplatePath");
  read_allocatable_strategy(in, nodes, diagnostics);
  nodes.label = node_label(in, diagnostics);
  nodes.template_values = template_values(in);
  return nodes;
}

Action read_create_namespaces(StrictFields& in, Lacks&, Diagnostics&) {
  CreateNamespaces spaces;
  spaces.prefix = in.text("prefix");
  spaces.count = amount(in, "count");
  spaces.path = path(in, "namespaceTemplatePath");
  return spaces;
}

void read_own_volume(StrictFields& in, CreatePods& pods) {
  pods.volume_path = path(in, "persistentVolumeTemplatePath");
  pods.claim_path = path(in, "persistentVolumeClaimTemplatePath");
  if (pods.volume_path.path.empty() != pods.claim_path.path.empty())
    in.report(pods.claim_path.path.empty() ? pods.volume_path.where : pods.claim_path.where,
              "persistentVolumeTemplatePath and persistentVolumeClaimTemplatePath need each other");
}

Action read_create_pods(StrictFields& in, Lacks& lacks, Diagnostics&) {
  CreatePods pods;
  pods.count = amount(in, "count");
  pods.multiplier = parameter(in, "countMultiplierParam");
  pods.namespace_name = namespace_of(in);
  pods.path = path(in, "podTemplatePath");
  pods.collect = in.boolean("collectMetrics").value_or(false);
  pods.skip_wait = in.boolean("skipWaitToCompletion").value_or(false);
  pods.signature_batch = amount(in, "signatureBatchSize");
  pods.template_values = template_values(in);
  if (pods.collect && pods.skip_wait)
    in.report(in.at("collectMetrics"),
              "collectMetrics and skipWaitToCompletion exclude each other");
  read_own_volume(in, pods);
  const bool steady = in.boolean("steadyState").value_or(false);
  const std::string steady_parameter = parameter(in, "steadyStateParam");
  for (const char* name : {"duration", "durationParam"}) in.at(name);
  if (steady || !steady_parameter.empty()) lacks.emplace_back("steadyState of createPods");
  return pods;
}

// The createPods within a createPodSets. Null if anything was reported.
std::shared_ptr<const Op> read_pods_of_sets(StrictFields& in, Diagnostics& diagnostics) {
  const Value pods = in.at("createPodsOp");
  if (!pods.present()) {
    in.report(in.value(), "createPodSets needs a createPodsOp");
    return nullptr;
  }
  std::optional<Op> inner = read_op(pods, diagnostics);
  if (!inner) return nullptr;
  if (!std::holds_alternative<CreatePods>(inner->action)) {
    in.report(pods, "createPodsOp must be of the opcode createPods");
    return nullptr;
  }
  return std::make_shared<const Op>(std::move(*inner));
}

Action read_create_pod_sets(StrictFields& in, Lacks& lacks, Diagnostics& diagnostics) {
  CreatePodSets sets;
  sets.count = amount(in, "count");
  sets.prefix = in.text("namespacePrefix");
  sets.pods = read_pods_of_sets(in, diagnostics);
  if (sets.pods) lacks = sets.pods->missing;
  return sets;
}

Action read_delete_pods(StrictFields& in, Lacks&, Diagnostics&) {
  DeletePods pods;
  pods.namespace_name = in.text("namespace");
  pods.labels = in.text_map("labelSelector");
  pods.skip_wait = in.boolean("skipWaitToCompletion").value_or(false);
  pods.per_second = in.integer("deletePodsPerSecond", 0, 1'000'000'000).value_or(0);
  return pods;
}

std::vector<TemplatePath> read_churned(StrictFields& in) {
  std::vector<TemplatePath> result;
  const Value paths = in.at("templatePaths");
  in.texts("templatePaths");  // reports elements that are not strings
  for (Value element : paths.elements())
    if (element.is(Kind::kString)) result.push_back({std::string(element.as_string()), element});
  if (result.empty()) in.report(paths, "churn needs templatePaths");
  return result;
}

Action read_churn(StrictFields& in, Lacks&, Diagnostics&) {
  Churn churn;
  const std::string mode = in.text("mode");
  if (mode != "create" && mode != "recreate")
    in.report(in.at("mode"), "churn needs a mode, create or recreate");
  churn.recreate = mode == "recreate";
  churn.number = in.integer("number", 0, kMostObjects).value_or(0);
  if (churn.recreate && churn.number == 0)
    in.report(in.at("number"), "churn of the mode recreate needs a number above 0");
  // Upstream treats 0 as not set.
  const int64_t interval_ms = in.integer("intervalMilliseconds", 0, kMost).value_or(0);
  if (interval_ms != 0) churn.interval_ms = interval_ms;
  churn.namespace_name = namespace_of(in);
  churn.paths = read_churned(in);
  return churn;
}

Action read_create_any(StrictFields& in, Lacks&, Diagnostics&) {
  CreateAny objects;
  objects.namespace_name = namespace_of(in);
  objects.path = path(in, "templatePath");
  if (objects.path.path.empty()) in.report(Value(), "createAny needs a templatePath");
  objects.count = amount(in, "count", 1);
  objects.template_values = template_values(in);
  return objects;
}

Action read_update_any(StrictFields& in, Lacks& lacks, Diagnostics&) {
  UpdateAny objects;
  objects.namespace_name = namespace_of(in);
  objects.path = path(in, "templatePath");
  if (objects.path.path.empty()) in.report(Value(), "updateAny needs a templatePath");
  objects.count = amount(in, "count", 1);
  objects.per_second = in.integer("updatePerSecond", 0, 1'000'000'000).value_or(0);
  for (const std::string& part : in.texts("subresources")) {
    objects.resize |= part == "resize";
    if (part != "resize")
      lacks.push_back(fmt::format("updates of the subresource {} (updateAny)", part));
  }
  return objects;
}

// All pods are waited for, so the selection is only checked.
Action read_barrier(StrictFields& in, Lacks&, Diagnostics&) {
  in.texts("namespaces");
  in.text_map("labelSelector");
  const std::string stage = in.text("stageRequirement");
  if (!stage.empty() && stage != "Scheduled" && stage != "Attempted")
    in.report(in.at("stageRequirement"), "stageRequirement must be Scheduled or Attempted");
  return Barrier{stage == "Attempted"};
}

Action read_sleep(StrictFields& in, Lacks&, Diagnostics&) {
  Sleep sleep;
  const std::string text = in.text("duration");
  sleep.duration_parameter = parameter(in, "durationParam");
  if (text.empty()) return sleep;
  const std::optional<int64_t> duration = parse_duration(text);
  if (!duration) in.report(in.at("duration"), "duration must be one as Go has them, such as 1m30s");
  sleep.duration_ns = duration.value_or(0);
  return sleep;
}

Action read_start(StrictFields& in, Lacks&, Diagnostics&) {
  StartCollecting start;
  in.text("name");
  start.namespaces = in.texts("namespaces");
  start.labels = in.text_map("labelSelector");
  if (start.namespaces.empty()) in.report(Value(), "startCollectingMetrics needs namespaces");
  return start;
}

Action read_stop(StrictFields&, Lacks&, Diagnostics&) { return StopCollecting(); }

struct Reader {
  std::string_view opcode;
  Action (*read)(StrictFields&, Lacks&, Diagnostics&);
};
constexpr Reader kReaders[] = {
    {"createNodes", read_create_nodes},
    {"createNamespaces", read_create_namespaces},
    {"createPods", read_create_pods},
    {"createPodSets", read_create_pod_sets},
    {"deletePods", read_delete_pods},
    {"churn", read_churn},
    {"createAny", read_create_any},
    {"updateAny", read_update_any},
    {"barrier", read_barrier},
    {"sleep", read_sleep},
    {"startCollectingMetrics", read_start},
    {"stopCollectingMetrics", read_stop},
};

// Operations of upstream that are not supported, and the feature each would need.
struct MissingOp {
  std::string_view opcode;
  std::string_view needs;
};
constexpr MissingOp kMissingOps[] = {
    {"allocResourceClaims", "dynamic resource allocation"},
    {"createResourceClaims", "dynamic resource allocation"},
    {"createResourceDriver", "dynamic resource allocation"},
    {"updateDeviceConditions", "dynamic resource allocation"},
    {"checkPodScheduled", "dynamic resource allocation"},
    {"createPodGroups", "pod groups"},
    {"createCompositePodGroups", "pod groups"},
    {"createWorkloads", "pod groups"},
    {"waitForPodGroups", "pod groups"},
    {"startCollectingProfile", "profiles of a Go program (startCollectingProfile)"},
    {"stopCollectingProfile", "profiles of a Go program (startCollectingProfile)"},
};

void parameters_within(Value value, std::set<std::string>& used) {
  if (value.is(Kind::kString) && value.as_string().size() > 1 && value.as_string().front() == '$')
    used.emplace(value.as_string().substr(1));
  for (Value element : value.elements()) parameters_within(element, used);
  for (const document::Member& member : value.members()) parameters_within(member.value, used);
}

}  // namespace

std::optional<Op> read_op(Value value, Diagnostics& diagnostics) {
  const uint64_t before = diagnostics.count();
  StrictFields in(value, "an operation", diagnostics);
  Op op;
  op.where = value;
  op.opcode = in.text("opcode");
  if (diagnostics.count() != before) return std::nullopt;
  const auto* missing = std::ranges::find(kMissingOps, op.opcode, &MissingOp::opcode);
  if (missing != std::end(kMissingOps)) {
    op.missing.emplace_back(missing->needs);
    return op;
  }
  const auto* reader = std::ranges::find(kReaders, op.opcode, &Reader::opcode);
  if (reader == std::end(kReaders)) {
    in.report(
        in.at("opcode"),
        fmt::format("unknown opcode \"{}\"; known are createNodes, createPods, and so on: see "
                    "kubernetes test/integration/scheduler_perf",
                    op.opcode));
    return std::nullopt;
  }
  StrictFields fields(value, op.opcode, diagnostics);
  fields.at("opcode");
  op.action = reader->read(fields, op.missing, diagnostics);
  fields.finish();
  if (diagnostics.count() != before) return std::nullopt;
  return op;
}

void used_parameters(const Op& op, std::set<std::string>& used) {
  parameters_within(op.where, used);
}

}  // namespace berth::loadgen::scheduler_perf
