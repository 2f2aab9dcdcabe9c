#include "cli/need/need.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "cli/fit/no_preemption.h"
#include "cli/need/trials.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/saturate.h"
#include "engine/output/resource_use.h"

namespace berth::cli {
namespace {

class Answering {
 public:
  Answering(const NeedOptions& options, const config::Configuration& configuration,
            runtime::Plugins& plugins)
      : options_(options),
        configuration_(configuration),
        searched_(configuration),
        templates_(read_node_templates(options.templates)),
        trials_(options.run, searched_, plugins, templates_) {
    forbid_preemption(searched_);
  }

  NeedAnswer answer() try {
    trials_.probe();
    Search search(
        trials_.offers(), trials_.needed(),
        [this](const Counts& counts) { return trials_.trial(counts); }, options_.limits,
        [] { return interrupted(); });
    const SearchResult found = search.run();
    describe(found);
    if (!found.interrupted) confirm(found);
    answer_.partial = interrupted();
    return std::move(answer_);
  } catch (const Interrupted&) {
    answer_.partial = true;
    return std::move(answer_);
  }

 private:
  void describe(const SearchResult& found) {
    answer_.pods = trials_.pods();
    answer_.bound = answer_.pods - std::min(answer_.pods, found.unbound);
    answer_.price = price_of(found.counts, trials_.offers());
    answer_.count = node_count(found.counts);
    answer_.minimal = found.minimal;
    answer_.exact = found.exact;
    answer_.trials = found.trials;
    answer_.bound_below = bound_of(found.needed, trials_.offers());
    if (answer_.bound_below.resource != SIZE_MAX)
      answer_.bound_by = trials_.resources()[answer_.bound_below.resource];
    for (size_t i = 0; i < found.counts.size(); ++i)
      if (found.counts[i] != 0)
        answer_.nodes.push_back(
            {.name = templates_[i].name,
             .nodes = found.counts[i],
             .price = static_cast<double>(found.counts[i]) * templates_[i].price,
             .names = trials_.names(i, found.counts[i]),
             .use = {}});
  }

  void confirm(const SearchResult& found) {
    const std::unique_ptr<Run> run = trials_.run(found.counts, configuration_, true);
    if (interrupted()) return;
    const output::Summary summary = run->summary();
    answer_.faults = summary.errors_in_input + summary.failures.size();
    const model::Cluster& cluster = run->core().snapshot();
    answer_.resources = output::resource_use(cluster);
    for (NeededNodes& nodes : answer_.nodes) measure(cluster, nodes);
    // With the pods of DaemonSets on added nodes.
    uint64_t unbound = 0;
    answer_.pods = 0;
    cluster.pods().for_each([&](const model::PodRecord& pod) {
      answer_.pods += pod.requested ? 1 : 0;
      unbound += lacks_node(pod) ? 1 : 0;
    });
    answer_.confirmed = unbound == found.unbound && run->summary().pods_evicted == 0;
    answer_.bound = answer_.pods - std::min(answer_.pods, unbound);
    keep_messages(*run);
  }

  void measure(const model::Cluster& cluster, NeededNodes& nodes) const {
    std::map<std::string, output::ResourceUse> uses;
    for (const std::string& name : nodes.names) {
      const model::Slot slot = cluster.nodes().find(cluster.strings().find(name));
      for (const auto& [resource, amount] : cluster.nodes().node(slot).allocatable)
        uses[std::string(cluster.text(resource))].allocatable += amount;
      for (const model::PodOnNode& pod : cluster.nodes().pods(slot)) {
        ++nodes.pods;
        ++uses["pods"].requested;
        for (const auto& [resource, amount] : cluster.templates()[pod.pod_template].accounted)
          uses[std::string(cluster.text(resource))].requested += amount;
      }
    }
    for (auto& [resource, use] : uses) {
      use.resource = resource;
      if (use.allocatable != 0) nodes.use.push_back(std::move(use));
    }
  }

  void keep_messages(const Run& run) {
    std::map<std::string, StuckPods> stuck;
    for (const output::PodResult& pod : run.results()) {
      if (!pod.node.empty() || pod.gone) continue;
      StuckPods& of = stuck[pod.message];
      if (of.pods++ == 0) of.first = pod.namespace_name + "/" + pod.name;
      of.message = pod.message;
    }
    for (auto& [message, pods] : stuck) answer_.stuck.push_back(std::move(pods));
    std::ranges::stable_sort(answer_.stuck, std::ranges::greater(), &StuckPods::pods);
  }

  const NeedOptions& options_;
  const config::Configuration& configuration_;
  config::Configuration searched_;  // without preemption
  const std::vector<NodeTemplate> templates_;
  Trials trials_;
  NeedAnswer answer_;
};

}  // namespace

NeedAnswer need(const NeedOptions& options, const config::Configuration& configuration,
                runtime::Plugins& plugins) {
  return Answering(options, configuration, plugins).answer();
}

}  // namespace berth::cli
