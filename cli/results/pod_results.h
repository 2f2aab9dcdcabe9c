#pragma once

// Keeps what becomes of each pod of a run, for the file of results. A pod may be tried many times
// and its outcome is final only when the run ends, so one record per pod (about 160 bytes with its
// name, and its scores if they are kept) stays until then.
//
// Pods are in the order in which they arrived as work; those that were rejected come last. A pod
// that is deleted and created again is two pods. Pods of the cluster come in when a controller or
// a kubelet evicts them.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/results/score_notes.h"
#include "cli/results/text_table.h"
#include "engine/base/io/io.h"
#include "engine/base/time.h"
#include "engine/ingest/objects/rejected_pod.h"
#include "engine/output/pod_result.h"
#include "engine/runtime/core.h"

namespace berth::cli {

class PodResults {
 public:
  // The core and the notes outlive the results. `scores` may be null: none are kept.
  PodResults(runtime::Core& core, ScoreNotes* scores) : core_(core), scores_(scores) {}

  void take(const runtime::Report& report);
  void take(output::EvictionResult answer) { evictions_.push_back(std::move(answer)); }
  // Writes one line per pod, one for each of the pods that the reader of the input rejected, one
  // for each request to evict a pod, and one for each drain. To be called between steps of the
  // core. Throws Error.
  void write(ByteSink& sink, const std::vector<ingest::RejectedPod>& unread,
             const std::vector<output::DrainResult>& drains) const;
  // The results of all pods, in the order of the lines. To be called as write().
  std::vector<output::PodResult> all(const std::vector<ingest::RejectedPod>& unread) const;

 private:
  using Text = TextTable::Id;
  enum class Kind : uint8_t {
    kUntried,
    kScheduled,
    kUnschedulable,
    kFailed,
    kGated,
    kIgnored,
    kSkipped,  // was being deleted when its turn came
    kBoundByAnother,
    kPlacedBefore,  // of the cluster, and evicted
    kAlreadyPlaced,
    kFinished,
    kTerminating  // was being deleted when it came
  };
  static constexpr Time kNever = Time::min();
  struct Record {
    model::PodId pod;      // no id: the pod never was in the pod table
    uint64_t name_at = 0;  // in names_; the name ends where the next record's begins
    Text namespace_name = 0, node = 0, message = 0, evicted_by = 0, evicted_because = 0;
    Text evicted_for = 0;
    Text refused_by = 0;  // names of plugins, with a line break after each
    uint32_t attempts = 0;
    Kind kind = Kind::kUntried;
    bool from_batch = false;  // of the last attempt
    bool fails = false;       // its kubelet ends it
    Time arrived = kNever, queued = kNever, tried = kNever, bound = kNever;
  };
  struct Rejected {
    Text namespace_name = 0, name = 0, message = 0;
    Time arrived{};
  };
  // A pod that was turned away behind others that wait, whose arrival is reported later.
  struct AtDoor {
    size_t position = 0;  // TurnedAway::position
    Record record;
    std::string name;
  };

  void add(Record record, std::string_view name);
  void arrive(std::span<const model::PodId> pods);
  void arrive(model::PodId pod);
  Record& add_placed(model::PodId pod);
  // Null: the pod did not arrive as work.
  Record* find(model::PodId pod);
  std::string_view name_of(size_t record) const;
  void tried(Record& record, Kind kind, std::string_view message,
             const framework::Refusers* refused_by);
  void on(const runtime::TurnedAway& pod);
  void on(const runtime::Scheduled& to);
  void on(const runtime::Evicted& from);
  void on(const runtime::Disrupted& by);
  void on(const runtime::Finished& with);
  void on(const runtime::Bound& to);
  void on(const runtime::BoundByAnother& to);
  void on(const runtime::BindingFailed& by);
  void on(const runtime::Gated& by);
  template <typename Add>
  void each(const std::vector<ingest::RejectedPod>& unread, Add&& add) const;
  output::PodResult result(size_t record) const;
  output::PodResult result(const Rejected& pod) const;
  static const char* outcome_name(Kind kind, bool gone);
  void add_queue(const Record& record, output::PodResult& result) const;

  runtime::Core& core_;
  ScoreNotes* scores_;
  TextTable texts_;
  std::string names_;
  std::vector<Record> records_;
  std::vector<Rejected> rejected_;
  std::vector<output::EvictionResult> evictions_;
  std::vector<AtDoor> at_door_;                                     // by position
  boost::unordered_flat_map<uint64_t, uint32_t> index_;             // by handle
  boost::unordered_flat_map<uint32_t, std::vector<Text>> victims_;  // by record
  struct End {
    int32_t exit_code;
    Time at;
  };
  boost::unordered_flat_map<uint32_t, End> ends_;             // by record
  std::vector<std::vector<output::NodeScores>> node_scores_;  // by record; if they are kept
};

}  // namespace berth::cli
