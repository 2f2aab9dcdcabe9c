#include "loadgen/testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/error.h"
#include "loadgen/generate/generator.h"
#include "loadgen/generate/pods/batch_pods.h"
#include "loadgen/play/play.h"
#include "loadgen/workload/parse/parse_workload.h"

namespace berth::loadgen {
namespace {

struct Parse {
  explicit Parse(const std::string& text) {
    document = document::Document::parse(text, "", diagnostics, workload_limits());
    if (document.roots().empty()) return;
    parameters = workload_parameters(document.roots()[0], diagnostics);
    spec = parse_workload(document.roots()[0], parameters, diagnostics);
  }

  Diagnostics diagnostics;
  document::Document document;
  std::map<std::string, std::string> parameters;
  std::optional<WorkloadSpec> spec;
};

// Tracks which objects exist and records violations.
class Books {
 public:
  explicit Books(Played& played) : played_(played) {}

  void expect(bool right, const std::string& what) {
    if (!right) played_.broken.push_back(what);
  }

  void come(std::set<std::string>& living, const std::string& name) {
    expect(living.insert(name).second, name + " comes and is there");
  }
  void go(std::set<std::string>& living, const std::string& name) {
    expect(living.erase(name) == 1, name + " goes and is not there");
  }
  void stay(const std::set<std::string>& living, const std::string& name) {
    expect(living.contains(name), name + " changes and is not there");
  }

  void operator()(const ingest::NodeAdded& e) { come(nodes, e.node.name); }
  void operator()(const ingest::NodeUpdated& e) { stay(nodes, e.node.name); }
  void operator()(const ingest::NodeDeleted& e) { go(nodes, e.name); }
  void operator()(const ingest::PodDeleted& e) { go(pods, e.namespace_name + "/" + e.name); }
  void operator()(const ingest::PodFinished& e) { go(pods, e.namespace_name + "/" + e.name); }
  void operator()(const ingest::NamespaceAdded& e) { come(namespaces, e.object.name); }
  void operator()(const ingest::NamespaceUpdated& e) { stay(namespaces, e.object.name); }
  void operator()(const ingest::NamespaceDeleted& e) { go(namespaces, e.name); }
  void operator()(const ingest::VolumeObjectAdded& e) { come(storage, named(e.object)); }
  void operator()(const ingest::VolumeObjectDeleted& e) { go(storage, named(e.object)); }
  template <typename Event>
  void operator()(const Event&) {
    expect(false, "an event that workload files do not have");
  }

  static std::string named(const model::VolumeObject& object) {
    return std::string(model::kind_of(object)) + "/" + model::full_name(object);
  }

  void have_claims(const model::Pod& pod) {
    for (const model::PodVolume& volume : pod.spec.volumes)
      if (volume.is_claim)
        stay(storage, "PersistentVolumeClaim/" + pod.namespace_name + "/" + volume.claim);
  }

  std::set<std::string> nodes, namespaces, pods, storage;

 private:
  Played& played_;
};

void take_cluster(const LoadStep& step, Books& books, Played& played) {
  for (const model::Node& node : step.cluster.nodes) books.come(books.nodes, node.name);
  for (const model::Namespace& object : step.cluster.namespaces)
    books.come(books.namespaces, object.name);
  for (const model::VolumeObject& object : step.cluster.storage)
    books.come(books.storage, Books::named(object));
  for (const ingest::TemplatePod& pod : step.cluster.pods) {
    books.come(books.pods, pod.namespace_name + "/" + pod.name);
    books.have_claims(pod.pod());
  }
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(played.cluster.nodes, step.cluster.nodes);
  append(played.cluster.namespaces, step.cluster.namespaces);
  append(played.cluster.pods, step.cluster.pods);
  append(played.cluster.selector_owners, step.cluster.selector_owners);
  append(played.cluster.disruption_budgets, step.cluster.disruption_budgets);
  append(played.cluster.storage, step.cluster.storage);
}

void take_pods(const LoadStep& step, const BatchPods& all, Books& books, Played& played) {
  const ingest::PodBatch& pods = step.pods;
  books.expect(pods.size() == step.planned.size(), "as many times as pods");
  books.expect(pods.label_ends.empty() || pods.label_ends.size() == pods.size(), "label_ends");
  int64_t before = step.at.count();
  for (size_t i = 0; i < pods.size(); ++i) {
    ArrivedPod pod;
    pod.namespace_name = pods.namespace_of(i);
    pod.name = pods.names[i];
    pod.planned = step.planned[i].count();
    pod.measured = step.measured;
    pod.pod = all.pod(pods, i);
    books.expect(pod.planned >= before, "pods come in the order of their times");
    before = pod.planned;
    books.come(books.pods, pod.namespace_name + "/" + pod.name);
    books.stay(books.namespaces, pod.namespace_name);
    books.have_claims(pod.pod);
    played.pods.push_back(std::move(pod));
  }
}

}  // namespace

std::string head(std::string_view more) {
  return fmt::format("apiVersion: berth/v1\nkind: Workload\nname: test\n{}", more);
}

WorkloadSpec parsed(const std::string& text) {
  Parse parse(text);
  if (!parse.spec) throw parse.diagnostics.kept().at(0);
  return std::move(*parse.spec);
}

std::vector<std::string> faults(const std::string& text) {
  std::vector<std::string> list;
  const Parse parse(text);
  for (const Error& error : parse.diagnostics.kept())
    list.push_back(fmt::format("{}:{}: {}: {}", error.place().line, error.place().column,
                               error.place().field, error.message()));
  return list;
}

std::unique_ptr<Load> load_of(const std::string& text, uint64_t seed) {
  Parse parse(text);
  if (!parse.spec) throw parse.diagnostics.kept().at(0);
  return std::make_unique<Generator>(std::move(*parse.spec), seed, parse.parameters);
}

Played play_all(Load& load) {
  Played played;
  Books books(played);
  BatchPods templates;
  uint32_t ids = 0;
  int64_t before = 0;
  LoadStep step;
  while (load.next(step)) {
    ++played.steps;
    books.expect(step.at.count() >= before, "steps come in the order of their times");
    before = step.planned.empty() ? step.at.count() : step.planned.back().count();
    for (const ingest::TemplateDefinition& definition : step.templates)
      books.expect(definition.id == ids++, "template ids are dense");
    templates.define(step);
    take_cluster(step, books, played);
    for (const ingest::Event& event : step.events) {
      std::visit(books, event);
      played.events.emplace_back(step.at.count(), event);
    }
    for (const std::string& node : step.drained) books.stay(books.nodes, node);
    played.drained.insert(played.drained.end(), step.drained.begin(), step.drained.end());
    take_pods(step, templates, books, played);
    played.largest_step = std::max(played.largest_step, step.pods.size());
    played.most_living = std::max(played.most_living, books.pods.size());
  }
  return played;
}

Played play_all(const std::string& text, uint64_t seed) { return play_all(*load_of(text, seed)); }

std::vector<uint8_t> stream_of(Load& load) {
  MemorySink sink;
  const std::unique_ptr<LoadOutput> output = frame_output(sink);
  PlayReport report;
  play(load, {}, system_clock(), *output, report);
  return sink.bytes();
}

}  // namespace berth::loadgen
