#pragma once

// Follows a run through its measured part: what is drawn over time. Keeps a bounded number of
// samples, however long the run: when there are too many, every other one goes, and the next ones
// are taken half as often.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/macro/measure/measurement.h"
#include "engine/model/cluster/cluster.h"
#include "engine/runtime/report.h"

namespace berth::bench {

// Which cell of the grid a node is drawn in. Nodes that come later than the grid have none.
class GridCells {
 public:
  explicit GridCells(model::Cluster& cluster);

  // The share of its cpu that is requested, per cell; of several nodes the mean.
  std::vector<uint8_t> frame(model::Cluster& cluster) const;
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
  explicit Recorder(model::Cluster& cluster) : cluster_(cluster) {}

  // Each decision of the measured part, its duration in cycles.
  void decided(uint64_t cycles) { decision_.record(cycles); }
  // What became of each pod of the measured part.
  void report(const runtime::Report& report);

  // Whether a sample should be taken now; cheap. Samples are that many decisions apart.
  bool due() const { return decision_.count() >= next_; }
  // `seconds`: of the measured part so far; `waiting`: pods that came and were not tried.
  void sample(double seconds, uint64_t waiting);
  // The same at the end of a stretch: the last one ends the series.
  void latest(double seconds, uint64_t waiting) {
    end_seconds_ = seconds;
    end_waiting_ = waiting;
  }

  // Fills in everything that was followed. The recorder is of no use afterwards.
  void give(Measurement& measurement);

 private:
  static constexpr size_t kMostSamples = 400;
  static constexpr size_t kSamplesPerFrame = 8;
  static constexpr size_t kMostReasons = 64;
  static constexpr size_t kMostFailures = 20;

  struct Sample {
    double seconds = 0;
    uint64_t decisions = 0, scheduled = 0, refused = 0, waiting = 0;
    std::vector<uint64_t> reasons;  // by number
    std::vector<uint8_t> frame;     // empty: none was taken
  };

  size_t reason(const std::string& text);
  void refusal(const framework::Decision& decision);
  void failure(std::string_view message);
  void thin();

  model::Cluster& cluster_;
  std::unique_ptr<GridCells> cells_;  // made with the first sample
  Histogram decision_;                // cycles
  uint64_t next_ = 0;
  uint64_t stride_ = 1;
  uint64_t scheduled_ = 0, refused_ = 0, failed_ = 0, gated_ = 0, ignored_ = 0;
  std::vector<std::string> reasons_;
  std::vector<uint64_t> reason_counts_;
  boost::unordered_flat_map<std::string, size_t> reason_numbers_;
  std::vector<std::string> failures_;
  std::vector<Sample> samples_;
  double end_seconds_ = 0;
  uint64_t end_waiting_ = 0;
};

}  // namespace berth::bench
