// make_plan(): gives the parameters their values and plans one operation after the other.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/text/typed_number.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"
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

bool has_labels(const PodSample& sample, const std::map<std::string, std::string>& labels) {
  const model::StringMap& own = sample.pod.spec.labels;
  return std::ranges::all_of(labels, [&](const auto& wanted) {
    return std::ranges::find(own, std::pair<std::string, std::string>(wanted)) != own.end();
  });
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

  TemplateValue template_value(Value value) const {
    const std::string_view text = value.is(Kind::kString) ? value.as_string() : std::string_view();
    if (text.size() > 1 && text.front() == '$')
      return parameter(std::string(text.substr(1)), value);
    if (value.is(Kind::kArray) || value.is(Kind::kObject) || value.is(Kind::kNull))
      throw Error(value.place(), "a template's value must be no array or object");
    return value_of(value);
  }

  TemplateValues template_values(const std::map<std::string, Value>& values) const {
    TemplateValues result;
    for (const auto& [name, value] : values) result[name] = template_value(value);
    return result;
  }

  PlanOp begin(const Op& op, const std::optional<std::string>& namespace_name = {}) const {
    PlanOp planned;
    planned.op = &op;
    planned.index = plan_.ops.size();
    planned.namespace_name = namespace_name.value_or(fmt::format("namespace-{}", planned.index));
    return planned;
  }

  void keep(PlanOp planned) { plan_.ops.push_back(std::move(planned)); }

  // Null if no path is given.
  std::shared_ptr<const ObjectTemplate> object_at(const TemplatePath& path) {
    return path.path.empty() ? nullptr : templates_.get(path);
  }

  void add(const Op& op) {
    std::visit([&](const auto& action) { add(op, action); }, op.action);
  }

  void add(const Op&, const Missing&) {}

  void add(const Op& op, const CreateNodes& nodes) {
    PlanOp planned = begin(op);
    planned.count = number(nodes.count);
    planned.values = template_values(nodes.template_values);
    planned.object = object_at(nodes.path);
    keep(std::move(planned));
  }

  void add(const Op& op, const CreateNamespaces& spaces) {
    PlanOp planned = begin(op);
    planned.count = number(spaces.count);
    planned.object = object_at(spaces.path);
    keep(std::move(planned));
  }

  void add(const Op& op, const CreatePods& pods) { add_pods(op, pods, pods.namespace_name); }

  void add(const Op& op, const CreatePodSets& sets) {
    const int64_t count = number(sets.count);
    if (static_cast<int64_t>(plan_.ops.size()) + count > kMostOps)
      throw Error(op.where.place(),
                  fmt::format("more than {} operations, each pod set being one", kMostOps));
    const auto& pods = std::get<CreatePods>(sets.pods->action);
    for (int64_t i = 0; i < count; ++i)
      add_pods(*sets.pods, pods, fmt::format("{}-{}", sets.prefix, i));
  }

  void add(const Op& op, const DeletePods& pods) { keep(begin(op, pods.namespace_name)); }

  void add(const Op& op, const Churn& churn) {
    PlanOp planned = begin(op, churn.namespace_name);
    for (const TemplatePath& path : churn.paths) planned.churned.push_back(templates_.get(path));
    keep(std::move(planned));
  }

  void add(const Op& op, const CreateAny& objects) {
    PlanOp planned = begin(op, objects.namespace_name);
    planned.count = number(objects.count);
    planned.values = template_values(objects.template_values);
    planned.object = templates_.get(objects.path);
    planned.makes_pods = makes_pods(planned);
    planned.measured = is_collected(planned);
    keep(std::move(planned));
  }

  void add(const Op& op, const UpdateAny& objects) {
    PlanOp planned = begin(op, objects.namespace_name);
    planned.count = number(objects.count);
    planned.object = templates_.get(objects.path);
    keep(std::move(planned));
  }

  void add(const Op& op, const Barrier&) { keep(begin(op)); }

  void add(const Op& op, const Sleep& sleep) {
    PlanOp planned = begin(op);
    planned.duration_ns = duration(op, sleep);
    keep(std::move(planned));
  }

  void add(const Op& op, const StartCollecting&) {
    if (collecting_ != nullptr) throw Error(op.where.place(), "metrics are collected already");
    collecting_ = &op;
    keep(begin(op));
  }

  void add(const Op& op, const StopCollecting&) {
    if (collecting_ == nullptr)
      throw Error(op.where.place(), "stopCollectingMetrics without a start");
    collecting_ = nullptr;
    keep(begin(op));
  }

  int64_t duration(const Op& op, const Sleep& sleep) const {
    const std::string& name = sleep.duration_parameter;
    if (name.empty()) return sleep.duration_ns;
    const std::string text = template_text(parameter(name, op.where));
    const std::optional<int64_t> duration = parse_duration(text);
    if (!duration)
      throw Error(op.where.place(), fmt::format("parameter {} must be a duration such as 1m30s, "
                                                "and is \"{}\"",
                                                name, text));
    return *duration;
  }

  void add_pods(const Op& op, const CreatePods& pods,
                const std::optional<std::string>& namespace_name) {
    PlanOp planned = begin(op, namespace_name);
    planned.count = number(pods.count);
    planned.values = template_values(pods.template_values);
    if (!pods.multiplier.empty()) planned.count *= number(pods.multiplier, op.where);
    if (planned.count > kMostObjects)
      throw Error(op.where.place(), fmt::format("more than {} pods", kMostObjects));
    const int64_t batch = std::max<int64_t>(number(pods.signature_batch), 1);
    planned.object = object_at(pods.path.path.empty() ? test_.default_pod : pods.path);
    if (plan_.volumes && !pods.claim_path.path.empty()) {
      planned.own_volume = {templates_.get(pods.volume_path)->volume(),
                            templates_.get(pods.claim_path)->claim()};
    }
    if (planned.object && plan_.signature_labels) planned.signature_batch = batch;
    if (pods.collect && collecting_ != nullptr)
      throw Error(op.where.place(), "collectMetrics within startCollectingMetrics");
    planned.makes_pods = true;
    planned.measured = pods.collect || is_collected(planned);
    keep(std::move(planned));
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
    if (collecting_ == nullptr || !op.makes_pods) return false;
    const auto& start = std::get<StartCollecting>(collecting_->action);
    if (std::ranges::find(start.namespaces, op.namespace_name) == start.namespaces.end())
      return false;
    if (start.labels.empty()) return true;
    const std::vector<int64_t> kinds = op.kinds();
    const auto collected = std::ranges::count_if(
        kinds, [&](int64_t number) { return has_labels(op.pod(number), start.labels); });
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
