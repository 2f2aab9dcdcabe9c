#include "cli/serve/state_log.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/log/decision_log.h"
#include "cli/log/klog_line.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::cli {
namespace {

// Names in a line; the rest is counted.
class Names {
 public:
  void add(const std::string& name) {
    if (++count_ > kMost) return;
    if (!text_.empty()) text_ += ", ";
    text_ += name;
  }
  std::string text() const {
    return count_ <= kMost ? text_ : fmt::format("{} and {} more", text_, count_ - kMost);
  }
  size_t count() const { return count_; }

 private:
  static constexpr size_t kMost = 200;
  std::string text_;
  size_t count_ = 0;
};

int64_t amount(runtime::Core& core, const char* of, const char* resource, model::Row row) {
  const berth_column column = core.column(fmt::format("node.{}:{}", of, resource));
  return static_cast<const int64_t*>(column.data)[row];
}

std::string amounts(runtime::Core& core, const char* of, model::Row row) {
  return fmt::format("MilliCPU:{} Memory:{}", amount(core, of, "cpu", row),
                     amount(core, of, "memory", row));
}

void log_node(runtime::Core& core, model::Slot slot, const WriteLine& write) {
  const model::Cluster& cluster = core.cluster();
  const model::NodeTable& nodes = cluster.nodes();
  Names pods, nominated;
  for (const model::PodOnNode& pod : nodes.pods(slot)) pods.add(full_name(cluster, pod.pod));
  for (const model::Nomination& one : nodes.nominations().at(slot))
    nominated.add(full_name(cluster, one.pod.pod));
  const bool deleted = !nodes.node(slot).present;
  if (deleted && pods.count() == 0) return;
  std::string text;
  {
    KlogLine line(text, Severity::kInfo, core.clock().wall(), "Dump of cached NodeInfo");
    line.with("node", nodes.name(slot)).with("deleted", deleted);
    if (!deleted)
      line.with("requested", amounts(core, "requested", nodes.row_of(slot)))
          .with("allocatable", amounts(core, "allocatable", nodes.row_of(slot)));
    line.with("scheduledPods", pods.count()).with("pods", pods.text());
    if (nominated.count() != 0) line.with("nominatedPods", nominated.text());
  }
  write(text);
}

// Those that wait to be tried, as PendingPods of kube-scheduler's queue.
void log_queue(const runtime::Core& core, const WriteLine& write) {
  using queue::Place;
  Names pods;
  for (const Place place : {Place::kActive, Place::kBackoff, Place::kErrorBackoff,
                            Place::kUnschedulable, Place::kGated})
    for (const model::PodId pod : core.scheduler().queue().list(place))
      pods.add(full_name(core.cluster(), pod));
  std::string text;
  KlogLine(text, Severity::kInfo, core.clock().wall(), "Dump of scheduling queue")
      .with("summary", queue_summary(core.scheduler().queue()))
      .with("pods", pods.text());
  write(text);
}

std::string names_of(const std::vector<kube::ListedObject>& objects) {
  Names names;
  for (const kube::ListedObject& one : objects) names.add(one.name);
  return names.text();
}

void log_mismatch(std::string_view kind, const service::Difference& difference,
                  const runtime::Core& core, const WriteLine& write) {
  if (difference.empty()) return;
  std::string text;
  KlogLine(text, Severity::kInfo, core.clock().wall(), "Cache mismatch")
      .with(fmt::format("missed{}", kind), names_of(difference.missed))
      .with(fmt::format("redundant{}", kind), names_of(difference.redundant));
  write(text);
}

}  // namespace

void log_state(runtime::Core& core, const WriteLine& write) {
  for (model::Slot slot = 0; slot < core.cluster().nodes().slots(); ++slot)
    log_node(core, slot, write);
  log_queue(core, write);
}

void log_differences(const service::Comparison::Result& result, const runtime::Core& core,
                     const WriteLine& write) {
  log_mismatch("Nodes", result.nodes, core, write);
  log_mismatch("Pods", result.pods, core, write);
}

void log_words(const char* words, const runtime::Core& core, const WriteLine& write) {
  std::string text;
  KlogLine(text, Severity::kInfo, core.clock().wall(), words);
  write(text);
}

}  // namespace berth::cli
