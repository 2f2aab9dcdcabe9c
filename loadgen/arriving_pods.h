#pragma once

// Fills the pods of a step with what imports have: pods with texts and labels of their own, in any
// order of namespaces.

#include <boost/unordered/unordered_flat_map.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadgen/load.h"

namespace berth::loadgen {

// A pod on its way into a step; the views need to live as long as the call that takes it.
struct ArrivingPod {
  uint32_t template_id = 0;
  std::string_view namespace_name;
  std::string_view name;
  std::string_view uid;                                         // may be empty
  std::string_view nominated_node;                              // may be empty
  std::span<const std::pair<std::string, std::string>> labels;  // sorted by key, keys unique
  const model::Controller* controller = nullptr;                // null: none
  Nanoseconds planned{0};
};

class ArrivingPods {
 public:
  // The step outlives this, and nobody else adds pods to it.
  explicit ArrivingPods(LoadStep& step) : step_(step) {}

  size_t size() const { return step_.pods.template_ids.size(); }
  void add(const ArrivingPod& pod);
  // Points the views of the step to its texts. To be called once, when all pods are in.
  void finish();

 private:
  struct Text {
    size_t begin = 0, size = 0;
  };
  Text keep(std::string_view text);
  std::string_view view(const Text& text) const {
    return {step_.texts.data() + text.begin, text.size};
  }
  uint32_t number_of(std::string_view namespace_name);

  LoadStep& step_;
  std::vector<Text> namespaces_, names_, uids_, nominated_;
  std::vector<std::pair<Text, Text>> labels_;
  bool any_uid_ = false, any_nominated_ = false;
  boost::unordered_flat_map<std::string, uint32_t> namespace_numbers_, controller_numbers_;
};

}  // namespace berth::loadgen
