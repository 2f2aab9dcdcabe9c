#include "engine/ingest/stream/write/waiting_pod.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/ingest/admission/pods/match_label_keys.h"

namespace berth::ingest {
namespace {

constexpr std::array<std::string_view, 6> kOwnLabels = {"apps.kubernetes.io/pod-index",
                                                        "batch.kubernetes.io/controller-uid",
                                                        "batch.kubernetes.io/job-name",
                                                        "controller-uid",
                                                        "job-name",
                                                        "statefulset.kubernetes.io/pod-name"};

constexpr size_t kMaxClaims = 4096;  // of a pod; more are part of its template

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

model::Pod without_own(model::Pod pod, model::StringMap& own, std::vector<std::string>& claims) {
  own = take_own(pod.spec);
  claims = take_claims(pod.spec);
  return pod;
}

}  // namespace

bool waits(const model::Pod& pod) { return !pod.bound() && !pod.finished() && !pod.terminating; }

bool waits(const model::VolumeObject& object) {
  const auto* claim = std::get_if<model::PersistentVolumeClaim>(&object);
  return claim != nullptr && !claim->owner_uid.empty() && claim->volume_name.empty();
}

std::vector<std::string> take_claims(model::PodSpec& spec) {
  std::vector<std::string> claims;
  for (const model::PodVolume& volume : spec.volumes) {
    if (!volume.is_claim || volume.ephemeral) continue;
    if (volume.claim.empty() || volume.claim.size() > kMaxColumnString) return {};
    claims.push_back(volume.claim);
  }
  if (claims.size() > kMaxClaims) return {};
  for (model::PodVolume& volume : spec.volumes)
    if (volume.is_claim && !volume.ephemeral) volume.claim.clear();
  return claims;
}

WaitingPod::WaitingPod(model::Pod pod, StreamWriter& writer)
    : pod_(without_own(std::move(pod), own_, claims_)),
      labels_(own_.begin(), own_.end()),
      claim_names_(claims_.begin(), claims_.end()) {
  columns_.template_id = writer.template_id(pod_.spec);
  columns_.namespace_name = pod_.namespace_name;
  columns_.name = pod_.name;
  columns_.uid = pod_.uid;
  columns_.nominated_node = pod_.nominated_node_name;
  columns_.labels = labels_;
  columns_.claims = claim_names_;
  columns_.controller = pod_.controller ? &*pod_.controller : nullptr;
  columns_.created_at = pod_.created_at;
}

}  // namespace berth::ingest
