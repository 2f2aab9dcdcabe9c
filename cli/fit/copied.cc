#include "cli/fit/copied.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/ingest/objects/folder_files.h"
#include "engine/ingest/workloads/made_pods.h"
#include "engine/ingest/workloads/pod_names.h"

namespace berth::cli {
namespace {

// As a client that creates it again would send it.
void make_new(model::Pod& pod) {
  pod.uid.clear();
  pod.spec.node_name.clear();
  pod.phase = model::PodPhase::kUnknown;
  pod.nominated_node_name.clear();
  pod.terminating = pod.preempted = false;
  pod.ready = model::PodReady::kNotTold;
  pod.created_at = 0;
  pod.started_at.reset();
}

// The value of the group's label; empty: it is of no group.
std::string group_of(const model::Pod& pod) {
  const auto label =
      std::ranges::find(pod.spec.labels, kGroupLabel, &std::pair<std::string, std::string>::first);
  return label == pod.spec.labels.end() ? std::string() : label->second;
}

CopiedUnit unit_of(model::Pod pod, ingest::PodAsked asked) {
  CopiedUnit unit{.name = "Pod " + pod.namespace_name + "/" + pod.name,
                  .members = {},
                  .group = {},
                  .object = {}};
  make_new(pod);
  unit.members.push_back(
      {.pod = std::move(pod), .asked = std::move(asked), .claims = {}, .spec = nullptr});
  return unit;
}

CopiedUnit unit_of(ingest::Workload workload) {
  CopiedUnit unit{.name = std::string(ingest::workload_kind_name(workload.kind)) + " " +
                          workload.namespace_name + "/" + workload.name,
                  .members = {},
                  .group = {},
                  .object = {},
                  .replicas = workload.pods};
  workload.pod.name = workload.name;
  workload.pod.controller = workload.controller;
  unit.members.push_back({.pod = std::move(workload.pod),
                          .asked = std::move(workload.asked),
                          .stateful = workload.kind == ingest::WorkloadKind::kStatefulSet,
                          .claims = std::move(workload.claims),
                          .merges_labels = workload.merge_each,
                          .spec = nullptr});
  return unit;
}

class CopiedReader {
 public:
  CopiedReader(ingest::Creation& creation, Diagnostics& diagnostics)
      : creation_(creation), diagnostics_(diagnostics) {}

  void take(ingest::Objects objects, const std::string& path) {
    std::vector<model::Pod> pods = std::exchange(objects.pods, {});
    std::vector<ingest::PodAsked> asked = std::exchange(objects.pods_asked, {});
    const std::vector<uint32_t> lines = std::exchange(objects.lines.pods, {});
    std::vector<ingest::Workload> workloads = std::exchange(objects.workloads, {});
    creation_.create(objects, path, diagnostics_);
    size_t next = 0;
    const auto add_pods = [&](size_t end) {
      for (; next < end; ++next)
        add(unit_of(std::move(pods[next]), std::move(asked[next])), {path, lines[next]});
    };
    for (ingest::Workload& workload : workloads) {
      add_pods(workload.before);
      add_workload(std::move(workload), path);
    }
    add_pods(pods.size());
    for (model::Change& change : objects.others) copied_.others.push_back(std::move(change));
  }

  Copied finish() {
    join_groups();
    for (CopiedUnit& unit : copied_.units)
      for (CopiedPod& member : unit.members)
        member.spec = std::make_shared<const model::PodSpec>(member.pod.spec);
    return std::move(copied_);
  }

 private:
  struct At {
    const std::string& path;
    uint32_t line;
  };

  void report(const At& at, const CopiedUnit& unit, const std::string& text) {
    diagnostics_.report(Error(Place{.file = at.path, .line = at.line, .field = unit.name}, text));
  }

  void add_workload(ingest::Workload workload, const std::string& path) {
    const At at{path, workload.line};
    const bool daemons = workload.kind == ingest::WorkloadKind::kDaemonSet;
    CopiedUnit unit = unit_of(std::move(workload));
    if (daemons) return report(at, unit, "has one pod on each node, so it cannot be copied");
    add(std::move(unit), at);
  }

  // Quotas count copies, so they are asked later.
  void add(CopiedUnit unit, const At& at) {
    CopiedPod& member = unit.members.front();
    if (creation_.admits())
      if (const auto refused = creation_.admit(member.pod, member.asked, true))
        return report(at, unit, *refused);
    copied_.units.push_back(std::move(unit));
  }

  // Units of one group become one, where the first of them stands.
  void join_groups() {
    std::map<std::pair<std::string, std::string>, size_t> gangs;
    std::vector<CopiedUnit> joined;
    for (CopiedUnit& unit : copied_.units) {
      const model::Pod& pod = unit.members.front().pod;
      const std::string group = group_of(pod);
      if (group.empty()) {
        joined.push_back(std::move(unit));
        continue;
      }
      const auto [at, first] = gangs.try_emplace({pod.namespace_name, group}, joined.size());
      if (first) joined.push_back(gang(pod.namespace_name, group));
      CopiedPod member = std::move(unit.members.front());
      member.pods = unit.replicas;
      if (member.pods != 0) joined[at->second].members.push_back(std::move(member));
    }
    std::erase_if(joined, [](const CopiedUnit& unit) { return unit.members.empty(); });
    copied_.units = std::move(joined);
  }

  // The group's object is that of its copies, so the cluster does not get it.
  CopiedUnit gang(const std::string& namespace_name, const std::string& name) {
    CopiedUnit unit{
        .name = "group " + namespace_name + "/" + name, .members = {}, .group = name, .object = {}};
    std::erase_if(copied_.others, [&](const model::Change& change) {
      const auto* group = std::get_if<model::PodGroup>(&change.object);
      if (group == nullptr || group->namespace_name != namespace_name || group->name != name)
        return false;
      unit.object = *group;
      return true;
    });
    return unit;
  }

  ingest::Creation& creation_;
  Diagnostics& diagnostics_;
  Copied copied_;
};

}  // namespace

uint64_t CopiedUnit::pods() const {
  uint64_t sum = 0;
  for (const CopiedPod& member : members) sum += member.pods;
  return sum;
}

Copied read_copied(const CopiedFiles& files, ingest::Creation& creation, Diagnostics& diagnostics,
                   ingest::Remarks& remarks) {
  ingest::ObjectReader reader(diagnostics, ingest::Defaults::kApiServer,
                              ingest::Workloads::kManifests, files.validation);
  CopiedReader copied(creation, diagnostics);
  for (const std::string& path : ingest::without_folders(files.paths)) {
    reader.read(path);
    ingest::Objects objects = reader.take();
    // Admission fills it in.
    if (files.validation != ingest::Validation::kNone) objects.remarks.without_priority = {};
    remarks.add(objects.remarks);
    copied.take(std::move(objects), path);
  }
  Copied all = copied.finish();
  if (all.units.empty())
    throw Error(diagnostics.count() != 0
                    ? diagnostics.kept().front()
                    : Error(Place{.file = files.paths.front(), .field = {}},
                            "has no pod and no workload, so there is nothing to copy"));
  return all;
}

model::Pod copy_of(const CopiedPod& from, std::string name, uint64_t ordinal,
                   const std::string& group) {
  model::Pod pod = from.pod;
  pod.name = std::move(name);
  if (from.stateful)
    ingest::make_stateful(std::to_string(ordinal), from.claims, from.merges_labels, pod);
  if (!group.empty()) ingest::set_label(pod.spec.labels, kGroupLabel, group);
  return pod;
}

}  // namespace berth::cli
