#include "bench/macro/measure/recorder.h"

#include <algorithm>
#include <cmath>

namespace berth::bench {
namespace {

constexpr char kZone[] = "node.label:topology.kubernetes.io/zone";
constexpr uint64_t kMostCells = 8192;
constexpr char kOtherReasons[] = "(other reasons)";

template <typename T>
const T* column(runtime::Core& core, const char* id) {
  return static_cast<const T*>(core.column(id).data);
}

}  // namespace

GridCells::GridCells(runtime::Core& core) {
  const model::Cluster& cluster = core.cluster();
  const auto* zones = column<uint32_t>(core, kZone);
  std::vector<std::pair<std::string_view, model::Slot>> nodes;  // by zone
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row)
    nodes.emplace_back(cluster.text(zones[row]), cluster.nodes().slot_of(row));
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  nodes_per_cell_ = std::max<uint64_t>(1, (nodes.size() + kMostCells - 1) / kMostCells);
  cell_of_slot_.assign(cluster.nodes().slots(), kNone);
  uint64_t in_cell = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const bool new_group = i == 0 || nodes[i].first != nodes[i - 1].first;
    if (new_group) groups_.push_back({std::string(nodes[i].first), 0});
    if (new_group || in_cell == nodes_per_cell_) {
      ++cells_;
      ++groups_.back().cells;
      in_cell = 0;
    }
    ++in_cell;
    cell_of_slot_[nodes[i].second] = cells_ - 1;
  }
}

std::vector<uint8_t> GridCells::frame(runtime::Core& core) const {
  const model::Cluster& cluster = core.cluster();
  const auto* requested = column<int64_t>(core, "node.requested:cpu");
  const auto* allocatable = column<int64_t>(core, "node.allocatable:cpu");
  std::vector<double> sums(cells_);
  std::vector<uint32_t> counts(cells_);
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row) {
    const model::Slot slot = cluster.nodes().slot_of(row);
    if (slot >= cell_of_slot_.size() || cell_of_slot_[slot] == kNone) continue;
    const uint32_t cell = cell_of_slot_[slot];
    ++counts[cell];
    if (allocatable[row] > 0)
      sums[cell] += static_cast<double>(requested[row]) / static_cast<double>(allocatable[row]);
  }
  std::vector<uint8_t> values(cells_, Grid::kNoNode);
  for (uint32_t cell = 0; cell < cells_; ++cell)
    if (counts[cell] != 0)
      values[cell] = static_cast<uint8_t>(
          std::lround(std::clamp(sums[cell] / counts[cell], 0.0, 1.0) * Grid::kPerWhole));
  return values;
}

size_t Recorder::reason(const std::string& text) {
  const auto known = reason_numbers_.find(text);
  if (known != reason_numbers_.end()) return known->second;
  // Hostile input may contain as many reasons as pods.
  if (reasons_.size() + 1 >= kMostReasons && text != kOtherReasons) return reason(kOtherReasons);
  reasons_.push_back(text);
  reason_counts_.push_back(0);
  return reason_numbers_[text] = reasons_.size() - 1;
}

void Recorder::refusal(const framework::Decision& decision) {
  ++refused_;
  if (decision.pre_filter) {
    for (const std::string& text : decision.pre_filter->reasons) ++reason_counts_[reason(text)];
  } else {
    for (const auto& entry : decision.reasons) ++reason_counts_[reason(entry.first)];
  }
}

void Recorder::failure(std::string_view message) {
  if (failures_.size() < kMostFailures) failures_.emplace_back(message);
}

void Recorder::sample(double seconds, uint64_t waiting, const State& state) {
  if (cells_ == nullptr) cells_ = std::make_unique<GridCells>(core_);
  Sample sample{seconds, decision_.count(), scheduled_, refused_, waiting,
                state,   reason_counts_,    {}};
  if (samples_.size() % kSamplesPerFrame == 0) sample.frame = cells_->frame(core_);
  samples_.push_back(std::move(sample));
  if (samples_.size() >= kMostSamples) thin();
  next_ = decision_.count() + stride_;
}

void Recorder::thin() {
  std::vector<Sample> kept;
  for (size_t i = 0; i < samples_.size(); i += 2) {
    kept.push_back(std::move(samples_[i]));
    // After thinning, frames remain at every kSamplesPerFrame-th sample.
    if ((kept.size() - 1) % kSamplesPerFrame != 0) kept.back().frame.clear();
  }
  samples_ = std::move(kept);
  stride_ *= 2;
}

void Recorder::add_state(const State& state, Series& series) {
  using queue::Place;
  const auto in = [&](Place place) { return state.places[static_cast<size_t>(place)]; };
  series.run_seconds.push_back(state.run_seconds);
  series.bound.push_back(state.bound);
  series.preemptions.push_back(state.preemptions);
  series.victims.push_back(state.victims);
  series.active.push_back(in(Place::kActive));
  series.backoff.push_back(in(Place::kBackoff));
  series.error_backoff.push_back(in(Place::kErrorBackoff));
  series.unschedulable.push_back(in(Place::kUnschedulable));
  series.gated.push_back(in(Place::kGated));
  series.permit.push_back(state.permit);
}

void Recorder::give(Measurement& m) {
  if (!samples_.empty()) {
    if (samples_.back().seconds < end_seconds_) sample(end_seconds_, end_waiting_, end_state_);
    // The last sample always has a frame, because the end state matters most.
    if (samples_.back().frame.empty()) samples_.back().frame = cells_->frame(core_);
    m.grid.nodes_per_cell = cells_->nodes_per_cell();
    m.grid.groups = cells_->groups();
  }
  m.grid.nodes = core_.cluster().nodes().rows();
  for (const std::string& text : reasons_) m.series.reasons.push_back({text, {}});
  for (Sample& sample : samples_) {
    m.series.time_seconds.push_back(sample.seconds);
    m.series.decisions.push_back(sample.decisions);
    m.series.scheduled.push_back(sample.scheduled);
    m.series.refused.push_back(sample.refused);
    m.series.waiting.push_back(sample.waiting);
    add_state(sample.state, m.series);
    sample.reasons.resize(reasons_.size());
    for (size_t i = 0; i < reasons_.size(); ++i)
      m.series.reasons[i].refused.push_back(sample.reasons[i]);
    if (sample.frame.empty()) continue;
    m.grid.time_seconds.push_back(sample.seconds);
    m.grid.frames.push_back(std::move(sample.frame));
  }
  m.decisions = decision_.count();
  m.decision.histogram = decision_;
  m.first_decision.histogram = first_;
  m.steady_decision.histogram = steady_;
  m.failures = std::move(failures_);
}

}  // namespace berth::bench
