#pragma once

#include <simdjson.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/assert.h"
#include "engine/ingest/stream/stream.h"
#include "tests/fuzz/fuzz_objects.h"

namespace berth::fuzz {

using namespace ingest;

inline void check_text(std::string_view text) {
  BERTH_ASSERT(simdjson::validate_utf8(text.data(), text.size()));
}

inline void check_name(std::string_view name) {
  BERTH_ASSERT(!name.empty() && name.size() <= kMaxColumnString);
  check_text(name);
}

// Checks the guarantees that stream.h gives for batches, in the order of the stream.
class BatchCheck {
 public:
  enum class Of : uint8_t { kFrames, kLines };

  explicit BatchCheck(Of of) : of_(of) {}

  void check(const Batch& batch) {
    switch (batch.kind) {
      case BatchKind::kNote:
        return check_text(batch.note);
      case BatchKind::kTemplates:
        BERTH_ASSERT(!batch.templates.empty() || !batch.retired_templates.empty());
        for (const uint32_t id : batch.retired_templates) BERTH_ASSERT(templates_.erase(id) == 1);
        return check(batch.templates);
      case BatchKind::kCluster:
      case BatchKind::kEvents:
        BERTH_ASSERT(!batch.changes.empty());
        for (const Change& change : batch.changes) check(change, batch.kind);
        return;
      case BatchKind::kPods:
        BERTH_ASSERT((of_ == Of::kLines) == (batch.lines.size() == batch.pods.size()));
        return check(batch.pods);
      case BatchKind::kBindings:
        return check(batch.bindings);
      case BatchKind::kTime:
        BERTH_ASSERT(of_ == Of::kLines && batch.at >= 0);
        return;
      case BatchKind::kEnd:
        return;
    }
  }

  uint64_t pods() const { return pods_; }

 private:
  void check(const std::vector<TemplateDefinition>& templates) {
    for (const auto& [id, spec] : templates) {
      BERTH_ASSERT(id <= kMaxTemplateId && spec != nullptr);
      check_spec(*spec);
      BERTH_ASSERT(templates_.emplace(id, spec).second);
    }
  }

  void check(const Change& change, BatchKind kind) {
    std::visit([](const auto& object) { check_names(object); }, change.object);
    const bool added = change.operation == model::Operation::kAdded;
    BERTH_ASSERT(added || kind == BatchKind::kEvents);
    if (std::holds_alternative<model::EvictionRequest>(change.object))
      BERTH_ASSERT(added && kind == BatchKind::kEvents);
    const auto* pod = std::get_if<TemplatePod>(&change.object);
    if (pod != nullptr && added && kind == BatchKind::kEvents)
      BERTH_ASSERT(!pod->node_name.empty() && !pod->finished());
    // Of a pod that has finished, as of a deleted object, there may be nothing but the names.
    const bool named = change.operation == model::Operation::kDeleted ||
                       (pod != nullptr && !added && pod->finished() && pod->spec == nullptr);
    if (!named) std::visit([this](const auto& object) { check(object); }, change.object);
  }

  static void check_names(const auto& object) {
    check_name(object.name);
    if constexpr (requires { object.namespace_name; }) check_name(object.namespace_name);
  }
  // One of a kind without names, or without namespaces, has none.
  static void check_names(const model::ControllerObject& object) {
    BERTH_ASSERT(!object.kind.empty());
  }
  static void check_names(const model::VolumeObject& object) {
    std::visit([](const auto& one) { check_names(one); }, object);
  }

  void check(const model::SelectorOwner& owner) { check_selector_owner(owner); }
  void check(const model::DisruptionBudget&) {}
  void check(const model::PodGroup&) {}
  void check(const model::EvictionRequest& request) {
    BERTH_ASSERT(request.grace_seconds.value_or(0) >= 0);
  }
  void check(const model::VolumeObject&) {}
  void check(const model::ControllerObject& object) { BERTH_ASSERT(object.data != nullptr); }

  void check(const model::Controller& controller) {
    const auto& [api_version, kind, name, uid] = controller;
    for (const std::string* text : {&api_version, &kind, &name, &uid}) check_text(*text);
  }

  void check(const model::Node& node) { check_node(node); }
  void check(const model::Namespace& space) { check_sorted(space.labels); }

  void check(const TemplatePod& pod) {
    check_text(pod.uid);
    if (pod.controller) check(*pod.controller);
    check_sorted(pod.labels);
    check_claims(pod.claims, *pod.spec);
    // A placed pod of lines has a template of its own.
    if (of_ == Of::kFrames) BERTH_ASSERT(templates_.at(pod.template_id) == pod.spec);
    BERTH_ASSERT(pod.phase <= model::PodPhase::kFailed);
    check_spec(pod.pod().spec);
  }

  void check(const PodBatch& pods) {
    const size_t count = pods.size();
    const auto whole_or_empty = [&](size_t size) { return size == 0 || size == count; };
    BERTH_ASSERT(count != 0 && count <= kMaxPodsPerFrame);
    BERTH_ASSERT(pods.namespace_indices.size() == count && pods.names.size() == count);
    BERTH_ASSERT(whole_or_empty(pods.uids.size()));
    BERTH_ASSERT(whole_or_empty(pods.nominated_nodes.size()));
    BERTH_ASSERT(whole_or_empty(pods.created_at.size()));
    BERTH_ASSERT(whole_or_empty(pods.label_ends.size()));
    BERTH_ASSERT(whole_or_empty(pods.controller_indices.size()));
    for (const uint32_t index : pods.controller_indices) {
      BERTH_ASSERT(index <= pods.controllers.size());
      if (index != 0) check(pods.controllers[index - 1]);
    }
    for (const uint32_t id : pods.template_ids) {
      BERTH_ASSERT(templates_.at(id)->node_name.empty());
    }
    for (size_t i = 0; i < count; ++i) check_name(pods.namespace_of(i));
    for (const auto name : pods.names) check_name(name);
    for (const auto uid : pods.uids) check_text(uid);
    for (const auto node : pods.nominated_nodes) check_text(node);
    check_labels(pods);
    BERTH_ASSERT(whole_or_empty(pods.claim_ends.size()));
    for (size_t i = 0; i < count; ++i)
      check_claims(pods.claims_of(i), *templates_.at(pods.template_ids[i]));
    pods_ += count;
  }

  static void check_claims(const auto& claims, const model::PodSpec& spec) {
    BERTH_ASSERT(claims.empty() || claims.size() == model::own_claims(spec));
    for (const auto& claim : claims) check_name(claim);
  }

  void check_labels(const PodBatch& pods) {
    size_t begin = 0;
    for (const size_t end : pods.label_ends) {
      BERTH_ASSERT(begin <= end && end <= pods.labels.size());
      check_sorted(std::span(pods.labels).subspan(begin, end - begin));
      begin = end;
    }
    BERTH_ASSERT(begin == pods.labels.size());
    for (const auto& [key, value] : pods.labels) {
      BERTH_ASSERT(!key.empty());
      check_text(key);
      check_text(value);
    }
  }

  void check(const BindingBatch& bindings) {
    BERTH_ASSERT(bindings.size() != 0);
    BERTH_ASSERT(bindings.namespaces.size() == bindings.size());
    BERTH_ASSERT(bindings.nodes.size() == bindings.size());
    for (const auto* column : {&bindings.namespaces, &bindings.names, &bindings.nodes}) {
      for (const auto name : *column) check_name(name);
    }
  }

  const Of of_;
  std::map<uint32_t, std::shared_ptr<const model::PodSpec>> templates_;
  uint64_t pods_ = 0;  // in batches of pods
};

}  // namespace berth::fuzz
