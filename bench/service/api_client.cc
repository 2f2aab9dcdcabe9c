#include "bench/service/api_client.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/assert.h"
#include "engine/events/event_name.h"
#include "engine/kube/api/list_page.h"
#include "engine/kube/api/status.h"
#include "engine/kube/writes/body.h"
#include "engine/kube/writes/events/event_body.h"

namespace berth::bench {
namespace {

kube::Request creation(std::string path, std::string body) {
  return {.method = kube::Method::kPost,
          .path = std::move(path),
          .content_type = kube::kJson,
          .body = std::move(body)};
}

std::string fault_of(const kube::Answer& answer) {
  return kube::failure_text(answer, {kube::Method::kGet, "objects"});
}

}  // namespace

void Requests::add(kube::Request request, Done done) {
  waiting_.push_back({std::move(request), std::move(done)});
  send();
}

void Requests::send() {
  while (under_way_ < most_ && !waiting_.empty()) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    ++under_way_;
    network_.send(std::move(next.request),
                  [this, done = std::move(next.done)](const kube::Answer& answer) {
                    answered(answer, done);
                  });
  }
}

void Requests::answered(const kube::Answer& answer, const Done& done) {
  --under_way_;
  if (!answer.ok() && fault_.empty()) fault_ = fault_of(answer);
  if (!fault_.empty()) {
    network_.stop();
    return;
  }
  send();
  done(answer);
}

void BoundPods::start(std::string version) {
  version_ = std::move(version);
  lines_ = kube::WatchLines();
  network_.stream(
      reading("/api/v1/pods?watch=1&timeoutSeconds=3600&resourceVersion=" + version_),
      [this](std::string_view data) {
        lines_.feed(data);
        while (const auto line = lines_.next()) take(*line);
      },
      [this](const kube::Answer& answer) {
        if (answer.ok()) {
          start(version_);
        } else {
          fault_ = "the watch of the pods: " + fault_of(answer);
          network_.stop();
        }
      });
}

void BoundPods::take(std::string_view line) {
  std::string fault;
  const auto event = kube::read_watch_event(line, fault);
  if (!event) {
    fault_ = "the watch of the pods: " + fault;
    network_.stop();
    return;
  }
  version_ = event->resource_version();
  const document::Value metadata = event->object.find("metadata");
  const std::string_view node = event->object.find("spec").find("nodeName").text();
  if (node.empty()) return;
  SeenPod pod{std::string(metadata.find("name").text()), std::string(metadata.find("uid").text()),
              std::string(node)};
  if (seen_.try_emplace(pod.uid, true).second) each_(std::move(pod));
}

kube::Request reading(std::string path) {
  kube::Request request;
  request.path = std::move(path);
  return request;
}

kube::Request node_creation(uint32_t number) {
  return creation(
      "/api/v1/nodes",
      fmt::format(R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n-{0:05}","labels":{{)"
                  R"("kubernetes.io/hostname":"n-{0:05}","topology.kubernetes.io/zone":"z{1}"}}}},)"
                  R"("status":{{"allocatable":{{"cpu":"32","memory":"128Gi","pods":"110"}},)"
                  R"("capacity":{{"cpu":"32","memory":"128Gi","pods":"110"}},)"
                  R"("conditions":[{{"type":"Ready","status":"True"}}]}}}})",
                  number, number % 3));
}

kube::Request pod_creation(const std::string& name) {
  return creation("/api/v1/namespaces/default/pods",
                  fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}"}},)"
                              R"("spec":{{"containers":[{{"name":"c","image":"i","resources":)"
                              R"({{"requests":{{"cpu":"100m","memory":"100Mi"}}}}}}]}}}})",
                              name));
}

kube::Request pod_binding(const SeenPod& pod) {
  return creation("/api/v1/namespaces/default/pods/" + pod.name + "/binding",
                  fmt::format(R"({{"apiVersion":"v1","kind":"Binding","metadata":{{"name":"{}",)"
                              R"("namespace":"default","uid":"{}"}},)"
                              R"("target":{{"kind":"Node","name":"{}"}}}})",
                              pod.name, pod.uid, pod.node));
}

kube::Request scheduled_event(const SeenPod& pod, int64_t wall) {
  events::RecordedEvent recorded;
  recorded.event = {.controller = "default-scheduler",
                    .regarding = {.namespace_name = "default", .name = pod.name, .uid = pod.uid},
                    .reason = "Scheduled",
                    .action = "Binding",
                    .note = "Successfully assigned default/" + pod.name + " to " + pod.node};
  recorded.name = events::event_name(pod.name, wall);
  recorded.instance = "default-scheduler-bench";
  recorded.time = wall;
  return kube::event_creation(recorded);
}

}  // namespace berth::bench
