#include "engine/kube/writes/objects/bindings.h"

#include <optional>
#include <utility>

#include "engine/document/document.h"
#include "engine/kube/api/status.h"
#include "engine/kube/kinds.h"
#include "engine/kube/writes/body.h"
#include "engine/kube/writes/limits.h"

namespace berth::kube {
namespace {

constexpr Waits kReadWaits{std::chrono::milliseconds(200), std::chrono::seconds(10), 2, 50};
// Some half a minute. A server that begins refuses all until it has its own rules.
constexpr uint32_t kForbiddenReads = 8;

const ServedKind& bound_kind() {
  static const ServedKind& kind = *find_served("Pod");
  return kind;
}

Request binding_request(const PodName& pod, const std::string& node) {
  return {.method = Method::kPost,
          .path = object_path(bound_kind(), pod.namespace_name, pod.name, "binding"),
          .content_type = kJson,
          .body = json_body([&](document::JsonWriter& json) {
            json.member("apiVersion", "v1");
            json.member("kind", "Binding");
            json.object("metadata", [&] {
              json.member("name", pod.name);
              json.member("namespace", pod.namespace_name);
              json.member_if("uid", pod.uid);
            });
            json.object("target", [&] {
              json.member("kind", "Node");
              json.member("name", node);
            });
          }),
          .limit = kRequestLimit};
}

// The statement of a refusal about the pod.
enum class Refusal : uint8_t { kFailed, kConflict, kUnknown };

// The server wraps whatever stops a binding in a conflict, also faults of its storage.
Refusal refusal_of(const Status& error) {
  const auto says = [&](std::string_view text) { return error.message.find(text) != text.npos; };
  if (error.code >= 500) return Refusal::kUnknown;
  if (!error.is_conflict()) return Refusal::kFailed;
  if (error.is_other_uid() || says("is already assigned to node") ||
      says("is being deleted, cannot be assigned to a host"))
    return Refusal::kConflict;
  return says("has non-empty .spec.schedulingGates") ? Refusal::kFailed : Refusal::kUnknown;
}

struct SeenPod {
  std::string uid, node;
};

std::optional<SeenPod> read_pod(const std::string& body) {
  Diagnostics faults;
  const auto document = document::Document::parse(body, "the answer", faults, {.json_only = true});
  if (faults.count() != 0 || document.roots().size() != 1) return {};
  const document::Value root = document.roots()[0];
  const std::string_view uid = root.find("metadata").find("uid").text();
  if (uid.empty()) return {};
  return SeenPod{std::string(uid), std::string(root.find("spec").find("nodeName").text())};
}

std::string not_found(const PodName& pod) { return "pods \"" + pod.name + "\" not found"; }

}  // namespace

void Bindings::bind(uint64_t number, const PodName& pod, const std::string& node) {
  auto one = std::make_shared<One>(One{number, pod, node});
  sender_.add({WriteKind::kBinding, [one] { return binding_request(one->pod, one->node); },
               [this, one](const Outcome& outcome) { bound(one, outcome); }});
}

void Bindings::bound(const Shared& one, const Outcome& outcome) {
  const Answer& answered = outcome.answer;
  if (answered.ok()) return answer(*one, BindResult::Kind::kBound);
  Status error = status_of(answered, {Method::kPost, "pods", one->pod.name});
  if (outcome.ended) return answer(*one, BindResult::Kind::kFailed, std::move(error.message));
  if (answered.fate == Answer::Fate::kNotSent) return failed(*one, std::move(error.message));
  const Refusal refusal =
      answered.fate == Answer::Fate::kLost ? Refusal::kUnknown : refusal_of(error);
  if (refusal == Refusal::kFailed) return failed(*one, std::move(error.message));
  if (refusal == Refusal::kConflict)
    return answer(*one, BindResult::Kind::kConflict, std::move(error.message));
  one->doubt = std::move(error.message);
  read(one, Time(0));
}

void Bindings::read(const Shared& one, Time wait) {
  const auto request = [one] {
    const PodName& pod = one->pod;
    return Request{.path = object_path(bound_kind(), pod.namespace_name, pod.name),
                   .content_type = {},
                   .body = {},
                   .limit = kRequestLimit};
  };
  sender_.again(
      {WriteKind::kRead, request, [this, one](const Outcome& outcome) { seen(one, outcome); }},
      wait);
}

void Bindings::seen(const Shared& one, const Outcome& outcome) {
  const Answer& answered = outcome.answer;
  if (outcome.ended) return answer(*one, BindResult::Kind::kFailed, one->doubt);
  if (answered.ok()) {
    if (const auto pod = read_pod(answered.body)) return judge(*one, pod->uid, pod->node);
  } else {
    Status error = status_of(answered, {Method::kGet, "pods", one->pod.name});
    if (error.is_not_found()) return failed(*one, std::move(error.message));
    // Credentials may be renewed, and whoever may not read may be allowed to.
    const bool may_change =
        error.is_unauthorized() || (error.is_forbidden() && one->reads < kForbiddenReads);
    if (!error.may_pass() && !may_change) return failed(*one, one->doubt);
  }
  read(one, kReadWaits.after(++one->reads, sender_.jitter()));
}

void Bindings::judge(const One& one, const std::string& uid, const std::string& node) {
  if (!one.pod.uid.empty() && uid != one.pod.uid) return failed(one, not_found(one.pod));
  if (node.empty()) return failed(one, one.doubt);
  if (node == one.node) return answer(one, BindResult::Kind::kBound);
  answer(one, BindResult::Kind::kConflict,
         "pod " + one.pod.name + " is already assigned to node " + document::quoted(node));
}

void Bindings::failed(const One& one, std::string message) {
  sender_.count_failed(WriteKind::kBinding);
  answer(one, BindResult::Kind::kFailed, std::move(message));
}

void Bindings::answer(const One& one, BindResult::Kind kind, std::string message) {
  answered_(one.number, {kind, std::move(message)});
}

}  // namespace berth::kube
