#include "cli/fit/fit.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "cli/fit/no_preemption.h"
#include "cli/run/run.h"
#include "engine/base/io/interrupts.h"
#include "engine/output/resource_use.h"

namespace berth::cli {
namespace {

std::string zone_of(const model::Cluster& cluster, model::Slot slot) {
  const model::StringId key = cluster.strings().find("topology.kubernetes.io/zone");
  return std::string(cluster.text(model::label_value(cluster.nodes().node(slot).labels, key)));
}

// The question that is asked of one run.
class Question {
 public:
  Question(const FitOptions& options, config::Configuration configuration,
           runtime::Plugins& plugins)
      : options_(options),
        copies_(options.limits.preempt),
        run_(run_options(), std::move(configuration), plugins) {}

  FitAnswer ask() {
    bool interrupted_early = false;
    try {
      run_.load();
      run_.schedule();
    } catch (const Interrupted&) {
      interrupted_early = true;
    }
    FitAnswer answer = describe();
    answer.partial = interrupted_early || interrupted();
    return answer;
  }

  // Copies before the first that does not fit, if such copies left their mark: some of their pods
  // are on nodes, or pods were evicted for them.
  std::optional<uint64_t> before_marks() {
    const model::Cluster& cluster = run_.core().cluster();
    const auto whole = [&](const Copies::Copy& copy) { return copies_.is_whole(copy, cluster); };
    const auto first = std::ranges::find_if_not(copies_.all(), whole);
    const bool marked =
        first != copies_.all().end() &&
        (copies_.evicts() || std::any_of(first, copies_.all().end(), [&](const auto& copy) {
           return copies_.is_begun(copy, cluster);
         }));
    if (!marked) return {};
    return static_cast<uint64_t>(first - copies_.all().begin());
  }

 private:
  RunOptions run_options() {
    RunOptions run = options_.run;
    run.pods = options_.pods.front();
    // Nothing but the copies changes the cluster. Preemption reads what budgets allow.
    run.controllers.list = played::ControllerList::only(played::ControllerName::kDisruption);
    run.hooks.hears = [this](const runtime::Report& report) { copies_.take(report); };
    run.hooks.has_enough = [this] { return copies_.stopped(); };
    run.hooks.work = [this](ingest::Creation& creation) { return open(creation); };
    return run;
  }

  std::unique_ptr<drive::WorkSource> open(ingest::Creation& creation) {
    Diagnostics faults;
    ingest::Remarks remarks;
    Copied copied = read_copied({options_.pods, validation()}, creation, faults, remarks);
    auto source =
        std::make_unique<CopySource>(std::move(copied), options_.limits, creation, copies_,
                                     run_.core(), std::move(faults), std::move(remarks));
    source_ = source.get();
    return source;
  }

  ingest::Validation validation() {
    return options_.run.admission
               ? ingest::validation_by(run_.core().configuration().rules.version())
               : ingest::Validation::kNone;
  }

  FitAnswer describe() {
    FitAnswer answer;
    const output::Summary summary = run_.summary();
    answer.end = copies_.end();
    answer.evicted = copies_.evicted();
    answer.decisions = summary.decisions;
    answer.seconds = summary.elapsed_seconds;
    answer.faults = summary.errors_in_input + summary.failures.size();
    const model::Cluster& cluster = run_.core().snapshot();
    answer.resources = output::resource_use(cluster);
    if (source_ == nullptr) return answer;
    for (const CopiedUnit& unit : source_->units())
      answer.units.push_back(
          {.name = unit.name, .pods = unit.pods(), .copies = 0, .wanted = source_->wanted(unit)});
    count(answer, cluster);
    return answer;
  }

  void count(FitAnswer& answer, const model::Cluster& cluster) const {
    const size_t units = answer.units.size();
    std::vector<uint64_t> pods(units * cluster.nodes().slots());  // by slot, then by unit
    for (const Copies::Copy& copy : copies_.all()) {
      if (!copies_.is_whole(copy, cluster)) continue;
      ++answer.units[copy.unit].copies;
      for (size_t i = 0; i < copy.pods; ++i)
        ++pods[copies_.node(copy, i, cluster) * units + copy.unit];
    }
    for (model::Row row = 0; row < cluster.nodes().rows(); ++row) {
      const model::Slot slot = cluster.nodes().slot_of(row);
      const auto first = pods.begin() + static_cast<ptrdiff_t>(slot * units);
      FittedPlace place{.name = std::string(cluster.nodes().name(slot)),
                        .zone = zone_of(cluster, slot),
                        .pods = {first, first + static_cast<ptrdiff_t>(units)}};
      if (place.all() != 0) answer.nodes.push_back(std::move(place));
    }
    count_zones(answer);
  }

  static void count_zones(FitAnswer& answer) {
    std::map<std::string, FittedPlace> zones;
    for (const FittedPlace& node : answer.nodes) {
      FittedPlace& zone = zones[node.zone];
      if (zone.pods.empty()) zone = {.name = node.zone, .zone = node.zone, .nodes = 0, .pods = {}};
      zone.pods.resize(node.pods.size());
      ++zone.nodes;
      for (size_t i = 0; i < node.pods.size(); ++i) zone.pods[i] += node.pods[i];
    }
    for (auto& [name, zone] : zones) answer.zones.push_back(std::move(zone));
  }

  const FitOptions& options_;
  Copies copies_;
  CopySource* source_ = nullptr;  // of the run; null: it is not open
  Run run_;
};

}  // namespace

uint64_t FittedPlace::all() const {
  uint64_t sum = 0;
  for (const uint64_t count : pods) sum += count;
  return sum;
}

uint64_t FitAnswer::copies() const {
  uint64_t sum = 0;
  for (const FittedUnit& unit : units) sum += unit.copies;
  return sum;
}

uint64_t FitAnswer::pods() const {
  uint64_t sum = 0;
  for (const FittedUnit& unit : units) sum += unit.copies * unit.pods;
  return sum;
}

bool FitAnswer::fits() const {
  const auto all = [](const FittedUnit& unit) {
    return unit.wanted ? unit.copies >= *unit.wanted : unit.copies != 0;
  };
  return !units.empty() && std::ranges::all_of(units, all);
}

FitAnswer fit(const FitOptions& options, config::Configuration configuration,
              runtime::Plugins& plugins) {
  if (!options.limits.preempt) forbid_preemption(configuration);
  FitAnswer answer;
  std::optional<uint64_t> copies;
  {
    Question question(options, configuration, plugins);
    answer = question.ask();
    if (!answer.partial) copies = question.before_marks();
  }
  if (!copies) return answer;
  // The cluster with the copies that fit alone, as if no more were asked for.
  FitOptions of_those = options;
  of_those.limits.in_all = copies;
  FitAnswer without = Question(of_those, std::move(configuration), plugins).ask();
  without.end = answer.end;
  return without;
}

}  // namespace berth::cli
