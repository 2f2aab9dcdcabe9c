#pragma once

// Remarks: properties of accepted objects with which they may not be scheduled as their author
// expects. They are warnings for people and change no decision.

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

struct Remarks {
  static constexpr size_t kExamples = 3;
  static constexpr size_t kMostFields = 100;  // limit of unknown_fields, and of near_kinds

  // Objects with something in common, counted, and the names of the first of them, pods as
  // namespace/name.
  struct Named {
    uint64_t count = 0;
    std::vector<std::string> examples;

    void add(std::string name);
    void add(const model::Pod& pod);
    void add(const Named& more);
  };

  // Pods of workloads that have something in common: how many of how many, and the first workloads
  // as KIND namespace/name.
  struct OfWorkloads {
    uint64_t pods = 0, workloads = 0;
    std::vector<std::string> examples;

    void add(uint64_t count, std::string workload);  // nothing for 0 pods
    void add(const OfWorkloads& more);
  };

  // A field that the API does not have.
  struct Field {
    std::string path;    // without indices, such as Pod.spec.containers[].resource
    uint64_t count = 0;  // number of occurrences
    Error first;         // the first occurrence, with its place and a suggested name
  };

  // Pods that wait for a node and name resource claims.
  Named with_resource_claims;
  // Pods without a node that name a priority class and have no priority: the admission plugin that
  // fills it in did not see them.
  Named without_priority;
  // CronJobs of manifests, which create nothing: their jobs begin at times of day.
  Named cron_jobs;
  // PodDisruptionBudgets whose status does not say how many disruptions they allow: none, then.
  Named budgets_without_status;
  // Those that say it and could be counted, too.
  Named budgets_with_status;
  // Pods with tolerationSeconds, but for those that admission gives to every pod.
  Named tolerating_for_a_time;
  // Pods with the annotation berth/runs-for.
  Named running_for_a_time;
  // Nodes with a condition that a cluster's controllers taint the node for, and without that taint.
  // The name is followed by the condition: "n1 (Ready=False)".
  Named untainted_nodes;
  // Nodes with the annotation berth/drain.
  Named drained_nodes;
  // Nodes with the annotation berth/kubelet.
  Named silent_nodes;

  // Nodes without amounts: no pod fits there. The name is followed by the place: "n1 (FILE:3:1)".
  Named empty_nodes;

  // Objects that only kubelets read: KubeletConfigurations, PodMetrics and NodeMetrics, as KIND
  // name.
  Named of_kubelets;
  // Fields of KubeletConfigurations that the kubelets of a run do not read.
  std::set<std::string> unread_kubelet_fields;
  // Names in the `usage` of PodMetrics and NodeMetrics of which nothing is read.
  std::set<std::string> unread_usage;

  // Changes of workloads in a stream that stand for pods, or of the templates of those that are
  // played: their pods stay as they are.
  Named changed_workloads;
  // Workloads whose controllers would be played, but for what the name is followed by:
  // "Job default/a (spec.successPolicy)".
  Named unplayed_workloads;
  // Workloads whose controllers are played, in namespaces with a ResourceQuota: it does not count
  // the pods that the controllers make later.
  Named workloads_beyond_quotas;
  // Number of objects that were left out, by kind, because scheduling does not read the kind. A
  // kind with the name of a kind that is read is followed by its API group (Node.example.com).
  std::map<std::string, uint64_t> unread_kinds;

  // Unread kinds that look like a typing error, by the kind as written. The error has the place of
  // the first one and names the kind that was probably meant.
  std::map<std::string, Error> near_kinds;

  OfWorkloads existing;  // pods that exist and are not created again
  OfWorkloads surplus;   // pods beyond those that are asked for, which a controller would delete
  OfWorkloads earlier;   // pods of an earlier template of a Deployment, which a rollout replaces
  // Pods that ReplicaSets lack. Their Deployments, which would create them, were not given beside
  // them; those of a cluster create nothing.
  OfWorkloads missing;

  std::vector<Field> unknown_fields;       // in the order of their first occurrences
  uint64_t unknown_field_occurrences = 0;  // of all paths, including those beyond kMostFields

  // Adds the remarks of later objects.
  void add(const Remarks& more);
  // Adds those about the pods of workloads alone.
  void add_workloads(const Remarks& more);
  // Counts `count` more occurrences of a path. `first` is used if the path is new.
  void add_unknown_field(std::string path, Error first, uint64_t count = 1);
};

}  // namespace berth::ingest
