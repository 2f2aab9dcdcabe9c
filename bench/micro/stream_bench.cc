// Measures reading a stream of pods on one core: framing, CRC, both passes of verification, and
// decoding to batches. Names are like those of a Deployment, 25 bytes, in one namespace; pods use
// 10 templates in turn.
//
//   BM_ReadPods/N: frames of N pods from memory; BM_ReadPodsFromFile: through read(2).
//
// Also measures writing bindings to a sink that discards them.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/stream/write/stream_writer.h"
#include "engine/output/bindings/binding_writer.h"

namespace {

using namespace berth;

constexpr size_t kPods = 1'000'000;
constexpr int32_t kTemplates = 10;

enum class Columns { kNames, kAll };

std::string pod_name(size_t i) {
  char name[32];
  std::snprintf(name, sizeof name, "checkout-7c5d8f9b6d-%05zx", i);
  return name;
}

std::vector<uint8_t> make_stream(size_t frame_size, Columns columns) {
  MemorySink sink;
  ingest::StreamWriter writer(sink);
  for (int32_t i = 0; i < kTemplates; ++i) {
    model::PodSpec spec;
    spec.priority = i;
    spec.containers = {{"main", "image", {{"cpu", model::Quantity::from_milli(100)}}, {}, false}};
    writer.template_id(spec);
  }
  for (size_t i = 0; i < kPods; ++i) {
    const std::string name = pod_name(i);
    const std::pair<std::string_view, std::string_view> labels[] = {
        {"apps.kubernetes.io/pod-index", std::string_view(name).substr(20)},
        {"statefulset.kubernetes.io/pod-name", name}};
    ingest::StreamPod pod{static_cast<uint32_t>(i % kTemplates), "default", name, "", "", {}};
    if (columns == Columns::kAll) {
      pod.namespace_name = i % 2 == 0 ? "default" : "other";
      pod.uid = "0f8d3d6e-95b4-4b3c-9a65-2f6f7f0a8c11";
      pod.labels = labels;
    }
    if (!writer.add_pod(pod)) {
      writer.write_pods();
      writer.add_pod(pod);
    }
    if ((i + 1) % frame_size == 0) writer.write_pods();
  }
  writer.end();
  return sink.bytes();
}

// Sums up the lengths of all names, so that decoding cannot be optimised away.
size_t pods_of(ByteSource& source) {
  Diagnostics diagnostics;
  ingest::StreamReader reader(source, diagnostics);
  size_t bytes = 0;
  size_t pods = 0;
  for (ingest::Batch batch; reader.next(batch);) {
    if (batch.kind != ingest::BatchKind::kPods) continue;
    pods += batch.pods.size();
    for (const std::string_view name : batch.pods.names) bytes += name.size();
  }
  if (pods != kPods || diagnostics.count() != 0) throw std::logic_error("the stream is not whole");
  return bytes;
}

void count(benchmark::State& state, size_t stream_size) {
  const auto iterations = static_cast<int64_t>(state.iterations());
  state.SetItemsProcessed(iterations * static_cast<int64_t>(kPods));
  state.SetBytesProcessed(iterations * static_cast<int64_t>(stream_size));
  state.counters["bytes/pod"] = static_cast<double>(stream_size) / kPods;
}

void read_from_memory(benchmark::State& state, Columns columns) {
  const auto stream = make_stream(static_cast<size_t>(state.range(0)), columns);
  for (auto _ : state) {
    MemorySource source(stream);
    benchmark::DoNotOptimize(pods_of(source));
  }
  count(state, stream.size());
}

void BM_ReadPods(benchmark::State& state) { read_from_memory(state, Columns::kNames); }
BENCHMARK(BM_ReadPods)->Arg(1)->Arg(16)->Arg(256)->Arg(4096)->Unit(benchmark::kMillisecond);

// Two namespaces, uids, and two labels per pod.
void BM_ReadPodsWithAllColumns(benchmark::State& state) { read_from_memory(state, Columns::kAll); }
BENCHMARK(BM_ReadPodsWithAllColumns)->Arg(256)->Arg(4096)->Unit(benchmark::kMillisecond);

void BM_ReadPodsFromFile(benchmark::State& state) {
  const auto stream = make_stream(static_cast<size_t>(state.range(0)), Columns::kNames);
  std::FILE* file = std::tmpfile();
  if (file == nullptr || std::fwrite(stream.data(), 1, stream.size(), file) != stream.size() ||
      std::fflush(file) != 0) {
    state.SkipWithError("no temporary file");
    return;
  }
  for (auto _ : state) {
    std::rewind(file);
    FileSource source(Descriptor(::dup(::fileno(file))), "temporary file");
    benchmark::DoNotOptimize(pods_of(source));
  }
  std::fclose(file);
  count(state, stream.size());
}
BENCHMARK(BM_ReadPodsFromFile)->Arg(256)->Unit(benchmark::kMillisecond);

void BM_WritePods(benchmark::State& state) {
  size_t size = 0;
  for (auto _ : state) {
    size = make_stream(static_cast<size_t>(state.range(0)), Columns::kNames).size();
  }
  count(state, size);
}
BENCHMARK(BM_WritePods)->Arg(256)->Unit(benchmark::kMillisecond);

// Counts bytes and discards them.
class NullSink : public ByteSink {
 public:
  using ByteSink::write;
  void write(std::span<const uint8_t> bytes) override { size_ += bytes.size(); }
  size_t size() const { return size_; }

 private:
  size_t size_ = 0;
};

void write_bindings(benchmark::State& state, output::BindingFormat format) {
  std::vector<std::string> pods, nodes;
  for (size_t i = 0; i < 10'000; ++i) pods.push_back(pod_name(i));
  for (size_t i = 0; i < 5'000; ++i) nodes.push_back("node-" + std::to_string(i));
  NullSink sink;
  const auto writer = output::make_binding_writer(format, sink);
  size_t written = 0;
  for (auto _ : state) {
    writer->write("default", pods[written % pods.size()], nodes[written * 7 % nodes.size()]);
    ++written;
  }
  writer->finish();
  state.SetItemsProcessed(static_cast<int64_t>(written));
  state.counters["bytes/binding"] = static_cast<double>(sink.size()) / static_cast<double>(written);
}

void BM_WriteBindingLines(benchmark::State& state) {
  write_bindings(state, output::BindingFormat::kJsonLines);
}
BENCHMARK(BM_WriteBindingLines);

void BM_WriteBindingFrames(benchmark::State& state) {
  write_bindings(state, output::BindingFormat::kFrames);
}
BENCHMARK(BM_WriteBindingFrames);

}  // namespace

BENCHMARK_MAIN();
