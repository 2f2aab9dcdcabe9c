#pragma once

// The decisions of one of the two runs, attempt by attempt, so that the other one can be compared
// with it. A pod is known to both by a number that stands for its name, and for which pod of that
// name it is: one that is deleted and created again is two pods.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/results/text_table.h"
#include "engine/framework/decision/decide.h"
#include "engine/output/pod_result.h"
#include "engine/runtime/report.h"

namespace berth::cli {

// Numbers pods of both runs, from 0.
class PodNumbers {
 public:
  using Number = uint32_t;

  // The `occurrence`th pod of that name, from 0.
  Number number(std::string_view full_name, uint32_t occurrence);
  size_t size() const { return numbers_.size(); }

 private:
  boost::unordered_flat_map<std::string, Number> numbers_;
};

// Counts the pods of each name as they come, in one run.
class NameCounts {
 public:
  // The occurrence of this pod, from 0.
  uint32_t count(std::string_view full_name) { return counts_[std::string(full_name)]++; }
  // That of the last pod of the name; nothing: there was none.
  std::optional<uint32_t> last(std::string_view full_name) const;

 private:
  boost::unordered_flat_map<std::string, uint32_t> counts_;
};

// The pods of one run by their handles.
class ArrivedPods {
 public:
  // Both outlive the object.
  ArrivedPods(PodNumbers& numbers, const model::Cluster& cluster)
      : numbers_(numbers), cluster_(cluster) {}

  void take(const runtime::Report& report);
  // Nothing: it did not arrive as work.
  std::optional<PodNumbers::Number> number(model::PodId pod) const;

 private:
  PodNumbers& numbers_;
  const model::Cluster& cluster_;
  NameCounts names_;
  boost::unordered_flat_map<uint64_t, PodNumbers::Number> by_handle_;
};

// The numbers of pods in results, which are in the order of their arrival.
std::vector<PodNumbers::Number> numbers_of(const std::vector<output::PodResult>& results,
                                           PodNumbers& numbers);

// One attempt. Texts are numbers of the trail's table.
struct Attempt {
  PodNumbers::Number pod = 0;
  uint32_t attempt = 0;         // of the pod, from 0
  TextTable::Id node = 0;       // 0: the pod got none
  TextTable::Id nominates = 0;  // the node, and the pods to evict; 0: none
  bool failed = false;          // by an error
  bool operator==(const Attempt&) const = default;
};

// The attempts of a run. Both runs of a comparison share a table of texts.
class Trail {
 public:
  explicit Trail(TextTable& texts) : texts_(texts) {}

  Attempt attempt_of(const model::Cluster& cluster, PodNumbers::Number pod,
                     const framework::Request& request, const framework::Decision& decision);
  void add(const Attempt& attempt);
  // Null: there is none so far.
  const Attempt* find(PodNumbers::Number pod, uint32_t attempt) const;
  const Attempt* last_of(PodNumbers::Number pod) const;
  const std::vector<Attempt>& all() const { return attempts_; }
  // The position of the pod's last attempt; SIZE_MAX: it was never tried.
  size_t last_position(PodNumbers::Number pod) const;

 private:
  TextTable& texts_;
  std::vector<Attempt> attempts_;
  boost::unordered_flat_map<uint64_t, size_t> positions_;  // by pod and attempt
  boost::unordered_flat_map<PodNumbers::Number, size_t> last_;
};

}  // namespace berth::cli
