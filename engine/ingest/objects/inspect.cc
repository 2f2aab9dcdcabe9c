#include "engine/ingest/objects/inspect.h"

#include <algorithm>

#include <numeric>
#include <utility>

#include "engine/base/text/characters.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/validation/read_kinds.h"
#include "engine/ingest/workloads/read_pod.h"
#include "engine/model/objects/string_map.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

constexpr uint16_t kUnknown = UINT16_MAX;

// The smallest number of edits: a letter inserted, removed, replaced, or swapped with the next one.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row.back();
}

// The field of the type with the most similar name; an empty text if none is similar enough.
std::string_view meant(std::string_view name, uint16_t type) {
  constexpr size_t kLongest = 64;
  const ApiFields& api = ApiFields::get();
  if (name.size() > kLongest) return {};
  std::string_view best;
  size_t fewest = std::min<size_t>(2, name.size() / 3) + 1;
  for (uint16_t field = api.begin(type) + 1; field < api.end(type); ++field) {
    const std::string_view known = api.name(field);
    if (equal_but_for_case(name, known)) return known;
    const size_t distance = edit_distance(name, known);
    if (distance >= fewest) continue;
    fewest = distance;
    best = known;
  }
  return best;
}

struct TaintOfCondition {
  std::string_view type, status, taint;
};

// Those for which the controller of the life of nodes adds a taint.
constexpr TaintOfCondition kTaintsOfConditions[] = {
    {"Ready", "False", "node.kubernetes.io/not-ready"},
    {"Ready", "Unknown", "node.kubernetes.io/unreachable"},
    {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    {"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
    {"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
};

// The first condition of a node whose taint it lacks, as "Ready=False"; empty: there is none.
std::string untainted_condition(const model::Node& node) {
  for (const model::NodeCondition& condition : node.conditions)
    for (const auto& [type, status, taint] : kTaintsOfConditions)
      if (condition.type == type && condition.status == status &&
          std::ranges::find(node.taints, taint, &model::Taint::key) == node.taints.end())
        return std::string(type) + "=" + std::string(status);
  return {};
}

uint16_t pod_type() {
  static const uint16_t type = ApiFields::get().type("Pod").value();
  return type;
}

uint16_t node_type() {
  static const uint16_t type = ApiFields::get().type("Node").value();
  return type;
}

}  // namespace

Inspector::Inspector(Remarks& remarks)
    : remarks_(remarks), api_(ApiFields::get()), next_(api_.size()) {
  std::iota(next_.begin(), next_.end(), uint16_t{1});  // as sorted fields follow each other
  next_.back() = 0;
}

void Inspector::inspect(Value value, const model::Pod& pod, uint32_t line) {
  line_ = line;
  path_.assign(1, {"Pod"});
  check_fields(value, pod_type());
  if (!pod.finished() && tolerates_for_a_time(value)) remarks_.tolerating_for_a_time.add(pod);
  if (!pod.finished() && pod.spec.run) remarks_.running_for_a_time.add(pod);
  if (pod.bound() || pod.finished() || pod.terminating) return;
  const PodAsked asked = read_asked(value, Defaults::kNone);
  if (asked.with_resource_claims) remarks_.with_resource_claims.add(pod);
  if (!pod.spec.priority && !asked.priority_class.empty()) remarks_.without_priority.add(pod);
}

void Inspector::inspect(Value value, const Workload& workload, uint32_t line) {
  inspect_fields(value, workload_kind_name(workload.kind), line);
}

void Inspector::inspect(Value value, const model::Node& node, uint32_t line) {
  line_ = line;
  path_.assign(1, {"Node"});
  check_fields(value, node_type());
  if (node.allocatable.empty()) add_empty_node(value, node.name);
  inspect_again(value, node);
}

void Inspector::inspect_again(Value, const model::Node& node) {
  if (const std::string condition = untainted_condition(node);
      !condition.empty() && untainted_.insert(node.name).second)
    remarks_.untainted_nodes.add(node.name + " (" + condition + ")");
  const auto note = [&](const char* annotation, auto& known, Remarks::Named& nodes) {
    if (model::value_in(node.annotations, annotation) == nullptr) return;
    if (known.insert(node.name).second) nodes.add(node.name);
  };
  note("berth/drain", drained_, remarks_.drained_nodes);
  note("berth/kubelet", silent_, remarks_.silent_nodes);
}

// A place takes a walk through the file, so it is looked up for the examples alone.
void Inspector::add_empty_node(Value value, const std::string& name) {
  Remarks::Named& nodes = remarks_.empty_nodes;
  if (nodes.examples.size() == Remarks::kExamples) {
    ++nodes.count;
    return;
  }
  Place place = value.place();
  place.line += line_ - 1;
  nodes.add(name + " (" + place.to_string() + ")");
}

void Inspector::inspect(Value value, const model::DisruptionBudget& budget, uint32_t) {
  const bool told = value.find("status").find("disruptionsAllowed").present();
  const std::string name = budget.namespace_name + "/" + budget.name;
  if (!told) remarks_.budgets_without_status.add(name);
  if (told && (budget.min_available || budget.max_unavailable))
    remarks_.budgets_with_status.add(name);
}

void Inspector::inspect(Value value, const model::ControllerObject& object, uint32_t) {
  const bool configures = object.kind == kKubeletConfiguration;
  if (configures || object.kind == "PodMetrics" || object.kind == "NodeMetrics")
    remarks_.of_kubelets.add(object.name.empty() ? object.kind
                                                 : object.kind + " " + full_name(object));
  if (!configures) return inspect_again(value, object);
  for (const document::Member member : value.members())
    if (!is_read_of_kubelets(member.key) &&
        remarks_.unread_kubelet_fields.size() < Remarks::kMostFields)
      remarks_.unread_kubelet_fields.emplace(member.key);
}

void Inspector::inspect_again(Value value, const model::ControllerObject& object) {
  if (object.kind == "NodeMetrics") note_usage(value);
  if (object.kind == "PodMetrics")
    for (const Value container : value.find("containers").elements()) note_usage(container);
}

void Inspector::note_usage(Value holder) {
  for (const document::Member member : holder.find("usage").members())
    if (!is_read_of_usage(member.key) && remarks_.unread_usage.size() < Remarks::kMostFields)
      remarks_.unread_usage.emplace(member.key);
}

void Inspector::inspect_fields(Value value, std::string_view kind, uint32_t line) {
  line_ = line;
  path_.assign(1, {kind});
  if (const auto type = api_.type(kind)) check_fields(value, *type);
}

void Inspector::count_unread(Value value, std::string_view kind, std::string_view api_version,
                             std::string counted, uint32_t line) {
  if (++remarks_.unread_kinds[std::move(counted)] != 1) return;
  if (remarks_.near_kinds.size() >= Remarks::kMostFields) return;
  const std::string near = near_kind(kind, api_version);
  if (near.empty()) return;
  const Value written = value.find("kind");
  Place place = (written.present() ? written : value).place();
  place.line += line - 1;
  place.field = (written.present() ? written : value).path();
  std::string message = "no kind that is read is called \"";
  message.append(kind).append("\"; did you mean ").append(near).append("?");
  remarks_.near_kinds.try_emplace(std::string(kind), std::move(place), std::move(message));
}

// The depth of the recursion is bounded by the nesting of types.
void Inspector::check_fields(Value object, uint16_t type) {
  uint16_t previous = api_.begin(type);
  for (const document::Member member : object.members()) {
    const uint16_t field = find(type, previous, member.key);
    if (field == kUnknown) {
      report(member, type);
      continue;
    }
    previous = field;
    const uint16_t value_type = api_.field(field).type;
    if (value_type != ApiFields::kOpaque) check_value(member.value, member, value_type);
  }
}

void Inspector::check_value(Value value, const document::Member& member, uint16_t type) {
  path_.push_back({member.key, value.is(Kind::kArray)});
  if (value.is(Kind::kObject)) {
    check_fields(value, type);
  } else {
    for (const Value element : value.elements()) check_fields(element, type);
  }
  path_.pop_back();
}

inline uint16_t Inspector::find(uint16_t type, uint16_t previous, std::string_view name) {
  const uint16_t guess = next_[previous];
  // The guess may lie in the next type, and the first entry of a type is not a field.
  if (api_.name(guess) == name && guess > api_.begin(type) && guess < api_.end(type)) return guess;
  return look_up(type, previous, name);
}

uint16_t Inspector::look_up(uint16_t type, uint16_t previous, std::string_view name) {
  uint16_t begin = static_cast<uint16_t>(api_.begin(type) + 1);
  uint16_t end = api_.end(type);
  while (begin < end) {
    const auto middle = static_cast<uint16_t>((begin + end) / 2);
    if (api_.name(middle) < name) {
      begin = static_cast<uint16_t>(middle + 1);
    } else {
      end = middle;
    }
  }
  if (begin == api_.end(type) || api_.name(begin) != name) return kUnknown;
  next_[previous] = begin;
  return begin;
}

void Inspector::report(const document::Member& member, uint16_t type) {
  std::string path;
  for (const Step& step : path_) path += std::string(step.name) + (step.array ? "[]" : "") + ".";
  path += member.key;
  const auto is_same = [&](const Remarks::Field& field) { return field.path == path; };
  // Of further paths none is kept, and a place takes a walk through the file.
  const bool full = remarks_.unknown_fields.size() >= Remarks::kMostFields;
  const bool first = std::ranges::none_of(remarks_.unknown_fields, is_same);
  if (!first || full) return remarks_.add_unknown_field(std::move(path), Error(""));

  Place place = member.key_value.place();
  place.line += line_ - 1;
  place.field = member.value.path();
  std::string message = "not a field of the Kubernetes API";
  if (const std::string_view field = meant(member.key, type); !field.empty())
    message += "; did you mean " + std::string(field) + "?";
  remarks_.add_unknown_field(std::move(path), Error(std::move(place), std::move(message)));
}

}  // namespace berth::ingest
