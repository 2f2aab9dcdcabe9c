#include "bench/macro/measure/meter/growth.h"

namespace berth::bench {
namespace {

// Below these a page more or less would be much of the figure.
constexpr uint32_t kFewestNodesForBytes = 1000;
constexpr int64_t kFewestPodsForBytes = 10'000;

}  // namespace

void Growth::nodes_come() {
  if (!bytes_before_nodes_) bytes_before_nodes_ = static_cast<int64_t>(resident_bytes());
}

void Growth::nodes_came() {
  const uint32_t nodes = core_.cluster().nodes().rows();
  if (nodes < kFewestNodesForBytes || core_.cluster().placed_pods() != 0) return;
  const int64_t grown = static_cast<int64_t>(resident_bytes()) - *bytes_before_nodes_;
  if (grown > 0) bytes_per_node_ = static_cast<double>(grown) / nodes;
}

Growth::Values Growth::now() const {
  Values values;
  values.cpu = cpu_seconds();
  values.bytes = static_cast<int64_t>(resident_bytes());
  values.pods = static_cast<int64_t>(core_.cluster().placed_pods());
  for (const queue::MoveCount& move : core_.scheduler().queue().moves())
    values.backoffs += move.backoff;
  return values;
}

void Growth::end() {
  const Values ended = now();
  grown_.cpu.user += ended.cpu.user - begun_.cpu.user;
  grown_.cpu.system += ended.cpu.system - begun_.cpu.system;
  grown_.bytes += ended.bytes - begun_.bytes;
  grown_.pods += ended.pods - begun_.pods;
  grown_.backoffs += ended.backoffs - begun_.backoffs;
}

void Growth::give(Measurement& m) const {
  m.bytes_per_node = bytes_per_node_;
  m.user_seconds = grown_.cpu.user;
  m.system_seconds = grown_.cpu.system;
  m.backoffs = grown_.backoffs;
  if (grown_.pods >= kFewestPodsForBytes && grown_.bytes > 0)
    m.bytes_per_pod = static_cast<double>(grown_.bytes) / static_cast<double>(grown_.pods);
}

}  // namespace berth::bench
