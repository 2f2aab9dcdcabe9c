// Writes a stream as frames.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/stream/write/stream_writer.h"
#include "engine/ingest/written/stream_sink.h"

namespace berth::ingest {
namespace {

class FrameSink final : public StreamSink {
 public:
  FrameSink(ByteSink& sink, Diagnostics* faults) : writer_(sink), faults_(faults) {}

  void note(std::string_view text) override { writer_.note(text); }

  void define(std::span<const TemplateDefinition> templates) override {
    StreamSink::define(templates);
    for (const TemplateDefinition& definition : templates) {
      if (definition.id >= ids_.size()) ids_.resize(definition.id + 1);
      ids_[definition.id].reset();
    }
  }

  void cluster(std::span<const Change> objects) override { write(objects, &StreamWriter::cluster); }
  void events(std::span<const Change> changes) override { write(changes, &StreamWriter::events); }

  void pods(const PodBatch& pods) override {
    for (size_t i = 0; i < pods.size(); ++i) put(pods, i);
    writer_.write_pods();
    if (!writer_.many_templates()) return;
    writer_.retire_templates();
    ids_.assign(ids_.size(), std::nullopt);
  }

  void end() override { writer_.end(); }

 private:
  // Writes an object apart first, and reads it if it `is_whole`, which it is with the template that
  // it uses. False, and a report: it does not fit in a frame, or a reader would refuse it.
  template <typename Write>
  bool fits(const std::string& name, bool is_whole, Write write) {
    MemorySink sink;
    StreamWriter apart(sink);
    const auto report = [&](const Error& error) {
      Place place;
      place.field = name;
      faults_->report(Error(std::move(place), error.message()));
      return false;
    };
    try {
      write(apart);
      if (!is_whole) return true;
      apart.end();
      MemorySource source(sink.bytes());
      Diagnostics found;
      StreamReader reader(source, found);
      for (Batch batch; reader.next(batch);) {
      }
      return found.count() == 0 || report(found.kept().front());
    } catch (const Error& error) {
      return report(error);
    }
  }

  void write(std::span<const Change> changes, void (StreamWriter::*put)(std::span<const Change>)) {
    if (faults_ == nullptr) return (writer_.*put)(changes);
    std::vector<Change> fitting;
    for (const Change& change : changes)
      if (fits(full_name(change.object), true, [&](auto& apart) { (apart.*put)({&change, 1}); }))
        fitting.push_back(change);
    (writer_.*put)(fitting);
  }

  void put(const PodBatch& pods, size_t i) {
    StreamPod pod = stream_pod(pods, i);
    // A template is written when the first pod uses it.
    std::optional<uint32_t>& id = ids_[pods.template_ids[i]];
    const model::PodSpec& spec = known().spec(pods.template_ids[i]);
    const auto try_it = [&](StreamWriter& apart) {
      if (!id) apart.template_id(spec);
      apart.add_pod(pod);
    };
    if (faults_ != nullptr &&
        !fits(std::string(pod.namespace_name) + "/" + std::string(pod.name), !id, try_it))
      return;
    if (!id) id = writer_.template_id(spec);
    pod.template_id = *id;
    if (writer_.add_pod(pod)) return;
    writer_.write_pods();  // the frame is full
    writer_.add_pod(pod);
  }

  StreamWriter writer_;
  Diagnostics* const faults_;
  std::vector<std::optional<uint32_t>> ids_;  // the writer's, by the source's
};

}  // namespace

std::unique_ptr<StreamSink> frame_sink(ByteSink& sink, Diagnostics* faults) {
  return std::make_unique<FrameSink>(sink, faults);
}

}  // namespace berth::ingest
