// Rankings that were brought up to date ahead of a decision: it asks about the rows that changed
// since, and decides as one that was not prepared.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <atomic>

#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakeFailure;
using testing::FakePlugin;
using testing::FakeWorld;

constexpr uint32_t kManyNodes = 300;
constexpr int kKindsAhead = 8;

// Two deciders over equal clusters, one of them with three threads. Pods are of several kinds, each
// with a request of its own. The plugin counts the positions that it is asked about.
class Side {
 public:
  enum class Kinds { kApart, kShareTheFilter, kFailToScore };

  explicit Side(Workers* workers, bool measured = false, Kinds kinds = Kinds::kApart)
      : world_(kManyNodes) {
    plugin_.filter_hook = {.inputs = {"node.pods", "pod.priority"}};
    plugin_.filter = [this](const FakeCall& call, size_t i) {
      ++asked_;
      return call.at<int64_t>(0, i) >= 2 + call.at<int64_t>(1, 0) % 2 ? uint8_t{BERTH_UNSCHEDULABLE}
                                                                      : uint8_t{BERTH_SUCCESS};
    };
    if (kinds == Kinds::kShareTheFilter) {
      plugin_.filter_hook = {.inputs = {"node.pods"}};
      plugin_.filter = [this](const FakeCall& call, size_t i) {
        ++asked_;
        return call.at<int64_t>(0, i) >= 2 ? uint8_t{BERTH_UNSCHEDULABLE} : uint8_t{BERTH_SUCCESS};
      };
    }
    plugin_.score_hook = {.inputs = {"node.pods", "pod.priority"}};
    plugin_.score = [this](const FakeCall& call, size_t i) {
      ++asked_;
      return (50 + call.at<int64_t>(1, 0) * call.at<int64_t>(0, i)) % 100;
    };
    if (kinds == Kinds::kFailToScore)
      plugin_.score_hook.prepare = [](const berth_template&) -> int64_t {
        throw FakeFailure{"no"};
      };
    profile_ = world_.profile({&plugin_});
    FullOptions options;
    options.ranking_from = 1;
    options.workers = workers;
    options.measured = measured;
    options.ahead_from = 1;
    evaluator_ =
        make_evaluator(Evaluation::kIncremental, world_.cluster(), world_.calls(), options);
    decider_.emplace(world_.cluster(), *evaluator_, world_.calls(),
                     DecideOptions{.percentage_of_nodes_to_score = 100});
  }
  ~Side() {
    decider_.reset();
    evaluator_.reset();
    profile_.reset();
  }

  model::PodId add(int kind) {
    model::Pod pod = FakeWorld::pod("p" + std::to_string(pods_));
    pod.spec.priority = kind;
    const model::PodRecord& added = world_.add(pod);
    world_.cluster().set_queue_time(added.id, pods_, pods_);
    ++pods_;
    return added.id;
  }
  Decision decide(model::PodId id) {
    model::Cluster& cluster = world_.cluster();
    cluster.order_rows();
    asked_ = 0;
    return decider_->decide(*profile_, {.pod = &cluster.pod(id)});
  }
  model::Row schedule(model::PodId id) {
    const Decision decision = decide(id);
    EXPECT_EQ(decision.outcome, Outcome::kScheduled) << decision.message;
    world_.cluster().place(id, decision.row);
    return decision.row;
  }
  void prepare(const std::vector<model::PodId>& pods) {
    std::vector<KindAnswers> next;
    std::vector<DecisionContext> new_kinds;
    world_.cluster().order_rows();
    for (const model::PodId id : pods) {
      const model::PodRecord& pod = world_.cluster().pod(id);
      const PodKind& kind = profile_->kind_of(pod);
      next.push_back({kind.pre_filter.answers().number, kind.pre_score.answers().number});
      if (next.back().pre_filter != 0) continue;
      if (auto context = decider_->introduce(*profile_, {.pod = &pod}))
        new_kinds.push_back(*std::move(context));
    }
    while (evaluator_->looks_ahead() == 0) {
    }
    asked_ = 0;
    evaluator_->prepare(next, new_kinds);
  }
  // Number of decisions until the evaluator looks at the pods that wait next, at most `most`.
  int pause(int most) {
    int decisions = 0;
    while (decisions < most && evaluator_->looks_ahead() == 0) ++decisions;
    return decisions;
  }
  uint64_t asked() const { return asked_; }

 private:
  FakeWorld world_;
  FakePlugin plugin_{"Counting"};
  std::unique_ptr<Profile> profile_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Decider> decider_;
  int pods_ = 0;
  std::atomic<uint64_t> asked_ = 0;
};

class LookAheadTest : public ::testing::Test {
 protected:
  // Each of the kinds gets a pod on either side.
  void round() {
    for (int kind = 0; kind < kKindsAhead; ++kind) {
      const model::Row expected = alone_.schedule(alone_.add(kind));
      EXPECT_EQ(prepared_.schedule(prepared_.add(kind)), expected) << "kind " << kind;
    }
  }

  tbb::global_control limit_{tbb::global_control::max_allowed_parallelism, 3};
  Workers workers_{3};
  Side alone_{nullptr};
  Side prepared_{&workers_};
};

TEST_F(LookAheadTest, ADecisionThatWasPreparedAsksAboutTheRowsThatChangedSince) {
  round();
  round();
  std::vector<model::PodId> next;
  for (int kind = 0; kind < kKindsAhead; ++kind) next.push_back(prepared_.add(kind));
  prepared_.prepare(next);
  EXPECT_GT(prepared_.asked(), 0u);
  EXPECT_LE(prepared_.asked(), 2u * kKindsAhead * kKindsAhead);
  prepared_.schedule(next[0]);
  EXPECT_EQ(prepared_.asked(), 0u);
}

TEST_F(LookAheadTest, ADecisionAboutANewKindThatWasPreparedAsksAboutNoRow) {
  std::vector<model::PodId> next;
  for (int kind = 0; kind < kKindsAhead; ++kind) next.push_back(prepared_.add(kind));
  prepared_.prepare(next);
  EXPECT_EQ(prepared_.asked(), 2u * kKindsAhead * kManyNodes);  // by Filter and by Score
  EXPECT_EQ(prepared_.schedule(next[0]), alone_.schedule(alone_.add(0)));
  EXPECT_EQ(prepared_.asked(), 0u);
  EXPECT_EQ(prepared_.schedule(next[1]), alone_.schedule(alone_.add(1)));
  EXPECT_EQ(prepared_.asked(), 2u);  // about the row of the first pod
}

TEST_F(LookAheadTest, OneThreadMakesARankingThatNewKindsShare) {
  Side alone(nullptr, false, Side::Kinds::kShareTheFilter);
  Side prepared(&workers_, false, Side::Kinds::kShareTheFilter);
  std::vector<model::PodId> next;
  for (int kind = 0; kind < kKindsAhead; ++kind) next.push_back(prepared.add(kind));
  prepared.prepare(next);
  EXPECT_EQ(prepared.asked(), 2u * kManyNodes);
  for (int kind = 0; kind < kKindsAhead; ++kind)
    EXPECT_EQ(prepared.schedule(next[static_cast<size_t>(kind)]), alone.schedule(alone.add(kind)));
}

TEST_F(LookAheadTest, AScoreThatCannotBePreparedIsFoundByTheDecision) {
  Side side(&workers_, false, Side::Kinds::kFailToScore);
  const model::PodId pod = side.add(0);
  side.prepare({pod});
  EXPECT_EQ(side.asked(), kManyNodes);  // by Filter
  const Decision decision = side.decide(pod);
  EXPECT_EQ(side.asked(), 0u);
  EXPECT_EQ(decision.outcome, Outcome::kError);
}

TEST_F(LookAheadTest, PausesBecomeLongerWhileNobodyWaits) {
  Side side(&workers_, true);
  for (int turn = 0; turn < 2; ++turn)
    for (int kind = 0; kind < kKindsAhead; ++kind) side.schedule(side.add(kind));
  EXPECT_LT(side.pause(1'000), 1'000);
  side.prepare({});
  EXPECT_EQ(side.pause(10'000), 32);
  side.prepare({});
  EXPECT_EQ(side.pause(10'000), 64);
  for (int i = 0; i < 12; ++i) side.prepare({});
  EXPECT_EQ(side.pause(10'000), 4096);
}

TEST_F(LookAheadTest, DecisionsAreThoseThatWereNotPrepared) {
  std::vector<model::PodId> next;  // that never get their turn
  for (int kind = 0; kind < kKindsAhead; ++kind) {
    next.push_back(prepared_.add(kind));
    static_cast<void>(alone_.add(kind));
  }
  for (int i = 0; i < 12; ++i) {
    prepared_.prepare(next);
    round();
  }
}

}  // namespace
}  // namespace berth::framework
