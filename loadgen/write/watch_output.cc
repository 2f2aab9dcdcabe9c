// Writes steps as watch events, one JSON object per line, as an API server sends them.

#include "engine/ingest/written/object_json.h"
#include "loadgen/generate/pods/batch_pods.h"
#include "loadgen/write/output.h"

namespace berth::loadgen {
namespace {

using ingest::append;
using ingest::append_json_text;

constexpr size_t kBufferBytes = size_t{1} << 20;

template <typename... Calls>
struct Overloaded : Calls... {
  using Calls::operator()...;
};
template <typename... Calls>
Overloaded(Calls...) -> Overloaded<Calls...>;

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
    const ingest::ClusterPart& part = step.cluster;
    for (const model::Namespace& object : part.namespaces) line("ADDED", object);
    for (const model::SelectorOwner& object : part.selector_owners) line("ADDED", object);
    for (const model::DisruptionBudget& object : part.disruption_budgets) line("ADDED", object);
    for (const model::VolumeObject& object : part.storage) line("ADDED", object);
    for (const model::Node& object : part.nodes) line("ADDED", object);
    for (const ingest::TemplatePod& pod : part.pods) line("ADDED", pod.pod());
    count_cluster(part);
    flush(0);
  }

  void write(const LoadStep& step) override {
    pass(step);
    write_cluster(step);
    for (const ingest::Event& event : step.events) write_event(event);
    counts_.events += step.events.size();
    counts_.drained += step.drained.size();
    for (size_t i = 0; i < step.pods.size(); ++i) line("ADDED", pods_.pod(step.pods, i));
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

  template <typename Object>
  void line(std::string_view type, const Object& object) {
    buffer_ += "{\"type\":\"";
    buffer_ += type;
    buffer_ += "\",\"object\":";
    append(object, buffer_);
    buffer_ += "}\n";
    flush(kBufferBytes);
  }

  // A deleted object needs only its name.
  template <typename Object>
  static Object named(const std::string& namespace_name, const std::string& name) {
    Object object;
    object.namespace_name = namespace_name;
    object.name = name;
    return object;
  }

  void write_event(const ingest::Event& event) {
    std::visit(Overloaded{
                   [&](const ingest::NodeAdded& e) { line("ADDED", e.node); },
                   [&](const ingest::NodeUpdated& e) { line("MODIFIED", e.node); },
                   [&](const ingest::NodeDeleted& e) {
                     model::Node node;
                     node.name = e.name;
                     line("DELETED", node);
                   },
                   [&](const ingest::PodPlaced& e) { line("ADDED", e.pod.pod()); },
                   [&](const ingest::PodUpdated& e) { line("MODIFIED", e.pod.pod()); },
                   [&](const ingest::PodDeleted& e) {
                     line("DELETED", named<model::Pod>(e.namespace_name, e.name));
                   },
                   [&](const ingest::PodFinished& e) {
                     model::Pod pod = named<model::Pod>(e.namespace_name, e.name);
                     pod.phase = model::PodPhase::kSucceeded;
                     line("MODIFIED", pod);
                   },
                   [&](const ingest::NamespaceAdded& e) { line("ADDED", e.object); },
                   [&](const ingest::NamespaceUpdated& e) { line("MODIFIED", e.object); },
                   [&](const ingest::NamespaceDeleted& e) {
                     line("DELETED", model::Namespace{e.name, {}});
                   },
                   [&](const ingest::SelectorOwnerAdded& e) { line("ADDED", e.object); },
                   [&](const ingest::SelectorOwnerUpdated& e) { line("MODIFIED", e.object); },
                   [&](const ingest::SelectorOwnerDeleted& e) {
                     model::SelectorOwner owner =
                         named<model::SelectorOwner>(e.namespace_name, e.name);
                     owner.kind = e.kind;
                     line("DELETED", owner);
                   },
                   [&](const ingest::DisruptionBudgetAdded& e) { line("ADDED", e.object); },
                   [&](const ingest::DisruptionBudgetUpdated& e) { line("MODIFIED", e.object); },
                   [&](const ingest::DisruptionBudgetDeleted& e) {
                     line("DELETED", named<model::DisruptionBudget>(e.namespace_name, e.name));
                   },
                   [&](const ingest::VolumeObjectAdded& e) { line("ADDED", e.object); },
                   [&](const ingest::VolumeObjectUpdated& e) { line("MODIFIED", e.object); },
                   [&](const ingest::VolumeObjectDeleted& e) { line("DELETED", e.object); },
               },
               event);
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
