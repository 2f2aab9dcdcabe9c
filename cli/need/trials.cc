#include "cli/need/trials.h"

#include <algorithm>
#include <utility>

#include "engine/base/io/interrupts.h"
#include "engine/base/saturate.h"
#include "engine/model/pods/tolerates.h"

namespace berth::cli {
namespace {

std::string full_name_of(const model::Cluster& cluster, const model::PodRecord& pod) {
  return std::string(cluster.text(pod.namespace_name)) + "/" + std::string(cluster.text(pod.name));
}

// The slot of a node that exists; kNoSlot: there is none of this name.
model::Slot slot_of(const model::Cluster& cluster, const std::string& name) {
  const model::StringId id = cluster.strings().find(name);
  const model::Slot slot = id == 0 ? model::kNoSlot : cluster.nodes().find(id);
  return slot != model::kNoSlot && cluster.nodes().row_of(slot) == model::kNoRow ? model::kNoSlot
                                                                                 : slot;
}

void add_to(Amounts& sum, const Amounts& amounts, int64_t times) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] = saturating_sum(sum[i], amounts[i] * times);
}

// By resource: what is requested, less what is free.
using Need = std::map<std::string, int64_t>;

void add_amount(Need& need, std::string_view resource, int64_t amount) {
  int64_t& sum = need[std::string(resource)];
  sum = saturating_sum(sum, amount);
}

void add_pod(const model::Cluster& cluster, const model::PodTemplate& of, Need& need) {
  add_amount(need, "pods", 1);
  for (const auto& [name, amount] : of.accounted) add_amount(need, cluster.text(name), amount);
}

// Pods on a node that is too small for them need no other one.
void add_room(const model::Cluster& cluster, model::Slot slot, Need& need) {
  Need here;
  for (const auto& [name, amount] : cluster.nodes().node(slot).allocatable)
    add_amount(here, cluster.text(name), -amount);
  for (const model::PodOnNode& pod : cluster.nodes().pods(slot))
    add_pod(cluster, cluster.templates()[pod.pod_template], here);
  for (const auto& [resource, amount] : here)
    if (amount < 0) add_amount(need, resource, amount);
}

bool tolerates_cordons(const model::PodTemplate& of) {
  const model::Taint cordon{
      .key = "node.kubernetes.io/unschedulable", .value = {}, .effect = "NoSchedule"};
  return std::ranges::any_of(of.spec.tolerations, [&](const model::Toleration& one) {
    return model::tolerates(one, cordon);
  });
}

// A trial that was interrupted tells nothing.
TrialResult nothing() {
  return {.unbound = {{.amounts = {}, .pods = UINT64_MAX, .takes = {}, .most = {}}},
          .kinds = {SIZE_MAX},
          .pods = UINT64_MAX};
}

}  // namespace

// For the first pod of each template: which of the added nodes take it.
class Trials::Verdicts final : public framework::DecisionWatch {
 public:
  explicit Verdicts(const Trials& trials) : trials_(trials) {}

  void watch(runtime::Core& core) { core_ = &core; }
  const std::vector<bool>* of(model::TemplateId pod_template) const {
    const auto at = takes_.find(pod_template);
    return at == takes_.end() ? nullptr : &at->second;
  }

  void made(framework::Decider& decider, const framework::Request& request,
            const framework::Decision& decision) override {
    std::vector<bool>& takes = takes_[request.pod->pod_template];
    if (!takes.empty()) return;
    takes.resize(trials_.offers_.size());
    if (decision.pre_filter || decision.outcome == framework::Outcome::kError) return;
    for (size_t i = 0; i < takes.size(); ++i) {
      const model::Slot slot = slot_of(core_->cluster(), trials_.name_of(i, 0));
      if (slot != model::kNoSlot)
        takes[i] = !decider.refusal(core_->cluster().nodes().row_of(slot));
    }
  }

 private:
  const Trials& trials_;
  runtime::Core* core_ = nullptr;
  boost::unordered_flat_map<model::TemplateId, std::vector<bool>> takes_;
};

Trials::Trials(const RunOptions& options, const config::Configuration& configuration,
               runtime::Plugins& plugins, const std::vector<NodeTemplate>& templates)
    : options_(options), configuration_(configuration), plugins_(plugins), templates_(templates) {
  for (const NodeTemplate& from : templates) {
    offers_.push_back({.name = from.name, .amounts = {}, .price = from.price, .most = from.most});
    prefixes_.push_back(from.name + "-");
  }
}

std::string Trials::name_of(size_t offer, uint64_t number) const {
  return prefixes_[offer] + std::to_string(number);
}

std::vector<std::string> Trials::names(size_t offer, uint64_t count) const {
  std::vector<std::string> names;
  for (uint64_t i = 0; i < count; ++i) names.push_back(name_of(offer, i));
  return names;
}

RunOptions Trials::trial_options(const Counts& counts) const {
  RunOptions run = options_;
  run.is_trial = true;
  for (size_t i = 0; i < counts.size(); ++i)
    for (std::string& name : names(i, counts[i]))
      run.more.push_back(model::added(node_of(templates_[i], std::move(name))));
  return run;
}

std::unique_ptr<Run> Trials::run(const Counts& counts, const config::Configuration& configuration,
                                 bool results) {
  RunOptions options = trial_options(counts);
  options.keeps_results = results;
  auto run = std::make_unique<Run>(options, configuration, plugins_);
  run->load();
  run->schedule();
  return run;
}

std::unique_ptr<Run> Trials::decide_only(const Counts& counts, Verdicts& verdicts) {
  RunOptions options = trial_options(counts);
  options.core.scheduler.assume = false;
  options.controllers.list = played::ControllerList::none();
  options.hooks.watch = &verdicts;
  auto run = std::make_unique<Run>(options, configuration_, plugins_);
  verdicts.watch(run->core());
  run->load();
  run->schedule();
  if (interrupted()) throw Interrupted{};
  return run;
}

void Trials::probe() {
  std::map<std::string, int64_t> needed;
  {
    Verdicts none(*this);
    const std::unique_ptr<Run> before = decide_only(Counts(offers_.size()), none);
    choose_names(before->core().snapshot());
    // Added nodes bring pods of DaemonSets, which are not needed without these nodes.
    needed =
        count(before->core().snapshot(), before->core().assembly().reads("node.unschedulable"));
  }
  Verdicts verdicts(*this);
  const std::unique_ptr<Run> run = decide_only(Counts(offers_.size(), 1), verdicts);
  const model::Cluster& cluster = run->core().snapshot();
  name_resources(cluster);
  name_pods(cluster, verdicts);
  for (const std::string& resource : resources_) needed_.push_back(needed[resource]);
}

// Added nodes have none of the names of the cluster's nodes.
void Trials::choose_names(const model::Cluster& cluster) {
  has_nodes_ = cluster.nodes().rows() != 0;
  for (std::string& prefix : prefixes_) {
    const auto is_taken = [&](model::Row row) {
      return cluster.nodes().name(cluster.nodes().slot_of(row)).starts_with(prefix);
    };
    for (model::Row row = 0; row < cluster.nodes().rows();)
      if (is_taken(row)) {
        prefix += "new-";
        row = 0;
      } else {
        ++row;
      }
  }
}

// Those that nodes have or pods request.
void Trials::name_resources(const model::Cluster& cluster) {
  resources_ = {"pods"};
  const auto add = [&](model::StringId id) {
    const std::string name(cluster.text(id));
    if (std::ranges::find(resources_, name) == resources_.end()) resources_.push_back(name);
  };
  for (size_t i = 0; i < offers_.size(); ++i)
    for (const auto& [name, amount] :
         cluster.nodes().node(slot_of(cluster, name_of(i, 0))).allocatable)
      add(name);
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    if (!pod.requested) return;
    for (const auto& [name, amount] : cluster.templates()[pod.pod_template].accounted) add(name);
  });
  std::ranges::sort(resources_);
  for (size_t i = 0; i < offers_.size(); ++i) {
    offers_[i].amounts.resize(resources_.size());
    for (const auto& [name, amount] :
         cluster.nodes().node(slot_of(cluster, name_of(i, 0))).allocatable)
      if (const auto at = std::ranges::find(resources_, cluster.text(name)); at != resources_.end())
        offers_[i].amounts[static_cast<size_t>(at - resources_.begin())] = amount;
  }
}

void Trials::name_pods(const model::Cluster& cluster, const Verdicts& verdicts) {
  boost::unordered_flat_map<model::TemplateId, size_t> kinds;
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    if (!pod.requested) return;
    const auto [at, first] = kinds.try_emplace(pod.pod_template, kinds_.size());
    std::string name = full_name_of(cluster, pod);
    if (first) {
      const std::vector<bool>* takes = verdicts.of(pod.pod_template);
      kinds_.push_back({name, takes == nullptr ? std::vector<bool>(offers_.size()) : *takes});
    }
    kind_by_name_.emplace(std::move(name), at->second);
  });
}

size_t Trials::kind_of(const std::string& full_name) const {
  const auto at = kind_by_name_.find(full_name);
  return at == kind_by_name_.end() ? kinds_.size() : at->second;
}

Amounts Trials::amounts_of(const model::Cluster& cluster, model::TemplateId pod_template) const {
  Amounts amounts(resources_.size());
  const auto at = [&](std::string_view name) -> int64_t& {
    return amounts[static_cast<size_t>(std::ranges::find(resources_, name) - resources_.begin())];
  };
  at("pods") = 1;
  for (const auto& [name, amount] : cluster.templates()[pod_template].accounted)
    if (std::ranges::find(resources_, cluster.text(name)) != resources_.end())
      at(cluster.text(name)) = amount;
  return amounts;
}

// No pod of the work is placed yet: what is free is free for it. `cordons`: a plugin keeps pods off
// cordoned nodes.
std::map<std::string, int64_t> Trials::count(const model::Cluster& cluster, bool cordons) {
  Need needed, cordoned, of_tolerant;
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    if (!pod.requested) return;
    ++pods_;
    if (pod.placed()) return;
    const model::PodTemplate& of = cluster.templates()[pod.pod_template];
    add_pod(cluster, of, needed);
    if (tolerates_cordons(of)) add_pod(cluster, of, of_tolerant);
  });
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row) {
    const model::Slot slot = cluster.nodes().slot_of(row);
    const bool closed = cordons && cluster.nodes().node(slot).unschedulable;
    add_room(cluster, slot, closed ? cordoned : needed);
  }
  // Pods that tolerate cordons take of cordoned nodes what they request at most.
  for (const auto& [resource, amount] : of_tolerant)
    add_amount(needed, resource, std::max(cordoned[resource], -amount));
  return needed;
}

// The fate of the pods in a cluster that a trial left.
class Trials::Reader {
 public:
  Reader(const Trials& trials, const model::Cluster& cluster, const Counts& counts)
      : trials_(trials), cluster_(cluster) {
    for (size_t i = 0; i < counts.size(); ++i)
      for (const std::string& name : trials.names(i, counts[i]))
        if (const model::Slot slot = slot_of(cluster, name); slot != model::kNoSlot)
          nodes_.push_back(look_at(i, slot));
  }

  TrialResult read() {
    TrialResult result;
    std::map<std::pair<size_t, model::TemplateId>, size_t> places;
    cluster_.pods().for_each([&](const model::PodRecord& pod) {
      if (!lacks_node(pod)) return;
      const size_t kind = trials_.kind_of(full_name_of(cluster_, pod));
      const auto [at, first] = places.try_emplace({kind, pod.pod_template}, result.kinds.size());
      if (first) {
        result.unbound.push_back(demand(pod.pod_template, kind));
        result.kinds.push_back(kind);
      }
      ++result.unbound[at->second].pods;
      ++result.pods;
    });
    return result;
  }

 private:
  struct AddedNode {
    size_t offer = 0;
    Amounts free;
    boost::unordered_flat_map<model::TemplateId, uint64_t> pods;
  };

  const Amounts& amounts_of(model::TemplateId pod_template) {
    const auto [at, first] = amounts_.try_emplace(pod_template);
    if (first) at->second = trials_.amounts_of(cluster_, pod_template);
    return at->second;
  }

  AddedNode look_at(size_t offer, model::Slot slot) {
    AddedNode node{.offer = offer, .free = trials_.offers_[offer].amounts, .pods = {}};
    for (const model::PodOnNode& pod : cluster_.nodes().pods(slot)) {
      ++node.pods[pod.pod_template];
      add_to(node.free, amounts_of(pod.pod_template), -1);
    }
    return node;
  }

  Demand demand(model::TemplateId pod_template, size_t kind) {
    const size_t offers = trials_.offers_.size();
    Demand demand{.amounts = amounts_of(pod_template),
                  .takes = std::vector<bool>(offers),
                  .most = std::vector<uint64_t>(offers, UINT64_MAX)};
    if (kind < trials_.kinds_.size()) demand.takes = trials_.kinds_[kind].takes;
    limit(pod_template, demand);
    return demand;
  }

  // Where amounts leave room for another pod, and it did not go there, a rule limits them: so many
  // as the fullest node has.
  void limit(model::TemplateId pod_template, Demand& demand) const {
    Counts most(demand.takes.size());
    std::vector<bool> ruled(demand.takes.size());
    for (const AddedNode& node : nodes_) {
      const auto here = node.pods.find(pod_template);
      if (here != node.pods.end()) most[node.offer] = std::max(most[node.offer], here->second);
      bool fits = true;
      for (size_t i = 0; i < node.free.size(); ++i)
        fits &= demand.amounts[i] <= 0 || demand.amounts[i] <= node.free[i];
      if (fits) ruled[node.offer] = true;
    }
    for (size_t i = 0; i < most.size(); ++i)
      if (ruled[i] && most[i] != 0) demand.most[i] = most[i];
  }

  const Trials& trials_;
  const model::Cluster& cluster_;
  boost::unordered_flat_map<model::TemplateId, Amounts> amounts_;
  std::vector<AddedNode> nodes_;
};

// Without any node, pods back off again and again, and one try tells as much.
TrialResult Trials::trial(const Counts& counts) {
  std::unique_ptr<Run> run;
  try {
    if (has_nodes_ || node_count(counts) != 0) {
      run = this->run(counts, configuration_, false);
    } else {
      Verdicts none(*this);
      run = decide_only(counts, none);
    }
  } catch (const Interrupted&) {
    return nothing();
  }
  if (interrupted()) return nothing();
  const model::Cluster& cluster = run->core().snapshot();
  TrialResult result = Reader(*this, cluster, counts).read();
  result.work = run->core().scheduler().decisions().count() + cluster.nodes().rows();
  return result;
}

}  // namespace berth::cli
