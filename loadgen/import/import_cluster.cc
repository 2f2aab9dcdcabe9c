#include "loadgen/import/import_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "engine/base/text/number_text.h"
#include "engine/base/text/typed_number.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/volumes/default_class.h"
#include "engine/ingest/workloads/expand.h"
#include "loadgen/import/cluster_load.h"

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr uint64_t kMostCopies = 100'000;

constexpr std::string_view kKinds[] = {"List",
                                       "Node",
                                       "Pod",
                                       "Namespace",
                                       "Service",
                                       "ReplicaSet",
                                       "StatefulSet",
                                       "ReplicationController",
                                       "PodDisruptionBudget",
                                       "PersistentVolumeClaim",
                                       "PersistentVolume",
                                       "StorageClass",
                                       "CSINode",
                                       "CSIDriver",
                                       "CSIStorageCapacity",
                                       "VolumeAttachment",
                                       "PodGroup",
                                       "Deployment",
                                       "DaemonSet",
                                       "Job"};

bool is_of_cluster(Value root) {
  const Value kind = root.find("kind");
  if (!kind.is(Kind::kString)) return false;
  std::string_view name = kind.as_string();
  if (std::ranges::find(kKinds, name) != std::end(kKinds)) return true;
  if (!name.ends_with("List")) return false;
  name.remove_suffix(4);
  return std::ranges::find(kKinds, name) != std::end(kKinds);
}

struct Census {
  uint64_t placed = 0, pending = 0, finished = 0, terminating = 0;
};

Census count(const ingest::Objects& objects) {
  Census census;
  for (const model::Pod& pod : objects.pods) {
    ++(pod.finished()    ? census.finished
       : pod.bound()     ? census.placed
       : pod.terminating ? census.terminating
                         : census.pending);
  }
  return census;
}

std::string description_of(const ingest::Objects& objects, size_t nodes) {
  const Census census = count(objects);
  std::string text =
      fmt::format("a cluster of {}, with {} and {}", plural(nodes, "node"),
                  plural(census.placed, "running pod"), plural(census.pending, "waiting pod"));
  if (census.finished + census.terminating > 0)
    text += fmt::format("; {} finished or about to go are left out",
                        census.finished + census.terminating);
  return text;
}

std::unique_ptr<Load> open(const std::shared_ptr<const ingest::Objects>& objects,
                           const Workload& workload, const LoadSettings& settings) {
  std::map<std::string, std::string> values = parameters_with(workload, settings);
  if (const auto problem = whole_number_problem(values["copies"], 1, kMostCopies))
    throw UsageError("parameter copies: " + *problem);
  const uint64_t copies = std::stoull(values["copies"]);
  const std::string& reschedule = values["reschedule"];
  if (reschedule != "true" && reschedule != "false")
    throw UsageError(
        fmt::format("parameter reschedule: expected true or false, found \"{}\"", reschedule));
  std::string note = fmt::format("cluster {} from {}; seed {}; copies={} reschedule={}",
                                 workload.name, workload.source, settings.seed, copies, reschedule);
  if (const ingest::Remarks::Named& jobs = objects->remarks.cron_jobs; jobs.count != 0)
    note += fmt::format("; not run: {} CronJob{}, which begin{} jobs at times of day, such as {}",
                        jobs.count, jobs.count == 1 ? "" : "s", jobs.count == 1 ? "s" : "",
                        jobs.examples.front());
  if (const auto& existing = objects->remarks.existing; existing.pods != 0)
    note += fmt::format("; not created again: {} pod{} of workloads, such as {}", existing.pods,
                        existing.pods == 1 ? "" : "s", existing.examples.front());
  return std::make_unique<ClusterLoad>(ClusterCopies(objects, copies), copies, reschedule == "true",
                                       std::move(note));
}

// The lists of a dump are taken at different moments, so a pod's node may be missing. Leaves out
// and reports such pods.
void leave_out_lost_pods(ingest::Objects& objects, const std::string& path,
                         Diagnostics& diagnostics) {
  boost::unordered_flat_set<std::string_view> nodes;
  model::each<model::Node>(objects.others,
                           [&](const model::Node& node) { nodes.insert(node.name); });
  std::erase_if(objects.pods, [&](const model::Pod& pod) {
    const std::string& node = pod.spec.node_name;
    if (pod.finished() || !pod.bound() || nodes.contains(node)) return false;
    diagnostics.report(Error(
        Place{.file = path, .field = pod.namespace_name + "/" + pod.name},
        fmt::format("runs on node \"{}\", which is not in the file: the pod is left out", node)));
    return true;
  });
}

void each_object(Value root, const std::function<void(Value)>& call) {
  const Value items = root.find("items");
  if (!items.present()) return call(root);
  for (const Value item : items.elements()) each_object(item, call);
}

// Warns about features that kube-scheduler would consider and the engine does not.
void name_what_is_not_looked_at(const document::Document& document, const std::string& path,
                                Diagnostics& diagnostics) {
  uint64_t claims = 0;
  for (const Value root : document.roots())
    each_object(root, [&](Value object) {
      const Value spec = object.find("spec");
      if (!spec.find("containers").present()) return;  // no pod
      claims += spec.find("resourceClaims").size() != 0;
    });
  if (claims == 0) return;
  diagnostics.report(
      Error(Place{.file = path, .field = {}},
            fmt::format("{} pods have resource claims, which are not built: they are scheduled as "
                        "though they had none",
                        claims)));
}

// As an API server does it for claims that are created: those of workloads, and those without a
// UID.
void give_default_class(ingest::Objects& objects) {
  ingest::DefaultClass classes;
  model::each<model::VolumeObject>(objects.others,
                                   [&](const model::VolumeObject& object) { classes.put(object); });
  const size_t made = objects.others.size() - objects.made_claims;
  for (size_t i = 0; i < objects.others.size(); ++i) {
    auto* object = std::get_if<model::VolumeObject>(&objects.others[i].object);
    if (auto* claim = std::get_if<model::PersistentVolumeClaim>(object))
      if (i >= made || claim->uid.empty()) classes.admit(*claim);
  }
}

}  // namespace

bool is_cluster(const document::Document& document) {
  return std::ranges::any_of(document.roots(), is_of_cluster);
}

std::vector<Workload> import_cluster(const document::Document& document, const std::string& path,
                                     Diagnostics& diagnostics) {
  const uint64_t before = diagnostics.count();
  ingest::ObjectReader reader(diagnostics, ingest::Defaults::kApiServer,
                              ingest::Workloads::kManifests);
  for (Value root : document.roots()) reader.add(root);
  ingest::Objects taken = reader.take();
  const auto nodes = model::objects_of<model::Node>(taken.others);
  ingest::expand(taken, nodes);
  give_default_class(taken);
  if (nodes.empty()) {
    diagnostics.report(Error(Place{.file = path, .field = {}},
                             "there is no node in it: dump the cluster with kubectl get "
                             "nodes,pods,namespaces,services,replicasets,statefulsets,"
                             "replicationcontrollers,poddisruptionbudgets,persistentvolumeclaims,"
                             "persistentvolumes,storageclasses,csinodes,csidrivers,"
                             "csistoragecapacities,volumeattachments -A -o json"));
    return {};
  }
  const uint64_t faults = diagnostics.count() - before;
  leave_out_lost_pods(taken, path, diagnostics);
  name_what_is_not_looked_at(document, path, diagnostics);
  const auto objects = std::make_shared<const ingest::Objects>(std::move(taken));
  Workload workload;
  workload.name = std::filesystem::path(path).stem().string();
  workload.source = path;
  workload.faults = faults;
  workload.description = description_of(*objects, nodes.size());
  workload.parameters = {{"copies", "1"}, {"reschedule", "false"}};
  const Workload said = workload;
  workload.open = [objects, said](const LoadSettings& settings) {
    return open(objects, said, settings);
  };
  return {std::move(workload)};
}

}  // namespace berth::loadgen
