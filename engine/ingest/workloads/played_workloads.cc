#include "engine/ingest/workloads/played_workloads.h"

#include <memory>
#include <utility>

#include "engine/model/objects/controller_objects.h"

namespace berth::ingest {
namespace {

// Pods of a new template would replace the others in these, step by step, which is not played.
bool keeps_template(WorkloadKind kind) {
  return kind == WorkloadKind::kStatefulSet || kind == WorkloadKind::kDaemonSet;
}

std::string text_of(const model::ControllerObject& object) {
  return object.kind + " " + object.namespace_name + "/" + object.name;
}

}  // namespace

std::string PlayedWorkloads::key_of(const model::ControllerObject& object) {
  return text_of(object);
}

model::ControllerObject PlayedWorkloads::named(std::string kind, std::string namespace_name,
                                               std::string name) {
  return {std::move(kind), std::move(name), std::move(namespace_name), {}, nullptr};
}

model::ControllerObject PlayedWorkloads::name_of(const Workload& workload) {
  return named(std::string(workload_kind_name(workload.kind)), workload.namespace_name,
               workload.name);
}

void PlayedWorkloads::remove(const model::ControllerObject& object) {
  if (known_.erase(key_of(object)) != 0) removed_.insert(key_of(object));
}

uint64_t PlayedWorkloads::more_pods(const Workload& workload) const {
  const auto known = known_.find(key_of(name_of(workload)));
  const uint64_t before = known == known_.end() ? 0 : known->second.pods;
  return workload.pods > before ? workload.pods - before : 0;
}

std::optional<model::ControllerObject> PlayedWorkloads::put(const Workload& from,
                                                            model::Workload to, const Admit& admit,
                                                            Remarks& remarks) {
  model::ControllerObject object = name_of(from);
  const std::string text = text_of(object);
  const auto not_played = [&](const std::string& why) {
    remarks.unplayed_workloads.add(text + " (" + why + ")");
    return std::nullopt;
  };
  if (!from.not_played.empty()) return not_played(from.not_played);
  model::Pod pod = *to.pod;
  pod.name = to.controller.name;
  if (const auto why = admit(pod, from.asked)) return not_played(*why);
  pod.name.clear();
  to.pod = std::make_shared<const model::Pod>(std::move(pod));
  removed_.erase(key_of(object));
  Known& known = known_[key_of(object)];
  if (!known.revision.empty() && known.revision != from.revision && keeps_template(from.kind))
    remarks.changed_workloads.add(text + " (its template)");
  known = {from.revision, from.pods};
  auto data = std::make_shared<model::ControllerObjectData>();
  data->value = std::move(to);
  object.data = std::move(data);
  return object;
}

}  // namespace berth::ingest
