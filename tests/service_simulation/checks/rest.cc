#include "tests/service_simulation/checks/rest.h"

#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/assert.h"
#include "engine/kube/api/list_page.h"
#include "engine/kube/api/object_reader.h"
#include "tests/simulation/checks/placeable.h"

namespace berth::service_simulation {
namespace {

using tests::brute::Objects;

void each_object(Client& client, std::string_view kind_name,
                 const std::function<void(kube::Watched)>& visit) {
  const kube::ServedKind* kind = kube::find_served(kind_name);
  const Response list = client.get(kube::list_path(*kind));
  std::string fault;
  const auto page = kube::read_list_page(list.body, fault);
  BERTH_ASSERT(page.has_value());
  for (const document::Value item : page->items.elements()) {
    std::optional<kube::Watched> object = kube::read_object(*kind, item, false, fault);
    BERTH_ASSERT(object.has_value());
    visit(std::move(*object));
  }
}

void each_pod(Client& client, const std::function<void(model::Pod)>& visit) {
  each_object(client, "Pod", [&](const kube::Watched& watched) {
    if (watched.change.operation == model::Operation::kDeleted) return;  // it has finished
    visit(std::get<model::TemplatePod>(watched.change.object).pod());
  });
}

// Each claim that is there has a volume, or one is free for it.
std::set<std::string> claims_of(Client& client) {
  std::set<std::string> names;
  each_object(client, "PersistentVolumeClaim", [&](const kube::Watched& watched) {
    const auto& volume = std::get<model::VolumeObject>(watched.change.object);
    names.insert(std::get<model::PersistentVolumeClaim>(volume).name);
  });
  return names;
}

}  // namespace

bool pods_leave(Client& client) {
  bool leave = false;
  each_pod(client, [&](const model::Pod& pod) { leave |= pod.terminating; });
  return leave;
}

std::map<std::string, std::string> placeable_pods(Client& client) {
  Objects objects;
  each_object(client, "Node", [&](const kube::Watched& watched) {
    const auto& node = std::get<model::Node>(watched.change.object);
    objects.nodes.emplace(node.name, node);
  });
  each_object(client, "Namespace", [&](const kube::Watched& watched) {
    const auto& space = std::get<model::Namespace>(watched.change.object);
    objects.namespaces.emplace(space.name, space);
  });
  std::vector<model::Pod> waiting;
  each_pod(client, [&](model::Pod pod) {
    if (pod.finished()) return;
    const Objects::Name name{pod.namespace_name, pod.name};
    if (pod.bound()) {
      objects.placed.emplace(name, std::move(pod));
    } else if (pod.spec.scheduler_name == "default-scheduler" && !pod.terminating) {
      if (!pod.nominated_node_name.empty()) objects.nominated.emplace(name, pod);
      waiting.push_back(std::move(pod));
    }
  });
  const std::set<std::string> claims = claims_of(client);
  std::map<std::string, std::string> found;
  for (model::Pod& pod : waiting) {
    pod.nominated_node_name.clear();  // nothing leaves, so it does not help to wait there
    bool has_claims = pod.spec.scheduling_gates.empty();
    for (const model::PodVolume& volume : pod.spec.volumes)
      has_claims &= !volume.is_claim || claims.contains(volume.claim);
    if (!has_claims) continue;
    Objects others = objects;
    others.nominated.erase({pod.namespace_name, pod.name});
    const auto place = simulation::place_of(pod, others);
    if (place)
      found.emplace(pod.name, "it has a place on node " + place->node +
                                  (place->by_preemption ? " by preemption" : ""));
  }
  return found;
}

}  // namespace berth::service_simulation
