// JSON lines, the events of a watch.

#include <algorithm>
#include <span>
#include <type_traits>

#include "engine/base/text/number_text.h"
#include "engine/ingest/conversion/target.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/watch/watch_stream.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

constexpr std::string_view kBookmark =
    R"({"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Pod","metadata":{}}})"
    "\n";

class LineTarget final : public Target {
 public:
  LineTarget(ByteSink& sink, Conversion& conversion) : sink_(sink), conversion_(conversion) {}

  void take(const Batch& batch) override {
    if (batch.kind == BatchKind::kCluster) {
      take_cluster(batch.changes);
    } else if (batch.kind == BatchKind::kPods) {
      take(batch.pods);
    } else if (batch.kind == BatchKind::kEvents) {
      for (const Change& change : batch.changes) take(change);
    } else {
      templates_.take(batch);
      drop_other(batch, conversion_);
    }
  }

  void end() override {
    flush(0);
    if (cut_batches_ != 0)
      conversion_.notes.push_back(grouped(cut_batches_) + " batches have more than " +
                                  grouped(WatchStream::kPodsTogether) +
                                  " pods, and JSON lines arrive in batches of so many");
    if (fresh_pods_ != 0) conversion_.notes.push_back(without_uid(fresh_pods_));
  }

 private:
  template <typename Object>
  void write(model::Operation operation, const Object& object) {
    text_ += R"({"type":")";
    text_ += model::event_type(operation);
    text_ += R"(","object":)";
    append(object, text_);
    text_ += "}\n";
    flush(kWrittenTogether);
  }

  // Pods come after what they may need.
  void take_cluster(std::span<const Change> objects) {
    for (const Change& change : objects)
      if (!std::holds_alternative<TemplatePod>(change.object)) take(change);
    model::each<TemplatePod>(objects, [&](const TemplatePod& pod) {
      if (!pod.node_name.empty() || pod.finished() || pod.terminating) {
        write(model::Operation::kAdded, created(pod.pod(), conversion_));
      } else {
        // As a line it would be work.
        conversion_.dropped.add("pods of the cluster that wait for a node");
      }
    });
  }

  void take(const PodBatch& pods) {
    for (size_t i = 0; i < pods.size(); ++i) {
      const model::Pod pod =
          created(pod_of(pods, i, *templates_.spec(pods.template_ids[i])), conversion_);
      if (pod.uid.empty()) ++fresh_pods_;
      write(model::Operation::kAdded, pod);
    }
    if (pods.size() > WatchStream::kPodsTogether) ++cut_batches_;
    text_ += kBookmark;
  }

  void take(const Change& change) {
    const bool deleted = change.operation == model::Operation::kDeleted;
    std::visit(
        [&]<typename One>(const One& one) {
          if constexpr (std::is_same_v<One, TemplatePod>) {
            const bool named = deleted || one.spec == nullptr;
            write(change.operation, named ? one.pod() : created(one.pod(), conversion_));
          } else if constexpr (std::is_same_v<One, model::VolumeObject>) {
            write(change.operation, deleted ? one : created(one, conversion_));
          } else {
            write(change.operation, one);
          }
        },
        change.object);
  }

  void flush(size_t most) {
    if (text_.size() <= most) return;
    sink_.write(text_);
    text_.clear();
  }

  ByteSink& sink_;
  Conversion& conversion_;
  KnownTemplates templates_;
  std::string text_;  // not written yet
  uint64_t fresh_pods_ = 0, cut_batches_ = 0;
};

}  // namespace

std::unique_ptr<Target> line_target(ByteSink& sink, Conversion& conversion) {
  return std::make_unique<LineTarget>(sink, conversion);
}

}  // namespace berth::ingest
