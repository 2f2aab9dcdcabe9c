#include "loadgen/write/output.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/written/object_writer.h"
#include "engine/ingest/written/stream_sink.h"

namespace berth::loadgen {
namespace {

using ingest::Change;

// The order of kinds in text: first those that others may need.
size_t order_of(const Change& change) {
  // Nodes and pods come last; evictions are no part of a cluster.
  constexpr size_t kOrder[] = {5, 0, 6, 1, 2, 3, 4, 7, 4};
  static_assert(std::size(kOrder) == std::variant_size_v<model::Object>);
  return kOrder[change.object.index()];
}

enum class Form : uint8_t { kFrames, kLines, kList };

class SinkOutput final : public LoadOutput {
 public:
  SinkOutput(std::unique_ptr<ingest::StreamSink> sink, Form form)
      : sink_(std::move(sink)), form_(form) {}

  void note(std::string_view text) override { sink_->note(text); }
  void pass(const LoadStep& step) override { sink_->define(step.templates); }

  void write(const LoadStep& step) override {
    pass(step);
    write_cluster(step.cluster);
    if (step.timed && !step.is_scene())
      sink_->time((step.planned.empty() ? step.at : step.planned.back()).count());
    for (const Change& event : step.events) count_event(event, step);
    sink_->events(step.events);
    counts_.drained += step.drained.size();
    sink_->pods(step.pods);
    sink_->flush();
    counts_.pods += step.pods.size();
  }

  void end() override { sink_->end(); }

 private:
  void write_cluster(std::vector<Change> objects) {
    if (form_ != Form::kFrames) std::ranges::stable_sort(objects, {}, order_of);
    sink_->cluster(objects);
    for (const auto& [operation, object] : objects) {
      counts_.nodes += std::holds_alternative<model::Node>(object);
      counts_.namespaces += std::holds_alternative<model::Namespace>(object);
      counts_.selector_owners += std::holds_alternative<model::SelectorOwner>(object);
      counts_.storage += std::holds_alternative<model::VolumeObject>(object) ||
                         std::holds_alternative<model::PodGroup>(object);
      counts_.placed += std::holds_alternative<ingest::TemplatePod>(object);
    }
  }

  // Objects of storage may come with the pods that use them; a list cannot tell of other events.
  void count_event(const Change& event, const LoadStep& step) {
    if (form_ != Form::kList) {
      ++counts_.events;
      return;
    }
    if (!std::holds_alternative<model::VolumeObject>(event.object) ||
        event.operation != model::Operation::kAdded || step.pods.size() == 0)
      throw Error(
          "a list (*.json) cannot tell what happens between pods, and this load has such events: "
          "write a stream, or JSON lines (*.jsonl)");
    ++counts_.storage;
  }

  const std::unique_ptr<ingest::StreamSink> sink_;
  const Form form_;
};

}  // namespace

std::unique_ptr<LoadOutput> frame_output(ByteSink& sink) {
  return std::make_unique<SinkOutput>(ingest::frame_sink(sink), Form::kFrames);
}

std::unique_ptr<LoadOutput> watch_output(ByteSink& sink) {
  return std::make_unique<SinkOutput>(ingest::line_sink(sink), Form::kLines);
}

std::unique_ptr<LoadOutput> list_output(ByteSink& sink) {
  return std::make_unique<SinkOutput>(
      std::make_unique<ingest::ObjectWriter>(ingest::ObjectWriter::As::kList, sink), Form::kList);
}

}  // namespace berth::loadgen
