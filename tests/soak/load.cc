#include "tests/soak/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/base/error.h"

namespace berth::soak {
namespace {

constexpr std::array<std::string_view, 15> kNamesOfKinds = {
    "recreated",     "names",      "labels", "requests",      "owners",
    "anti-affinity", "affinity",   "spread", "node-affinity", "tolerations",
    "images",        "namespaces", "nodes",  "gated",         "refused"};
static_assert(kNamesOfKinds.size() == static_cast<size_t>(Kind::kRefused) + 1);

template <typename... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void append_node(uint64_t number, std::string& out) {
  append(out,
         R"({{"type":"ADDED","object":{{"apiVersion":"v1","kind":"Node","metadata":{{)"
         R"("name":"node-{0}","labels":{{"kubernetes.io/hostname":"node-{0}",)"
         R"("topology.kubernetes.io/zone":"zone-{1}"}}}},"status":{{"allocatable":{{)"
         R"("cpu":"16","memory":"64Gi","pods":"110"}}}}}}}})"
         "\n",
         number, number % 3);
}

// A DELETED event of an object without a spec.
void append_deleted(std::string_view version, std::string_view kind, std::string_view space,
                    std::string_view name, std::string& out) {
  append(out, R"({{"type":"DELETED","object":{{"apiVersion":"{}","kind":"{}","metadata":{{)",
         version, kind);
  if (!space.empty()) append(out, R"("namespace":"{}",)", space);
  append(out, R"("name":"{}"}},"spec":{{)", name);
  if (kind == "Pod") out += R"("containers":[])";
  out += "}}}\n";
}

// The texts of a pod that its Deployment decides.
struct Texts {
  std::string space = "default", app = "web", owner, spec, image = "web:v1";
  std::string cpu = "10m";
  uint64_t memory = uint64_t{16} << 20;
};

// A label selector for the pods of a Deployment.
std::string selector(std::string_view app) {
  return fmt::format(R"("labelSelector":{{"matchLabels":{{"app":"{}"}}}})", app);
}

std::string pod_term(std::string_view app, std::string_view key) {
  return fmt::format(R"({{"topologyKey":"{}",{}}})", key, selector(app));
}

std::string constraint(std::string_view app, std::string_view key, std::string_view otherwise) {
  return fmt::format(R"({{"maxSkew":1,"topologyKey":"{}","whenUnsatisfiable":"{}",{}}})", key,
                     otherwise, selector(app));
}

Texts texts_of(uint64_t number, Kind kind) {
  Texts texts;
  const std::string own = fmt::format("app-{}", number);
  constexpr std::string_view kHost = "kubernetes.io/hostname",
                             kZone = "topology.kubernetes.io/zone";
  switch (kind) {
    case Kind::kRecreated:
    case Kind::kNames:
    case Kind::kNodes:
      break;
    case Kind::kLabels:
      texts.app = own;
      break;
    case Kind::kRequests:
      texts.memory += number;
      break;
    case Kind::kOwners:
      texts.app = own;
      texts.owner = fmt::format(
          R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"{0}",)"
          R"("uid":"{0}","controller":true}}],)",
          own);
      break;
    case Kind::kAntiAffinity:
      texts.app = own;
      texts.spec = fmt::format(
          R"("affinity":{{"podAntiAffinity":{{"requiredDuringSchedulingIgnoredDuringExecution":[{}]}}}},)",
          pod_term(own, kHost));
      break;
    case Kind::kAffinity:
      texts.app = own;
      texts.spec = fmt::format(
          R"("affinity":{{"podAffinity":{{"preferredDuringSchedulingIgnoredDuringExecution":[)"
          R"({{"weight":10,"podAffinityTerm":{}}}]}}}},)",
          pod_term(own, kZone));
      break;
    case Kind::kSpread:
      texts.app = own;
      texts.spec = fmt::format(R"("topologySpreadConstraints":[{},{}],)",
                               constraint(own, kZone, "DoNotSchedule"),
                               constraint(own, kHost, "ScheduleAnyway"));
      break;
    case Kind::kNodeAffinity:
      texts.spec = fmt::format(
          R"("affinity":{{"nodeAffinity":{{"preferredDuringSchedulingIgnoredDuringExecution":[)"
          R"({{"weight":1,"preference":{{"matchExpressions":[{{"key":"pool","operator":"In",)"
          R"("values":["{}"]}}]}}}}]}}}},)",
          own);
      break;
    case Kind::kTolerations:
      texts.spec = fmt::format(R"("tolerations":[{{"key":"{}","operator":"Exists"}}],)", own);
      break;
    case Kind::kImages:
      texts.image = own + ":v1";
      break;
    case Kind::kNamespaces:
      texts.space = own;
      break;
    case Kind::kGated:
      texts.spec = R"("schedulingGates":[{"name":"example.com/wait"}],)";
      break;
    case Kind::kRefused:
      texts.cpu = "1000";
      break;
  }
  return texts;
}

void append_pod(const Texts& texts, std::string_view name, bool labels_of_its_own,
                std::string& out) {
  append(out,
         R"({{"type":"ADDED","object":{{"apiVersion":"v1","kind":"Pod","metadata":{{)"
         R"("namespace":"{}","name":"{}",{}"labels":{{"app":"{}")",
         texts.space, name, texts.owner, texts.app);
  if (labels_of_its_own) append(out, R"(,"instance":"{}")", name);
  append(out,
         R"(}}}},"spec":{{{}"containers":[{{"name":"main","image":"registry.example/{}",)"
         R"("resources":{{"requests":{{"cpu":"{}","memory":"{}"}}}}}}]}}}}}})"
         "\n",
         texts.spec, texts.image, texts.cpu, texts.memory);
}

void append_owners(const Texts& texts, std::string& out) {
  append(
      out,
      R"({{"type":"ADDED","object":{{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{{)"
      R"("namespace":"{}","name":"{}"}},"spec":{{"selector":{{"matchLabels":{{"app":"{}"}}}}}}}}}})"
      "\n",
      texts.space, texts.app, texts.app);
  append(out,
         R"({{"type":"ADDED","object":{{"apiVersion":"v1","kind":"Service","metadata":{{)"
         R"("namespace":"{}","name":"{}"}},"spec":{{"selector":{{"app":"{}"}}}}}}}})"
         "\n",
         texts.space, texts.app, texts.app);
}

// Names of recreated pods come from as many Deployments as there can be at a time, and one more.
std::string pod_name(uint64_t deployment, Kind kind, const Shape& shape, uint64_t replica) {
  if (kind != Kind::kRecreated) return fmt::format("pod-{}-{}", deployment, replica);
  return fmt::format("again-{}-{}", deployment % (shape.live / shape.replicas + 2), replica);
}

}  // namespace

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (size_t i = 0; i < kNamesOfKinds.size(); ++i) kinds.push_back(static_cast<Kind>(i));
  return kinds;
}

std::string_view name_of(Kind kind) { return kNamesOfKinds[static_cast<size_t>(kind)]; }

Kind kind_of(std::string_view name) {
  const auto* found = std::ranges::find(kNamesOfKinds, name);
  if (found == kNamesOfKinds.end()) {
    throw Error(
        fmt::format("there is no kind \"{}\"; kinds are {}", name, fmt::join(kNamesOfKinds, ", ")));
  }
  return static_cast<Kind>(found - kNamesOfKinds.begin());
}

void Load::begin(std::string& lines) {
  for (uint64_t i = 0; i < shape_.nodes; ++i) append_node(i, lines);
}

void Load::next(std::string& lines) {
  there_.push_back(make_next());
  add(there_.back(), lines);
  while (there_.size() * shape_.replicas > shape_.live) {
    remove(there_.front(), lines);
    there_.pop_front();
  }
}

Load::Deployment Load::make_next() {
  const uint64_t number = deployments_++;
  return {number, shape_.kinds[number % shape_.kinds.size()]};
}

void Load::add(const Deployment& deployment, std::string& lines) {
  const Texts texts = texts_of(deployment.number, deployment.kind);
  if (deployment.kind == Kind::kNodes) replace_node(lines);
  if (deployment.kind == Kind::kOwners) append_owners(texts, lines);
  if (deployment.kind == Kind::kNamespaces) {
    append(lines,
           R"({{"type":"ADDED","object":{{"apiVersion":"v1","kind":"Namespace","metadata":{{)"
           R"("name":"{0}","labels":{{"kubernetes.io/metadata.name":"{0}"}}}}}}}})"
           "\n",
           texts.space);
  }
  for (uint64_t i = 0; i < shape_.replicas; ++i) {
    append_pod(texts, pod_name(deployment.number, deployment.kind, shape_, i),
               deployment.kind == Kind::kLabels, lines);
  }
  pods_ += shape_.replicas;
  outcome_of(deployment.kind) += shape_.replicas;
}

uint64_t& Load::outcome_of(Kind kind) {
  if (kind == Kind::kGated) return expected_.gated;
  if (kind == Kind::kRefused) return expected_.refused;
  return expected_.scheduled;
}

void Load::remove(const Deployment& deployment, std::string& lines) {
  uint64_t& outcome = outcome_of(deployment.kind);
  if (&outcome != &expected_.scheduled) {
    outcome -= shape_.replicas;
    expected_.deleted += shape_.replicas;
  }
  const Texts texts = texts_of(deployment.number, deployment.kind);
  for (uint64_t i = 0; i < shape_.replicas; ++i) {
    append_deleted("v1", "Pod", texts.space,
                   pod_name(deployment.number, deployment.kind, shape_, i), lines);
  }
  if (deployment.kind == Kind::kOwners) {
    append_deleted("apps/v1", "ReplicaSet", texts.space, texts.app, lines);
    append_deleted("v1", "Service", texts.space, texts.app, lines);
  }
  if (deployment.kind == Kind::kNamespaces) {
    append_deleted("v1", "Namespace", "", texts.space, lines);
  }
}

void Load::replace_node(std::string& lines) {
  append_deleted("v1", "Node", "", fmt::format("node-{}", replaced_nodes_), lines);
  append_node(replaced_nodes_ + shape_.nodes, lines);
  ++replaced_nodes_;
}

}  // namespace berth::soak
