// Any bytes as a workload file: rejected input has a message and a place; accepted input, if it is
// small, is played for some steps into a stream.

#include <cstdint>
#include <string_view>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "loadgen/generate/generator.h"
#include "loadgen/workload/parse/parse_workload.h"
#include "loadgen/write/output.h"

namespace {

using namespace berth;

constexpr size_t kLongest = 1 << 16;
constexpr int kSteps = 24;
constexpr uint64_t kMostObjects = 2000;

// True if playing takes no noticeable time. Workloads with files of times are skipped, because the
// files could be anything.
bool is_small(const loadgen::WorkloadSpec& spec) {
  uint64_t objects = spec.cluster.nodes();
  for (const loadgen::NamespaceSpec& space : spec.namespaces) objects += space.count;
  for (const loadgen::OwnerSpec& owner : spec.owners) objects += owner.count;
  for (const loadgen::ArrivalSpec& arrival : spec.arrivals)
    if (!arrival.times_file.empty()) return false;
  return objects <= kMostObjects;
}

class CountingSink final : public ByteSink {
 public:
  void write(std::span<const uint8_t> bytes) override { size += bytes.size(); }
  uint64_t size = 0;
};

void play(loadgen::WorkloadSpec spec) {
  loadgen::Generator generator(std::move(spec), 1, {});
  CountingSink sink;
  const std::unique_ptr<loadgen::LoadOutput> output = loadgen::frame_output(sink);
  output->note(generator.note());
  loadgen::LoadStep step;
  loadgen::Nanoseconds before{0};
  for (int i = 0; i < kSteps && generator.next(step); ++i) {
    BERTH_ASSERT(step.at >= before);
    BERTH_ASSERT(step.pods.size() == step.planned.size());
    BERTH_ASSERT(step.closed_loop || step.pods.size() <= loadgen::kPodsPerStep);
    before = step.planned.empty() ? step.at : step.planned.back();
    output->write(step);
  }
  output->end();
  BERTH_ASSERT(sink.size != 0);
}

void try_root(document::Value root) {
  Diagnostics diagnostics;
  const auto parameters = loadgen::workload_parameters(root, diagnostics);
  std::optional<loadgen::WorkloadSpec> spec =
      loadgen::parse_workload(root, parameters, diagnostics);
  BERTH_ASSERT(spec.has_value() || diagnostics.count() != 0);
  for (const Error& error : diagnostics.kept()) {
    BERTH_ASSERT(!error.message().empty());
    BERTH_ASSERT(error.place().line != 0);
  }
  if (diagnostics.count() != 0 || !is_small(*spec)) return;
  try {
    play(std::move(*spec));
  } catch (const Error& error) {
    // Loads that are too large for a stream end with a message.
    BERTH_ASSERT(!error.message().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > kLongest) return -1;
  Diagnostics diagnostics;
  const document::Document document =
      document::Document::parse({reinterpret_cast<const char*>(data), size}, "input", diagnostics,
                                loadgen::workload_limits());
  for (const document::Value root : document.roots())
    if (loadgen::is_workload(root)) try_root(root);
  return 0;
}
