#include "cli/reports/remark_text.h"

#include <fmt/format.h>

#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"

namespace berth::cli {
namespace {

std::string line_of(const ingest::Remarks::Named& named, const char* one, const char* several,
                    const char* consequence) {
  return printable(fmt::format("{} {}: {}; {}{}", named.count, named.count == 1 ? one : several,
                               fmt::join(named.examples, ", "),
                               named.count > named.examples.size() ? "among others; " : "",
                               consequence));
}

// Adds nothing if there are none.
void add_line(const ingest::Remarks::OfWorkloads& of, std::string_view one,
              std::string_view several, std::string_view consequence,
              std::vector<std::string>& lines) {
  if (of.pods == 0) return;
  lines.push_back(printable(fmt::format(
      "{} {}: {}; {}{}", of.pods, of.pods == 1 ? one : several, fmt::join(of.examples, ", "),
      of.workloads > of.examples.size() ? fmt::format("{} workloads in all; ", of.workloads) : "",
      consequence)));
}

void add_pods(const ingest::Remarks::Named& pods, output::PodsWithRemark& to) {
  ingest::Remarks::Named all{to.count, to.examples};
  all.add(pods);
  to = {all.count, all.examples};
}

std::string unread_line(const std::map<std::string, uint64_t>& kinds) {
  constexpr size_t kMost = 10;
  std::vector<std::string> parts;
  for (const auto& [kind, count] : kinds)
    if (parts.size() < kMost) parts.push_back(fmt::format("{} {}", count, kind));
  if (kinds.size() > kMost) parts.push_back(fmt::format("and {} others", kinds.size() - kMost));
  return printable(fmt::format("kinds that are not read, so that they change nothing: {}",
                               fmt::join(parts, ", ")));
}

}  // namespace

std::vector<std::string> remark_lines(const ingest::Remarks& remarks,
                                      const played::ControllerList& played) {
  using enum played::ControllerName;
  std::vector<std::string> lines;
  if (remarks.with_resource_claims.count != 0)
    lines.push_back(line_of(remarks.with_resource_claims, "pod names resource claims",
                            "pods name resource claims",
                            "resource claims are not read, so they do not count"));
  if (remarks.without_priority.count != 0)
    lines.push_back(line_of(
        remarks.without_priority, "pod has a priorityClassName and no priority",
        "pods have a priorityClassName and no priority",
        "no admission filled it in, so the priority is 0: give spec.priority, or the class with "
        "--admission=on"));
  if (remarks.cron_jobs.count != 0)
    lines.push_back(line_of(remarks.cron_jobs, "CronJob is not run", "CronJobs are not run",
                            "their jobs begin at times of day, and none is created"));
  if (remarks.budgets_without_status.count != 0)
    lines.push_back(line_of(
        remarks.budgets_without_status, "PodDisruptionBudget has no status.disruptionsAllowed",
        "PodDisruptionBudgets have no status.disruptionsAllowed",
        played.has(kDisruption)
            ? "the disruption controller counts it here"
            : "no controller counts it here, so 0 disruptions are allowed: give the status"));
  if (remarks.budgets_with_status.count != 0 && played.has(kDisruption))
    lines.push_back(line_of(remarks.budgets_with_status,
                            "PodDisruptionBudget has a status.disruptionsAllowed",
                            "PodDisruptionBudgets have a status.disruptionsAllowed",
                            "it counts until the budget or one of its pods changes"));
  if (remarks.tolerating_for_a_time.count != 0 && !played.has(kTaintEviction))
    lines.push_back(line_of(remarks.tolerating_for_a_time, "pod has tolerationSeconds",
                            "pods have tolerationSeconds", "no taint evicts a pod here"));
  if (remarks.running_for_a_time.count != 0 && !played.has(kKubelet))
    lines.push_back(line_of(remarks.running_for_a_time, "pod says how long it runs",
                            "pods say how long they run",
                            "no kubelet is played here, so no container ends"));
  if (remarks.of_kubelets.count != 0 && !played.has(kKubelet))
    lines.push_back(line_of(remarks.of_kubelets, "object is for kubelets alone",
                            "objects are for kubelets alone", "no kubelet is played here"));
  if (!remarks.unread_kubelet_fields.empty() && played.has(kKubelet))
    lines.push_back(printable(fmt::format(
        "fields of KubeletConfigurations that are not read, so that they change nothing: {}",
        fmt::join(remarks.unread_kubelet_fields, ", "))));
  if (!remarks.unread_usage.empty() && played.has(kKubelet))
    lines.push_back(printable(
        fmt::format("measures of usage that are not read, so that they change nothing: {}",
                    fmt::join(remarks.unread_usage, ", "))));
  if (remarks.changed_workloads.count != 0)
    lines.push_back(line_of(remarks.changed_workloads, "change of a workload is not played",
                            "changes of workloads are not played", "its pods stay as they are"));
  if (remarks.unplayed_workloads.count != 0)
    lines.push_back(line_of(remarks.unplayed_workloads, "workload has no controller here",
                            "workloads have no controller here",
                            "pods that it loses are not replaced"));
  if (remarks.workloads_beyond_quotas.count != 0)
    lines.push_back(line_of(remarks.workloads_beyond_quotas,
                            "workload is in a namespace with a ResourceQuota",
                            "workloads are in namespaces with ResourceQuotas",
                            "pods that its controller makes later are not counted there"));
  if (remarks.untainted_nodes.count != 0 && !played.has(kNodeLifecycle))
    lines.push_back(line_of(remarks.untainted_nodes,
                            "node has a condition without the taint that belongs to it",
                            "nodes have a condition without the taint that belongs to it",
                            "conditions taint no node here: give the taint"));
  if (remarks.drained_nodes.count != 0 && played == played::ControllerList::none())
    lines.push_back(line_of(remarks.drained_nodes, "node is to be drained",
                            "nodes are to be drained",
                            "without controllers nobody drains or cordons it here"));
  if (remarks.silent_nodes.count != 0 && played == played::ControllerList::none())
    lines.push_back(line_of(remarks.silent_nodes, "node has a kubelet that is stopped",
                            "nodes have kubelets that are stopped",
                            "without controllers nobody finds that out here"));
  if (remarks.empty_nodes.count != 0)
    lines.push_back(line_of(remarks.empty_nodes, "node has neither allocatable nor capacity",
                            "nodes have neither allocatable nor capacity",
                            "no pod fits there: give status.allocatable"));
  add_line(remarks.existing, "pod of a workload exists already", "pods of workloads exist already",
           "only the missing pods are created", lines);
  add_line(remarks.surplus, "pod of a workload is one too many", "pods of workloads are too many",
           "a controller would delete as many, and here all stay", lines);
  add_line(remarks.earlier, "pod has an earlier template of its Deployment",
           "pods have earlier templates of their Deployments",
           "they stay, since a rollout is played up to maxSurge alone", lines);
  add_line(remarks.missing, "pod of a ReplicaSet is missing", "pods of ReplicaSets are missing",
           "their Deployments would create them: give these beside the ReplicaSets", lines);
  for (const ingest::Remarks::Field& field : remarks.unknown_fields)
    lines.push_back(field.count == 1 ? fmt::format("{} (ignored, once)", field.first.what())
                                     : fmt::format("{} (ignored, {} times in all)",
                                                   field.first.what(), field.count));
  for (const auto& [kind, first] : remarks.near_kinds) lines.emplace_back(first.what());
  if (!remarks.unread_kinds.empty()) lines.push_back(unread_line(remarks.unread_kinds));
  return lines;
}

void print_pods_without_node(const ingest::Remarks::Named& pods) {
  if (pods.count == 0) return;
  say(line_of(pods, "pod runs on a node that is not among the nodes",
              "pods run on nodes that are not among the nodes",
              "they count there if the node comes"));
}

void print_measured(const ingest::Remarks::Named& pods) {
  if (pods.count == 0) return;
  say(line_of(pods, "PodMetrics is of a pod that was never there",
              "PodMetrics are of pods that were never there", "they change nothing"));
}

void print_kept(const ingest::Remarks::Named& objects) {
  if (objects.count == 0) return;
  say(line_of(objects, "object of the work is in the cluster already",
              "objects of the work are in the cluster already", "it stays as it is there"));
}

void print_remarks(const ingest::Remarks& remarks, const played::ControllerList& played) {
  for (const std::string& line : remark_lines(remarks, played)) say(line);
}

ingest::Remarks of_cluster(ingest::Remarks remarks) {
  remarks.with_resource_claims = {};
  remarks.without_priority = {};
  return remarks;
}

void add_remarks(const ingest::Remarks& remarks, output::Summary& summary) {
  for (const auto& [kind, count] : remarks.unread_kinds) summary.unread_kinds[kind] += count;
  add_pods(remarks.with_resource_claims, summary.pods_with_resource_claims);
  add_pods(remarks.without_priority, summary.pods_without_priority);
  uint64_t named = 0;
  for (const ingest::Remarks::Field& field : remarks.unknown_fields) {
    summary.unknown_fields[field.path] += field.count;
    named += field.count;
  }
  if (remarks.unknown_field_occurrences != named)
    summary.unknown_fields["(other fields)"] += remarks.unknown_field_occurrences - named;
}

}  // namespace berth::cli
