// Any bytes among manifests, as documents of a file and as lines of a stream: what is good before
// and behind them is read, and what they say is expanded, validated and admitted or refused.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/ingest/watch/watch_stream.h"
#include "tests/fuzz/fuzz_objects.h"

namespace berth::fuzz {
namespace {

// Names that no input can have on purpose.
struct Neighbours {
  explicit Neighbours(std::string_view text)
      : first("n" + std::to_string(std::hash<std::string_view>()(text)) + "-a"),
        second(first.substr(0, first.size() - 1) + "b") {}

  static std::string pod(const std::string& name) {
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
           R"("},"spec":{"containers":[{"name":"c"}]}})";
  }

  std::string first, second;
};

void check_file_among_others(std::string_view text, const Neighbours& good) {
  Diagnostics diagnostics;
  ingest::ObjectReader reader(diagnostics, ingest::Defaults::kApiServer,
                              ingest::Workloads::kManifests, ingest::Validation::kNew1_36);
  reader.read_text(Neighbours::pod(good.first) + "\n---\n" + std::string(text) + "\n---\n" +
                       Neighbours::pod(good.second) + "\n",
                   "file");
  ingest::Objects objects = reader.take();
  for (const std::string& name : {good.first, good.second})
    BERTH_ASSERT(std::ranges::count(objects.pods, name, &model::Pod::name) == 1);
  check_objects(objects);
}

void check_lines_among_others(std::string_view text, const Neighbours& good) {
  const auto line = [](const std::string& name) {
    return R"({"type":"ADDED","object":)" + Neighbours::pod(name) + "}\n";
  };
  const std::string all = line(good.first) + std::string(text) + "\n" + line(good.second);
  MemorySource source({reinterpret_cast<const uint8_t*>(all.data()), all.size()}, "watch");
  Diagnostics diagnostics;
  ingest::WatchStream watch(source, diagnostics, false);
  size_t found = 0;
  for (ingest::Batch batch; watch.next(batch);) {
    if (batch.kind != ingest::BatchKind::kPods) continue;
    for (const std::string_view name : batch.pods.names)
      found += name == good.first || name == good.second;
  }
  BERTH_ASSERT(found == 2);
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::fuzz;
  const std::string_view text = text_of(data, size);
  const Neighbours good(text);
  berth::Diagnostics diagnostics;
  const Document document = Document::parse(text, "file", diagnostics, limits());
  check_creation(document, berth::ingest::Validation::kNone);
  check_creation(document, berth::ingest::Validation::kNew1_36);
  check_file_among_others(text, good);
  check_lines_among_others(text, good);
  return 0;
}
