#include "engine/ingest/stream/write/waiting_pod.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/objects/fields/field_reader.h"

namespace berth::ingest {
namespace {

static_assert(kLongestName <= kMaxColumnString, "what is decoded goes into a stream");

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

TemplatePod split(model::Pod pod) {
  model::StringMap labels = take_own(pod.spec);
  std::vector<std::string> claims = take_claims(pod.spec);
  TemplatePod out = TemplatePod::of(std::move(pod));
  out.labels = std::move(labels);
  out.claims = std::move(claims);
  return out;
}

}  // namespace berth::ingest
