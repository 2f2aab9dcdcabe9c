#include "tests/service_simulation/checks/observer.h"

#include <chrono>
#include <memory>
#include <utility>

#include "engine/model/objects/objects.h"

namespace berth::service_simulation {

namespace json = apiserver::json;
using apiserver::text_at;

namespace {

// A watch that broke waits for a minute at most, and a process may have been stopped before.
constexpr Time kMostBehind = std::chrono::minutes(2);

}  // namespace

// Takes the lines of one watch.
class Observer::Ear : public apiserver::Reply {
 public:
  using Take = void (Observer::*)(bool, const json::value&);

  Ear(Observer& observer, Take take) : observer_(observer), take_(take) {}

  void begin(int, std::map<std::string, std::string>) override {}
  void write(std::string_view part) override {
    const json::value event = json::parse(part);
    (observer_.*take_)(text_at(event, "type") == "DELETED", event.at("object"));
  }
  void end() override {}
  void cut() override {}
  bool open() const override { return true; }

 private:
  Observer& observer_;
  const Take take_;
};

Observer::Observer(apiserver::ApiServer& server, Trace& trace, Marks& marks)
    : trace_(trace), marks_(marks) {
  watch(server, "/api/v1/pods", &Observer::take_pod);
  watch(server, "/api/v1/nodes", &Observer::take_node);
  watch(server, "/apis/coordination.k8s.io/v1/leases", &Observer::take_lease);
}

void Observer::watch(apiserver::ApiServer& server, const std::string& path, Ear::Take take) {
  apiserver::Request request;
  request.method = "GET";
  request.path = path;
  request.query["watch"] = "true";
  server.handle_without_faults(request, std::make_shared<Ear>(*this, take));
}

Observer::Amounts Observer::amounts_of(const json::value& list) {
  const auto amount = [&](std::string_view name) {
    return model::Quantity::parse(text_at(list, name)).value_or(model::Quantity());
  };
  return {amount("cpu").milli_value(), amount("memory").value(), amount("pods").value()};
}

void Observer::take_pod(bool gone, const json::value& object) {
  const std::string uid(text_at(object, "metadata.uid"));
  const std::string node(text_at(object, "spec.nodeName"));
  const std::string_view phase = text_at(object, "status.phase");
  if (gone) {
    pods_.erase(uid);
    return;
  }
  const auto [at, is_new] = pods_.try_emplace(uid);
  Pod& pod = at->second;
  if (is_new) {
    pod.name = text_at(object, "metadata.name");
    if (const auto* containers = apiserver::array_at(object, "spec.containers"))
      if (const auto* requests = apiserver::find(containers->at(0), "resources.requests"))
        pod.requests = amounts_of(*requests);
    pod.requests.pods = 1;
  }
  pod.finished = phase == "Succeeded" || phase == "Failed";
  if (pod.node == node) return;
  trace_.add("server: " + pod.name + " is on node " + node);
  if (!pod.node.empty()) trace_.wrong(pod.name + " was on node " + pod.node + " before");
  pod.node = node;
  pod.bound_at = trace_.now();
  const auto binder = binders_.extract(pod.name);
  if (!binder.empty()) pod.binder = binder.mapped();
  ++bindings_;
  check_room(node, pod);
}

void Observer::take_node(bool gone, const json::value& object) {
  const std::string name(text_at(object, "metadata.name"));
  trace_.add("server: node " + name + (gone ? " is gone" : " is there"));
  if (gone) {
    nodes_.erase(name);
    return;
  }
  Node& node = nodes_[name];
  if (const auto* amounts = apiserver::find(object, "status.allocatable"))
    node.allocatable = amounts_of(*amounts);
  node.of_others = false;
  if (const auto* taints = apiserver::array_at(object, "spec.taints"))
    for (const json::value& taint : *taints)
      node.of_others |= text_at(taint, "key") == kOthersTaint;
}

void Observer::check_room(const std::string& name, const Pod& newcomer) {
  const auto node = nodes_.find(name);
  if (node == nodes_.end() || node->second.of_others) return;
  // Each seat has a letter.
  const auto is_news = [&](const Pod& pod) {
    return !pod.binder.empty() && !newcomer.binder.empty() &&
           pod.binder.front() != newcomer.binder.front() &&
           newcomer.bound_at - pod.bound_at < kMostBehind;
  };
  Amounts used;
  std::string names;
  for (const auto& [uid, pod] : pods_) {
    if (pod.node != name || pod.finished) continue;
    if (is_news(pod)) return;
    used.cpu += pod.requests.cpu;
    used.memory += pod.requests.memory;
    used.pods += pod.requests.pods;
    names += " " + pod.name;
  }
  const Amounts& has = node->second.allocatable;
  if (used.cpu > has.cpu || used.memory > has.memory || used.pods > has.pods)
    trace_.wrong("node " + name + " has not the room for its pods:" + names);
}

void Observer::describe() const {
  for (const auto& [name, node] : nodes_) {
    const Amounts& has = node.allocatable;
    std::string words = "node " + name + " has " + std::to_string(has.cpu) + "m, " +
                        std::to_string(has.pods) + " pods;";
    for (const auto& [uid, pod] : pods_)
      if (pod.node == name && !pod.finished)
        words += " " + pod.name + " " + std::to_string(pod.requests.cpu) + "m";
    trace_.add(words);
  }
}

void Observer::take_lease(bool gone, const json::value& object) {
  const std::string holder(gone ? std::string_view() : text_at(object, "spec.holderIdentity"));
  if (holder == holder_) return;
  trace_.add("server: the lease is held by \"" + holder + "\"");
  if (!holder_.empty() && !holder.empty()) marks_.hit(Mark::kTakeover);
  holder_ = holder;
}

void Observer::sent(const std::string& process, const kube::Request& request) {
  constexpr std::string_view kEnd = "/binding";
  if (request.path.ends_with(kEnd)) {
    const std::string pod = request.path.substr(0, request.path.size() - kEnd.size());
    binders_[pod.substr(pod.rfind('/') + 1)] = process;
  }
  if (!elections_ || request.method == kube::Method::kGet) return;
  if (request.path.find("/leases") != request.path.npos) return;
  if (holder_ != process) trace_.wrong(process + " writes without the lease: " + request.path);
}

}  // namespace berth::service_simulation
