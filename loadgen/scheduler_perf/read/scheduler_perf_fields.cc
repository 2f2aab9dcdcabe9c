#include "loadgen/scheduler_perf/read/scheduler_perf_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "loadgen/workload/fields/asked_fields.h"

namespace berth::loadgen::scheduler_perf {
namespace {

using document::Value;

// Field names that are read from nodes, pods, namespaces, volumes and claims, at any depth.
constexpr std::string_view kFields[] = {
    "accessModes",
    "affinity",
    "allocatable",
    "annotations",
    "apiVersion",
    "awsElasticBlockStore",
    "azureDisk",
    "capacity",
    "cinder",
    "claimName",
    "containerPort",
    "containers",
    "csi",
    "diskURI",
    "driver",
    "effect",
    "ephemeral",
    "finalizers",
    "gcePersistentDisk",
    "generateName",
    "hostIP",
    "hostNetwork",
    "hostPort",
    "image",
    "images",
    "initContainers",
    "iqn",
    "iscsi",
    "key",
    "kind",
    "labels",
    "labelSelector",
    "limits",
    "matchExpressions",
    "matchFields",
    "matchLabelKeys",
    "matchLabels",
    "maxSkew",
    "metadata",
    "minDomains",
    "mismatchLabelKeys",
    "monitors",
    "name",
    "names",
    "namespace",
    "namespaces",
    "namespaceSelector",
    "nodeAffinity",
    "nodeAffinityPolicy",
    "nodeName",
    "nodeSelector",
    "nodeSelectorTerms",
    "nodeTaintsPolicy",
    "operator",
    "overhead",
    "pdName",
    "persistentVolumeClaim",
    "persistentVolumeReclaimPolicy",
    "podAffinity",
    "podAffinityTerm",
    "podAntiAffinity",
    "pool",
    "ports",
    "portworxVolume",
    "preemptionPolicy",
    "preference",
    "preferredDuringSchedulingIgnoredDuringExecution",
    "priority",
    "protocol",
    "rbd",
    "readOnly",
    "requests",
    "required",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "resourceClaims",
    "resources",
    "restartPolicy",
    "schedulerName",
    "schedulingGates",
    "schedulingGroup",
    "selector",
    "sizeBytes",
    "spec",
    "status",
    "storageClassName",
    "taints",
    "terminationGracePeriodSeconds",
    "tolerations",
    "topologyKey",
    "topologySpreadConstraints",
    "unschedulable",
    "value",
    "values",
    "volumeAttributesClassName",
    "volumeHandle",
    "volumeID",
    "volumeMode",
    "volumeName",
    "volumes",
    "weight",
    "whenUnsatisfiable",
    "workloadRef",
};

// The keys of these maps are data, not field names.
constexpr std::string_view kMaps[] = {"allocatable", "annotations",  "capacity",
                                      "labels",      "limits",       "matchLabels",
                                      "overhead",    "nodeSelector", "requests"};

// The offset at which each line starts.
std::vector<size_t> line_starts(std::string_view text) {
  std::vector<size_t> starts{0};
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  return starts;
}

class Corrector {
 public:
  explicit Corrector(std::string& text) : text_(text), lines_(line_starts(text)) {}

  bool changed() const { return changed_; }

  void walk(Value value) {
    for (Value element : value.elements()) walk(element);
    for (const document::Member& member : value.members()) {
      const auto* field = std::ranges::find_if(
          kFields, [&](std::string_view name) { return equal_ignoring_case(name, member.key); });
      if (field != std::end(kFields) && *field != member.key) rewrite(member, *field);
      const bool map =
          field != std::end(kFields) && std::ranges::find(kMaps, *field) != std::end(kMaps);
      if (!map) walk(member.value);
    }
  }

 private:
  // Replaces a name by its correction, which has the same length, so that no place changes.
  void rewrite(const document::Member& member, std::string_view field) {
    const Place place = member.key_value.place();
    const size_t line =
        place.line == 0 || place.line > lines_.size() ? text_.size() : lines_[place.line - 1];
    for (size_t quote = 0; quote < 2; ++quote) {
      const size_t at = line + place.column - 1 + quote;
      if (at >= text_.size() || !equal_ignoring_case(text_.substr(at, field.size()), field))
        continue;
      text_.replace(at, field.size(), field);
      changed_ = true;
      return;
    }
    throw Error(place, fmt::format("write the field {} as {}", member.key, field));
  }

  std::string& text_;
  std::vector<size_t> lines_;
  bool changed_ = false;
};

}  // namespace

bool correct_field_names(const document::Document& document, std::string& text) {
  Corrector corrector(text);
  for (Value root : document.roots()) corrector.walk(root);
  return corrector.changed();
}

}  // namespace berth::loadgen::scheduler_perf
