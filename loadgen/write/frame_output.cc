// Writes steps as frames of a stream.

#include "engine/ingest/stream/write/stream_writer.h"
#include "loadgen/write/output.h"

namespace berth::loadgen {
namespace {

class FrameOutput final : public LoadOutput {
 public:
  explicit FrameOutput(ByteSink& sink) : stream_(sink) {}

  void note(std::string_view text) override { stream_.note(text); }

  void pass(const LoadStep& step) override {
    for (const ingest::TemplateDefinition& definition : step.templates) {
      if (definition.id >= templates_.size()) templates_.resize(definition.id + 1);
      templates_[definition.id].spec = definition.spec;
    }
  }

  void write_cluster(const LoadStep& step) override {
    stream_.cluster(step.cluster);
    count_cluster(step.cluster);
  }

  void write(const LoadStep& step) override {
    pass(step);
    write_cluster(step);
    stream_.events(step.events);
    counts_.events += step.events.size();
    counts_.drained += step.drained.size();
    write_pods(step.pods);
  }

  void end() override { stream_.end(); }

 private:
  // A template is written when the first pod uses it; until then its spec is kept.
  struct Template {
    std::shared_ptr<const model::PodSpec> spec;
    uint32_t id = 0;
  };

  uint32_t written_id(uint32_t id) {
    Template& of = templates_[id];
    if (of.spec != nullptr) {
      of.id = stream_.template_id(*of.spec);
      of.spec.reset();
    }
    return of.id;
  }

  void write_pods(const ingest::PodBatch& pods) {
    for (size_t i = 0; i < pods.size(); ++i) {
      ingest::StreamPod pod;
      pod.template_id = written_id(pods.template_ids[i]);
      pod.namespace_name = pods.namespace_of(i);
      pod.name = pods.names[i];
      if (!pods.uids.empty()) pod.uid = pods.uids[i];
      if (!pods.nominated_nodes.empty()) pod.nominated_node = pods.nominated_nodes[i];
      if (!pods.label_ends.empty()) {
        const uint32_t begin = i == 0 ? 0 : pods.label_ends[i - 1];
        pod.labels = std::span(pods.labels).subspan(begin, pods.label_ends[i] - begin);
      }
      pod.claims = pods.claims_of(i);
      pod.controller = pods.controller_of(i);
      if (!pods.created_at.empty()) pod.created_at = pods.created_at[i];
      if (!stream_.add_pod(pod)) {
        stream_.write_pods();
        stream_.add_pod(pod);
      }
    }
    stream_.write_pods();
    counts_.pods += pods.size();
  }

  ingest::StreamWriter stream_;
  std::vector<Template> templates_;  // by the load's id
};

}  // namespace

std::unique_ptr<LoadOutput> frame_output(ByteSink& sink) {
  return std::make_unique<FrameOutput>(sink);
}

}  // namespace berth::loadgen
