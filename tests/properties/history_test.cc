// History leaves no trace: after hundreds of events a session gives the same answers as a new
// session with the same objects, whatever it cached and counted in between.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "engine/base/sanitized.h"
#include "engine/config/config.h"
#include "engine/runtime/testing/model_access.h"
#include "tests/properties/brute_force/brute_force_check.h"
#include "tests/properties/trace.h"

namespace berth::tests {
namespace {

constexpr uint64_t kSeeds = kSanitized ? 2 : 4;
constexpr uint32_t kEvents = kSanitized ? 120 : 300;
constexpr uint32_t kShortEvents = kSanitized ? 8 : 20;

struct HistoryShape {
  uint32_t nodes = 90;
  uint32_t placed = 60;
  uint32_t events = 300;
};

framework::FullOptions alone() { return {}; }
framework::FullOptions two_threads() {
  return {.workers = &workers(2), .parallel_from = 1, .grain = 64, .measured = false};
}

runtime::CoreOptions options(const framework::FullOptions& full, bool retire_always) {
  Way way{.full = full, .tie_break = framework::TieBreak::kName};
  runtime::CoreOptions made = core_options(way);
  // The order of rows depends on the history, so no search may end early.
  made.scheduler.decide.every_node = true;
  made.scheduler.assume = false;
  // In kube-scheduler's cache, image states depend on the history.
  made.image_rule = model::ImageRule::kReported;
  made.retire_always = retire_always;
  return made;
}

// A session that decides without assuming, and its cluster, which events change.
class Watched {
 public:
  Watched(const config::Configuration& configuration, const framework::FullOptions& full,
          bool retire_always = false)
      : core_(configuration, built_plugins(), options(full, retire_always)) {}

  void build(const brute::Objects& objects) {
    for (const auto& [name, object] : objects.nodes) cluster().put_node(object);
    for (const auto& [name, object] : objects.namespaces) cluster().put_namespace(object);
    for (const auto& [key, object] : objects.selector_owners) cluster().put_selector_owner(object);
    for (const auto& [name, pod] : objects.placed) put(pod);
    for (const auto& [name, pod] : objects.nominated) put(pod);
  }

  void take(const Step& step) { apply(step, core_); }
  // A pod of the cluster: where it runs, or nominated.
  void put(const model::Pod& pod) {
    ingest::Objects objects;
    objects.pods = {pod};
    core_.door().apply(objects, "history");
  }
  void remove(const model::Pod& pod) {
    core_.door().remove(cluster().find_pod(pod.namespace_name, pod.name));
  }

  // The complete description of the decision, in an order that does not depend on rows.
  template <class Look>  // look(session, result)
  std::vector<std::string> probe(const model::Pod& pod, Look&& look) {
    std::vector<std::string> lines;
    core_.scheduler().decisions().set_start_index(0);
    core_.report_to([&](const runtime::Report& report) {
      if (!runtime::pod_of(report)) return;
      lines = describe(core_, report);
      // If a filter fails, the rows searched before depend on the order.
      if (runtime::outcome_of(report) == runtime::PodOutcome::kError) lines.resize(1);
      look(core_, report);
    });
    const model::PodId id = core_.door().add(pod);
    core_.door().arrive({&id, 1});
    core_.run_until_idle();
    core_.report_to([](const runtime::Report&) {});
    core_.door().remove(id);
    std::sort(lines.begin(), lines.end());
    return lines;
  }

 private:
  model::Cluster& cluster() { return runtime::ModelAccess::of(core_); }

  runtime::Core core_;
};

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  auto [mine, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (mine == a.end() && other == b.end()) return {};
  return (mine == a.end() ? "(nothing)" : *mine) + "\n" + (other == b.end() ? "(nothing)" : *other);
}

// kube-scheduler keeps used ports as a set: of two pods with the same port, the first that is
// removed frees it. This is the only state of a node that depends on history, so ports are left
// out.
void take_ports(model::Pod& pod) {
  for (auto* containers : {&pod.spec.containers, &pod.spec.init_containers})
    for (model::Container& container : *containers) container.ports.clear();
}

class History {
 public:
  History(uint64_t seed, const HistoryShape& shape)
      : dice_(seed),
        shape_(shape),
        world_(
            random_world(dice_.next(), {.nodes = shape.nodes, .placed = shape.placed, .pods = 0})),
        configuration_(config::parse(world_.config, "config")),
        objects_(brute::objects_of(world_)),
        alone_(configuration_, alone()),
        in_two_(configuration_, two_threads(), true),
        nodes_(shape.nodes) {
    for (auto& [name, pod] : objects_.placed) take_ports(pod);
    each([&](Watched& one) { one.build(objects_); });
  }

  // Returns the first difference, or an empty text.
  std::string run() {
    for (uint32_t event = 0; event < shape_.events; ++event) {
      happen();
      if (std::string found = probe(); !found.empty())
        return "after event " + std::to_string(event) + ": " + found;
    }
    return {};
  }

  const brute::Checked& checked() const { return checked_; }

 private:
  template <class Do>
  void each(Do&& act) {
    act(alone_);
    act(in_two_);
  }

  // Usually copies an earlier pod, because state that is cached for a kind of pod must stay valid.
  model::Pod new_pod(const char* kind, uint32_t& count) {
    const std::string name = kind + std::to_string(count++);
    if (kinds_.size() < kMostKinds && (kinds_.empty() || dice_.chance(40)))
      kinds_.push_back(random_pod(dice_, name, nodes_, dice_.chance(60)));
    model::Pod pod = dice_.one_of(kinds_);
    pod.name = name;
    pod.uid = "uid-" + name;
    // Forgets a kind now and then, to make room for new ones.
    if (dice_.chance(5)) kinds_.erase(kinds_.begin());
    return pod;
  }

  std::string some_node() { return "node-" + std::to_string(dice_.number(0, nodes_)); }

  void place() {
    model::Pod pod = new_pod("pod-", pods_);
    take_ports(pod);
    pod.spec.node_name = some_node();
    pod.terminating = dice_.chance(10);
    objects_.place(pod, pod.spec.node_name);
    each([&](Watched& one) { one.put(pod); });
  }

  // Marks a pod as terminating.
  void begin_to_go() {
    if (objects_.placed.empty()) return;
    auto at = std::next(objects_.placed.begin(),
                        dice_.number(0, static_cast<int64_t>(objects_.placed.size()) - 1));
    at->second.terminating = true;
    each([&](Watched& one) {
      one.remove(at->second);
      one.put(at->second);
    });
  }

  void nominate() {
    if (!objects_.nominated.empty() && dice_.chance(45)) {
      auto at = objects_.nominated.begin();
      each([&](Watched& one) { one.remove(at->second); });
      objects_.nominated.erase(at);
      return;
    }
    model::Pod pod = new_pod("waiting-", pods_);
    pod.spec.node_name.clear();
    pod.nominated_node_name = some_node();
    pod.terminating = dice_.chance(40);
    objects_.nominated[{pod.namespace_name, pod.name}] = pod;
    each([&](Watched& one) { one.put(pod); });
  }

  void happen() {
    if (dice_.chance(30)) return place();
    if (dice_.chance(8)) return begin_to_go();
    if (dice_.chance(20)) return nominate();
    const Step step = random_event(dice_, shape_.placed, pods_, nodes_);
    objects_.apply(step);
    each([&](Watched& one) { one.take(step); });
  }

  std::string probe() {
    const model::Pod pod = new_pod("probe-", probes_);
    const auto look_away = [](runtime::Core&, const runtime::Report&) {};
    Watched fresh(configuration_, alone());
    fresh.build(objects_);
    const std::vector<std::string> expected = fresh.probe(pod, look_away);
    std::string wrong;
    const std::vector<std::string> mine =
        alone_.probe(pod, [&](runtime::Core& core, const runtime::Report& report) {
          wrong = brute::disagreement(core, report, pod, objects_, world_.arguments, checked_);
        });
    if (std::string differs = first_difference(expected, mine); !differs.empty())
      return "at once and over time\n" + differs;
    if (std::string differs = first_difference(expected, in_two_.probe(pod, look_away));
        !differs.empty())
      return "at once and over time, on two threads\n" + differs;
    return wrong;
  }

  static constexpr size_t kMostKinds = 25;

  Dice dice_;
  HistoryShape shape_;
  World world_;
  config::Configuration configuration_;
  brute::Objects objects_;
  Watched alone_, in_two_;
  uint32_t nodes_;                 // number of node names used so far
  std::vector<model::Pod> kinds_;  // specs that new pods copy
  uint32_t pods_ = 0;              // number of pods so far
  uint32_t probes_ = 0;
  brute::Checked checked_;
};

TEST(History, LeavesNothingBehind) {
  brute::Checked all;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    History history(seed, {.events = kEvents});
    EXPECT_EQ(history.run(), "") << "seed " << seed;
    all.rows += history.checked().rows;
    all.refused += history.checked().refused;
    all.nominated += history.checked().nominated;
    all.scores += history.checked().scores;
  }
  EXPECT_GT(all.refused, all.rows / 100);
  EXPECT_GT(all.nominated, 20u);
  EXPECT_GT(all.scores, all.rows / 20);
}

// Many seeds with short histories.
RC_GTEST_PROP(History, LeavesNothingBehindFromAnySeed, ()) {
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<uint64_t>());
  const auto nodes = *rc::gen::inRange<uint32_t>(0, 25);
  const auto placed = *rc::gen::inRange<uint32_t>(0, 40);
  const auto events = *rc::gen::inRange<uint32_t>(1, kShortEvents);
  std::string wrong = History(seed, {nodes, placed, events}).run();
  if (!wrong.empty()) RC_FAIL(wrong);
}

}  // namespace
}  // namespace berth::tests
