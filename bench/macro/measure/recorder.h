#pragma once

// Records how a run develops over time. Memory is bounded: when there are kMostSamples samples,
// every other one is dropped and the sampling interval doubles.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/macro/measure/figures/measurement.h"
#include "engine/framework/decision/decision.h"
#include "engine/queue/place.h"
#include "engine/runtime/core.h"

namespace berth::bench {

// Maps nodes to cells of the grid. Nodes that are added later have no cell.
class GridCells {
 public:
  explicit GridCells(runtime::Core& core);

  // The requested share of cpu per cell; the mean if a cell stands for several nodes. Values as in
  // Grid.
  std::vector<uint8_t> frame(runtime::Core& core) const;
  uint64_t nodes_per_cell() const { return nodes_per_cell_; }
  const std::vector<Grid::Group>& groups() const { return groups_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> cell_of_slot_;
  uint64_t nodes_per_cell_ = 1;
  uint32_t cells_ = 0;
  std::vector<Grid::Group> groups_;
};

class Recorder {
 public:
  explicit Recorder(runtime::Core& core) : core_(core) {}

  // The decisions whose times are told apart: the first ones of a kind of pod, which look at all
  // nodes; those that were made again by the reference evaluation; and the rest.
  enum class Kind : uint8_t { kFirst, kVerified, kSteady };
  // Records a decision of the measured part, in cycles.
  void decided(uint64_t cycles, Kind kind) {
    decision_.record(cycles);
    if (kind == Kind::kFirst) first_.record(cycles);
    if (kind == Kind::kSteady) steady_.record(cycles);
  }
  // Count the outcome of an attempt, or of a binding.
  void scheduled() { ++scheduled_; }
  void refusal(const framework::Decision& decision);
  void failure(std::string_view message);
  void binding_failed(std::string_view message) {
    --scheduled_;
    failure(message);
  }

  // True if a sample should be taken now. Cheap enough to call after each decision.
  bool due() const { return decision_.count() >= next_; }
  // The values of a sample that the recorder does not count itself.
  struct State {
    double run_seconds = 0;
    uint64_t bound = 0, preemptions = 0, victims = 0;
    std::array<uint64_t, queue::kPlaces> places{};  // pods by place of the queue
    uint64_t permit = 0;                            // pods that wait in Permit
  };
  // Takes a sample. `seconds` is the measured time so far, `waiting` the number of arrived pods
  // that have not been tried.
  void sample(double seconds, uint64_t waiting, const State& state);
  // Records the same values at the end of a measured stretch. The last ones become the end of the
  // series.
  void latest(double seconds, uint64_t waiting, const State& state) {
    end_seconds_ = seconds;
    end_waiting_ = waiting;
    end_state_ = state;
  }

  // Moves everything into `measurement`. The recorder must not be used afterwards.
  void give(Measurement& measurement);

 private:
  static constexpr size_t kMostSamples = 400;
  static constexpr size_t kSamplesPerFrame = 8;
  static constexpr size_t kMostReasons = 64;
  static constexpr size_t kMostFailures = 20;

  struct Sample {
    double seconds = 0;
    uint64_t decisions = 0, scheduled = 0, refused = 0, waiting = 0;
    State state;
    std::vector<uint64_t> reasons;  // cumulative, by number of the reason
    std::vector<uint8_t> frame;     // utilisation per cell; empty: no frame in this sample
  };

  size_t reason(const std::string& text);
  void thin();
  static void add_state(const State& state, Series& series);

  runtime::Core& core_;
  std::unique_ptr<GridCells> cells_;      // created with the first sample
  Histogram decision_;                    // cycles per decision
  Histogram first_, steady_;              // the same, of decisions of a kind
  uint64_t next_ = 0;                     // number of decisions at which the next sample is due
  uint64_t stride_ = 1;                   // decisions between two samples
  uint64_t scheduled_ = 0, refused_ = 0;  // attempts
  std::vector<std::string> reasons_;
  std::vector<uint64_t> reason_counts_;
  boost::unordered_flat_map<std::string, size_t> reason_numbers_;
  std::vector<std::string> failures_;
  std::vector<Sample> samples_;
  double end_seconds_ = 0;
  uint64_t end_waiting_ = 0;
  State end_state_;
};

}  // namespace berth::bench
