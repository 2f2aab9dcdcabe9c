#include "tests/simulation/outages/outage_script.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kSource[] = "outages";
constexpr int64_t kEnd = 2'000'000;  // milliseconds: no act comes later

// Something that ails a node, and its end.
struct Ailment {
  const char* words;
  Outage mark;
  void (*begins)(Machine&);
  void (*ends)(Machine&);
};
constexpr Ailment kAilments[] = {
    {" stops", Outage::kKubeletStops, [](Machine& it) { it.stopped = true; },
     [](Machine& it) { it.stopped = false; }},
    {" is not ready", Outage::kNotReady, [](Machine& it) { it.ready = false; },
     [](Machine& it) { it.ready = true; }},
    {" is tainted", Outage::kTaint, [](Machine& it) { it.tainted = true; },
     [](Machine& it) { it.tainted = false; }},
    {" is cordoned", Outage::kCordon, [](Machine& it) { it.cordoned = true; },
     [](Machine& it) { it.cordoned = false; }},
};

}  // namespace

OutageScript::OutageScript(Dice& dice, OutageWorld& world, Machines& machines, OutageMarks& marks,
                           OnScaled on_scaled)
    : dice_(dice),
      world_(world),
      machines_(machines),
      marks_(marks),
      on_scaled_(std::move(on_scaled)) {}

void OutageScript::begin() {
  for (const model::Node& node : world_.nodes) api_->apply(model::added(node), kSource);
  api_->apply(model::added(boxed("KubeletConfiguration", "all", {world_.kubelets})), kSource);
  for (const model::DisruptionBudget& budget : world_.budgets)
    api_->apply(model::added(budget), kSource);
  for (const DrawnWorkload& one : world_.workloads)
    api_->apply(model::added(boxed(one.object)), kSource);
}

std::vector<OutageAct> OutageScript::draw() {
  const int64_t things = dice_.number(2, 16);
  for (int64_t i = 0; i < things; ++i) plan_something();
  std::ranges::stable_sort(acts_, {}, &OutageAct::at);
  return std::move(acts_);
}

void OutageScript::plan(Time at, std::string words, Act act) {
  acts_.push_back({at, std::move(words), std::move(act)});
}

void OutageScript::plan_episode(const std::string& words, Act begins, Act ends) {
  const int64_t begin = dice_.number(1, kEnd * 3 / 4);
  const int64_t length = dice_.chance(50) ? dice_.number(1, 120'000) : dice_.number(1, kEnd);
  plan(milliseconds(begin), words, std::move(begins));
  plan(milliseconds(std::min(begin + length, kEnd)), words + " no more", std::move(ends));
}

void OutageScript::plan_something() {
  const int64_t what = dice_.number(0, 99);
  if (what < 20) return plan_evictions();
  if (what < 33) return plan_scale();
  if (what < 38) return plan_zone();
  plan_node(dice_.one_of(machines_.names()));
}

OutageScript::Act OutageScript::set(const std::string& node, std::function<void(Machine&)> change) {
  return [this, node, change = std::move(change)] {
    change(machines_.of(node));
    machines_.tell(node);
  };
}

OutageScript::Act OutageScript::marked(Outage mark, Act act) {
  return [this, mark, act = std::move(act)] {
    marks_.hit(mark);
    act();
  };
}

void OutageScript::plan_node(const std::string& node) {
  const auto what = static_cast<size_t>(dice_.number(0, 7));
  if (what < std::size(kAilments)) {
    const Ailment& one = kAilments[what];
    return plan_episode(node + one.words, marked(one.mark, set(node, one.begins)),
                        set(node, one.ends));
  }
  if (what == std::size(kAilments)) return plan_deletion(node);
  if (what == std::size(kAilments) + 1) return plan_shortage(node);
  plan_drain(node);
}

void OutageScript::plan_deletion(const std::string& node) {
  plan_episode(node + " is deleted",
               marked(Outage::kNodeDeleted, [this, node] { machines_.remove(node); }),
               [this, node] { machines_.add(node); });
}

void OutageScript::plan_shortage(const std::string& node) {
  const bool pods = dice_.chance(60);
  plan_episode(node + " is short of memory",
               marked(Outage::kMemoryShort, [this, node, pods] { use_memory(node, pods); }),
               [this, node] { free_memory(node); });
}

void OutageScript::plan_drain(const std::string& node) {
  const std::string options = dice_.one_of<const char*>(
      {"--ignore-daemonsets", "", "--force --grace-period=5", "--timeout=60s"});
  const auto begins = [options](Machine& machine) {
    machine.drained = true;
    machine.drain = options;
  };
  plan_episode(node + " is drained " + options, marked(Outage::kDrain, set(node, begins)),
               set(node, [](Machine& m) { m.drained = false; }));
}

void OutageScript::plan_zone() {
  const std::string zone = zone_of(dice_.one_of(world_.nodes));
  const auto all = [this, zone](bool stopped) {
    for (const model::Node& node : world_.nodes)
      if (zone_of(node) == zone) set(node.name, [=](Machine& m) { m.stopped = stopped; })();
  };
  plan_episode("zone " + zone + " stops", marked(Outage::kZoneStops, [all] { all(true); }),
               [all] { all(false); });
}

void OutageScript::plan_evictions() {
  const int64_t count = dice_.number(1, 5);
  plan(milliseconds(dice_.number(1, kEnd)), "somebody evicts",
       [this, count] { evict_some(count); });
}

void OutageScript::plan_scale() {
  if (world_.workloads.empty()) return;
  const auto which =
      static_cast<size_t>(dice_.number(0, static_cast<int64_t>(world_.workloads.size()) - 1));
  const DrawnWorkload& one = world_.workloads[which];
  if (one.ends()) return;
  const auto replicas =
      static_cast<uint64_t>(dice_.number(0, static_cast<int64_t>(one.most_replicas)));
  plan(milliseconds(dice_.number(1, kEnd)),
       one.object.name + " has " + std::to_string(replicas) + " replicas",
       [this, which, replicas] { scale(which, replicas); });
}

void OutageScript::scale(size_t workload, uint64_t replicas) {
  model::Workload& object = world_.workloads[workload].object;
  if (replicas == object.replicas) return;
  const bool grows = replicas > object.replicas;
  marks_.hit(grows ? Outage::kMoreReplicas : Outage::kFewerReplicas);
  if (!grows) fewer_[object.name] += object.replicas - replicas;
  object.replicas = replicas;
  on_scaled_(object.name, replicas);
  api_->apply(model::modified(boxed(object)), kSource);
}

uint64_t OutageScript::fewer(const std::string& workload) const {
  const auto at = fewer_.find(workload);
  return at == fewer_.end() ? 0 : at->second;
}

void OutageScript::evict_some(int64_t count) {
  std::vector<std::string> pods;
  core_->cluster().pods().for_each(
      [&](const model::PodRecord& pod) { pods.emplace_back(core_->cluster().text(pod.name)); });
  std::ranges::sort(pods);
  for (int64_t i = 0; i < count && !pods.empty(); ++i) {
    model::EvictionRequest request{.name = dice_.one_of(pods),
                                   .namespace_name = kOutageNamespace,
                                   .grace_seconds = {},
                                   .dry_run = dice_.chance(10),
                                   .uid = {},
                                   .resource_version = {}};
    if (dice_.chance(25)) request.grace_seconds = dice_.number(0, 60);
    api_->apply(model::added(request), kSource);
  }
}

// The pods of the node use most of it, or what runs beside them does.
void OutageScript::use_memory(const std::string& node, bool pods) {
  std::vector<std::string> names;
  for (const model::PodId pod : core_->cluster().pods_on(node))
    names.emplace_back(core_->cluster().text(core_->cluster().pod(pod).name));
  std::ranges::sort(names);
  if (!machines_.exists(node)) return;
  if (pods && !names.empty())
    for (const std::string& name : names) {
      measure_pod(name, 3800 / static_cast<int64_t>(names.size()));
      measured_[node].insert(name);
    }
  measured_[node];
  measure_node(node, 3900);
}

void OutageScript::free_memory(const std::string& node) {
  const auto measured = measured_.extract(node);
  if (!measured) return;
  for (const std::string& pod : measured.mapped())
    if (core_->cluster().find_pod(kOutageNamespace, pod)) measure_pod(pod, 10);
  measure_node(node, 100);
}

void OutageScript::measure_node(const std::string& node, int64_t mebi) {
  model::NodeMetrics metrics;
  metrics.usage.memory = mebi * kMebi;
  api_->apply(model::added(boxed("NodeMetrics", node, {metrics})), kSource);
}

void OutageScript::measure_pod(const std::string& pod, int64_t mebi) {
  model::PodMetrics metrics;
  metrics.containers.push_back({"c", {}});
  metrics.containers.back().usage.memory = mebi * kMebi;
  api_->apply(model::added(boxed("PodMetrics", pod, {metrics})), kSource);
}

void OutageScript::heal() {
  while (!measured_.empty()) free_memory(measured_.begin()->first);
  machines_.heal();
}

}  // namespace berth::simulation
