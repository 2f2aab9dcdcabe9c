#include "loadgen/scheduler_perf/plan/scheduler_perf_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/ingest/objects/objects.h"
#include "engine/ingest/volumes/decode_volumes.h"
#include "loadgen/scheduler_perf/read/scheduler_perf_fields.h"
#include "loadgen/workload/fields/asked_fields.h"

namespace berth::loadgen::scheduler_perf {
namespace {

using document::Kind;
using document::Value;

Naming naming_of(Value object) {
  const Value metadata = object.find("metadata");
  const std::string_view own = metadata.find("name").text();
  if (!own.empty()) return {std::string(own), false};
  return {std::string(metadata.find("generateName").text()), true};
}

// The only object of the document. Throws the first error of decoding.
Value single_root(const document::Document& document, const std::string& file) {
  if (document.roots().size() == 1 && document.roots().front().is(Kind::kObject))
    return document.roots().front();
  Place place;
  place.file = file;
  throw Error(std::move(place), "expected one Kubernetes object");
}

template <typename Object>
Object checked(std::optional<Object> object, const Diagnostics& diagnostics) {
  if (!object) throw Error(diagnostics.kept().front());
  return std::move(*object);
}

void find_missing(Value spec, PodSample& sample) {
  if (spec.find("resourceClaims").size() > 0)
    sample.missing.emplace_back("dynamic resource allocation");
  for (const char* name : {"schedulingGroup", "workloadRef"})
    if (spec.find(name).size() > 0) sample.missing.emplace_back("pod groups");
}

PodSample pod_of(Value object) {
  Diagnostics diagnostics;
  PodSample sample;
  sample.pod = checked(ingest::decode_pod(object, diagnostics), diagnostics);
  sample.naming = naming_of(object);
  sample.pod.name.clear();
  sample.has_finalizers = object.find("metadata").find("finalizers").size() > 0;
  const Value spec = object.find("spec");
  sample.dies_at_once = spec.find("terminationGracePeriodSeconds").as_int64() == 0;
  find_missing(spec, sample);
  return sample;
}

NodeSample node_of(Value object) {
  Diagnostics diagnostics;
  NodeSample sample;
  sample.node = checked(ingest::decode_node(object, diagnostics), diagnostics);
  sample.naming = naming_of(object);
  return sample;
}

DisruptionBudgetSample budget_of(Value object) {
  Diagnostics diagnostics;
  DisruptionBudgetSample sample{
      checked(ingest::decode_disruption_budget(object, diagnostics), diagnostics),
      naming_of(object)};
  sample.budget.disruptions_allowed = 0;
  sample.budget.disrupted_pods.clear();
  return sample;
}

// An API server takes no status of an object that is created.
void drop_status(model::VolumeObject& object) {
  if (auto* claim = std::get_if<model::PersistentVolumeClaim>(&object)) claim->lost = false;
  if (auto* volume = std::get_if<model::PersistentVolume>(&object)) volume->available = false;
}

// Nothing: the object is none of storage.
std::optional<StorageSample> storage_of(Value object, std::string_view kind) {
  Diagnostics diagnostics;
  const model::Object decoded =
      checked(ingest::decode_object(object, kind, diagnostics), diagnostics);
  const auto* storage = std::get_if<model::VolumeObject>(&decoded);
  if (storage == nullptr) return std::nullopt;
  StorageSample sample{*storage, naming_of(object)};
  drop_status(sample.object);
  return sample;
}

// Kinds that upstream's API server accepts and no scheduler reads.
constexpr std::string_view kIdleKinds[] = {"ConfigMap", "Secret", "ServiceAccount"};

AnySample any_of(Value object) {
  const std::string kind(object.find("kind").text());
  const std::string version(object.find("apiVersion").text());
  Diagnostics diagnostics;
  if (version == "v1" && kind == "Node") return node_of(object);
  if (version == "v1" && kind == "Pod") return pod_of(object);
  if (version == "v1" && kind == "Namespace")
    return checked(ingest::decode_namespace(object, diagnostics), diagnostics);
  if (const auto owner_kind = ingest::selector_owner_kind(kind, version))
    return SelectorOwnerSample{
        checked(ingest::decode_selector_owner(object, *owner_kind, diagnostics), diagnostics),
        naming_of(object)};
  if (kind == ingest::kDisruptionBudget && ingest::is_object(kind, version))
    return budget_of(object);
  if (!version.empty() && ingest::is_object(kind, version))
    if (auto storage = storage_of(object, kind)) return *std::move(storage);
  if (version == "v1" && std::ranges::find(kIdleKinds, kind) != std::end(kIdleKinds))
    return std::monostate();
  throw UnknownKind(object.place(), fmt::format("objects of the kind {}", kind));
}

// True if a key or value contains the text.
bool holds(Value value, std::string_view text) {
  const auto has = [&](std::string_view part) { return part.find(text) != part.npos; };
  if (value.is(Kind::kString)) return has(value.as_string());
  return std::ranges::any_of(value.elements(), [&](Value each) { return holds(each, text); }) ||
         std::ranges::any_of(value.members(), [&](const document::Member& member) {
           return has(member.key) || holds(member.value, text);
         });
}

// The same, ignoring names and a node's metadata.
bool holds_beside_names(Value object, std::string_view text) {
  const bool is_node = object.find("kind").text() == "Node";
  return std::ranges::any_of(object.members(), [&](const document::Member& member) {
    if (!equal_ignoring_case(member.key, "metadata")) return holds(member.value, text);
    return !is_node &&
           std::ranges::any_of(member.value.members(), [&](const document::Member& part) {
             return !equal_ignoring_case(part.key, "name") &&
                    !equal_ignoring_case(part.key, "generateName") && holds(part.value, text);
           });
  });
}

model::ResourceList amounts(std::initializer_list<std::pair<const char*, const char*>> list) {
  model::ResourceList result;
  for (const auto& [name, amount] : list)
    result.emplace_back(name, *model::Quantity::parse(amount));
  return result;
}

}  // namespace

ObjectTemplate::ObjectTemplate(std::string text, std::string file)
    : text_(std::move(text)), file_(std::move(file)), template_(text_, file_) {
  varies_ = template_.uses("Index");
}

bool ObjectTemplate::varies_in_kind(const TemplateValues& values) const {
  if (!varies_) return false;
  std::string mark = "index";
  while (text_.find(mark) != text_.npos) mark += 'x';
  Diagnostics diagnostics;
  const document::Document document =
      document::Document::parse(template_.render(values, "Index", mark), file_, diagnostics);
  // The marker may be invalid where a number is expected. Then assume that the objects differ.
  if (diagnostics.count() != 0 || document.roots().size() != 1) return true;
  return holds_beside_names(document.roots().front(), mark);
}

document::Document ObjectTemplate::render(const TemplateValues& values, bool plain,
                                          bool typed) const {
  std::string text = plain ? text_ : template_.render(values);
  Diagnostics diagnostics;
  document::Limits limits;
  limits.unique_keys = true;
  document::Document document = document::Document::parse(text, file_, diagnostics, limits);
  if (typed && diagnostics.count() == 0 && correct_field_names(document, text))
    document = document::Document::parse(text, file_, diagnostics, limits);
  if (diagnostics.count() != 0) throw Error(diagnostics.kept().front());
  return document;
}

NodeSample ObjectTemplate::node(const TemplateValues& values) const {
  const document::Document document = render(values, false, true);
  return node_of(single_root(document, file_));
}

PodSample ObjectTemplate::pod(const TemplateValues& values) const {
  const document::Document document = render(values, false, true);
  return pod_of(single_root(document, file_));
}

model::Namespace ObjectTemplate::namespace_object() const {
  const document::Document document = render({}, true, true);
  const Value root = single_root(document, file_);
  Diagnostics diagnostics;
  // The operation sets the name.
  model::Namespace result;
  const Value labels = root.find("metadata").find("labels");
  for (const document::Member& member : labels.members()) {
    if (!member.value.is(Kind::kString))
      throw Error(member.value.place(), fmt::format("label {} must be a string", member.key));
    result.labels.emplace_back(member.key, member.value.as_string());
  }
  std::ranges::sort(result.labels);
  return result;
}

model::VolumeObject ObjectTemplate::storage(std::string_view kind) const {
  const document::Document document = render({}, true, true);
  const Value root = single_root(document, file_);
  const Value own = root.find("kind");
  if (own.present() && own.text() != kind)
    throw Error(own.place(), fmt::format("expected a {}", kind));
  Diagnostics diagnostics;
  model::VolumeObject object =
      checked(ingest::decode_volume_template(root, kind, diagnostics), diagnostics);
  drop_status(object);
  return object;
}

model::PersistentVolume ObjectTemplate::volume() const {
  return std::get<model::PersistentVolume>(storage("PersistentVolume"));
}

model::PersistentVolumeClaim ObjectTemplate::claim() const {
  return std::get<model::PersistentVolumeClaim>(storage("PersistentVolumeClaim"));
}

AnySample ObjectTemplate::any(const TemplateValues& values, bool plain) const {
  const document::Document document = render(values, plain, false);
  return any_of(single_root(document, file_));
}

NodeSample base_node(size_t op_index) {
  NodeSample sample;
  sample.naming = {fmt::format("node-{}-", op_index), true};
  sample.node.allocatable = amounts({{"cpu", "4"}, {"memory", "32Gi"}, {"pods", "110"}});
  return sample;
}

PodSample base_pod() {
  PodSample sample;
  sample.naming = {"pod-", true};
  model::Container container;
  container.name = "pause";
  container.image = "registry.k8s.io/pause:3.10.1";
  container.requests = amounts({{"cpu", "100m"}, {"memory", "500Mi"}});
  container.ports.push_back({});
  sample.pod.spec.containers.push_back(std::move(container));
  return sample;
}

std::string numbered_name(const Naming& naming, uint64_t number) {
  return naming.generated ? fmt::format("{}{:07}", naming.text, number) : naming.text;
}

}  // namespace berth::loadgen::scheduler_perf
