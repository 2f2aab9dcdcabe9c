// A host that accepts several revisions of a point. The tests give Score a later revision, and a
// former one with other functions (plugins/former_score.h) behind an adapter.

#include "engine/host/calls/revisions.h"
#include "engine/host/loading/library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/score.h"
#include "engine/base/error.h"
#include "engine/host/instance/instance.h"
#include "tests/host/fake_environment.h"
#include "tests/host/plugins/former_score.h"
#include "tests/host/scratch_folder.h"

namespace berth::host {
namespace {

// The former draft as a table of today. The plugin's functions get its instance, not the adapter.
class FormerScore final : public AdaptedTable {
 public:
  static std::unique_ptr<AdaptedTable> adapt(berth_plugin* plugin, const void* table) {
    const former_score& former = *static_cast<const former_score*>(table);
    if (!BERTH_HAS(&former, score))
      throw Error("has " + std::to_string(former.size) + " bytes; that revision has " +
                  std::to_string(sizeof former));
    return std::make_unique<FormerScore>(plugin, former);
  }

  FormerScore(berth_plugin* plugin, const former_score& former)
      : plugin_(plugin), former_(former), hook_(*former.hook) {
    hook_.prepare = prepare;
    hook_.release = release;
    hook_.describe = describe;
    table_.size = sizeof table_;
    table_.normalise = BERTH_NORMALISE_NONE;
    table_.hook = &hook_;
    table_.score = score;
  }

  berth_plugin* plugin() override { return reinterpret_cast<berth_plugin*>(this); }
  const void* table() const override { return &table_; }

 private:
  static FormerScore& of(berth_plugin* self) { return *reinterpret_cast<FormerScore*>(self); }

  static berth_code prepare(berth_plugin* self, const berth_template* pod,
                            berth_prepared* prepared) {
    return of(self).former_.hook->prepare(of(self).plugin_, pod, prepared);
  }
  static void release(berth_plugin* self, void* state) {
    of(self).former_.hook->release(of(self).plugin_, state);
  }
  static void describe(berth_plugin* self, const berth_call* call, uint32_t reason,
                       const berth_text_sink* sink) {
    of(self).former_.hook->describe(of(self).plugin_, call, reason, sink);
  }
  static berth_code score(berth_plugin* self, const berth_call* call, int64_t* raw) {
    std::vector<uint8_t> scores(call->count);
    const berth_code code = of(self).former_.score(of(self).plugin_, call, scores.data());
    if (code == BERTH_SUCCESS) std::ranges::copy(scores, raw);
    return code;
  }

  berth_plugin* plugin_;
  const former_score& former_;
  berth_hook hook_;
  berth_score table_{};
};

constexpr Revision kTwo[] = {
    {PRESENT_SCORE, Point::kScore},
    {FORMER_SCORE, Point::kScore, FormerScore::adapt},
};
// PreEnqueue became stable: both ids mean the same.
constexpr Revision kSame[] = {
    {"berth.pre_enqueue/1", Point::kPreEnqueue},
    {"berth.pre_enqueue/0", Point::kPreEnqueue},
};

std::string failure(const char* plugin, Revisions revisions) {
  FakeEnvironment fake;
  try {
    const Instance instance(Library::load(ScratchFolder::built(plugin), revisions),
                            fake.environment, fake.calls, {});
  } catch (const Error& error) {
    return error.message();
  }
  return "started";
}

// A plugin's Score, called for one pod and two nodes.
class ScoreOf {
 public:
  explicit ScoreOf(const char* plugin)
      : instance_(Library::load(ScratchFolder::built(plugin), kTwo), fake_.environment, fake_.calls,
                  {}) {}
  ~ScoreOf() { prepared_ = {}; }

  const Score& hook() const { return *instance_.hook<Score>(); }
  const Library& library() const { return instance_.library(); }

  CallError prepare(int64_t priority) {
    priority_ = priority;
    pod_[0].data = &priority_;
    pod_[0].count = 1;
    return hook().prepare(fake_.calls, pod_, prepared_);
  }
  CallError score(std::array<int64_t, 2>& raw) {
    berth_column columns[2] = {pod_[0], {}};
    columns[1].data = kPods;
    columns[1].count = 2;
    call_.count = 2;
    call_.columns = columns;
    call_.column_count = 2;
    call_.state = prepared_.state();
    return hook().call(fake_.calls, call_, raw);
  }
  std::vector<std::string> texts() {
    std::vector<std::string> texts;
    EXPECT_FALSE(hook().describe(fake_.calls, call_, 1, texts));
    return texts;
  }
  void release() { prepared_ = {}; }

 private:
  static constexpr int64_t kPods[2] = {3, 7};
  FakeEnvironment fake_;
  Instance instance_;
  Prepared prepared_;
  int64_t priority_ = 0;
  berth_column pod_[2]{};
  berth_call call_{};
};

TEST(Revisions, AFormerOneRunsBehindAnAdapter) {
  ScoreOf former("former_score");
  EXPECT_EQ(former.library().points(), std::vector<Point>{Point::kScore});
  EXPECT_EQ(former.library().revisions()[0]->id, FORMER_SCORE);
  ASSERT_FALSE(former.prepare(20));
  std::array<int64_t, 2> raw{};
  ASSERT_FALSE(former.score(raw));
  EXPECT_EQ(raw, (std::array<int64_t, 2>{23, 27}));
  EXPECT_EQ(former.texts(), std::vector<std::string>{"one state"});
  former.release();
  EXPECT_EQ(former.texts(), std::vector<std::string>{"no state"});
}

TEST(Revisions, ItsErrorsKeepTheirTexts) {
  ScoreOf former("former_score");
  ASSERT_FALSE(former.prepare(99));
  std::array<int64_t, 2> raw{};
  const CallError error = former.score(raw);
  ASSERT_TRUE(error);
  EXPECT_EQ(error.text(), "a priority that this draft does not know");
}

TEST(Revisions, OfTwoThePresentOneIsTaken) {
  ScoreOf both("both_scores");
  EXPECT_EQ(both.library().points(), std::vector<Point>{Point::kScore});
  EXPECT_EQ(both.library().revisions()[0]->id, PRESENT_SCORE);
  ASSERT_FALSE(both.prepare(20));
  std::array<int64_t, 2> raw{};
  ASSERT_FALSE(both.score(raw));
  EXPECT_EQ(raw, (std::array<int64_t, 2>{24, 28}));
}

TEST(Revisions, AHostOfTheFormerOneTakesThat) {
  FakeEnvironment fake;
  const Instance instance(
      Library::load(ScratchFolder::built("both_scores"), Revisions(kTwo).subspan(1)),
      fake.environment, fake.calls, {});
  EXPECT_EQ(instance.library().revisions()[0]->id, FORMER_SCORE);
}

TEST(Revisions, AnIdThatMeansTheSameNeedsNoAdapter) {
  FakeEnvironment fake;
  const Instance instance(Library::load(ScratchFolder::built("good"), kSame), fake.environment,
                          fake.calls, {});
  ASSERT_NE(instance.hook<PreEnqueue>(), nullptr);
  berth_call call{};
  call.count = 1;
  std::array<uint8_t, 1> codes{};
  std::array<uint32_t, 1> reasons{};
  EXPECT_FALSE(instance.hook<PreEnqueue>()->call(fake.calls, call, codes, reasons));
  EXPECT_EQ(codes[0], BERTH_SUCCESS);
}

TEST(Revisions, OthersAreRefusedWithTheAcceptedOnes) {
  EXPECT_EQ(failure("other_revision", kTwo),
            "plugin \"Identity\" implements berth.score/9; this Berth has berth.score/1, "
            "berth.score/0");
  EXPECT_EQ(failure("good", kTwo),
            "plugin \"Identity\" implements no extension point that this Berth has "
            "(berth.pre_enqueue/0)");
}

// A table of a former shape under an id of today is refused, and one that its adapter refuses.
TEST(Revisions, ATableOfAnotherShapeIsNotMisread) {
  EXPECT_EQ(failure("former_score", host_revisions()),
            "plugin \"FormerScore\" is not usable: its table for berth.score/0 has 24 bytes; ABI " +
                host_abi() + " has 48");
  EXPECT_EQ(failure("short_score", kTwo),
            "plugin \"FormerScore\" is not usable: its table for berth.score/0 has 16 bytes; that "
            "revision has 24");
}

TEST(Revisions, OfThisHost) {
  std::array<size_t, kPointCount> count{};
  for (const Revision& revision : host_revisions()) {
    EXPECT_EQ(find_revision(host_revisions(), revision.id), &revision);
    ++count[static_cast<size_t>(revision.point)];
  }
  for (const size_t revisions : count) EXPECT_GE(revisions, 1u);
  EXPECT_EQ(point_id(Point::kFilter), BERTH_FILTER);
}

}  // namespace
}  // namespace berth::host
