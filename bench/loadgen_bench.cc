// How fast loads are made, on one core: from a workload to frames, to a sink that does nothing and
// to a file.
//
//   pods/s; and the growth of memory from a million pods to ten, which is to be about none.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/base/io.h"
#include "loadgen/play.h"
#include "loadgen/workload.h"

namespace {

using namespace berth;

class NoSink final : public ByteSink {
 public:
  void write(std::span<const uint8_t> bytes) override { size_ += bytes.size(); }
  uint64_t size() const { return size_; }

 private:
  uint64_t size_ = 0;
};

loadgen::Workload preset(const std::string& name) {
  for (loadgen::Workload& workload : loadgen::presets())
    if (workload.name == name) return std::move(workload);
  throw std::logic_error("there is no preset " + name);
}

uint64_t play(const char* name, const std::map<std::string, std::string>& parameters,
              ByteSink& sink) {
  const std::unique_ptr<loadgen::Load> load =
      preset(name).open({.seed = 1, .parameters = parameters});
  const std::unique_ptr<loadgen::LoadOutput> output = loadgen::frame_output(sink);
  loadgen::PlayReport report;
  loadgen::play(*load, {.part = loadgen::Part::kPods}, loadgen::system_clock(), *output, report);
  return output->counts().pods;
}

void report_rate(benchmark::State& state, uint64_t pods) {
  state.counters["pods/s"] =
      benchmark::Counter(static_cast<double>(pods), benchmark::Counter::kIsRate);
}

// At once, of eight templates.
void BM_Mixed(benchmark::State& state) {
  uint64_t pods = 0;
  for (auto _ : state) {
    NoSink sink;
    pods += play("mixed", {{"pods", "1000000"}}, sink);
  }
  report_rate(state, pods);
}
BENCHMARK(BM_Mixed)->Unit(benchmark::kMillisecond);

void BM_MixedToFile(benchmark::State& state) {
  const std::string path = "loadgen-bench.stream";
  uint64_t pods = 0;
  for (auto _ : state) {
    FileSink sink(path);
    pods += play("mixed", {{"pods", "1000000"}}, sink);
  }
  ::unlink(path.c_str());
  report_rate(state, pods);
}
BENCHMARK(BM_MixedToFile)->Unit(benchmark::kMillisecond);

// Pods that come and go: an event for each.
void BM_Lifetimes(benchmark::State& state) {
  uint64_t pods = 0;
  for (auto _ : state) {
    NoSink sink;
    pods += play("daily", {{"rate", "1000000"}, {"day", "1s"}, {"days", "1s"}}, sink);
  }
  report_rate(state, pods);
}
BENCHMARK(BM_Lifetimes)->Unit(benchmark::kMillisecond);

// Pods of Jobs, with labels and controllers of their own.
void BM_Jobs(benchmark::State& state) {
  uint64_t pods = 0;
  for (auto _ : state) {
    NoSink sink;
    pods += play("batch", {{"pods", "200000"}}, sink);
  }
  report_rate(state, pods);
}
BENCHMARK(BM_Jobs)->Unit(benchmark::kMillisecond);

// What is resident now, in bytes.
double resident() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/self/statm", "r"),
                                                   std::fclose);
  unsigned long size = 0, pages = 0;
  if (!file || std::fscanf(file.get(), "%lu %lu", &size, &pages) != 2)
    throw std::runtime_error("/proc/self/statm cannot be read");
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// A sink that looks at the memory once a million pods have passed, and at the end.
void BM_MemoryFromOneToTenMillionPods(benchmark::State& state) {
  double grown = 0;
  for (auto _ : state) {
    const std::unique_ptr<loadgen::Load> load =
        preset("mixed").open({.seed = 1, .parameters = {{"pods", "10000000"}}});
    NoSink sink;
    const std::unique_ptr<loadgen::LoadOutput> output = loadgen::frame_output(sink);
    loadgen::LoadStep step;
    double at_a_million = 0;
    while (load->next(step)) {
      output->write(step);
      if (at_a_million == 0 && output->counts().pods >= 1'000'000) at_a_million = resident();
    }
    grown = resident() - at_a_million;
  }
  state.counters["bytes grown"] = grown;
}
BENCHMARK(BM_MemoryFromOneToTenMillionPods)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
