#include "engine/ingest/stream/waiting_pod.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/ingest/admission/match_label_keys.h"

namespace berth::ingest {
namespace {

constexpr std::array<std::string_view, 6> kOwnLabels = {"apps.kubernetes.io/pod-index",
                                                        "batch.kubernetes.io/controller-uid",
                                                        "batch.kubernetes.io/job-name",
                                                        "controller-uid",
                                                        "job-name",
                                                        "statefulset.kubernetes.io/pod-name"};

bool is_own(const std::string& key) {
  return std::ranges::find(kOwnLabels, key) != kOwnLabels.end();
}

// Removes the labels that are the pod's own from it, and returns them.
model::StringMap take_own(model::PodSpec& spec) {
  model::StringMap own;
  if (has_label_keys(spec.affinity)) return own;
  std::erase_if(spec.labels, [&](const auto& label) {
    if (!is_own(label.first)) return false;
    own.push_back(label);
    return true;
  });
  return own;
}

model::Pod without_own(model::Pod pod, model::StringMap& own) {
  own = take_own(pod.spec);
  return pod;
}

}  // namespace

WaitingPod::WaitingPod(model::Pod pod, StreamWriter& writer)
    : pod_(without_own(std::move(pod), own_)), labels_(own_.begin(), own_.end()) {
  columns_.template_id = writer.template_id(pod_.spec);
  columns_.namespace_name = pod_.namespace_name;
  columns_.name = pod_.name;
  columns_.uid = pod_.uid;
  columns_.nominated_node = pod_.nominated_node_name;
  columns_.labels = labels_;
  columns_.controller = pod_.controller ? &*pod_.controller : nullptr;
  columns_.created_at = pod_.created_at;
}

}  // namespace berth::ingest
