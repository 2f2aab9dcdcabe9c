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

void read_template_values(StrictFields& in, Op& op) {
  const Value values = in.at("templateParams");
  if (values.present() && !values.is(Kind::kObject))
    return in.report(values, "templateParams must be an object of names and values");
  for (const document::Member& member : values.members())
    op.template_values[std::string(member.key)] = member.value;
}

// Upstream makes a CSINode for each node of the strategy, also if it names no drivers.
void read_csi_node(StrictFields& in, Op& op, Diagnostics& diagnostics) {
  op.csi_node.emplace();
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
    op.csi_node->drivers.push_back(std::move(driver));
  }
  std::ranges::sort(op.csi_node->drivers, {}, &model::CsiNode::Driver::name);
  op.csi_node->migrated_plugins = fmt::format("{}", fmt::join(in.texts("migratedPlugins"), ","));
}

void read_allocatable_strategy(StrictFields& op_in, Op& op, Diagnostics& diagnostics) {
  const Value value = op_in.at("nodeAllocatableStrategy");
  if (!value.present()) return;
  StrictFields in(value, "nodeAllocatableStrategy", diagnostics);
  for (const auto& [resource, text] : in.text_map("nodeAllocatable")) {
    if (const std::optional<model::Quantity> amount = model::Quantity::parse(text)) {
      op.allocatable.emplace_back(resource, *amount);
    } else {
      in.report(in.at("nodeAllocatable").find(resource),
                fmt::format("\"{}\" is no quantity", text));
    }
  }
  read_csi_node(in, op, diagnostics);
  in.finish();
}

void read_label_strategies(StrictFields& op_in, Op& op, Diagnostics& diagnostics) {
  const Value robin = op_in.at("labelNodePrepareStrategy");
  const Value unique = op_in.at("uniqueNodeLabelStrategy");
  if (robin.present()) {
    StrictFields in(robin, "labelNodePrepareStrategy", diagnostics);
    op.label_strategy = LabelStrategy::kRoundRobin;
    op.label_key = in.text("labelKey");
    op.label_values = in.texts("labelValues");
    if (op.label_values.empty()) in.report(robin, "labelNodePrepareStrategy needs labelValues");
    in.finish();
  } else if (unique.present()) {
    StrictFields in(unique, "uniqueNodeLabelStrategy", diagnostics);
    op.label_strategy = LabelStrategy::kUnique;
    op.label_key = in.text("labelKey");
    in.finish();
  }
  if (op.label_strategy != LabelStrategy::kNone && op.label_key.empty())
    op_in.report(robin.present() ? robin : unique, "a strategy for labels needs a labelKey");
}

void read_create_nodes(StrictFields& in, Op& op, Diagnostics& diagnostics) {
  op.kind = OpKind::kCreateNodes;
  op.count = amount(in, "count");
  op.path = path(in, "nodeTemplatePath");
  read_allocatable_strategy(in, op, diagnostics);
  read_label_strategies(in, op, diagnostics);
  read_template_values(in, op);
}

void read_create_namespaces(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kCreateNamespaces;
  op.prefix = in.text("prefix");
  op.count = amount(in, "count");
  op.path = path(in, "namespaceTemplatePath");
}

void read_create_pods(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kCreatePods;
  op.count = amount(in, "count");
  op.multiplier = parameter(in, "countMultiplierParam");
  op.namespace_name = namespace_of(in);
  op.path = path(in, "podTemplatePath");
  op.collect = in.boolean("collectMetrics").value_or(false);
  op.skip_wait = in.boolean("skipWaitToCompletion").value_or(false);
  op.signature_batch = amount(in, "signatureBatchSize");
  read_template_values(in, op);
  if (op.collect && op.skip_wait)
    in.report(in.at("collectMetrics"),
              "collectMetrics and skipWaitToCompletion exclude each other");
  op.volume_path = path(in, "persistentVolumeTemplatePath");
  op.claim_path = path(in, "persistentVolumeClaimTemplatePath");
  if (op.volume_path.path.empty() != op.claim_path.path.empty())
    in.report(op.claim_path.path.empty() ? op.volume_path.where : op.claim_path.where,
              "persistentVolumeTemplatePath and persistentVolumeClaimTemplatePath need each other");
  const bool steady = in.boolean("steadyState").value_or(false);
  const std::string steady_parameter = parameter(in, "steadyStateParam");
  for (const char* name : {"duration", "durationParam"}) in.at(name);
  if (steady || !steady_parameter.empty()) op.missing.emplace_back("steadyState of createPods");
}

void read_create_pod_sets(StrictFields& in, Op& op, Diagnostics& diagnostics) {
  op.kind = OpKind::kCreatePodSets;
  op.count = amount(in, "count");
  op.prefix = in.text("namespacePrefix");
  const Value pods = in.at("createPodsOp");
  if (!pods.present()) return in.report(in.value(), "createPodSets needs a createPodsOp");
  std::optional<Op> inner = read_op(pods, diagnostics);
  if (!inner) return;
  if (inner->kind != OpKind::kCreatePods)
    return in.report(pods, "createPodsOp must be of the opcode createPods");
  op.missing = inner->missing;
  op.pods = std::make_shared<const Op>(std::move(*inner));
}

void read_delete_pods(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kDeletePods;
  op.namespace_name = in.text("namespace");
  op.labels = in.text_map("labelSelector");
  op.skip_wait = in.boolean("skipWaitToCompletion").value_or(false);
  op.per_second = in.integer("deletePodsPerSecond", 0, 1'000'000'000).value_or(0);
}

void read_churn(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kChurn;
  const std::string mode = in.text("mode");
  if (mode != "create" && mode != "recreate")
    in.report(in.at("mode"), "churn needs a mode, create or recreate");
  op.recreate = mode == "recreate";
  op.number = in.integer("number", 0, kMostObjects).value_or(0);
  if (op.recreate && op.number == 0)
    in.report(in.at("number"), "churn of the mode recreate needs a number above 0");
  // Upstream treats 0 as not set.
  op.interval_ms = in.integer("intervalMilliseconds", 0, kMost).value_or(0);
  if (op.interval_ms == 0) op.interval_ms = 500;
  op.namespace_name = namespace_of(in);
  const Value paths = in.at("templatePaths");
  in.texts("templatePaths");  // reports elements that are not strings
  for (Value element : paths.elements())
    if (element.is(Kind::kString)) op.paths.push_back({std::string(element.as_string()), element});
  if (op.paths.empty()) in.report(paths, "churn needs templatePaths");
}

void read_create_any(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kCreateAny;
  op.namespace_name = namespace_of(in);
  op.path = path(in, "templatePath");
  if (op.path.path.empty()) in.report(Value(), "createAny needs a templatePath");
  op.count = amount(in, "count", 1);
  read_template_values(in, op);
}

void read_update_any(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kUpdateAny;
  op.namespace_name = namespace_of(in);
  op.path = path(in, "templatePath");
  if (op.path.path.empty()) in.report(Value(), "updateAny needs a templatePath");
  op.count = amount(in, "count", 1);
  op.per_second = in.integer("updatePerSecond", 0, 1'000'000'000).value_or(0);
  for (const std::string& part : in.texts("subresources")) {
    op.resize |= part == "resize";
    if (part != "resize")
      op.missing.push_back(fmt::format("updates of the subresource {} (updateAny)", part));
  }
}

void read_barrier(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kBarrier;
  op.namespaces = in.texts("namespaces");
  op.labels = in.text_map("labelSelector");
  const std::string stage = in.text("stageRequirement");
  if (!stage.empty() && stage != "Scheduled" && stage != "Attempted")
    in.report(in.at("stageRequirement"), "stageRequirement must be Scheduled or Attempted");
  op.attempted = stage == "Attempted";
}

void read_sleep(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kSleep;
  const std::string text = in.text("duration");
  op.duration_parameter = parameter(in, "durationParam");
  if (text.empty()) return;
  const std::optional<int64_t> duration = parse_duration(text);
  if (!duration) in.report(in.at("duration"), "duration must be one as Go has them, such as 1m30s");
  op.duration_ns = duration.value_or(0);
}

void read_start(StrictFields& in, Op& op, Diagnostics&) {
  op.kind = OpKind::kStartCollecting;
  in.text("name");
  op.namespaces = in.texts("namespaces");
  op.labels = in.text_map("labelSelector");
  if (op.namespaces.empty()) in.report(Value(), "startCollectingMetrics needs namespaces");
}

void read_stop(StrictFields&, Op& op, Diagnostics&) { op.kind = OpKind::kStopCollecting; }

struct Reader {
  std::string_view opcode;
  void (*read)(StrictFields&, Op&, Diagnostics&);
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
  reader->read(fields, op, diagnostics);
  fields.finish();
  if (diagnostics.count() != before) return std::nullopt;
  return op;
}

void used_parameters(const Op& op, std::set<std::string>& used) {
  parameters_within(op.where, used);
}

}  // namespace berth::loadgen::scheduler_perf
