// Writes the cluster and the pods of a load as a List that kubectl and Berth can read.

#include "engine/base/error.h"
#include "engine/ingest/written/object_json.h"
#include "loadgen/generate/pods/batch_pods.h"
#include "loadgen/write/output.h"

namespace berth::loadgen {
namespace {

using ingest::append;
using ingest::append_json_text;

constexpr size_t kBufferBytes = size_t{1} << 20;

class ListOutput final : public LoadOutput {
 public:
  explicit ListOutput(ByteSink& sink) : sink_(sink) {}

  void note(std::string_view text) override {
    buffer_ +=
        "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{\"annotations\":{"
        "\"berth/load\":";
    append_json_text(text, buffer_);
    buffer_ += "}},\"items\":[";
  }

  void pass(const LoadStep& step) override { pods_.define(step); }

  void write_cluster(const LoadStep& step) override {
    each_by_kind(step.cluster, [&](const auto& object) { item(object); });
    count_cluster(step.cluster);
  }

  void write(const LoadStep& step) override {
    pass(step);
    write_cluster(step);
    for (const ingest::Change& event : step.events) write_with_pods(event, step);
    counts_.drained += step.drained.size();
    for (size_t i = 0; i < step.pods.size(); ++i) item(pods_.pod(step.pods, i));
    counts_.pods += step.pods.size();
  }

  void end() override {
    buffer_ += "\n]}\n";
    flush(0);
  }

 private:
  // Objects of storage may come with the pods that use them; a list cannot tell of other events.
  void write_with_pods(const ingest::Change& event, const LoadStep& step) {
    const auto* object = std::get_if<model::VolumeObject>(&event.object);
    if (object == nullptr || event.operation != model::Operation::kAdded || step.pods.size() == 0)
      throw Error(
          "a list (*.json) cannot tell what happens between pods, and this load has such events: "
          "write a stream, or JSON lines (*.jsonl)");
    item(*object);
    ++counts_.storage;
  }

  void item(const ingest::TemplatePod& pod) { item(pod.pod()); }
  template <typename Object>
  void item(const Object& object) {
    buffer_ += first_ ? "\n" : ",\n";
    first_ = false;
    append(object, buffer_);
    flush(kBufferBytes);
  }

  void flush(size_t limit) {
    if (buffer_.size() < limit) return;
    sink_.write(std::string_view(buffer_));
    buffer_.clear();
  }

  ByteSink& sink_;
  BatchPods pods_;
  std::string buffer_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<LoadOutput> list_output(ByteSink& sink) {
  return std::make_unique<ListOutput>(sink);
}

}  // namespace berth::loadgen
