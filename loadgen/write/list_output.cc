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
    const ingest::ClusterPart& part = step.cluster;
    for (const model::Namespace& object : part.namespaces) item([&] { append(object, buffer_); });
    for (const model::SelectorOwner& object : part.selector_owners)
      item([&] { append(object, buffer_); });
    for (const model::DisruptionBudget& object : part.disruption_budgets)
      item([&] { append(object, buffer_); });
    for (const model::VolumeObject& object : part.storage) item([&] { append(object, buffer_); });
    for (const model::Node& object : part.nodes) item([&] { append(object, buffer_); });
    for (const ingest::TemplatePod& pod : part.pods) item([&] { append(pod.pod(), buffer_); });
    count_cluster(part);
  }

  void write(const LoadStep& step) override {
    pass(step);
    write_cluster(step);
    for (const ingest::Event& event : step.events) write_with_pods(event, step);
    counts_.drained += step.drained.size();
    for (size_t i = 0; i < step.pods.size(); ++i)
      item([&] { append(pods_.pod(step.pods, i), buffer_); });
    counts_.pods += step.pods.size();
  }

  void end() override {
    buffer_ += "\n]}\n";
    flush(0);
  }

 private:
  // Objects of storage may come with the pods that use them; a list cannot tell of other events.
  void write_with_pods(const ingest::Event& event, const LoadStep& step) {
    const auto* added = std::get_if<ingest::VolumeObjectAdded>(&event);
    if (added == nullptr || step.pods.size() == 0)
      throw Error(
          "a list (*.json) cannot tell what happens between pods, and this load has such events: "
          "write a stream, or JSON lines (*.jsonl)");
    item([&] { append(added->object, buffer_); });
    ++counts_.storage;
  }

  template <typename Append>
  void item(Append&& append_item) {
    buffer_ += first_ ? "\n" : ",\n";
    first_ = false;
    append_item();
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
