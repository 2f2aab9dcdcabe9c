#include "engine/kube/writes/objects/volume_writes.h"

#include "engine/kube/api/status.h"
#include "engine/kube/kinds.h"
#include "engine/kube/writes/body.h"
#include "engine/kube/writes/limits.h"

namespace berth::kube {
namespace {

std::string selection_body(const SelectedNode& selected) {
  return json_body([&](document::JsonWriter& json) {
    json.object("metadata", [&] {
      json.member_if("resourceVersion", selected.version);
      json.object("annotations",
                  [&] { json.member("volume.kubernetes.io/selected-node", selected.node); });
    });
  });
}

std::string claim_body(const ChosenClaim& chosen) {
  return json_body([&](document::JsonWriter& json) {
    if (chosen.by_controller || !chosen.version.empty())
      json.object("metadata", [&] {
        json.member_if("resourceVersion", chosen.version);
        if (!chosen.by_controller) return;
        json.object("annotations",
                    [&] { json.member("pv.kubernetes.io/bound-by-controller", "yes"); });
      });
    json.object("spec", [&] {
      json.object("claimRef", [&] {
        json.member("kind", "PersistentVolumeClaim");
        json.member("namespace", chosen.claim_namespace);
        json.member("name", chosen.claim);
        json.member_if("uid", chosen.claim_uid);
        json.member("apiVersion", "v1");
      });
    });
  });
}

}  // namespace

void VolumeWrites::write(uint64_t number, const SelectedNode& selected) {
  const ServedKind& kind = *find_served("PersistentVolumeClaim");
  sender_.add(job(std::make_shared<One>(
      One{number, kind.resource, selected.claim,
          object_path(kind, selected.claim_namespace, selected.claim), selection_body(selected)})));
}

void VolumeWrites::write(uint64_t number, const ChosenClaim& chosen) {
  const ServedKind& kind = *find_served("PersistentVolume");
  sender_.add(
      job(std::make_shared<One>(One{number, kind.resource, chosen.volume,
                                    object_path(kind, {}, chosen.volume), claim_body(chosen)})));
}

Job VolumeWrites::job(const Shared& one) {
  const auto request = [one] {
    return Request{.method = Method::kPatch,
                   .path = one->path,
                   .content_type = kMergePatch,
                   .body = one->body,
                   .limit = kRequestLimit};
  };
  return {WriteKind::kVolume, request,
          [this, one](const Outcome& outcome) { answered(one, outcome); }};
}

void VolumeWrites::answered(const Shared& one, const Outcome& outcome) {
  if (outcome.answer.ok()) return written_(one->number, {});
  const Status error = status_of(outcome.answer, {Method::kPatch, one->resource, one->name});
  if (outcome.ended) return written_(one->number, error.message);
  if (error.may_pass() && ++one->tries < kWriteTries)
    return sender_.again(job(one), kWriteWaits.after(one->tries, sender_.jitter()));
  sender_.count_failed(WriteKind::kVolume);
  written_(one->number, error.message);
}

}  // namespace berth::kube
