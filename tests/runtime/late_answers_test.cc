// A server that answers bindings later: in any order, twice, or after the pod is gone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using Kind = binding::BindAnswer::Kind;
using testing::ElementsAre;
using testing::IsEmpty;

class LateAnswersTest : public CoreTest {
 protected:
  void SetUp() override {
    start();
    apply(model::added(node("n")));
    keep_lines();
  }
  // The pods are decided; the server takes their bindings and does not answer.
  void decide(const std::vector<std::string>& names) {
    std::vector<model::Pod> pods;
    for (const std::string& name : names) {
      bindings.answers[name] = {Kind::kUnderWay};
      pods.push_back(pod(name));
    }
    schedule(pods);
  }
  // Returns how many were passed over.
  size_t answer(uint64_t number, Kind kind, const char* message = "") {
    const runtime::BindingAnswer one{number, {kind, message}};
    return core->door().answer({&one, 1});
  }
  size_t answer(const std::string& name, Kind kind, const char* message = "") {
    return answer(bindings.numbers.at(name), kind, message);
  }
  model::PodState state(const std::string& name) { return cluster().pod(find(name)).state; }
};

TEST_F(LateAnswersTest, APodCountsOnItsNodeAndIsBoundWhenTheAnswerComes) {
  decide({"p"});
  EXPECT_TRUE(is_placed("p"));
  EXPECT_EQ(state("p"), model::PodState::kBinding);
  EXPECT_THAT(take(), ElementsAre("p on n"));
  EXPECT_EQ(answer("p", Kind::kBound), 0u);
  EXPECT_THAT(take(), ElementsAre("p bound to n"));
}

TEST_F(LateAnswersTest, AnswersComeInAnyOrderAndCountOnce) {
  decide({"p", "q"});
  take();
  EXPECT_EQ(answer("q", Kind::kBound), 0u);
  EXPECT_EQ(answer("q", Kind::kBound), 1u);
  EXPECT_EQ(answer("p", Kind::kBound), 0u);
  EXPECT_THAT(take(), ElementsAre("q bound to n", "p bound to n"));
}

TEST_F(LateAnswersTest, AnAnswerIsAboutItsOwnAttempt) {
  decide({"p"});
  const uint64_t first = bindings.numbers.at("p");
  EXPECT_EQ(answer(first, Kind::kFailed, "the server is busy"), 0u);
  EXPECT_FALSE(is_placed("p"));
  bindings.answers["p"] = {Kind::kUnderWay};
  core->advance_to(core->now() + std::chrono::seconds(2));
  core->run_until_idle();
  ASSERT_EQ(state("p"), model::PodState::kBinding);
  EXPECT_EQ(answer(first, Kind::kFailed), 1u);
  EXPECT_EQ(state("p"), model::PodState::kBinding);
  EXPECT_EQ(answer("p", Kind::kBound), 0u);
  EXPECT_THAT(
      take(),
      ElementsAre("p on n", "p failed: running Bind plugin \"DefaultBinder\": the server is busy",
                  "p on n", "p bound to n"));
}

TEST_F(LateAnswersTest, TheUpdateOfAPodComesBeforeTheAnswer) {
  decide({"p"});
  model::Pod seen = pod("p");
  seen.spec.node_name = "n";
  apply(model::modified(of_template(seen)));
  EXPECT_EQ(state("p"), model::PodState::kBound);
  EXPECT_THAT(take(), ElementsAre("p on n", "p bound to n"));
  EXPECT_EQ(answer("p", Kind::kBound), 0u);
  EXPECT_THAT(take(), IsEmpty());
}

TEST_F(LateAnswersTest, AnErrorAfterTheUpdateChangesNothing) {
  decide({"p"});
  model::Pod seen = pod("p");
  seen.spec.node_name = "n";
  apply(model::modified(of_template(seen)));
  take();
  EXPECT_EQ(answer("p", Kind::kFailed, "connection lost"), 0u);
  EXPECT_EQ(state("p"), model::PodState::kBound);
  EXPECT_THAT(take(),
              ElementsAre("p failed: running Bind plugin \"DefaultBinder\": connection lost"));
}

// The binding was carried out, and the answer is an error.
TEST_F(LateAnswersTest, ALostAnswerIsFollowedByTheBinding) {
  for (const auto& [name, kind] : {std::pair("p", Kind::kLost), std::pair("q", Kind::kLostSeen)}) {
    decide({name});
    EXPECT_EQ(answer(name, kind, "time-out"), 0u);
    EXPECT_EQ(state(name), model::PodState::kBound);
  }
}

TEST_F(LateAnswersTest, ANodeThatIsRemovedMeanwhileKeepsItsPod) {
  for (const Kind kind : {Kind::kBound, Kind::kFailed, Kind::kLost}) {
    const std::string name = "p" + std::to_string(static_cast<int>(kind));
    apply(model::modified(node("n")));
    decide({name});
    apply(model::deleted(node("n")));
    EXPECT_EQ(state(name), model::PodState::kBinding);
    EXPECT_EQ(answer(name, kind), 0u);
    EXPECT_EQ(is_placed(name), kind != Kind::kFailed);
    core->door().remove(find(name));
  }
}

TEST_F(LateAnswersTest, AnAnswerToAPodThatWasReplacedIsPassedOver) {
  decide({"p"});
  model::Pod other = pod("p");
  other.uid = "another";
  apply(model::modified(of_template(other)));
  EXPECT_EQ(answer("p", Kind::kBound), 1u);
  EXPECT_FALSE(is_placed("p"));
}

// The room that a victim has is free when its grace period ends, and not before.
TEST_F(LateAnswersTest, AVictimThatIsBeingBoundTerminatesInItsTime) {
  apply(model::modified(node("n", 1)));
  decide({"p"});
  model::Pod urgent = pod("urgent");
  urgent.spec.priority = 10;
  schedule({urgent});
  EXPECT_TRUE(is_placed("p"));
  EXPECT_EQ(answer("p", Kind::kBound), 0u);
  EXPECT_TRUE(cluster().pod(find("p")).terminating);
  core->advance_to(core->now() + std::chrono::seconds(31));
  core->run_until_idle();
  EXPECT_FALSE(find("p"));
  EXPECT_TRUE(is_placed("urgent"));
}

TEST_F(LateAnswersTest, APodThatIsRemovedMeanwhileLeavesItsNode) {
  decide({"p"});
  core->door().remove(find("p"));
  EXPECT_THAT(take(), ElementsAre("p on n",
                                  "p failed: running Bind plugin \"DefaultBinder\": the pod was "
                                  "removed before the server answered"));
  EXPECT_EQ(answer("p", Kind::kBound), 1u);
}

TEST_F(LateAnswersTest, AnotherSchedulerIsFaster) {
  apply(model::added(node("m")));
  decide({"p"});
  const std::string other = take().front() == "p on n" ? "m" : "n";
  model::Pod elsewhere = pod("p");
  elsewhere.spec.node_name = other;
  apply(model::modified(of_template(elsewhere)));
  EXPECT_EQ(cluster().nodes().name(cluster().pod(find("p")).slot), other);
  EXPECT_THAT(take(), testing::Contains(testing::HasSubstr("another scheduler bound the pod")));
  EXPECT_EQ(answer("p", Kind::kConflict, "pod p is already assigned"), 1u);
}

// Takes what is written about pods.
class Patches final : public runtime::Server {
 public:
  explicit Patches(binding::BindingSink& bindings) : bindings_(bindings) {}
  binding::BindingSink* bindings() override { return &bindings_; }
  void evict(model::PodId) override {}
  void announce(model::PodId, std::string_view) override {}
  void patch_status(const runtime::StatusPatch& patch) override {
    messages.emplace_back(patch.message);
    then();
  }
  void put(const model::VolumeObject&) override {}

  std::vector<std::string> messages;
  std::function<void()> then = [] {};  // after each

 private:
  binding::BindingSink& bindings_;
};

class PatchesTest : public CoreTest {
 protected:
  void TearDown() override { core.reset(); }
  void start_over() {
    core.reset();
    runtime::CoreOptions options;
    options.server = &patches;
    core = std::make_unique<runtime::Core>(config::defaults(), plugins_and_picky(), options);
    core->door().apply(model::added(node("n")), "test");
  }
  // The pod is decided, and its binding is in a batch.
  model::PodId decide(const std::string& name) {
    const model::PodId id = core->door().add(pod(name));
    core->door().arrive({&id, 1});
    core->step();
    return id;
  }
  static model::TemplatePod on_node(const std::string& name) {
    model::Pod made = pod(name);
    made.spec.node_name = "n";
    return of_template(made);
  }

  Patches patches{bindings};
};

TEST_F(PatchesTest, NothingIsWrittenAboutAPodThatIsBoundAlready) {
  for (const Kind kind : {Kind::kFailed, Kind::kConflict}) {
    start_over();
    patches.messages.clear();
    bindings.answers["p"] = {Kind::kUnderWay};
    decide("p");
    core->settle();
    const runtime::BindingAnswer answer{bindings.numbers.at("p"), {kind, "no"}};
    EXPECT_EQ(core->door().answer({&answer, 1}), 0u);
    if (kind == Kind::kConflict)
      EXPECT_THAT(patches.messages, IsEmpty());
    else
      EXPECT_THAT(patches.messages, ElementsAre("running Bind plugin \"DefaultBinder\": no"));
  }
}

// The update of a pod in a batch binds the batch; a write about another pod of the batch releases a
// third one. The first is all the same what its update says.
TEST_F(PatchesTest, APodIsReleasedWhileAnotherOneIs) {
  start_over();
  core->door().apply(model::added(on_node("third")), "test");
  bindings.answers["failing"] = {Kind::kFailed, "no"};
  decide("failing");
  const model::PodId updated = decide("updated");
  ASSERT_EQ(cluster().pod(updated).state, model::PodState::kBinding);
  patches.then = [this] {
    if (const model::PodId third = find("third")) core->door().remove(third);
  };
  model::TemplatePod seen = on_node("updated");
  seen.created_at = 7;
  core->door().apply(model::modified(seen), "test");
  EXPECT_THAT(patches.messages, ElementsAre("running Bind plugin \"DefaultBinder\": no"));
  EXPECT_FALSE(find("third"));
  EXPECT_EQ(cluster().pod(updated).state, model::PodState::kBound);
  EXPECT_EQ(cluster().pod(updated).created_at, 7);
  EXPECT_EQ(core->fault(), "");
}

}  // namespace
}  // namespace berth::tests
