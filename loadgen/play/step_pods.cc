#include "loadgen/play/step_pods.h"

#include <algorithm>

namespace berth::loadgen {
namespace {

// Initial capacity for texts, enough for most steps.
constexpr size_t kTextBytes = size_t{1} << 18;

}  // namespace

void StepPods::begin(LoadStep& step, size_t namespaces) {
  step_ = &step;
  ++stamp_;
  namespaces_.resize(namespaces);
  if (named_) {
    namespace_indices_.clear();
    controller_indices_.clear();
    named_ = false;
  }
  step.texts.reserve(kTextBytes);
}

// Moves the texts to a larger buffer and adjusts all views into it.
void StepPods::move_texts(size_t wanted) {
  std::vector<char>& texts = step_->texts;
  const char* const old = texts.data();
  const char* const old_end = old + texts.size();
  std::vector<char> larger;
  larger.reserve(std::max(wanted, texts.capacity() * 2));
  larger.assign(texts.begin(), texts.end());
  const auto follow = [&](std::string_view& view) {
    if (view.data() >= old && view.data() < old_end)
      view = std::string_view(larger.data() + (view.data() - old), view.size());
  };
  ingest::PodBatch& pods = step_->pods;
  for (auto* column : {&pods.namespaces, &pods.names, &pods.uids, &pods.nominated_nodes})
    std::ranges::for_each(*column, follow);
  for (auto& [key, value] : pods.labels) {
    follow(key);
    follow(value);
  }
  std::ranges::for_each(pods.claims, follow);
  texts = std::move(larger);
}

inline void StepPods::make_room(size_t bytes) {
  const size_t wanted = step_->texts.size() + bytes;
  if (wanted > step_->texts.capacity()) move_texts(wanted);
}

std::string_view StepPods::keep(std::string_view text) {
  std::vector<char>& texts = step_->texts;
  const size_t begin = texts.size();
  make_room(text.size());
  texts.insert(texts.end(), text.begin(), text.end());
  return {texts.data() + begin, text.size()};
}

// Inlined by force: it runs once per pod, and the call is measurable.
[[gnu::always_inline]] inline void StepPods::add_row(uint32_t template_id, uint32_t namespace_index,
                                                     std::string_view name, Nanoseconds planned) {
  ingest::PodBatch& pods = step_->pods;
  pods.template_ids.push_back(template_id);
  pods.namespace_indices.push_back(namespace_index);
  pods.names.push_back(keep(name));
  step_->planned.push_back(planned);
  // Optional columns are empty until a pod uses them.
  if (!pods.label_ends.empty()) pods.label_ends.push_back(pods.label_ends.back());
  if (!pods.controller_indices.empty()) pods.controller_indices.push_back(0);
  if (!pods.claim_ends.empty()) pods.claim_ends.push_back(pods.claim_ends.back());
  if (!named_) return;
  if (!pods.uids.empty()) pods.uids.emplace_back();
  if (!pods.nominated_nodes.empty()) pods.nominated_nodes.emplace_back();
}

void StepPods::add(uint32_t template_id, uint32_t namespace_number, std::string_view namespace_name,
                   std::string_view name, Nanoseconds planned) {
  ingest::PodBatch& pods = step_->pods;
  auto& [stamp, index] = namespaces_[namespace_number];
  if (stamp != stamp_) {
    stamp = stamp_;
    index = static_cast<uint32_t>(pods.namespaces.size());
    pods.namespaces.push_back(namespace_name);
  }
  add_row(template_id, index, name, planned);
}

void StepPods::label(std::string_view key, std::string_view value) {
  ingest::PodBatch& pods = step_->pods;
  if (pods.label_ends.empty()) pods.label_ends.assign(pods.size(), 0);
  pods.labels.emplace_back(key, keep(value));
  ++pods.label_ends.back();
}

void StepPods::claim(std::string_view name) {
  ingest::PodBatch& pods = step_->pods;
  if (pods.claim_ends.empty()) pods.claim_ends.assign(pods.size(), 0);
  pods.claims.push_back(keep(name));
  ++pods.claim_ends.back();
}

void StepPods::controller(const model::Controller& controller) {
  std::vector<model::Controller>& controllers = step_->pods.controllers;
  // Pods of the same owner arrive in a row, so comparing with the last one is enough.
  if (controllers.empty() || controllers.back() != controller) controllers.push_back(controller);
  set_controller(controllers.size());
}

inline void StepPods::set_controller(size_t index) {
  std::vector<uint32_t>& indices = step_->pods.controller_indices;
  if (indices.empty()) indices.assign(step_->pods.size(), 0);
  indices.back() = static_cast<uint32_t>(index);
}

uint32_t StepPods::index_of(std::string_view namespace_name) {
  std::vector<std::string_view>& names = step_->pods.namespaces;
  const auto [at, fresh] = namespace_indices_.try_emplace(std::string(namespace_name),
                                                          static_cast<uint32_t>(names.size()));
  if (fresh) names.push_back(keep(namespace_name));
  return at->second;
}

// The number by which pods refer to the controller: 1 and up, 0 means none.
uint32_t StepPods::index_of(const model::Controller& controller) {
  std::vector<model::Controller>& controllers = step_->pods.controllers;
  const auto [at, fresh] =
      controller_indices_.try_emplace(controller.api_version + '\0' + controller.kind + '\0' +
                                          controller.name + '\0' + controller.uid,
                                      static_cast<uint32_t>(controllers.size() + 1));
  if (fresh) controllers.push_back(controller);
  return at->second;
}

void StepPods::add(const ArrivingPod& pod) {
  ingest::PodBatch& pods = step_->pods;
  named_ = true;
  add_row(pod.template_id, index_of(pod.namespace_name), pod.name, pod.planned);
  const auto set = [&](std::vector<std::string_view>& column, std::string_view text) {
    if (text.empty()) return;
    column.resize(pods.size());
    column.back() = keep(text);
  };
  set(pods.uids, pod.uid);
  set(pods.nominated_nodes, pod.nominated_node);
  for (const auto& [key, value] : pod.labels) {
    make_room(key.size() + value.size());  // reserve both, or keeping the value would move the key
    label(keep(key), value);
  }
  for (const std::string& name : pod.claims) claim(name);
  if (pod.controller != nullptr) set_controller(index_of(*pod.controller));
}

}  // namespace berth::loadgen
