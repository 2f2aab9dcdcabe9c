// Measures how fast one core generates loads, from workload to frames, into a discarding sink and
// into a file. Also measures the growth of memory from one to ten million pods, which should be
// almost none.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/base/io/io.h"
#include "loadgen/play/play.h"
#include "loadgen/workload/workload.h"

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

uint64_t play(const loadgen::Workload& workload,
              const std::map<std::string, std::string>& parameters, ByteSink& sink) {
  const std::unique_ptr<loadgen::Load> load = workload.open({.seed = 1, .parameters = parameters});
  const std::unique_ptr<loadgen::LoadOutput> output = loadgen::frame_output(sink);
  loadgen::PlayReport report;
  loadgen::play(*load, {.part = loadgen::Part::kPods}, loadgen::system_clock(), *output, report);
  return output->counts().pods;
}

void report_rate(benchmark::State& state, uint64_t pods) {
  state.counters["pods/s"] =
      benchmark::Counter(static_cast<double>(pods), benchmark::Counter::kIsRate);
}

// All pods at once, eight templates.
void BM_Mixed(benchmark::State& state) {
  uint64_t pods = 0;
  for (auto _ : state) {
    NoSink sink;
    pods += play(preset("mixed"), {{"pods", "1000000"}}, sink);
  }
  report_rate(state, pods);
}
BENCHMARK(BM_Mixed)->Unit(benchmark::kMillisecond);

void BM_MixedToFile(benchmark::State& state) {
  const std::string path = "loadgen-bench.stream";
  uint64_t pods = 0;
  for (auto _ : state) {
    FileSink sink(path);
    pods += play(preset("mixed"), {{"pods", "1000000"}}, sink);
  }
  ::unlink(path.c_str());
  report_rate(state, pods);
}
BENCHMARK(BM_MixedToFile)->Unit(benchmark::kMillisecond);

// A steady load of 100,000 living pods, with a deletion per pod.
void BM_Lifetimes(benchmark::State& state) {
  const std::string path = "loadgen-bench.yaml";
  std::ofstream(path) << "apiVersion: berth/v1\n"
                         "kind: Workload\n"
                         "name: lifetimes\n"
                         "templates: [{name: pod, template: {spec: {containers: [{name: c}]}}}]\n"
                         "arrivals:\n"
                         "- constant: {rate: 1000000}\n"
                         "  pods: 1000000\n"
                         "  lifetime: {exponential: {mean: 100ms}}\n";
  Diagnostics diagnostics;
  const std::vector<loadgen::Workload> found = loadgen::find_workloads(path, diagnostics);
  uint64_t pods = 0;
  for (auto _ : state) {
    NoSink sink;
    pods += play(found.at(0), {}, sink);
  }
  ::unlink(path.c_str());
  report_rate(state, pods);
}
BENCHMARK(BM_Lifetimes)->Unit(benchmark::kMillisecond);

// Arrivals along a curve with long lifetimes, so that the number of planned deletions grows.
void BM_Daily(benchmark::State& state) {
  uint64_t pods = 0;
  for (auto _ : state) {
    NoSink sink;
    pods += play(preset("daily"), {{"rate", "1000000"}, {"day", "1s"}, {"days", "1s"}}, sink);
  }
  report_rate(state, pods);
}
BENCHMARK(BM_Daily)->Unit(benchmark::kMillisecond);

// Pods of Jobs, which have their own labels and controllers.
void BM_Jobs(benchmark::State& state) {
  uint64_t pods = 0;
  for (auto _ : state) {
    NoSink sink;
    pods += play(preset("batch"), {{"pods", "200000"}}, sink);
  }
  report_rate(state, pods);
}
BENCHMARK(BM_Jobs)->Unit(benchmark::kMillisecond);

// Resident set size in bytes.
double resident() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/self/statm", "r"),
                                                   std::fclose);
  unsigned long size = 0, pages = 0;
  if (!file || std::fscanf(file.get(), "%lu %lu", &size, &pages) != 2)
    throw std::runtime_error("/proc/self/statm cannot be read");
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// Uses a sink that samples memory after one million pods and at the end.
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
