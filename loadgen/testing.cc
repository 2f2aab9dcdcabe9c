#include "loadgen/testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "engine/base/error.h"
#include "loadgen/generate/generator.h"
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

  void come(std::string_view kind, const std::string& name) {
    expect(living_[std::string(kind)].insert(name).second, name + " comes and is there");
  }
  void go(std::string_view kind, const std::string& name) {
    expect(living_[std::string(kind)].erase(name) == 1, name + " goes and is not there");
  }
  void stay(std::string_view kind, const std::string& name) {
    expect(living_[std::string(kind)].contains(name), name + " changes and is not there");
  }

  void take_cluster(const ingest::Change& change) {
    come(model::kind_of(change.object), model::full_name(change.object));
    if (const auto* pod = std::get_if<ingest::TemplatePod>(&change.object)) have_claims(pod->pod());
  }

  // A pod ends. An object of storage is added or deleted, and never modified.
  void take_event(const ingest::Change& event) {
    const std::string_view kind = model::kind_of(event.object);
    const std::string name = model::full_name(event.object);
    const auto* pod = std::get_if<ingest::TemplatePod>(&event.object);
    const bool comes = event.operation == model::Operation::kAdded;
    const bool goes =
        event.operation == model::Operation::kDeleted || (pod != nullptr && pod->finished());
    // Of what pods use, each tells of one that came; the same of nodes.
    if (kind == "PodMetrics") return stay("Pod", name);
    if (kind == "NodeMetrics") return stay("Node", name);
    if (std::holds_alternative<model::ControllerObject>(event.object) && comes)
      return come(kind, name);
    const bool storage = std::holds_alternative<model::VolumeObject>(event.object);
    expect(kind == "Node" || kind == "Namespace" || (pod != nullptr && goes) ||
               (storage && (comes || goes)),
           "an event that workload files do not have");
    goes ? go(kind, name) : comes ? come(kind, name) : stay(kind, name);
  }

  void have_claims(const model::Pod& pod) {
    for (const model::PodVolume& volume : pod.spec.volumes)
      if (volume.is_claim) stay("PersistentVolumeClaim", pod.namespace_name + "/" + volume.claim);
  }

  size_t living(std::string_view kind) { return living_[std::string(kind)].size(); }

 private:
  Played& played_;
  std::map<std::string, std::set<std::string>> living_;  // names, by kind
};

void take_pods(const LoadStep& step, const ingest::KnownTemplates& all, Books& books,
               Played& played) {
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
    books.come("Pod", pod.namespace_name + "/" + pod.name);
    books.stay("Namespace", pod.namespace_name);
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
  ingest::KnownTemplates templates;
  uint32_t ids = 0;
  int64_t before = 0;
  LoadStep step;
  while (load.next(step)) {
    ++played.steps;
    books.expect(step.at.count() >= before, "steps come in the order of their times");
    before = step.planned.empty() ? step.at.count() : step.planned.back().count();
    for (const ingest::TemplateDefinition& definition : step.templates)
      books.expect(definition.id == ids++, "template ids are dense");
    templates.define(step.templates);
    for (const ingest::Change& object : step.cluster) books.take_cluster(object);
    played.cluster.insert(played.cluster.end(), step.cluster.begin(), step.cluster.end());
    for (const ingest::Change& event : step.events) {
      books.take_event(event);
      played.events.emplace_back(step.at.count(), event);
    }
    for (const std::string& node : step.drained) books.stay("Node", node);
    played.drained.insert(played.drained.end(), step.drained.begin(), step.drained.end());
    take_pods(step, templates, books, played);
    played.largest_step = std::max(played.largest_step, step.pods.size());
    played.most_living = std::max(played.most_living, books.living("Pod"));
  }
  return played;
}

Played play_all(const std::string& text, uint64_t seed) { return play_all(*load_of(text, seed)); }

std::vector<uint8_t> stream_of(Load& load, bool lines) {
  MemorySink sink;
  const std::unique_ptr<LoadOutput> output = lines ? watch_output(sink) : frame_output(sink);
  PlayReport report;
  play(load, {}, system_clock(), *output, report);
  return sink.bytes();
}

}  // namespace berth::loadgen
