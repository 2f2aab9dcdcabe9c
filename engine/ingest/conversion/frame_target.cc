#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ingest/conversion/target.h"
#include "engine/ingest/stream/write/stream_writer.h"
#include "engine/ingest/stream/write/waiting_pod.h"

namespace berth::ingest {
namespace {

class FrameTarget final : public Target {
 public:
  FrameTarget(ByteSink& sink, Conversion& conversion) : writer_(sink), conversion_(conversion) {}

  void take(const Batch& batch) override {
    switch (batch.kind) {
      case BatchKind::kTemplates:
        return templates_.take(batch);
      case BatchKind::kCluster:
        return take(batch.changes, &StreamWriter::cluster);
      case BatchKind::kEvents:
        return take(batch.changes, &StreamWriter::events);
      case BatchKind::kPods:
        return take(batch.pods);
      case BatchKind::kNote:
        return writer_.note(batch.note);
      case BatchKind::kBindings:
        return drop_other(batch, conversion_);
      case BatchKind::kEnd:
        return;
    }
  }
  void end() override { writer_.end(); }

 private:
  // Writes an object apart first: false, and a report, if it does not fit in a frame.
  template <typename Write>
  bool fits(const std::string& name, Write write) {
    MemorySink sink;
    StreamWriter apart(sink);
    try {
      write(apart);
      return true;
    } catch (const Error& error) {
      Place place;
      place.field = name;
      conversion_.faults.report(Error(std::move(place), error.message()));
      return false;
    }
  }

  void take(const std::vector<Change>& changes,
            void (StreamWriter::*write)(std::span<const Change>)) {
    std::vector<Change> fitting;
    for (const Change& change : changes)
      if (fits(full_name(change.object), [&](auto& apart) { (apart.*write)({&change, 1}); }))
        fitting.push_back(change);
    (writer_.*write)(fitting);
  }

  void take(const PodBatch& pods) {
    for (size_t i = 0; i < pods.size(); ++i) {
      const model::Pod pod = pod_of(pods, i, *templates_.spec(pods.template_ids[i]));
      if (fits(full_name(pod), [&](auto& apart) { put_waiting(pod, apart); }))
        put_waiting(pod, writer_);
    }
    writer_.write_pods();
    if (writer_.many_templates()) writer_.retire_templates();
  }

  StreamWriter writer_;
  Conversion& conversion_;
  KnownTemplates templates_;
};

}  // namespace

std::unique_ptr<Target> frame_target(ByteSink& sink, Conversion& conversion) {
  return std::make_unique<FrameTarget>(sink, conversion);
}

}  // namespace berth::ingest
