#include "loadgen/import/openb_load.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace berth::loadgen::openb {
namespace {

Nanoseconds at(int64_t seconds) { return std::chrono::seconds(seconds); }

}  // namespace

TraceLoad::TraceLoad(std::vector<TraceNode> nodes, TracePods pods, LoadOptions options,
                     std::string note)
    : nodes_(std::move(nodes)), pods_(std::move(pods)), options_(options), note_(std::move(note)) {}

// Pods whose deletion is the trace's last moment still existed when recording ended; they stay.
bool TraceLoad::is_deleted(const TracePod& pod) const {
  return options_.lifetimes && pods_.timed && pod.deleted < pods_.end;
}

bool TraceLoad::next(LoadStep& step) {
  step.clear();
  if (next_node_ < nodes_.size()) {
    add_nodes(step);
    return true;
  }
  const bool over = next_pod_ == pods_.pods.size();
  if (over && deletions_.empty()) return false;
  // At equal times deletions come before arrivals.
  const int64_t arrival =
      over ? std::numeric_limits<int64_t>::max() : pods_.pods[next_pod_].created;
  if (!deletions_.empty() && deletions_.top().at <= arrival) {
    delete_pods(step, std::max(now_, deletions_.top().at));
  } else {
    add_pods(step);
  }
  return true;
}

void TraceLoad::add_nodes(LoadStep& step) {
  const size_t end = std::min(nodes_.size(), next_node_ + kMostPerStep);
  for (; next_node_ < end; ++next_node_)
    step.cluster.push_back(model::added(make_node(nodes_[next_node_], options_.pods_per_node)));
}

void TraceLoad::delete_pods(LoadStep& step, int64_t now) {
  now_ = now;
  step.at = at(now);
  step.measured = true;
  while (!deletions_.empty() && deletions_.top().at <= now && step.events.size() < kMostPerStep) {
    step.events.push_back(model::deleted_pod("default", pods_.pods[deletions_.top().pod].name));
    deletions_.pop();
  }
}

// Adds all pods that arrive before the next deletion.
void TraceLoad::add_pods(LoadStep& step) {
  step_pods_.begin(step);
  step.at = at(pods_.pods[next_pod_].created);
  step.measured = true;
  for (; next_pod_ < pods_.pods.size() && step_pods_.size() < kMostPerStep; ++next_pod_) {
    const TracePod& pod = pods_.pods[next_pod_];
    if (!deletions_.empty() && deletions_.top().at <= pod.created) break;
    now_ = pod.created;
    ArrivingPod arriving;
    arriving.template_id = template_numbers_.find_or_define(make_spec(pod), step).id;
    arriving.namespace_name = "default";
    arriving.name = pod.name;
    arriving.planned = at(now_);
    step_pods_.add(arriving);
    if (is_deleted(pod)) deletions_.push({pod.deleted, next_pod_});
  }
}

}  // namespace berth::loadgen::openb
