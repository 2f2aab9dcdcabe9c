// Decodes kubelet.config.k8s.io/v1beta1.KubeletConfiguration, and PodMetrics and NodeMetrics of
// metrics.k8s.io/v1beta1. Source of what is refused: k8s.io/kubernetes
// pkg/kubelet/apis/config/validation and pkg/kubelet/eviction/helpers.go v1.36.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "engine/base/text/go_duration.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/written/object_json.h"
#include "engine/model/objects/controller_objects.h"
#include "engine/model/objects/string_map.h"

namespace berth::ingest {
namespace {

using document::Value;
using model::KubeletConfiguration;
using model::MeasuredUsage;

constexpr std::string_view kNodesOfKubelet = "berth/node-selector";
// Of NodeMetrics that have no pods in them.
constexpr std::string_view kBesidePods = "berth/beside-pods";

// Of these the values are read; `kRefused` only if they ask for nothing.
constexpr std::array kReadFields = {
    "apiVersion",
    "enforceNodeAllocatable",
    "evictionHard",
    "evictionMaxPodGracePeriod",
    "evictionMinimumReclaim",
    "evictionPressureTransitionPeriod",
    "evictionSoft",
    "evictionSoftGracePeriod",
    "kind",
    "kubeReserved",
    "mergeDefaultEvictionSettings",
    "metadata",
    "nodeStatusUpdateFrequency",
    "shutdownGracePeriod",
    "shutdownGracePeriodByPodPriority",
    "shutdownGracePeriodCriticalPods",
    "systemReserved",
};

constexpr std::array kSignalNames = {
    "containerfs.available", "containerfs.inodesFree", "imagefs.available", "imagefs.inodesFree",
    "memory.available",      "nodefs.available",       "nodefs.inodesFree", "pid.available",
};

constexpr std::array<std::string_view, 4> kFigures = {"memory", "ephemeral-storage", "berth/inodes",
                                                      "berth/pids"};

constexpr std::array<std::string_view, 6> kEnforced = {
    "kube-reserved",   "kube-reserved-compressible",   "none", "pods",
    "system-reserved", "system-reserved-compressible",
};
constexpr std::array<std::string_view, 4> kReservable = {"cpu", "ephemeral-storage", "memory",
                                                         "pid"};

// A figure fits a sum of thousands of them.
constexpr int64_t kMostUsed = int64_t{1} << 53;

bool is_percentage(std::string_view text, float least, float most) {
  if (!text.ends_with('%')) return false;
  text.remove_suffix(1);
  float number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() && std::isfinite(number) &&
         number >= least && number <= most;
}

class KubeletReader {
 public:
  KubeletReader(Value value, Faults& faults)
      : value_(value), in_(object_reader(value, faults)), faults_(faults) {}

  KubeletConfiguration read() {
    KubeletConfiguration made;
    made.node_selector = node_selector();
    if (in_.has("evictionHard")) made.eviction_hard = thresholds("evictionHard");
    made.merges_default_eviction = in_.boolean("mergeDefaultEvictionSettings");
    made.eviction_soft = thresholds("evictionSoft");
    made.eviction_soft_grace = grace_periods();
    check_soft(made);
    made.minimum_reclaim = minimum_reclaim();
    made.most_grace_seconds =
        static_cast<int32_t>(in_.integer("evictionMaxPodGracePeriod", 0, INT32_MAX).value_or(0));
    set_duration("evictionPressureTransitionPeriod", made.pressure_transition);
    set_duration("nodeStatusUpdateFrequency", made.status_update);
    if (in_.has("enforceNodeAllocatable")) {
      const std::vector<std::string> enforced = in_.texts("enforceNodeAllocatable");
      check_enforced(enforced);
      made.enforces_pods = std::ranges::find(enforced, "pods") != enforced.end();
    }
    made.reserved = reserved("systemReserved");
    for (const auto& [name, amount] : reserved("kubeReserved"))
      add_reserved(name, amount, made.reserved);
    refuse_shutdown();
    return made;
  }

 private:
  void check_enforced(const std::vector<std::string>& enforced) const {
    for (const std::string& one : enforced) {
      const bool known = std::ranges::find(kEnforced, one) != kEnforced.end();
      if (!known || (one == "none" && enforced.size() > 1))
        in_.wrong("enforceNodeAllocatable",
                  "expected pods, system-reserved, kube-reserved, or none alone, found " +
                      document::quoted(one));
    }
  }
  model::ResourceList reserved(std::string_view field) const {
    model::ResourceList list = in_.resources(field, Defaults::kNone);
    for (const auto& [name, amount] : list)
      if (std::ranges::find(kReservable, name) == kReservable.end())
        faults_.report(value_.find(field).find(name),
                       "is not reserved; expected cpu, memory, ephemeral-storage or pid");
    return list;
  }
  static void add_reserved(const std::string& name, const model::Quantity& amount,
                           model::ResourceList& to) {
    const auto at = std::ranges::lower_bound(to, name, {}, &model::ResourceList::value_type::first);
    if (at != to.end() && at->first == name) {
      at->second += amount;
    } else {
      to.insert(at, {name, amount});
    }
  }

  // Calls `check(value, text)` for each signal of the map.
  template <typename Check>
  model::StringMap signals(std::string_view field, Check check) const {
    model::StringMap map = in_.string_map(field);
    const Value held = value_.find(field);
    for (const auto& [name, text] : map) {
      if (std::ranges::find(kSignalNames, name) == kSignalNames.end()) {
        faults_.report(held.find(name),
                       "there is no such signal; expected one such as "
                       "memory.available");
      } else {
        check(held.find(name), text);
      }
    }
    return map;
  }
  model::StringMap thresholds(std::string_view field) const {
    return signals(field, [&](Value at, const std::string& text) {
      const auto amount = model::Quantity::parse(text);
      const bool is_amount = amount && !amount->negative() && !amount->zero();
      if (!is_amount && !is_percentage(text, 0, 100))
        faults_.report(at, "expected a quantity above 0 or a percentage from 0% to 100%, found " +
                               document::quoted(text));
    });
  }
  model::StringMap minimum_reclaim() const {
    return signals("evictionMinimumReclaim", [&](Value at, const std::string& text) {
      const auto amount = model::Quantity::parse(text);
      const bool is_amount = amount && !amount->negative();
      if (!is_amount && (!is_percentage(text, 0, 100) || is_percentage(text, 0, 0)))
        faults_.report(
            at, "expected a quantity or a percentage above 0%, found " + document::quoted(text));
    });
  }
  model::StringMap grace_periods() const {
    return signals("evictionSoftGracePeriod", [&](Value at, const std::string& text) {
      const std::optional<int64_t> period = parse_duration(text);
      if (!period || *period < 0)
        faults_.report(at, "expected a duration such as 1m30s, found " + document::quoted(text));
    });
  }
  void check_soft(const KubeletConfiguration& made) const {
    for (const auto& [name, text] : made.eviction_soft) {
      if (text != "0%" && text != "100%" &&
          model::value_in(made.eviction_soft_grace, name) == nullptr)
        faults_.report(value_.find("evictionSoft").find(name),
                       "has no grace period; expected one in evictionSoftGracePeriod");
    }
  }

  // As the API server of a kubelet, 0 is as if it was not there.
  void set_duration(std::string_view field, Time& to) const {
    if (const std::optional<int64_t> period = duration(field); period && *period != 0)
      to = Time(*period);
  }
  std::optional<int64_t> duration(std::string_view field) const {
    const std::string text = in_.text(field);
    if (text.empty()) return std::nullopt;
    const std::optional<int64_t> period = parse_duration(text);
    if (period && *period >= 0) return period;
    faults_.report(value_.find(field),
                   "expected a duration such as 5m0s, found " + document::quoted(text));
    return std::nullopt;
  }

  void refuse_shutdown() const {
    constexpr const char* kWhy =
        "the graceful shutdown of nodes is not played: leave it out, or drain the node";
    for (const std::string_view field : {"shutdownGracePeriod", "shutdownGracePeriodCriticalPods"})
      if (duration(field).value_or(0) != 0) faults_.report(value_.find(field), kWhy);
    if (value_.find("shutdownGracePeriodByPodPriority").size() != 0)
      faults_.report(value_.find("shutdownGracePeriodByPodPriority"), kWhy);
  }

  // KEY=VALUE, KEY!=VALUE, KEY and !KEY, with commas between them; all have to hold.
  std::optional<model::LabelSelector> node_selector() const {
    const FieldReader annotations = in_.object("metadata").object("annotations");
    for (const std::string& key : annotations_of_berth())
      annotations.wrong(key,
                        "there is no such annotation; expected " + std::string(kNodesOfKubelet));
    if (!annotations.has(kNodesOfKubelet)) return std::nullopt;
    const std::string text = annotations.text(kNodesOfKubelet);
    model::LabelSelector selector;
    for (std::string_view rest = text;;) {
      const size_t comma = rest.find(',');
      if (!add_requirement(rest.substr(0, comma), selector)) {
        faults_.report(value_.find("metadata").find("annotations").find(kNodesOfKubelet),
                       "expected labels of nodes such as pool=small,tier!=spare, found " +
                           document::quoted(text));
        return std::nullopt;
      }
      if (comma == rest.npos) return selector;
      rest.remove_prefix(comma + 1);
    }
  }
  // Those that begin with "berth/", and mean nothing.
  std::vector<std::string> annotations_of_berth() const {
    std::vector<std::string> keys = in_.object("metadata").keys("annotations");
    std::erase_if(keys, [](const std::string& key) {
      return !key.starts_with("berth/") || key == kNodesOfKubelet;
    });
    return keys;
  }
  static bool add_requirement(std::string_view text, model::LabelSelector& to) {
    if (text.find_first_of(" ()<>") != text.npos) return false;
    model::Requirement one;
    if (const size_t equals = text.find('='); equals == text.npos) {
      one.op = text.starts_with('!') ? "DoesNotExist" : "Exists";
      one.key = text.substr(text.starts_with('!') ? 1 : 0);
    } else {
      const bool differs = equals != 0 && text[equals - 1] == '!';
      one.op = differs ? "NotIn" : "In";
      one.key = text.substr(0, equals - (differs ? 1 : 0));
      const bool doubled = !differs && text.substr(equals).starts_with("==");
      one.values.emplace_back(text.substr(equals + (doubled ? 2 : 1)));
    }
    if (one.key.empty()) return false;
    to.match_expressions.push_back(std::move(one));
    return true;
  }

  Value value_;
  FieldReader in_;
  Faults& faults_;
};

std::optional<int64_t> figure(const FieldReader& usage, Value value, std::string_view name,
                              Faults& faults) {
  const std::optional<int64_t> amount = usage.amount(name, Defaults::kNone);
  if (amount && *amount > kMostUsed)
    faults.report(value.find(name), "more than " + std::to_string(kMostUsed));
  return amount;
}

// Of the processor time a kubelet reads nothing.
MeasuredUsage usage_of(Value holder, Faults& faults) {
  const Value value = holder.find("usage");
  const FieldReader usage(value, faults);
  return {.memory = figure(usage, value, kFigures[0], faults),
          .storage = figure(usage, value, kFigures[1], faults),
          .inodes = figure(usage, value, kFigures[2], faults),
          .processes = figure(usage, value, kFigures[3], faults)};
}

model::PodMetrics pod_metrics(Value value, const FieldReader& in, Faults& faults) {
  model::PodMetrics made;
  in.each("containers", [](const FieldReader&) {});  // reports what is no list
  for (const Value one : value.find("containers").elements())
    made.containers.push_back({FieldReader(one, faults).text("name"), usage_of(one, faults)});
  return made;
}

model::NodeMetrics node_metrics(Value value, const FieldReader& metadata, Faults& faults) {
  const FieldReader annotations = metadata.object("annotations");
  const bool told = annotations.has(kBesidePods);
  if (told && annotations.text(kBesidePods) != "true")
    annotations.wrong(kBesidePods, "expected \"true\", or nothing");
  return {.usage = usage_of(value, faults), .beside_pods = told};
}

// The object as frames and files have it: with its kind and its namespace.
std::string written(Value value, const model::ControllerObject& object,
                    std::string_view api_version) {
  std::string json = R"({"apiVersion":")" + std::string(api_version) + R"(","kind":)";
  append_json_text(object.kind, json);
  if (object.kind != kKubeletConfiguration) {
    json += R"(,"metadata":{)";
    if (!object.namespace_name.empty()) {
      json += R"("namespace":)";
      append_json_text(object.namespace_name, json);
      json += ",";
    }
    json += R"("name":)";
    append_json_text(object.name, json);
    if (!value.find("metadata").find("annotations").find(kBesidePods).text().empty())
      json += R"(,"annotations":{"berth/beside-pods":"true"})";
    json += "}";
  }
  for (const document::Member member : value.members()) {
    const bool is_head = member.key == "apiVersion" || member.key == "kind" ||
                         (member.key == "metadata" && object.kind != kKubeletConfiguration);
    const bool is_time = member.key == "timestamp" || member.key == "window";
    if (is_head || is_time) continue;
    json += ",";
    append_json_text(member.key, json);
    json += ":";
    document::append_json(member.value, json);
  }
  return json + "}";
}

}  // namespace

bool is_read_of_usage(std::string_view name) {
  return name == "cpu" || std::ranges::find(kFigures, name) != kFigures.end();
}

bool is_read_of_kubelets(std::string_view field) {
  return std::ranges::find(kReadFields, field) != kReadFields.end();
}

std::optional<model::ControllerObject> decode_kubelet_object(Value value, std::string_view kind,
                                                             Diagnostics& diagnostics,
                                                             Defaults defaults) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  const FieldReader metadata = in.object("metadata");
  model::ControllerObject object;
  object.kind = kind;
  model::ControllerObjectData data;
  std::string_view api_version = "metrics.k8s.io/v1beta1";
  if (kind == kKubeletConfiguration) {
    api_version = "kubelet.config.k8s.io/v1beta1";
    object.name = metadata.name("name");
    if (faults.none()) data.value = KubeletReader(value, faults).read();
  } else {
    object.name = object_name(in, metadata, Defaults::kNone, kind);
    if (kind == "PodMetrics") {
      object.namespace_name = namespace_of(metadata, defaults);
      data.value = pod_metrics(value, in, faults);
    } else {
      data.value = node_metrics(value, metadata, faults);
    }
  }
  if (!faults.none()) return std::nullopt;
  object.json = written(value, object, api_version);
  object.data = std::make_shared<const model::ControllerObjectData>(std::move(data));
  return object;
}

}  // namespace berth::ingest
