// What a plugin with Reserve and Observe is told adds up to what the model holds: whatever happens
// to pods and nodes, and in whichever order.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "engine/isolation/parent/isolation.h"
#include "tests/properties/dice.h"
#include "tests/runtime/plugins/ledger_file.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using Kind = binding::BindAnswer::Kind;
using testing::ElementsAre;
using testing::IsEmpty;

// Ledger is asked in one profile alone, and hears of all pods.
constexpr char kProfiles[] =
    R"([{"schedulerName":"default-scheduler","plugins":{
         "multiPoint":{"enabled":[{"name":"Ledger"},{"name":"Scribe"}]},
         "permit":{"enabled":[{"name":"Picky"}]},
         "preBind":{"enabled":[{"name":"Patient"}]}}},
        {"schedulerName":"other"}])";

// What a plugin has to know of pods after these calls. Calls that may not follow are failures.
class Ledger {
 public:
  struct Entry {
    bool bound = false;
    std::string name, node, label;
    bool operator==(const Entry&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Entry& of) {
      return out << of.name << (of.bound ? " bound to " : " reserved on ") << of.node << ", label "
                 << of.label;
    }
  };
  using Entries = std::map<uint64_t, Entry>;  // by handle

  void take(const std::string& line) {
    SCOPED_TRACE(line);
    std::istringstream words(line);
    std::string what, name, node, label;
    uint64_t handle = 0;
    words >> what;
    if (what == "node") return static_cast<void>(nodes_left_ += 1);
    words >> handle >> name >> node >> label;
    // A pod that is on its way may have another label when it is bound.
    const bool reserves = what == "reserve";
    Entry told{!reserves, name, node, reserves ? "" : label};
    const auto at = entries_.find(handle);
    const bool known = at != entries_.end(), bound = known && at->second.bound;
    if (reserves) {
      EXPECT_FALSE(known);
    } else if (what == "bound") {
      EXPECT_FALSE(bound);
      EXPECT_TRUE(!known || at->second.node == node);
    } else if (what == "unreserve") {
      EXPECT_FALSE(bound);
    } else {
      ASSERT_TRUE(bound);
      EXPECT_EQ(at->second.node, node);
      EXPECT_TRUE(what == "changed" || at->second == told);
    }
    if (what == "left" || what == "unreserve") {
      entries_.erase(handle);
    } else {
      entries_[handle] = std::move(told);
    }
  }

  const Entries& entries() const { return entries_; }
  size_t nodes_left() const { return nodes_left_; }

 private:
  Entries entries_;
  size_t nodes_left_ = 0;
};

class ObserveTest : public CoreTest {
 protected:
  ObserveTest() : file_(testing::UnitTest::GetInstance()->current_test_info()->name()) {}

  // The lines since the last call, without handles.
  std::vector<std::string> told() {
    std::vector<std::string> made;
    for (const std::string& line : file_.take()) {
      std::istringstream words(line);
      std::string what, handle, rest;
      words >> what >> handle;
      std::getline(words, rest);
      made.push_back(what + (what == "node" ? " " + handle : rest));
    }
    return made;
  }
  static model::Pod on(model::Pod pod, const std::string& node) {
    pod.spec.node_name = node;
    return pod;
  }
  static model::Pod labelled(model::Pod pod, const std::string& app) {
    pod.spec.labels = {{"app", app}};
    return pod;
  }
  void put(const model::Pod& pod) { apply(model::modified(of_template(pod))); }
  void remove(const std::string& name) { apply(model::deleted_pod("default", name)); }
  void answer(const std::string& name, Kind kind) {
    const runtime::BindingAnswer one{bindings.numbers.at(name), {kind, "said so"}};
    core->door().answer({&one, 1});
  }

  // The plugins of these tests, with Ledger in a process that may write its file.
  static runtime::Plugins isolated_ledger() {
    const std::array<std::filesystem::path, 1> folders{plugins_folder().path()};
    return runtime::Plugins(
        host::discover(folders), [](const std::string& name, host::SealedFile file) {
          if (name != "Ledger") return host::Library::load(std::move(file));
          return isolation::load_isolated(
              std::move(file),
              {.program = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host", .files = true});
        });
  }
  // What the model says that the plugin has to know.
  Ledger::Entries expected() {
    Ledger::Entries made;
    const model::StringId app = cluster().strings().find("app");
    cluster().pods().for_each([&](const model::PodRecord& pod) {
      if (!pod.placed()) return;
      const bool bound = pod.state == model::PodState::kBound &&
                         !core->scheduler().bindings().under_way().contains(pod.id);
      const std::string& scheduler = cluster().templates()[pod.pod_template].spec.scheduler_name;
      if (!bound && scheduler == "other") return;  // Reserve of the plugin is not asked
      const model::StringId label =
          app == 0 ? 0 : model::label_value(cluster().templates().labels(pod.labels), app);
      made[pod.id.handle()] = {bound, std::string(cluster().text(pod.name)),
                               std::string(cluster().nodes().name(pod.slot)),
                               !bound       ? ""
                               : label == 0 ? "-"
                                            : std::string(cluster().text(label))};
    });
    return made;
  }

  LedgerFile file_;
};

TEST_F(ObserveTest, PodsOfTheClusterAreBoundAtTheStart) {
  start(kProfiles);
  put(on(labelled(pod("p"), "web"), "ghost"));
  EXPECT_THAT(told(), ElementsAre("bound p ghost web"));
  put(on(labelled(pod("p"), "db"), "ghost"));
  remove("p");
  EXPECT_THAT(told(), ElementsAre("changed p ghost db", "left p ghost db"));
}

TEST_F(ObserveTest, WhatIsReservedIsBoundAndLeaves) {
  start(kProfiles);
  apply(model::added(node("n")));
  schedule({pod("p"), pod("refuse-q")});
  EXPECT_THAT(told(), ElementsAre("reserve p n -", "unreserve refuse-q n -", "bound p n -"));
  model::TemplatePod done = of_template(on(pod("p"), "n"));
  done.phase = model::PodPhase::kSucceeded;
  apply(model::modified(done));
  EXPECT_THAT(told(), ElementsAre("left p n -"));
}

TEST_F(ObserveTest, AFailedBindingIsUnreservedAndNotBound) {
  start(kProfiles);
  apply(model::added(node("n")));
  bindings.answers["p"] = {Kind::kFailed, "no"};
  schedule({pod("p")});
  EXPECT_THAT(told(), ElementsAre("reserve p n -", "unreserve p n -"));
}

TEST_F(ObserveTest, OtherProfilesAndSchedulersBindPods) {
  start(kProfiles);
  apply(model::added(node("n")));
  model::Pod other = pod("other"), foreign = pod("foreign");
  other.spec.scheduler_name = "other";
  foreign.spec.scheduler_name = "somebody";
  schedule({other, foreign});
  EXPECT_THAT(told(), ElementsAre("bound other n -"));
  put(on(foreign, "n"));
  EXPECT_THAT(told(), ElementsAre("bound foreign n -"));
}

// The server is asked, and its answer decides; the pod's update may come first.
TEST_F(ObserveTest, APodIsBoundOnceTheServerHasAnswered) {
  start(kProfiles);
  apply(model::added(node("n")));
  for (const char* name : {"p", "q"}) {
    bindings.answers[name] = {Kind::kUnderWay};
    schedule({pod(name)});
    put(on(pod(name), "n"));
  }
  EXPECT_THAT(told(), ElementsAre("reserve p n -", "reserve q n -"));
  answer("p", Kind::kBound);
  answer("q", Kind::kFailed);
  EXPECT_THAT(told(), ElementsAre("bound p n -", "unreserve q n -", "bound q n -"));
}

TEST_F(ObserveTest, AnAnswerThatIsLostIsUnreservedFirst) {
  start(kProfiles);
  apply(model::added(node("n")));
  for (const auto& [name, kind] : {std::pair("p", Kind::kLost), std::pair("q", Kind::kLostSeen)}) {
    bindings.answers[name] = {kind};
    schedule({pod(name)});
    const std::string rest = std::string(" ") + name + " n -";
    // Its status, which says that the binding failed, is an update of the bound pod.
    EXPECT_THAT(told(), ElementsAre("reserve" + rest, "unreserve" + rest, "bound" + rest,
                                    "changed" + rest));
  }
}

TEST_F(ObserveTest, APodThatWasAssumedHereRunsElsewhere) {
  start(kProfiles);
  apply(model::added(node("m")));
  schedule({pod("wait-p")});
  EXPECT_THAT(told(), ElementsAre("reserve wait-p m -"));
  apply(model::added(node("n")));
  put(on(pod("wait-p"), "n"));
  EXPECT_THAT(told(), ElementsAre("unreserve wait-p m -", "bound wait-p n -"));
  put(on(labelled(pod("wait-p"), "web"), "m"));
  EXPECT_THAT(told(), ElementsAre("left wait-p n -", "bound wait-p m web"));
}

TEST_F(ObserveTest, ANodeLeavesBeforeItsPodsOrAfterThem) {
  start(kProfiles);
  apply(model::added(node("m")));
  put(on(pod("p"), "m"));
  told();
  apply(model::deleted(node("m")));
  remove("p");
  EXPECT_THAT(told(), ElementsAre("node m", "left p m -"));
  apply(model::added(node("n")));
  put(on(pod("p"), "n"));
  remove("p");
  apply(model::deleted(node("n")));
  EXPECT_THAT(told(), ElementsAre("bound p n -", "left p n -", "node n"));
}

TEST_F(ObserveTest, ARemovedPodIsUnreservedWhileItIsBeingBound) {
  start(kProfiles);
  apply(model::added(node("n")));
  bindings.answers["p"] = {Kind::kUnderWay};
  schedule({pod("p"), pod("wait-q")});
  told();
  remove("p");
  remove("wait-q");
  EXPECT_THAT(told(), ElementsAre("unreserve p n -", "unreserve wait-q n -"));
}

TEST_F(ObserveTest, TrialsOfPreemptionAreNotTold) {
  start(kProfiles);
  apply(model::added(node("n", 1)));
  schedule({pod("low")});
  told();
  model::Pod urgent = pod("urgent");
  urgent.spec.priority = 10;
  schedule({urgent});
  core->advance_to(core->now() + std::chrono::minutes(2));
  core->run_until_idle();
  std::vector<std::string> lines = told();
  std::erase(lines, "changed low n -");  // it terminates
  EXPECT_THAT(lines, ElementsAre("left low n -", "reserve urgent n -", "bound urgent n -"));
}

TEST_F(ObserveTest, EachProfileHasAnInstanceThatIsTold) {
  start(
      R"([{"schedulerName":"default-scheduler","plugins":{"multiPoint":{"enabled":[{"name":"Ledger"}]}}},
            {"schedulerName":"other","plugins":{"reserve":{"enabled":[{"name":"Ledger"}]}}}])");
  put(on(pod("p"), "n"));
  EXPECT_THAT(told(), ElementsAre("bound p n -", "bound p n -"));
}

// A history that is drawn: everything that may happen to pods and nodes, in any order.
class ObserveHistoryTest : public ObserveTest, public testing::WithParamInterface<int> {
 protected:
  // The sink's answers are drawn between two calls, and read by the thread that binds.
  ObserveHistoryTest() { binding_thread = false; }

  void play(uint64_t seed, int steps) {
    dice_.emplace(seed);
    start(kProfiles);
    for (const char* name : {"n0", "n1", "n2"}) apply(model::added(node(name, 6)));
    for (int i = 0; i < steps && !HasFailure(); ++i) {
      happens();
      check();
    }
    end();
  }
  // Everything leaves.
  void end() {
    for (const auto& one : pods_) remove(one.first);
    check();
    EXPECT_THAT(ledger_.entries(), IsEmpty());
  }
  void check() {
    for (const std::string& line : file_.take()) {
      ledger_.take(line);
      calls_.insert(line.substr(0, line.find(' ')));
    }
    EXPECT_EQ(ledger_.entries(), expected());
    EXPECT_EQ(ledger_.nodes_left(), nodes_left_);
  }

  std::set<std::string> calls_;  // kinds of calls that were made

 private:
  void happens() {
    switch (dice_->number(0, 15)) {
      case 0:
      case 1:
      case 2:
        return arrives();
      case 3:
        return put_named(on(new_pod(), drawn_node()));
      case 4:
        return with_pod([&](model::Pod& one) { remove(one.name), pods_.erase(one.name); });
      case 5:
        return with_pod([&](model::Pod& one) { finishes(one); });
      case 6:
        return with_pod([&](model::Pod& one) { put_named(labelled(one, drawn_label())); });
      case 7:
        return with_pod([&](model::Pod& one) { runs_at(one, drawn_node()); });
      case 8:
        return with_pod([&](model::Pod& one) { is_replaced(one); });
      case 9:
        return node_changes();
      case 10:
        return answers();
      case 11:
        return with_pod([&](model::Pod& one) { core->door().allow(find(one.name), "Picky"); });
      case 12:
        return core->advance_to(core->now() + std::chrono::milliseconds(dice_->number(1, 3000)));
      case 13:
        return core->settle();
      default:
        for (int64_t i = dice_->number(1, 4); i > 0; --i) core->step();
    }
  }

  // The names say how plugins treat them.
  model::Pod new_pod() {
    static const std::vector<std::string> kPrefixes = {
        "p-",      "p-",     "p-",      "wait-",        "before-fail-", "flight-fail-",
        "refuse-", "never-", "wait-2-", "flight-skip-", "gate-"};
    model::Pod made =
        labelled(pod(dice_->one_of(kPrefixes) + std::to_string(++count_)), drawn_label());
    made.uid += "-" + std::to_string(count_);
    made.spec.scheduler_name =
        dice_->one_of({"default-scheduler", "default-scheduler", "other", "foreign"});
    made.spec.priority = dice_->one_of({0, 0, 10});
    bindings.answers[made.name] = {
        dice_->one_of({Kind::kBound, Kind::kBound, Kind::kBound, Kind::kUnderWay, Kind::kUnderWay,
                       Kind::kFailed, Kind::kConflict, Kind::kLost, Kind::kLostSeen}),
        "said so"};
    return made;
  }
  std::string drawn_label() { return dice_->one_of({"web", "db", "cache"}); }
  std::string drawn_node() { return dice_->one_of({"n0", "n1", "n2", "ghost"}); }

  void arrives() {
    std::vector<model::Pod> made;
    for (int64_t i = dice_->number(1, 4); i > 0; --i) made.push_back(new_pod());
    for (const model::Pod& one : made) pods_[one.name] = one;
    arrive(made);
  }
  void put_named(const model::Pod& one) {
    pods_[one.name] = one;
    put(one);
  }
  template <typename Does>
  void with_pod(Does does) {
    if (pods_.empty()) return;
    auto at = pods_.begin();
    std::advance(at, dice_->number(0, static_cast<int64_t>(pods_.size()) - 1));
    if (!find(at->first)) return static_cast<void>(pods_.erase(at));  // it was evicted
    model::Pod one = at->second;
    const model::PodRecord& record = cluster().pod(find(one.name));
    if (record.state == model::PodState::kBound)
      one.spec.node_name = cluster().nodes().name(record.slot);
    does(one);
  }
  void finishes(const model::Pod& one) {
    model::TemplatePod done = of_template(one);
    done.phase = dice_->one_of({model::PodPhase::kSucceeded, model::PodPhase::kFailed});
    apply(model::modified(done));
    pods_.erase(one.name);
  }
  // No server moves a pod while it is asked to bind it.
  void runs_at(const model::Pod& one, const std::string& node) {
    const model::PodId id = find(one.name);
    const bool bound = cluster().pod(id).state == model::PodState::kBound;
    if (bound && core->scheduler().bindings().under_way().contains(id)) return;
    put_named(on(one, node));
  }
  void is_replaced(model::Pod one) {
    one.uid += "-again";
    one.spec.node_name = dice_->chance(50) ? drawn_node() : "";
    put_named(one);
  }
  void node_changes() {
    const std::string name = dice_->one_of({"n0", "n1", "n2"});
    const model::Slot slot = cluster().nodes().find(cluster().strings().find(name));
    const bool there = slot != model::kNoSlot && cluster().nodes().node(slot).present;
    if (!there) return apply(model::added(node(name, 6)));
    ++nodes_left_;
    apply(model::deleted(node(name)));
  }
  void answers() {
    std::vector<std::string> open;
    for (const auto& [name, number] : bindings.numbers)
      if (core->scheduler().bindings().under_way().contains(number)) open.push_back(name);
    if (!open.empty())
      answer(dice_->one_of(open), dice_->one_of({Kind::kBound, Kind::kBound, Kind::kFailed,
                                                 Kind::kConflict, Kind::kLost, Kind::kLostSeen}));
  }

  std::optional<Dice> dice_;
  Ledger ledger_;
  std::map<std::string, model::Pod> pods_;  // by name; some are gone
  int count_ = 0;
  size_t nodes_left_ = 0;
};

TEST_P(ObserveHistoryTest, TheLedgerIsWhatTheModelHolds) {
  if (GetParam() % 2 != 0) rules = Rules(KubeVersion::k1_36);
  play(static_cast<uint64_t>(GetParam()), 400);
  EXPECT_THAT(calls_, ElementsAre("bound", "changed", "left", "node", "reserve", "unreserve"));
}

INSTANTIATE_TEST_SUITE_P(Drawn, ObserveHistoryTest, testing::Range(0, 24));

// The same in a process of its own.
class IsolatedObserveHistoryTest : public ObserveHistoryTest {};

TEST_P(IsolatedObserveHistoryTest, TheLedgerIsWhatTheModelHolds) {
  runtime::Plugins isolated = isolated_ledger();
  found = &isolated;
  play(static_cast<uint64_t>(GetParam()), 200);
  core.reset();  // before its plugins
}

// A process that is started again has lost what it was told.
TEST_F(ObserveTest, AProcessThatIsStartedAgainIsToldOfAllBoundPods) {
  runtime::Plugins isolated = isolated_ledger();
  found = &isolated;
  start(kProfiles);
  apply(model::added(node("n")));
  schedule({pod("p"), pod("q")});
  EXPECT_THAT(told(), ElementsAre("reserve p n -", "reserve q n -", "bound p n -", "bound q n -"));
  schedule({pod("crash-r")});  // its Unreserve is called in the next process
  EXPECT_THAT(told(), ElementsAre("unreserve crash-r n -"));
  remove("p");
  EXPECT_THAT(told(), ElementsAre("bound p n -", "bound q n -", "left p n -"));
  schedule({pod("crash-s"), pod("t")});
  EXPECT_THAT(told(),
              ElementsAre("unreserve crash-s n -", "bound q n -", "reserve t n -", "bound t n -"));
  core.reset();  // before its plugins
}

INSTANTIATE_TEST_SUITE_P(Drawn, IsolatedObserveHistoryTest, testing::Range(100, 102));

}  // namespace
}  // namespace berth::tests
