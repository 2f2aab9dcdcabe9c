#include "loadgen/step_pods.h"

#include <algorithm>

namespace berth::loadgen {
namespace {

// Room for the texts of most steps.
constexpr size_t kTexts = size_t{1} << 18;

}  // namespace

void StepPods::begin(LoadStep& step, size_t namespaces) {
  step_ = &step;
  ++stamp_;
  namespaces_.resize(namespaces);
  step.texts.reserve(kTexts);
}

// The views into the texts follow.
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
  for (std::string_view& name : step_->pods.names) follow(name);
  for (auto& [key, value] : step_->pods.labels) follow(value);
  texts = std::move(larger);
}

std::string_view StepPods::keep(std::string_view text) {
  std::vector<char>& texts = step_->texts;
  const size_t begin = texts.size();
  if (begin + text.size() > texts.capacity()) move_texts(begin + text.size());
  texts.insert(texts.end(), text.begin(), text.end());
  return {texts.data() + begin, text.size()};
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
  pods.template_ids.push_back(template_id);
  pods.namespace_indices.push_back(index);
  pods.names.push_back(keep(name));
  if (!pods.label_ends.empty()) pods.label_ends.push_back(pods.label_ends.back());
  if (!pods.controller_indices.empty()) pods.controller_indices.push_back(0);
  step_->planned.push_back(planned);
}

void StepPods::label(std::string_view key, std::string_view value) {
  ingest::PodBatch& pods = step_->pods;
  // Columns that nobody used are empty so far.
  if (pods.label_ends.empty()) pods.label_ends.assign(pods.size(), 0);
  pods.labels.emplace_back(key, keep(value));
  ++pods.label_ends.back();
}

void StepPods::controller(const model::Controller& controller) {
  ingest::PodBatch& pods = step_->pods;
  if (pods.controller_indices.empty()) pods.controller_indices.assign(pods.size(), 0);
  // Pods of one owner come one after the other.
  if (pods.controllers.empty() || pods.controllers.back() != controller)
    pods.controllers.push_back(controller);
  pods.controller_indices.back() = static_cast<uint32_t>(pods.controllers.size());
}

}  // namespace berth::loadgen
