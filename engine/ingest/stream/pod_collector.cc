#include "engine/ingest/stream/pod_collector.h"

#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/base/io/frame.h"
#include "engine/ingest/stream/write/waiting_pod.h"
#include "engine/model/pods/pod_templates.h"

namespace berth::ingest {
namespace {

// Equal for equal specs only.
std::string identity_of(const model::PodSpec& spec) {
  std::string identity = model::template_identity(spec);
  const auto add = [&](const std::string& text) {
    identity += std::to_string(text.size()) + ':' + text;
  };
  for (const auto& [key, value] : spec.labels) {
    add(key);
    add(value);
  }
  return identity;
}

// The views point into `pods`.
PodBatch columns_of(std::span<const TemplatePod> pods) {
  PodBatch out;
  // A column in which no pod has a value stays empty.
  const auto put = [&](auto& column, const auto& value) {
    if (column.empty() && value == std::decay_t<decltype(value)>()) return;
    column.resize(out.names.size() - 1);
    column.emplace_back(value);
  };
  for (const TemplatePod& pod : pods) {
    out.template_ids.push_back(pod.template_id);
    // Neighbours mostly share their namespace and their controller.
    if (out.namespaces.empty() || out.namespaces.back() != pod.namespace_name)
      out.namespaces.emplace_back(pod.namespace_name);
    out.namespace_indices.push_back(static_cast<uint32_t>(out.namespaces.size() - 1));
    out.names.emplace_back(pod.name);
    // Here, because the thread that reads is mostly not the one that decides.
    out.name_hashes.push_back(model::Strings::hash(pod.name));
    put(out.uids, pod.uid);
    put(out.nominated_nodes, pod.nominated_node_name);
    put(out.created_at, pod.created_at);
    out.labels.insert(out.labels.end(), pod.labels.begin(), pod.labels.end());
    put(out.label_ends, static_cast<uint32_t>(out.labels.size()));
    out.claims.insert(out.claims.end(), pod.claims.begin(), pod.claims.end());
    put(out.claim_ends, static_cast<uint32_t>(out.claims.size()));
    if (pod.controller && (out.controllers.empty() || out.controllers.back() != *pod.controller))
      out.controllers.push_back(*pod.controller);
    put(out.controller_indices, pod.controller ? static_cast<uint32_t>(out.controllers.size()) : 0);
  }
  return out;
}

}  // namespace

// A pod that fits in no frame takes no room.
bool PodCollector::has_room(const TemplatePod& pod) {
  std::vector<std::pair<std::string_view, std::string_view>> labels(pod.labels.begin(),
                                                                    pod.labels.end());
  const std::vector<std::string_view> claims(pod.claims.begin(), pod.claims.end());
  StreamPod row{.template_id = 0,
                .namespace_name = pod.namespace_name,
                .name = pod.name,
                .uid = pod.uid,
                .nominated_node = pod.nominated_node_name,
                .labels = labels,
                .controller = pod.controller ? &*pod.controller : nullptr,
                .created_at = pod.created_at,
                .claims = claims};
  try {
    return frame_.add(row);
  } catch (const Error&) {
    return true;
  }
}

void PodCollector::add(model::Pod pod, uint32_t line, std::deque<Batch>* full) {
  TemplatePod own = split(std::move(pod));
  if (full != nullptr && !has_room(own)) {
    hand_on(*full);
    has_room(own);
  }
  const auto spec = std::exchange(own.spec, nullptr);
  std::string identity = identity_of(*spec);
  const size_t bytes = identity.size();
  const auto [id, fresh] = ids_.id_of(std::move(identity));
  if (fresh) {
    definitions_.push_back({id, spec});
    definition_bytes_ += bytes;
  }
  if (full != nullptr && definition_bytes_ > kMaxFramePayload) hand_on_templates(*full);
  own.template_id = id;
  pods_.push_back(std::move(own));
  lines_.push_back(line);
}

void PodCollector::hand_on_templates(std::deque<Batch>& to) {
  append_batch(to, BatchKind::kTemplates).templates.swap(definitions_);
  definition_bytes_ = 0;
}

void PodCollector::hand_on(std::deque<Batch>& to) {
  if (pods_.empty()) return;
  frame_.clear();
  if (!definitions_.empty()) hand_on_templates(to);
  Batch& batch = append_batch(to, BatchKind::kPods);
  batch.lines.swap(lines_);
  batch.own_parts.swap(pods_);
  batch.pods = columns_of(batch.own_parts);
  if (ids_.due()) append_batch(to, BatchKind::kTemplates).retired_templates = ids_.retire();
}

}  // namespace berth::ingest
