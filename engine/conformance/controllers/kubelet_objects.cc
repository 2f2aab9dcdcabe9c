#include "engine/conformance/controllers/kubelet_objects.h"

#include <algorithm>
#include <string>

#include "engine/base/error.h"
#include "engine/conformance/case_objects.h"

namespace berth::conformance {

namespace kubelet = controllers::kubelet;
using document::Value;

namespace {

constexpr int64_t kMostFigure = int64_t{1} << 53;  // sums of thousands fit an int64

model::Pod scheduled_pod(Value object) {
  return decoded(object, [](Value value, Diagnostics& diagnostics, ingest::Defaults defaults) {
    return ingest::decode_pod(value, diagnostics, defaults);
  });
}

kubelet::Amount kubelet_amount(Value value) {
  const std::string_view text =
      value.is(document::Kind::kNumber) ? value.number_text() : value.text();
  const std::optional<kubelet::Amount> amount = kubelet::Amount::parse(text);
  if (!amount) throw Error(value.place(), "expected a quantity");
  return *amount;
}

kubelet::Amounts kubelet_amounts(Value map) {
  kubelet::Amounts list;
  for (const document::Member member : map.members())
    list.emplace_back(std::string(member.key), kubelet_amount(member.value));
  std::ranges::sort(list, {}, &kubelet::Amounts::value_type::first);
  return list;
}

std::vector<kubelet::Container> kubelet_containers(Value list) {
  std::vector<kubelet::Container> containers;
  for (const Value one : list.elements()) {
    const Value resources = one.find("resources");
    containers.push_back({text_of(one, "name"), kubelet_amounts(resources.find("requests")),
                          kubelet_amounts(resources.find("limits")),
                          one.find("restartPolicy").text() == "Always"});
  }
  return containers;
}

kubelet::VolumeKind volume_kind(Value volume) {
  if (const Value directory = volume.find("emptyDir"); directory.set())
    return directory.find("medium").text().empty() ? kubelet::VolumeKind::kEmptyDir
                                                   : kubelet::VolumeKind::kEmptyDirInMemory;
  if (volume.find("configMap").set() || volume.find("gitRepo").set())
    return kubelet::VolumeKind::kOtherEphemeral;
  return volume.find("hostPath").set() ? kubelet::VolumeKind::kHostPath
                                       : kubelet::VolumeKind::kOther;
}

std::vector<kubelet::Volume> kubelet_volumes(Value list) {
  std::vector<kubelet::Volume> volumes;
  for (const Value one : list.elements()) {
    volumes.push_back({text_of(one, "name"), volume_kind(one), std::nullopt});
    const Value limit = one.find("emptyDir").find("sizeLimit");
    if (limit.set()) volumes.back().size_limit = kubelet_amount(limit);
  }
  return volumes;
}

std::optional<kubelet::QosClass> reported_class(Value object) {
  const std::string_view text = object.find("status").find("qosClass").text();
  if (text == "BestEffort") return kubelet::QosClass::kBestEffort;
  if (text == "Burstable") return kubelet::QosClass::kBurstable;
  if (text == "Guaranteed") return kubelet::QosClass::kGuaranteed;
  return std::nullopt;
}

kubelet::Pod with_facts(Value object, const model::Pod& known) {
  const Value spec = object.find("spec"), resources = spec.find("resources");
  const Value annotations = object.find("metadata").find("annotations");
  const Value source = annotations.find("kubernetes.io/config.source");
  kubelet::Pod pod;
  pod.namespace_name = known.namespace_name;
  pod.name = known.name;
  pod.priority = known.spec.priority;
  pod.priority_class = text_of(spec, "priorityClassName");
  pod.is_static = source.present() && source.text() != "api";
  pod.is_mirror = annotations.find("kubernetes.io/config.mirror").present();
  pod.qos_class = reported_class(object);
  pod.grace_seconds = known.spec.termination_grace_seconds;
  pod.tolerations = known.spec.tolerations;
  pod.containers = kubelet_containers(spec.find("containers"));
  pod.init_containers = kubelet_containers(spec.find("initContainers"));
  pod.overhead = kubelet_amounts(spec.find("overhead"));
  if (resources.set())
    pod.resources = {kubelet_amounts(resources.find("requests")),
                     kubelet_amounts(resources.find("limits"))};
  pod.volumes = kubelet_volumes(spec.find("volumes"));
  return pod;
}

}  // namespace

void write_condition(document::JsonWriter& writer, const controllers::Condition& condition) {
  writer.object("condition", [&] {
    writer.member("type", condition.type);
    writer.member("status", condition.status);
    writer.member("reason", condition.reason);
    writer.member("message", condition.message);
  });
}

std::optional<int64_t> integer_at(Value object, std::string_view field) {
  const Value member = object.find(field);
  if (!member.present()) return std::nullopt;
  const std::optional<int64_t> number = member.as_int64();
  if (!number || *number < 0 || *number > kMostFigure)
    throw Error(member.place(), "expected an integer from 0 to 2^53");
  return number;
}

kubelet::Pod kubelet_pod(Value object) { return with_facts(object, scheduled_pod(object)); }

kubelet::StartingPod starting_pod(Value object) {
  const model::Pod known = scheduled_pod(object);
  return {with_facts(object, known), known.spec};
}

kubelet::NodeFacts node_facts(Value object) {
  const model::Node node =
      decoded(object, [](Value value, Diagnostics& diagnostics, ingest::Defaults defaults) {
        return ingest::decode_node(value, diagnostics, defaults);
      });
  const Value status = object.find("status");
  kubelet::NodeFacts facts{node.name, node.labels, node.taints, node.allocatable};
  if (const Value memory = status.find("capacity").find("memory"); memory.set())
    facts.memory_capacity = kubelet_amount(memory).quantity.value();
  facts.supplemental_groups_policy = node.supplemental_groups_policy;
  return facts;
}

std::optional<kubelet::PodUsage> pod_usage(Value object) {
  const Value usage = object.find("usage");
  if (!usage.set()) return std::nullopt;
  kubelet::PodUsage read;
  for (const document::Member one : usage.find("containers").members())
    read.containers.push_back({std::string(one.key), integer_at(one.value, "memory"),
                               integer_at(one.value, "rootfs"),
                               integer_at(one.value, "rootfsInodes"), integer_at(one.value, "logs"),
                               integer_at(one.value, "logsInodes")});
  for (const document::Member one : usage.find("volumes").members())
    read.volumes.push_back({std::string(one.key), integer_at(one.value, "used").value_or(0),
                            integer_at(one.value, "inodes").value_or(0)});
  read.processes = integer_at(usage, "processes");
  return read;
}

}  // namespace berth::conformance
