// JSON lines, the events of a watch.

#include <algorithm>
#include <array>
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

enum class Type : uint8_t { kAdded, kModified, kDeleted };
constexpr std::string_view kTypes[] = {"ADDED", "MODIFIED", "DELETED"};

class LineTarget final : public Target {
 public:
  LineTarget(ByteSink& sink, Conversion& conversion) : sink_(sink), conversion_(conversion) {}

  void take(const Batch& batch) override {
    if (batch.kind == BatchKind::kCluster) {
      take(batch.cluster);
    } else if (batch.kind == BatchKind::kPods) {
      take(batch.pods);
    } else if (batch.kind == BatchKind::kEvents) {
      for (const Event& event : batch.events) take(event);
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
  void write(Type type, const Object& object) {
    text_ += R"({"type":")";
    text_ += kTypes[static_cast<size_t>(type)];
    text_ += R"(","object":)";
    append(object, text_);
    text_ += "}\n";
    flush(kWrittenTogether);
  }

  void take(const ClusterPart& part) {
    const auto add = [&](const auto& object) { write(Type::kAdded, object); };
    std::ranges::for_each(part.namespaces, add);
    std::ranges::for_each(part.selector_owners, add);
    std::ranges::for_each(part.disruption_budgets, add);
    for (const model::VolumeObject& object : part.storage) add(created(object, conversion_));
    std::ranges::for_each(part.nodes, add);
    for (const model::TemplatePod& pod : part.pods) {
      const model::Pod whole = created(pod.pod(), conversion_);
      if (whole.bound() || whole.finished() || whole.terminating) {
        add(whole);
      } else {
        // As a line it would be work.
        conversion_.dropped.add("pods of the cluster that wait for a node");
      }
    }
  }

  void take(const PodBatch& pods) {
    for (size_t i = 0; i < pods.size(); ++i) {
      const model::Pod pod =
          created(pod_of(pods, i, *templates_.spec(pods.template_ids[i])), conversion_);
      if (pod.uid.empty()) ++fresh_pods_;
      write(Type::kAdded, pod);
    }
    if (pods.size() > WatchStream::kPodsTogether) ++cut_batches_;
    text_ += kBookmark;
  }

  void take(const Event& event) {
    std::visit([&](const auto& one) { take_one(one); }, event);
  }
  void take_one(const NodeAdded& one) { write(Type::kAdded, one.node); }
  void take_one(const NodeUpdated& one) { write(Type::kModified, one.node); }
  void take_one(const NodeDeleted& one) { write(Type::kDeleted, named<model::Node>(one)); }
  void take_one(const PodPlaced& one) { write(Type::kAdded, created(one.pod.pod(), conversion_)); }
  void take_one(const PodUpdated& one) {
    write(Type::kModified, created(one.pod.pod(), conversion_));
  }
  void take_one(const PodDeleted& one) { write(Type::kDeleted, named<model::Pod>(one)); }
  void take_one(const PodFinished& one) {
    model::Pod pod = named<model::Pod>(one);
    pod.phase = model::PodPhase::kSucceeded;
    write(Type::kModified, pod);
  }
  void take_one(const NamespaceAdded& one) { write(Type::kAdded, one.object); }
  void take_one(const NamespaceUpdated& one) { write(Type::kModified, one.object); }
  void take_one(const NamespaceDeleted& one) {
    write(Type::kDeleted, named<model::Namespace>(one));
  }
  void take_one(const SelectorOwnerAdded& one) { write(Type::kAdded, one.object); }
  void take_one(const SelectorOwnerUpdated& one) { write(Type::kModified, one.object); }
  void take_one(const SelectorOwnerDeleted& one) {
    model::SelectorOwner owner = named<model::SelectorOwner>(one);
    owner.kind = one.kind;
    write(Type::kDeleted, owner);
  }
  void take_one(const DisruptionBudgetAdded& one) { write(Type::kAdded, one.object); }
  void take_one(const DisruptionBudgetUpdated& one) { write(Type::kModified, one.object); }
  void take_one(const DisruptionBudgetDeleted& one) {
    write(Type::kDeleted, named<model::DisruptionBudget>(one));
  }

  void take_one(const VolumeObjectAdded& one) {
    write(Type::kAdded, created(one.object, conversion_));
  }
  void take_one(const VolumeObjectUpdated& one) {
    write(Type::kModified, created(one.object, conversion_));
  }
  void take_one(const VolumeObjectDeleted& one) { write(Type::kDeleted, one.object); }

  // An object of which only the name is known.
  template <typename Object, typename One>
  static Object named(const One& one) {
    Object object;
    object.name = one.name;
    if constexpr (requires { one.namespace_name; }) object.namespace_name = one.namespace_name;
    return object;
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
