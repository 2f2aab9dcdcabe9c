#include <algorithm>
#include <utility>

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
        return writer_.cluster(batch.changes);
      case BatchKind::kEvents:
        return writer_.events(batch.changes);
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
  void take(const PodBatch& pods) {
    for (size_t i = 0; i < pods.size(); ++i) {
      const WaitingPod pod(pod_of(pods, i, *templates_.spec(pods.template_ids[i])), writer_);
      if (writer_.add_pod(pod.columns())) continue;
      writer_.write_pods();
      writer_.add_pod(pod.columns());
    }
    writer_.write_pods();
    if (writer_.templates() < retire_at_) return;
    const size_t old = writer_.retire_templates();
    retire_at_ = writer_.templates() + std::max(kTemplatesKept, old);
  }

  static constexpr size_t kTemplatesKept = 4096;

  StreamWriter writer_;
  Conversion& conversion_;
  KnownTemplates templates_;
  size_t retire_at_ = kTemplatesKept;
};

}  // namespace

std::unique_ptr<Target> frame_target(ByteSink& sink, Conversion& conversion) {
  return std::make_unique<FrameTarget>(sink, conversion);
}

}  // namespace berth::ingest
