// Writes steps as watch events, one JSON object per line, as an API server sends them.

#include "engine/ingest/written/object_json.h"
#include "loadgen/generate/pods/batch_pods.h"
#include "loadgen/write/output.h"

namespace berth::loadgen {
namespace {

using ingest::append;
using ingest::append_json_text;

constexpr size_t kBufferBytes = size_t{1} << 20;

class WatchOutput final : public LoadOutput {
 public:
  explicit WatchOutput(ByteSink& sink) : sink_(sink) {}

  void note(std::string_view text) override {
    std::string annotation = ",\"metadata\":{\"annotations\":{\"berth/load\":";
    append_json_text(text, annotation);
    bookmark(annotation + "}}");
  }

  void pass(const LoadStep& step) override { pods_.define(step); }

  void write_cluster(const LoadStep& step) override {
    each_by_kind(step.cluster, [&](const auto& object) { line(model::Operation::kAdded, object); });
    count_cluster(step.cluster);
    flush(0);
  }

  void write(const LoadStep& step) override {
    pass(step);
    write_cluster(step);
    for (const ingest::Change& event : step.events)
      std::visit([&](const auto& object) { line(event.operation, object); }, event.object);
    counts_.events += step.events.size();
    counts_.drained += step.drained.size();
    for (size_t i = 0; i < step.pods.size(); ++i)
      line(model::Operation::kAdded, pods_.pod(step.pods, i));
    // The bookmark groups the pods since the previous bookmark: they arrived together.
    bookmark("");
    flush(0);
    counts_.pods += step.pods.size();
  }

  void end() override { flush(0); }

 private:
  void bookmark(std::string_view metadata) {
    buffer_ += "{\"type\":\"BOOKMARK\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\"";
    buffer_ += metadata;
    buffer_ += "}}\n";
  }

  void line(model::Operation type, const ingest::TemplatePod& pod) { line(type, pod.pod()); }
  template <typename Object>
  void line(model::Operation type, const Object& object) {
    buffer_ += "{\"type\":\"";
    buffer_ += model::event_type(type);
    buffer_ += "\",\"object\":";
    append(object, buffer_);
    buffer_ += "}\n";
    flush(kBufferBytes);
  }

  void flush(size_t limit) {
    if (buffer_.size() < limit || buffer_.empty()) return;
    sink_.write(std::string_view(buffer_));
    buffer_.clear();
  }

  ByteSink& sink_;
  BatchPods pods_;
  std::string buffer_;
};

}  // namespace

std::unique_ptr<LoadOutput> watch_output(ByteSink& sink) {
  return std::make_unique<WatchOutput>(sink);
}

}  // namespace berth::loadgen
