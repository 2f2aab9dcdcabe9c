#pragma once

// Pods as streams hold them: with a template that many share. Plain values that own their texts
// (PodBatch excepted) and hold no interned ids.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::model {

// A pod template, under the number by which pods of the same source refer to it.
struct TemplateDefinition {
  uint32_t id = 0;
  std::shared_ptr<const PodSpec> spec;  // never null
};

// Pods of one template may differ in the claims of their volumes. The names of the claims in the
// spec's volumes, those of ephemeral volumes apart, in order; a pod has one for each, or none of
// its own.
size_t own_claims(const PodSpec& spec);
// Gives these volumes other claims. Requires: `claims` has own_claims(spec) names.
template <typename Names>
void put_claims(PodSpec& spec, const Names& claims) {
  auto name = std::begin(claims);
  for (PodVolume& volume : spec.volumes)
    if (volume.is_claim && !volume.ephemeral) volume.claim = *name++;
}

// A pod that shares its spec with others, because a small frame may name a large template many
// times.
struct TemplatePod {
  uint32_t template_id = 0;
  std::shared_ptr<const PodSpec> spec;  // the template's; null: only the name is known
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::optional<Controller> controller;
  std::string
      node_name;     // the node of a placed pod, even if the template has it; empty: not placed
  StringMap labels;  // added to the template's; override those of the same key
  std::vector<std::string> claims;  // see own_claims(); empty: those of the template
  PodPhase phase = PodPhase::kUnknown;
  std::string nominated_node_name;
  bool terminating = false;
  bool preempted = false;
  PodReady ready = PodReady::kNotTold;
  int64_t created_at = 0;             // nanoseconds since 1970; 0: not known
  std::optional<int64_t> started_at;  // nanoseconds since 1970

  bool finished() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
  Pod pod() const;  // the pod with its template's spec, if it has one, and the merged labels
  // The pod under a template of its own, without a number. Its labels stay in the spec.
  static TemplatePod of(Pod pod);
  // A pod of which only the name is known: one that is gone, or has finished.
  static TemplatePod named(std::string namespace_name, std::string name);
};

// Pods that wait to be scheduled and arrive together. Columns of equal length, except that a column
// in which no pod has a value is empty. The views point into what the batch was made of, which
// its maker keeps beside it.
struct PodBatch {
  std::vector<uint32_t> template_ids;  // each was defined before
  std::vector<uint32_t> namespace_indices;
  std::vector<std::string_view> namespaces;  // indexed by namespace_indices
  std::vector<std::string_view> names;       // not empty
  std::vector<uint64_t> name_hashes;         // Strings::hash of each name; empty: not computed
  std::vector<std::string_view> uids;
  std::vector<std::string_view> nominated_nodes;  // "": not nominated
  std::vector<int64_t> created_at;                // nanoseconds since 1970; 0: not known

  // Labels of the pods in addition to those of their templates; they override labels of the same
  // key. Pod i has labels[label_ends[i - 1]] up to, not including, labels[label_ends[i]], with
  // ascending and unique keys.
  std::vector<uint32_t> label_ends;
  std::vector<std::pair<std::string_view, std::string_view>> labels;

  // Claims of the pods in place of their templates'. Pod i has claims[claim_ends[i - 1]] up to, not
  // including, claims[claim_ends[i]]: none, or own_claims() of its template.
  std::vector<uint32_t> claim_ends;
  std::vector<std::string_view> claims;

  std::vector<Controller> controllers;
  std::vector<uint32_t> controller_indices;  // 0: none, i: controllers[i - 1]

  size_t size() const { return template_ids.size(); }
  std::string_view namespace_of(size_t pod) const { return namespaces[namespace_indices[pod]]; }
  // Empty: the pod has the claims of its template.
  std::span<const std::string_view> claims_of(size_t pod) const {
    if (claim_ends.empty()) return {};
    const size_t begin = pod == 0 ? 0 : claim_ends[pod - 1];
    return std::span(claims).subspan(begin, claim_ends[pod] - begin);
  }
  // The pod's controller, valid as long as the batch is unchanged; null: none.
  const Controller* controller_of(size_t pod) const {
    const uint32_t index = controller_indices.empty() ? 0 : controller_indices[pod];
    return index == 0 ? nullptr : &controllers[index - 1];
  }
  void clear();  // empties all columns and keeps their memory
};

}  // namespace berth::model
