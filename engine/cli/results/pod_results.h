#pragma once

// Keeps what becomes of each pod of a run, for the file of results. A pod may be tried many times
// and its outcome is final only when the run ends, so one record per pod (about 200 bytes, and its
// scores if they are kept) stays until then.
//
// Pods are in the order in which they arrived as work without a node. A pod that is deleted and
// created again is two pods.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/cli/results/score_notes.h"
#include "engine/output/pod_result.h"
#include "engine/runtime/core.h"

namespace berth::cli {

class PodResults {
 public:
  // The core and the notes outlive the results. `scores` may be null: none are kept.
  PodResults(runtime::Core& core, ScoreNotes* scores) : core_(core), scores_(scores) {}

  void take(const runtime::Report& report);
  // Writes one line per pod. To be called between steps of the core. Throws Error.
  void write(ByteSink& sink) const;

 private:
  using Time = runtime::Time;
  using Text = uint32_t;  // index into texts_; 0: empty
  enum class Kind : uint8_t {
    kUntried,
    kScheduled,
    kUnschedulable,
    kFailed,
    kGated,
    kIgnored,
    kTerminating
  };
  struct Record {
    model::PodId pod;
    std::string namespace_name, name;
    Kind kind = Kind::kUntried;
    Text node = 0, message = 0, evicted_by = 0;
    std::vector<Text> refused_by;
    uint64_t victims = 0;
    uint32_t attempts = 0;
    Time arrived{};
    std::optional<Time> queued, tried, bound;
    std::vector<output::NodeScores> scores;
  };

  void arrive(model::PodId pod);
  // Null: the pod did not arrive as work.
  Record* find(model::PodId pod);
  Text text(std::string_view of);
  void tried(Record& record, Kind kind, std::string_view message,
             const framework::Refusers* refused_by);
  void on(const runtime::Scheduled& to);
  void on(const runtime::Evicted& from);
  void on(const runtime::Bound& to);
  void on(const runtime::BindingFailed& by);
  output::PodResult result(const Record& record) const;
  void add_queue(const Record& record, output::PodResult& result) const;
  const char* outcome(const Record& record, bool gone) const;

  runtime::Core& core_;
  ScoreNotes* scores_;
  std::vector<Record> records_;
  boost::unordered_flat_map<uint64_t, size_t> index_;  // by handle
  std::vector<std::string> texts_{{}};
  boost::unordered_flat_map<std::string, Text> text_ids_;
};

}  // namespace berth::cli
