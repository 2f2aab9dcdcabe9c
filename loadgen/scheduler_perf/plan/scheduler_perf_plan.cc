#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <utility>

#include "engine/base/text/typed_number.h"
#include "loadgen/generate/cluster/nodes.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_refusals.h"
#include "loadgen/workload/fields/fields.h"

namespace berth::loadgen::scheduler_perf {
namespace {

using document::Kind;
using document::Value;

constexpr int64_t kMostPodsPerSecond = 1'000'000'000;
constexpr int64_t kMostOps = 10'000;  // after splitting createPodSets

int64_t default_pods_per_second(const PerfWorkload& workload) {
  return static_cast<int64_t>(
      std::clamp<double>(workload.threshold.value_or(1000), 1, kMostPodsPerSecond));
}

TemplateValue value_of(Value value) {
  if (value.is(Kind::kBoolean)) return value.as_bool();
  if (value.is(Kind::kNumber)) return value.as_double().value_or(0);
  return std::string(value.as_string());
}

bool truth(const std::string& name, const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  throw Error(fmt::format("parameter {} must be true or false, and is \"{}\"", name, text));
}

// Converts a user's setting to the type that the parameter has in the file.
TemplateValue parse_like(Value original, const std::string& name, const std::string& text) {
  if (original.is(Kind::kString)) return text;
  if (original.is(Kind::kBoolean)) return truth(name, text);
  if (const auto problem = whole_number_problem(text, 0, kMostObjects))
    throw Error(fmt::format("parameter {}: {}", name, *problem));
  return static_cast<double>(std::stoll(text));
}

// A volume of a pod whose claim is named apart.
model::PodVolume one_claim() {
  model::PodVolume volume;
  volume.is_claim = true;
  volume.claim = claim_name(0);
  return volume;
}

class Planner {
 public:
  Planner(Plan& plan, const TestCase& test, const PerfWorkload& workload, Templates& templates)
      : plan_(plan), test_(test), workload_(workload), templates_(templates) {}

  void set_parameters(const LoadSettings& settings) {
    for (const auto& [name, value] : workload_.parameters) values_[name] = value_of(value);
    plan_.pods_per_second = default_pods_per_second(workload_);
    for (const auto& [name, text] : settings.parameters) set(name, text);
    for (const auto& [name, value] : values_)
      plan_.settings += fmt::format("{}={} ", name, template_text(value));
    if (!values_.contains(kPodsPerSecond))
      plan_.settings += fmt::format("{}={} ", kPodsPerSecond, plan_.pods_per_second);
    if (!values_.contains(kSignatureLabels))
      plan_.settings += fmt::format("{}={}", kSignatureLabels, plan_.signature_labels);
    if (!plan_.volumes) plan_.settings += fmt::format(" {}=false", kVolumes);
  }

  void add_ops() {
    for (const Op& op : test_.ops) add(op);
    if (collecting_ != nullptr)
      throw Error(collecting_->where.place(), "startCollectingMetrics without a stop");
  }

 private:
  void set(const std::string& name, const std::string& text) {
    const auto own = workload_.parameters.find(name);
    if (own != workload_.parameters.end()) {
      values_[name] = parse_like(own->second, name, text);
    } else if (name == kPodsPerSecond) {
      if (const auto problem = whole_number_problem(text, 1, kMostPodsPerSecond))
        throw Error(fmt::format("parameter {}: {}", name, *problem));
      plan_.pods_per_second = std::stoll(text);
    } else if (name == kSignatureLabels) {
      plan_.signature_labels = truth(name, text);
    } else if (name == kVolumes) {
      plan_.volumes = truth(name, text);
    } else {
      std::vector<std::string> names;
      for (const auto& [known, value] : parameters_of(workload_)) names.push_back(known);
      throw Error(fmt::format("workload {}/{} has no parameter {}; it has {}", test_.name,
                              workload_.name, name, fmt::join(names, ", ")));
    }
  }

  const TemplateValue& parameter(const std::string& name, Value where) const {
    const auto found = values_.find(name);
    if (found == values_.end())
      throw Error(where.place(),
                  fmt::format("workload {} does not set parameter {}", workload_.name, name));
    return found->second;
  }

  int64_t number(const std::string& name, Value where) const {
    const TemplateValue& value = parameter(name, where);
    const double* number = std::get_if<double>(&value);
    if (number == nullptr || *number != std::trunc(*number) || *number < 0 ||
        *number > kMostObjects)
      throw Error(where.place(), fmt::format("parameter {} must be a whole number up to {} here, "
                                             "and is {}",
                                             name, kMostObjects, template_text(value)));
    return static_cast<int64_t>(*number);
  }

  int64_t number(const Amount& amount) const {
    return amount.parameter.empty() ? amount.value : number(amount.parameter, amount.where);
  }

  PlanOp begin(const Op& op) const {
    PlanOp planned;
    planned.op = &op;
    planned.index = plan_.ops.size();
    planned.count = number(op.count);
    planned.namespace_name = op.namespace_name.value_or(fmt::format("namespace-{}", planned.index));
    for (const auto& [name, value] : op.template_values) {
      const std::string_view text =
          value.is(Kind::kString) ? value.as_string() : std::string_view();
      planned.values[name] =
          text.size() > 1 && text.front() == '$' ? parameter(std::string(text.substr(1)), value)
          : value.is(Kind::kArray) || value.is(Kind::kObject) || value.is(Kind::kNull)
              ? throw Error(value.place(), "a template's value must be no array or object")
              : value_of(value);
    }
    return planned;
  }

  void add(const Op& op) {
    if (op.kind == OpKind::kMissing) return;
    if (op.kind == OpKind::kCreatePodSets) return add_pod_sets(op);
    PlanOp planned = begin(op);
    switch (op.kind) {
      case OpKind::kCreatePods:
        return add_pods(op, op.namespace_name);
      case OpKind::kChurn:
        for (const TemplatePath& path : op.paths) planned.churned.push_back(templates_.get(path));
        break;
      case OpKind::kSleep:
        planned.duration_ns = duration(op);
        break;
      case OpKind::kStartCollecting:
        if (collecting_ != nullptr) throw Error(op.where.place(), "metrics are collected already");
        collecting_ = &op;
        break;
      case OpKind::kStopCollecting:
        if (collecting_ == nullptr)
          throw Error(op.where.place(), "stopCollectingMetrics without a start");
        collecting_ = nullptr;
        break;
      case OpKind::kCreateAny:
        planned.object = templates_.get(op.path);
        planned.makes_pods = makes_pods(planned);
        planned.measured = is_collected(planned);
        break;
      default:
        if (!op.path.path.empty()) planned.object = templates_.get(op.path);
    }
    plan_.ops.push_back(std::move(planned));
  }

  int64_t duration(const Op& op) const {
    if (op.duration_parameter.empty()) return op.duration_ns;
    const std::string text = template_text(parameter(op.duration_parameter, op.where));
    const std::optional<int64_t> duration = parse_duration(text);
    if (!duration)
      throw Error(op.where.place(), fmt::format("parameter {} must be a duration such as 1m30s, "
                                                "and is \"{}\"",
                                                op.duration_parameter, text));
    return *duration;
  }

  void add_pod_sets(const Op& op) {
    const int64_t count = number(op.count);
    if (static_cast<int64_t>(plan_.ops.size()) + count > kMostOps)
      throw Error(op.where.place(),
                  fmt::format("more than {} operations, each pod set being one", kMostOps));
    for (int64_t i = 0; i < count; ++i) add_pods(*op.pods, fmt::format("{}-{}", op.prefix, i));
  }

  void add_pods(const Op& op, const std::optional<std::string>& namespace_name) {
    PlanOp planned = begin(op);
    if (namespace_name) planned.namespace_name = *namespace_name;
    if (!op.multiplier.empty()) planned.count *= number(op.multiplier, op.where);
    if (planned.count > kMostObjects)
      throw Error(op.where.place(), fmt::format("more than {} pods", kMostObjects));
    const int64_t batch = std::max<int64_t>(number(op.signature_batch), 1);
    const TemplatePath& path = op.path.path.empty() ? test_.default_pod : op.path;
    if (!path.path.empty()) planned.object = templates_.get(path);
    if (plan_.volumes && !op.claim_path.path.empty()) {
      planned.own_volume = {templates_.get(op.volume_path)->volume(),
                            templates_.get(op.claim_path)->claim()};
    }
    if (planned.object && plan_.signature_labels) planned.signature_batch = batch;
    if (op.collect && collecting_ != nullptr)
      throw Error(op.where.place(), "collectMetrics within startCollectingMetrics");
    planned.makes_pods = true;
    planned.measured = op.collect || is_collected(planned);
    plan_.ops.push_back(std::move(planned));
  }

  // Unknown kinds are refused later.
  static bool makes_pods(const PlanOp& op) {
    try {
      return op.count > 0 && std::holds_alternative<PodSample>(op.any(0));
    } catch (const UnknownKind&) {
      return false;
    }
  }

  // True if startCollectingMetrics selects the operation's pods.
  bool is_collected(const PlanOp& op) {
    if (collecting_ == nullptr || !op.makes_pods ||
        std::ranges::find(collecting_->namespaces, op.namespace_name) ==
            collecting_->namespaces.end())
      return false;
    if (collecting_->labels.empty()) return true;
    const std::vector<int64_t> kinds = op.kinds();
    const auto collected = std::ranges::count_if(kinds, [&](int64_t number) {
      const model::StringMap labels = op.pod(number).pod.spec.labels;
      return std::ranges::all_of(collecting_->labels, [&](const auto& wanted) {
        return std::ranges::find(labels, std::pair<std::string, std::string>(wanted)) !=
               labels.end();
      });
    });
    if (collected != 0 && collected != std::ssize(kinds))
      plan_.missing.emplace_back("startCollectingMetrics for some pods of an operation");
    return collected != 0;
  }

  Plan& plan_;
  const TestCase& test_;
  const PerfWorkload& workload_;
  Templates& templates_;
  TemplateValues values_;
  const Op* collecting_ = nullptr;  // a startCollectingMetrics without a stop so far
};

}  // namespace

std::string claim_name(int64_t number) { return fmt::format("pvc-{}", number); }

std::string Templates::resolve(const std::string& path) const {
  return (std::filesystem::path(folder_) / path).lexically_normal().string();
}

std::shared_ptr<const ObjectTemplate> Templates::get(const TemplatePath& path) {
  const std::string resolved = resolve(path.path);
  std::shared_ptr<const ObjectTemplate>& kept = templates_[resolved];
  if (kept) return kept;
  std::string text;
  try {
    text = read_(resolved);
  } catch (const Error& error) {
    Place place = path.where.place();
    place.field = path.where.path();
    throw Error(std::move(place), fmt::format("the template cannot be read: {}", error.what()));
  }
  kept = std::make_shared<const ObjectTemplate>(std::move(text), resolved);
  return kept;
}

std::vector<std::string> Templates::files() const {
  std::vector<std::string> files;
  for (const auto& [file, read] : templates_) files.push_back(file);
  return files;
}

TemplateValues PlanOp::values_of(int64_t number) const {
  TemplateValues all = values;
  all["Index"] = static_cast<double>(number);
  all["Count"] = static_cast<double>(count);
  return all;
}

NodeSample PlanOp::node(int64_t number) const {
  NodeSample sample = object ? object->node(values_of(number)) : base_node(index);
  for (const auto& [resource, amount] : op->allocatable)
    set_amount(sample.node.allocatable, resource, amount);
  return sample;
}

PodSample PlanOp::pod(int64_t number) const {
  if (op->kind != OpKind::kCreateAny && op->kind != OpKind::kUpdateAny) {
    PodSample sample = object ? object->pod(values_of(number)) : base_pod();
    // Upstream replaces all volumes.
    if (own_volume) sample.pod.spec.volumes = {one_claim()};
    return sample;
  }
  AnySample sample = any(number);
  if (auto* pod = std::get_if<PodSample>(&sample)) return std::move(*pod);
  throw Error(op->where.place(), "a createAny must make objects of one kind");
}

// As upstream: bound to each other, and without a UID in the volume's reference.
OwnVolume PlanOp::volume_of(int64_t number) const {
  OwnVolume made = *own_volume;
  auto& [volume, claim] = made;
  const std::string handle = fmt::format("vol-{}", number);
  volume.name = namespace_name + "-" + handle;
  volume.has_claim = true;
  volume.claim_namespace = namespace_name;
  volume.claim_name = claim_name(number);
  volume.claim_uid.clear();
  if (!volume.csi_driver.empty()) {
    volume.csi_handle = handle;
  } else if (volume.plugin == "kubernetes.io/aws-ebs") {
    volume.plugin_handle = handle;
  }
  claim.namespace_name = namespace_name;
  claim.name = volume.claim_name;
  claim.volume_name = volume.name;
  return made;
}

AnySample PlanOp::any(int64_t number) const { return object->any(values_of(number), false); }

bool PlanOp::varies_in_kind() const {
  return count > 1 && object && object->varies_in_kind(values_of(0));
}

bool PlanOp::has_too_many_kinds() const { return count > kMostKinds && varies_in_kind(); }

std::vector<int64_t> PlanOp::kinds() const {
  if (count == 0) return {};
  if (!varies_in_kind()) return {0};
  if (count > kMostKinds) return {0, count - 1};
  std::vector<int64_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::map<std::string, std::string> parameters_of(const PerfWorkload& workload) {
  std::map<std::string, std::string> parameters;
  parameters[kSignatureLabels] = "true";
  parameters[kVolumes] = "true";
  parameters[kPodsPerSecond] = std::to_string(default_pods_per_second(workload));
  for (const auto& [name, value] : workload.parameters)
    parameters[name] = template_text(value_of(value));
  return parameters;
}

Plan make_plan(std::shared_ptr<const Definition> definition, const TestCase& test,
               const PerfWorkload& workload, const LoadSettings& settings, Templates& templates) {
  Plan plan;
  plan.definition = std::move(definition);
  Planner planner(plan, test, workload, templates);
  planner.set_parameters(settings);
  plan.missing = missing_settings(test, workload);
  // A workload that is refused anyway may lack its template files.
  try {
    planner.add_ops();
    for (std::string& missing : missing_in(plan)) plan.missing.push_back(std::move(missing));
  } catch (const UnknownTemplateAction& error) {
    if (plan.missing.empty()) plan.missing.push_back(error.message());
  } catch (const Error&) {
    if (plan.missing.empty()) throw;
  }
  std::vector<std::string> unique;
  for (std::string& missing : plan.missing)
    if (std::ranges::find(unique, missing) == unique.end()) unique.push_back(std::move(missing));
  plan.missing = std::move(unique);
  return plan;
}

}  // namespace berth::loadgen::scheduler_perf
