#include "tests/service_simulation/world/users.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/assert.h"
#include "tests/service_simulation/checks/observer.h"

namespace berth::service_simulation {

namespace json = apiserver::json;
using apiserver::text_at;

namespace {

constexpr char kNodes[] = "/api/v1/nodes";
constexpr char kPods[] = "/api/v1/namespaces/default/pods";
constexpr char kClaims[] = "/api/v1/namespaces/default/persistentvolumeclaims";
constexpr char kVolumes[] = "/api/v1/persistentvolumes";
constexpr char kClasses[] = "/apis/storage.k8s.io/v1/storageclasses";
constexpr char kOthersNode[] = "others";

std::string path_of(const char* collection, const std::string& name) {
  return std::string(collection) + "/" + name;
}

json::value binding(const std::string& pod, const std::string& node) {
  return {{"metadata", {{"name", pod}}}, {"target", {{"kind", "Node"}, {"name", node}}}};
}

}  // namespace

void Users::begin() {
  add_class("low", 0, true);
  add_class("high", 1000, true);
  add_class("higher", 2000, true);
  add_class("patient", 1000, false);
  client_.post(kClasses, {{"metadata", {{"name", "late"}}},
                          {"provisioner", "kubernetes.io/no-provisioner"},
                          {"volumeBindingMode", "WaitForFirstConsumer"}});
  add_others_node();
  for (int i = 0; i < rates_.nodes; ++i) {
    nodes_.push_back({.name = "n" + std::to_string(i),
                      .cpu = dice_.number(2, 8) * 500,
                      .pods = dice_.one_of<int64_t>({2, 4, 110})});
    put_node(nodes_.back());
    if (dice_.chance(70)) continue;
    // A static pod, which was there before.
    json::value there = pod("static" + std::to_string(i));
    there.at("spec").as_object()["nodeName"] = nodes_.back().name;
    there.at("spec").as_object()["containers"] = json::array{
        {{"name", "c"}, {"resources", {{"requests", {{"cpu", "300m"}, {"memory", "1Mi"}}}}}}};
    client_.post(kPods, there);
  }
  for (int i = 0; i < rates_.first_pods; ++i) create_pod();
}

void Users::add_class(const std::string& name, int value, bool preempts) {
  client_.post("/apis/scheduling.k8s.io/v1/priorityclasses",
               {{"metadata", {{"name", name}}},
                {"value", value},
                {"preemptionPolicy", preempts ? "PreemptLowerPriority" : "Never"}});
}

void Users::put_node(Node& node) {
  const std::string zone = "z" + std::to_string(node.name.back() % 2);
  const json::value labels = {{"kubernetes.io/hostname", node.name},
                              {"topology.kubernetes.io/zone", zone}};
  const json::value amounts = {{"cpu", std::to_string(node.cpu) + "m"},
                               {"memory", "4Gi"},
                               {"pods", std::to_string(node.pods)}};
  const Response created =
      client_.post(kNodes, {{"metadata", {{"name", node.name}, {"labels", labels}}},
                            {"status", {{"allocatable", amounts}, {"capacity", amounts}}}});
  BERTH_ASSERT(created.ok());
  node.present = true;
}

void Users::add_others_node() {
  client_.post(
      kNodes,
      {{"metadata", {{"name", kOthersNode}}},
       {"spec", {{"taints", json::array{{{"key", kOthersTaint}, {"effect", "NoSchedule"}}}}}},
       {"status", {{"allocatable", {{"cpu", "9"}, {"memory", "9Gi"}, {"pods", "9"}}}}}});
}

Users::Json Users::pod(const std::string& name) {
  const std::string app = dice_.one_of<const char*>({"a", "b", "c"});
  const std::string cpu = std::to_string(dice_.one_of({0, 100, 500, 1000, 1500, 3000})) + "m";
  json::value spec = {
      {"terminationGracePeriodSeconds", dice_.one_of({0, 1, 5, 30})},
      {"containers",
       json::array{
           {{"name", "c"}, {"resources", {{"requests", {{"cpu", cpu}, {"memory", "100Mi"}}}}}}}}};
  if (rates_.preemption)
    spec.as_object()["priorityClassName"] =
        dice_.one_of<const char*>({"low", "low", "high", "higher", "patient"});
  if (rates_.many_kinds) add_relations(spec, app);
  return {{"metadata", {{"name", name}, {"labels", {{"app", app}}}}}, {"spec", spec}};
}

void Users::add_relations(Json& spec, const std::string& app) {
  json::object& to = spec.as_object();
  const json::value selector = {{"matchLabels", {{"app", app}}}};
  if (dice_.chance(15))
    to["nodeSelector"] = {{"topology.kubernetes.io/zone", dice_.one_of<const char*>({"z0", "z1"})}};
  if (dice_.chance(15))
    to["affinity"] = {{"podAntiAffinity",
                       {{"requiredDuringSchedulingIgnoredDuringExecution",
                         json::array{{{"labelSelector", selector},
                                      {"topologyKey", "kubernetes.io/hostname"}}}}}}};
  else if (dice_.chance(10))
    to["affinity"] = {{"podAffinity",
                       {{"requiredDuringSchedulingIgnoredDuringExecution",
                         json::array{{{"labelSelector", selector},
                                      {"topologyKey", "topology.kubernetes.io/zone"}}}}}}};
  if (dice_.chance(15))
    to["topologySpreadConstraints"] = json::array{{{"maxSkew", 1},
                                                   {"topologyKey", "topology.kubernetes.io/zone"},
                                                   {"whenUnsatisfiable", "DoNotSchedule"},
                                                   {"labelSelector", selector}}};
  if (dice_.chance(5)) to["schedulingGates"] = json::array{{{"name", "wait"}}};
  if (dice_.chance(15)) add_volume(spec);
}

// A claim, its volume, and a pod that uses them come in any order.
void Users::add_volume(Json& spec) {
  const std::string number = std::to_string(last_volume_++);
  spec.as_object()["volumes"] =
      json::array{{{"name", "v"}, {"persistentVolumeClaim", {{"claimName", "c" + number}}}}};
  client_.post(kVolumes, {{"metadata", {{"name", "v" + number}}},
                          {"spec",
                           {{"capacity", {{"storage", "1Gi"}}},
                            {"accessModes", json::array{"ReadWriteOnce"}},
                            {"storageClassName", "late"},
                            {"hostPath", {{"path", "/v"}}}}}});
  client_.post(kClaims, {{"metadata", {{"name", "c" + number}}},
                         {"spec",
                          {{"accessModes", json::array{"ReadWriteOnce"}},
                           {"storageClassName", "late"},
                           {"resources", {{"requests", {{"storage", "1Gi"}}}}}}}});
}

void Users::act() {
  switch (dice_.number(0, 19)) {
    case 0:
    case 1:
      return delete_pod();
    case 2:
      return recreate_pod();
    case 3:
    case 4:
      return finish_pod();
    case 5:
      return label_pod();
    case 6:
      return bind_by_another();
    case 7:
      return delete_node();
    case 8:
    case 9:
      return restore_node();
    case 10:
      return cordon_node();
    case 11:
      return grow_node();
    case 12:
      return open_gate();
    case 13:
      return create_foreign_pod();
    default:
      for (int64_t i = dice_.one_of<int64_t>({1, 1, 2, 6}); i > 0; --i) create_pod();
  }
}

void Users::create_pod() { create_pod("p" + std::to_string(last_pod_++)); }

void Users::create_pod(const std::string& name) {
  const json::value body = pod(name);
  trace_.add("pod " + name + " comes: " + json::serialize(body.at("spec")));
  if (client_.post(kPods, body).ok() && std::ranges::find(pods_, name) == pods_.end())
    pods_.push_back(name);
}

void Users::create_foreign_pod() {
  const std::string name = "foreign" + std::to_string(last_pod_++);
  json::value body = pod(name);
  body.at("spec").as_object()["schedulerName"] = "another";
  trace_.add("pod " + name + " of another scheduler comes");
  if (!client_.post(kPods, body).ok()) return;
  marks_.hit(Mark::kForeignPod);
  pods_.push_back(name);
}

std::string Users::any_pod() { return pods_.empty() ? "none" : dice_.one_of(pods_); }

Users::Node& Users::any_node() { return nodes_[below(dice_.next(), nodes_.size())]; }

void Users::delete_pod() {
  const std::string name = any_pod();
  trace_.add("pod " + name + " is deleted");
  const std::string path = path_of(kPods, name);
  dice_.chance(70) ? client_.remove(path) : client_.remove_now(path);
}

void Users::recreate_pod() {
  const std::string name = any_pod();
  if (!client_.remove_now(path_of(kPods, name)).ok()) return;
  marks_.hit(Mark::kPodRecreated);
  create_pod(name);
}

void Users::finish_pod() {
  const std::string name = any_pod();
  const std::string path = path_of(kPods, name);
  const Response now = client_.get(path);
  if (!now.ok() || text_at(json::parse(now.body), "spec.nodeName").empty()) return;
  trace_.add("pod " + name + " finishes");
  client_.patch(path + "/status",
                {{"status", {{"phase", dice_.one_of<const char*>({"Succeeded", "Failed"})}}}});
}

void Users::label_pod() {
  const std::string name = any_pod();
  trace_.add("pod " + name + " has another label");
  client_.patch(path_of(kPods, name),
                {{"metadata", {{"labels", {{"app", dice_.one_of<const char*>({"a", "b"})}}}}}});
}

void Users::open_gate() {
  const std::string name = any_pod();
  trace_.add("pod " + name + " has no gate");
  client_.patch(path_of(kPods, name), {{"spec", {{"schedulingGates", nullptr}}}});
}

void Users::bind_by_another() {
  const std::string name = any_pod();
  trace_.add("another scheduler binds pod " + name);
  const Response bound =
      client_.post(path_of(kPods, name) + "/binding", binding(name, kOthersNode));
  if (bound.ok()) marks_.hit(Mark::kBoundByAnother);
}

void Users::delete_node() {
  Node& node = any_node();
  if (!node.present) return;
  marks_.hit(Mark::kNodeGone);
  client_.remove(path_of(kNodes, node.name));
  node.present = false;
  if (dice_.chance(50)) collect_garbage();
}

// With the same room: pods may be there still.
void Users::restore_node() {
  for (Node& node : nodes_) {
    if (node.present) continue;
    marks_.hit(Mark::kNodeBack);
    return put_node(node);
  }
}

void Users::cordon_node() {
  const std::string name = any_node().name;
  client_.patch(path_of(kNodes, name), {{"spec", {{"unschedulable", dice_.chance(40)}}}});
}

void Users::grow_node() {
  Node& node = any_node();
  node.cpu += 500;
  client_.patch(path_of(kNodes, node.name) + "/status",
                {{"status", {{"allocatable", {{"cpu", std::to_string(node.cpu) + "m"}}}}}});
}

void Users::collect_garbage() {
  const json::value nodes = json::parse(client_.get(kNodes).body);
  std::set<std::string> there;
  for (const json::value& node : nodes.at("items").as_array())
    there.emplace(text_at(node, "metadata.name"));
  const json::value pods = json::parse(client_.get(kPods).body);
  for (const json::value& pod : pods.at("items").as_array()) {
    const std::string on(text_at(pod, "spec.nodeName"));
    if (!on.empty() && !there.contains(on))
      client_.remove_now(path_of(kPods, std::string(text_at(pod, "metadata.name"))));
  }
}

// The controller of volumes offers new ones, and binds the claim that a volume was given to.
void Users::control() {
  if (last_volume_ == 0) return;
  const json::value volumes = json::parse(client_.get(kVolumes).body);
  for (const json::value& volume : volumes.at("items").as_array()) {
    const std::string claim(text_at(volume, "spec.claimRef.name"));
    const std::string name(text_at(volume, "metadata.name"));
    const std::string_view phase = text_at(volume, "status.phase");
    if (claim.empty() && phase != "Available")
      client_.patch(path_of(kVolumes, name) + "/status", {{"status", {{"phase", "Available"}}}});
    if (claim.empty() || phase == "Bound") continue;
    trace_.add("volume " + name + " is bound to " + claim);
    marks_.hit(Mark::kVolumeBound);
    client_.patch(path_of(kVolumes, name) + "/status", {{"status", {{"phase", "Bound"}}}});
    client_.patch(path_of(kClaims, claim),
                  {{"metadata", {{"annotations", {{"pv.kubernetes.io/bind-completed", "yes"}}}}},
                   {"spec", {{"volumeName", name}}}});
    client_.patch(path_of(kClaims, claim) + "/status", {{"status", {{"phase", "Bound"}}}});
  }
}

}  // namespace berth::service_simulation
