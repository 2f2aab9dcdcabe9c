#include "tests/simulation/simulation.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "engine/config/config.h"
#include "tests/properties/random_relations.h"
#include "tests/properties/trace.h"
#include "tests/simulation/extenders.h"
#include "tests/simulation/faults.h"
#include "tests/simulation/placeable.h"
#include "tests/simulation/plugins.h"
#include "tests/simulation/report_text.h"
#include "tests/simulation/server.h"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr uint64_t kReferenceEvery = 8;  // seeds

class Simulation {
 public:
  Simulation(uint64_t seed, const Way& way)
      : compared_with_reference_(seed % kReferenceEvery == 0),
        script_(mix(seed)),
        answers_(mix(seed + (uint64_t{1} << 63))),
        rates_(draw_rates(script_)),
        server_(answers_, rates_),
        extenders_(answers_, rates_) {
    faults_ = {this, [](void* self, FaultPoint point, const char*, uint32_t, int64_t* timeout) {
                 return static_cast<Simulation*>(self)->answer(point, *timeout);
               }};
    core_ = std::make_unique<runtime::Core>(configuration(), plugins(), options(seed, way),
                                            [this](const runtime::Report& r) { take(r); });
    server_.attach(*core_);
    extenders_.attach(core_->cluster());
  }

  Outcome run() {
    begin();
    for (int step = 0; step < rates_.steps; ++step) {
      act();
      server_.deliver_some();
      server_.pass(core_->now());
    }
    heal();
    outcome_.decisions = core_->scheduler().decisions();
    return std::move(outcome_);
  }

 private:
  config::Configuration configuration() const {
    return config::parse(
        R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
            "profiles":[{"schedulerName":"default-scheduler","plugins":{
              "multiPoint":{"enabled":[{"name":"Chaos"}]},
              "bind":{"disabled":[{"name":"*"}],
                      "enabled":[{"name":"Chaos"},{"name":"DefaultBinder"}]}},
              "pluginConfig":[{"name":"Chaos","args":{"faults":)" +
            std::to_string(reinterpret_cast<intptr_t>(&faults_)) + "}}]}]}",
        "config");
  }
  runtime::CoreOptions options(uint64_t seed, const Way& way) {
    runtime::CoreOptions options;
    options.scheduler.decide.seed = seed;
    options.scheduler.evaluation = way.evaluation;
    if (way.threads > 1)
      options.scheduler.full = {
          .workers = &tests::workers(way.threads), .parallel_from = 64, .grain = 64};
    options.scheduler.bind_batch = static_cast<size_t>(script_.one_of<int64_t>({1, 3, 256}));
    options.sink = &server_;
    options.audits = runtime::AuditPace::kEveryStep;
    options.retire_always = script_.chance(30);
    if (rates_.extenders) options.extenders = &extenders_;
    return options;
  }

  uint8_t answer(FaultPoint point, int64_t& timeout) {
    if (healed_) return BERTH_SUCCESS;
    // By reference, PreFilter is asked more often than where its answers are kept.
    if (point == FaultPoint::kPreFilter && compared_with_reference_) return BERTH_SUCCESS;
    if (answers_.chance(rates_.plugin_errors)) return BERTH_ERROR;
    // A refusal by PreFilter is kept for equal pods, and Bind refuses nobody.
    if (point == FaultPoint::kBind || point == FaultPoint::kPreFilter) return BERTH_SUCCESS;
    if (answers_.chance(rates_.plugin_refusals))
      return answers_.chance(50) ? BERTH_UNSCHEDULABLE : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    if (point != FaultPoint::kPermit || !answers_.chance(rates_.permit_waits)) return BERTH_SUCCESS;
    timeout = answers_.number(0, 20'000) * 1'000'000;
    return BERTH_WAIT;
  }

  void note(std::string words) {
    outcome_.events.push_back(std::to_string(core_->now().count() / 1'000'000) + "ms " +
                              std::move(words));
  }
  void take(const runtime::Report& report) {
    using namespace runtime;
    const model::Cluster& cluster = core_->cluster();
    note("  " + text_of(report, cluster));
    const auto name = [&](model::PodId pod) {
      return std::string(cluster.text(cluster.pod(pod).name));
    };
    std::visit(
        Match{
            [&](const Bound&) { ++outcome_.bound; },
            [&](const BindingFailed&) { ++outcome_.failed; },
            [&](const Nominated& to) { server_.nominated(name(to.pod), std::string(to.node)); },
            [&](const Evicted& one) {
              ++outcome_.evicted;
              const auto& spec = cluster.templates()[cluster.pod(one.pod).pod_template].spec;
              server_.terminates(
                  name(one.pod),
                  core_->now() + seconds(spec.termination_grace_seconds.value_or(30)), true);
            },
            [](const auto&) {},
        },
        report);
  }

  void begin() {
    for (uint32_t i = 0; i < rates_.nodes; ++i) server_.put_node(draw_node(script_, nodes_++));
    if (script_.chance(60))
      for (int i = 0; i < 2; ++i) server_.put_namespace(tests::random_namespace(script_));
    server_.deliver_all();
  }

  model::Pod new_pod() {
    constexpr size_t kMostKinds = 6;
    if (kinds_.empty() || (kinds_.size() < kMostKinds && script_.chance(50)))
      kinds_.push_back(draw_pod(script_));
    model::Pod pod = script_.chance(80) ? script_.one_of(kinds_) : draw_pod(script_);
    pod.name = "pod-" + std::to_string(pods_++);
    pod.uid = "uid-" + std::to_string(uids_++);
    return pod;
  }
  // A pod of the server; empty: it has none.
  std::string some_pod() {
    const auto& pods = server_.pods();
    if (pods.empty()) return {};
    return std::next(pods.begin(), script_.number(0, static_cast<int64_t>(pods.size()) - 1))->first;
  }
  std::string some_node() {
    return "node-" + std::to_string(script_.number(0, std::max<int64_t>(nodes_, 1) - 1));
  }
  model::PodId known(const std::string& name) const {
    const auto at = server_.pods().find(name);
    if (at == server_.pods().end()) return {};
    const model::Cluster& cluster = core_->cluster();
    const model::PodId id = cluster.find_pod(at->second.object.namespace_name, name);
    const bool same = id && cluster.text(cluster.pod(id).uid) == at->second.object.uid;
    return same ? id : model::PodId{};
  }

  void act() {
    if (script_.chance(rates_.clock_jumps)) return jump();
    const int64_t what = script_.number(0, 99);
    if (what < 25) return create();
    if (what < 60) return decide();
    if (what < 66) return remove();
    if (what < 72) return update();
    if (what < 80) return change_node();
    if (what < 84) return between();
    if (what < 88) return settle();
    if (what < 92) return answer_waiting();
    if (what < 96) return bind_elsewhere();
    if (what < 98) return recreate();
    change_relations();
  }

  void jump() {
    const int64_t far = script_.chance(10) ? 700'000 : script_.chance(50) ? 40'000 : 1'500;
    note("the clock jumps");
    core_->advance_to(core_->now() + milliseconds(script_.number(0, far)));
  }
  void create() {
    for (int64_t i = script_.number(1, 4); i > 0 && pods_ < rates_.most_pods; --i) {
      const model::Pod pod = new_pod();
      note("create " + pod.name);
      server_.put_pod(pod);
    }
  }
  void decide() {
    for (int64_t i = script_.number(1, 6); i > 0 && core_->step(); --i)
      core_->advance_to(core_->now() + milliseconds(script_.number(0, 30)));
  }
  void settle() {
    if (script_.chance(40)) core_->publish();
    note("settle");
    core_->settle();
  }
  void remove() {
    const std::string name = some_pod();
    if (name.empty()) return;
    const model::PodId id = known(name);
    if (id && script_.chance(50)) {
      const seconds grace(script_.number(0, 30));
      note("delete " + name);
      server_.terminates(name, core_->now() + grace, false);
      core_->delete_pod(id, core_->now() + grace);
      return;
    }
    note("remove " + name);
    server_.remove_pod(name, server_.pods().at(name).object.bound() && script_.chance(50));
  }
  void update() {
    const std::string name = some_pod();
    if (name.empty()) return;
    model::Pod pod = server_.pods().at(name).object;
    if (script_.chance(50)) pod.spec.scheduling_gates.clear();
    if (script_.chance(50)) pod.spec.labels = {{"app", script_.one_of<const char*>({"web", "db"})}};
    if (script_.chance(40) && !pod.spec.containers[0].requests.empty())
      pod.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(100)}};
    if (script_.chance(20) && !pod.bound())
      pod.spec.tolerations.push_back({"dedicated", "Exists", "", ""});
    note("update " + name);
    server_.put_pod(pod);
  }
  void change_node() {
    const std::string name = some_node();
    if (script_.chance(25)) {
      note("remove " + name);
      return server_.remove_node(name);
    }
    const bool fresh = script_.chance(40) || nodes_ == 0;
    const uint32_t number =
        fresh ? nodes_++ : static_cast<uint32_t>(std::stoul(name.substr(sizeof("node-") - 1)));
    note("put node-" + std::to_string(number));
    server_.put_node(draw_node(script_, number));
  }
  // Something happens between the moment a pod is popped and its attempt.
  void between() {
    const auto popped = core_->pop();
    if (!popped) return;
    change_node();
    if (script_.chance(50)) remove();
    server_.deliver_some();
    const bool there = core_->cluster().pods().contains(*popped) &&
                       core_->cluster().pod(*popped).state == model::PodState::kInFlight;
    if (there) core_->attempt(*popped);
  }
  void answer_waiting() {
    const auto waiting = core_->scheduler().waiting().pods();
    if (waiting.empty()) return;
    const model::PodId pod = script_.one_of(waiting);
    if (script_.chance(60)) {
      core_->allow(pod, "Chaos");
    } else {
      core_->reject(pod, "Chaos", "changed its mind");
    }
  }
  void bind_elsewhere() {
    const std::string name = some_pod();
    if (name.empty() || !script_.chance(rates_.other_schedulers)) return;
    if (server_.pods().at(name).object.bound()) return;
    const std::string node = some_node();
    note("another scheduler binds " + name + " to " + node);
    server_.bind_elsewhere(name, node);
  }
  void recreate() {
    const std::string name = some_pod();
    if (name.empty()) return;
    model::Pod pod = draw_pod(script_);
    pod.name = name;
    pod.namespace_name = server_.pods().at(name).object.namespace_name;
    pod.uid = "uid-" + std::to_string(uids_++);
    note("recreate " + name);
    if (script_.chance(50)) server_.remove_pod(name, false);
    server_.replace_pod(pod);
  }
  void change_relations() {
    if (script_.chance(50)) return server_.put_namespace(tests::random_namespace(script_));
    model::SelectorOwner owner = tests::random_selector_owner(script_);
    make_valid(owner.selector);
    server_.put_selector_owner(owner);
  }

  // Phase two.
  void heal() {
    note("all faults end");
    healed_ = true;
    server_.heal();
    extenders_.heal();
    collect_garbage();
    server_.deliver_all();
    pass(seconds(100));
    compare_with_server();
    const std::set<std::string> waiting = placeable();
    pass(seconds(400));
    compare_with_server();
    for (const std::string& name : waiting)
      if (server_.pods().contains(name) && server_.pods().at(name).object.bound()) {
        outcome_.flushed.push_back(refused_.at(name).words);
        if (!refused_.at(name).has_no_event) wrong("no event helped " + refused_.at(name).words);
      }
    // A pod that no event helps may need one flush for its preemption and another for its place.
    constexpr int kFlushes = 6;
    for (int flush = 0; flush < kFlushes && !placeable().empty(); ++flush) pass(seconds(400));
    compare_with_server();
    for (const std::string& name : placeable()) wrong(name + " waits: " + refused_.at(name).words);
  }
  // Pods on nodes that are gone go, too.
  void collect_garbage() {
    std::vector<std::string> orphans;
    for (const auto& [name, pod] : server_.pods())
      if (pod.object.bound() && !server_.nodes().contains(pod.object.spec.node_name))
        orphans.push_back(name);
    for (const std::string& name : orphans) server_.remove_pod(name, false);
  }
  // Everything that can be done now is done.
  void come_to_rest() {
    do {
      for (const model::PodId pod : core_->scheduler().waiting().pods()) core_->allow(pod, "Chaos");
      core_->run_until_idle();
    } while (server_.deliver_all() || core_->has_work());
  }
  // Time passes.
  void pass(seconds time) {
    const runtime::Time end = core_->now() + time;
    come_to_rest();
    while (core_->now() < end) {
      core_->advance_to(std::min(end, core_->next_due().value_or(end)));
      server_.pass(core_->now());
      come_to_rest();
    }
  }
  void wrong(const std::string& words) {
    if (outcome_.fault.empty()) outcome_.fault = words;
  }

  // The core knows the pods that there are, where they are.
  void compare_with_server() {
    const model::Cluster& cluster = core_->cluster();
    if (cluster.pods().size() != server_.pods().size())
      wrong("the core knows " + std::to_string(cluster.pods().size()) + " pods, and there are " +
            std::to_string(server_.pods().size()));
    for (const auto& [name, pod] : server_.pods()) {
      const model::PodId id = known(name);
      if (!id) {
        wrong("the core does not know " + name);
        continue;
      }
      const model::PodRecord& record = cluster.pod(id);
      const std::string node =
          record.placed() ? std::string(cluster.text(cluster.nodes().node(record.slot).name)) : "";
      if (node != pod.object.spec.node_name)
        wrong(name + " is on \"" + pod.object.spec.node_name + "\", and the core has it on \"" +
              node + '"');
    }
  }

  // Pods that wait and have a place.
  std::set<std::string> placeable() {
    tests::brute::Objects objects;
    objects.nodes = server_.nodes();
    for (const auto& [name, object] : server_.namespaces()) objects.namespaces[name] = object;
    for (const auto& [name, object] : server_.owners()) objects.put(object);
    const queue::SchedulingQueue& queue = core_->scheduler().queue();
    std::vector<const model::Pod*> waiting;
    for (const auto& [name, pod] : server_.pods()) {
      const model::Pod& object = pod.object;
      if (object.bound()) {
        objects.place(object, object.spec.node_name);
      } else if (const model::PodId id = known(name); id && !object.terminating) {
        if (core_->cluster().pod(id).nominated)
          objects.nominated[{object.namespace_name, name}] = object;
        if (queue.place(id) != queue::Place::kGated) waiting.push_back(&object);
      }
    }
    std::set<std::string> names;
    outcome_.left = waiting.size();
    for (const model::Pod* pod : waiting)
      if (const auto place = place_of(*pod, objects)) {
        names.insert(pod->name);
        refused_[pod->name] = refusal_of(*pod, *place);
      }
    return names;
  }

  struct Refusal {
    std::string words;
    bool has_no_event = false;  // kube-scheduler leaves such a pod to the flush, too
  };
  // kube-scheduler has no event for the end of a fault, for a pod that a preemption took out of
  // Permit, and for what makes preemption possible; and its hint about pods that leave does not
  // look at their anti-affinity against the pod that waits.
  Refusal refusal_of(const model::Pod& pod, const std::string& place) {
    static const std::set<std::string> kSilent{"Chaos", "Extender", "DefaultPreemption",
                                               "InterPodAffinity"};
    Refusal refusal{pod.name + ": " + place + "; refused by", place.ends_with("priority")};
    for (const queue::RefuserId by : core_->scheduler().queue().refusers(known(pod.name)).all()) {
      const std::string& plugin = core_->scheduler().policy().name(by);
      refusal.words += " " + plugin;
      refusal.has_no_event |= kSilent.contains(plugin);
    }
    return refusal;
  }

  bool compared_with_reference_;
  Dice script_;   // of what happens
  Dice answers_;  // of what is answered
  Rates rates_;
  Faults faults_{};
  Server server_;
  FaultyExtenders extenders_;
  std::unique_ptr<runtime::Core> core_;
  bool healed_ = false;
  std::vector<model::Pod> kinds_;
  uint32_t nodes_ = 0, pods_ = 0, uids_ = 0;
  std::map<std::string, Refusal> refused_;
  Outcome outcome_;
};

std::string difference(const Outcome& a, const Outcome& b) {
  const size_t most = std::max(a.events.size(), b.events.size());
  for (size_t i = 0; i < most; ++i) {
    const std::string mine = i < a.events.size() ? a.events[i] : "(nothing)";
    const std::string other = i < b.events.size() ? b.events[i] : "(nothing)";
    if (mine != other) return "event " + std::to_string(i) + " is\n" + mine + "\nand\n" + other;
  }
  return {};
}

}  // namespace

Outcome play(uint64_t seed, const Way& way) { return Simulation(seed, way).run(); }

Outcome play_all(uint64_t seed) {
  Outcome first = play(seed, {});
  if (!first.fault.empty()) return first;
  if (std::string differs = difference(first, play(seed, {.threads = 2})); !differs.empty())
    first.fault = "on one thread and on two, " + differs;
  if (!first.fault.empty() || seed % kReferenceEvery != 0) return first;
  const Way reference{.evaluation = framework::Evaluation::kReference};
  if (std::string differs = difference(first, play(seed, reference)); !differs.empty())
    first.fault = "in batches and by reference, " + differs;
  return first;
}

}  // namespace berth::simulation
