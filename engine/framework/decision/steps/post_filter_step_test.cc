// PostFilter: what plugins are told, what becomes of their answers, and the what-ifs that they ask
// for.

#include "engine/framework/decision/steps/post_filter_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/framework/decision/decide.h"
#include "engine/framework/evaluation/reference.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::FakeCall;
using testing::FakeFailure;
using testing::FakePlugin;
using testing::FakeWorld;
using ::testing::HasSubstr;
using ::testing::Ne;

class PostFilterTest : public ::testing::Test {
 protected:
  // "Room" refuses rows where pods request more than 300m of CPU; two plugins may preempt.
  PostFilterTest() {
    room_.filter_hook.inputs = {"node.requested:cpu"};
    room_.filter = [](const FakeCall& call, size_t i) -> uint8_t {
      return call.at<int64_t>(0, i) <= 300 ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
    };
    first_.post_filter_hook.inputs = {"node.row", "node.name", "pod.handle", "pod.priority"};
    second_.post_filter_hook = first_.post_filter_hook;
  }
  ~PostFilterTest() override {
    decider_.reset();
    evaluator_.reset();
    profile_.reset();
  }

  void start(uint32_t nodes, DecideOptions options = {}, Workers* workers = nullptr) {
    world_.emplace(nodes);
    profile_ = world_->profile({&room_, &first_, &second_});
    evaluator_.emplace(world_->cluster(), world_->calls());
    decider_.emplace(world_->cluster(), *evaluator_, world_->calls(), options,
                     PostFilterOptions{workers, &world_->trials()});
  }
  model::PodId place(const std::string& name, model::Row row, int64_t milli_cpu = 400,
                     int32_t priority = 0) {
    model::Pod pod = FakeWorld::pod(name, milli_cpu);
    pod.spec.priority = priority;
    const model::PodId id = world_->add(pod).id;
    world_->cluster().place(id, row);
    return id;
  }
  Decision decide(const model::Pod& pod) {
    record_ = world_->cluster().record_of(pod);
    return decider_->decide(*profile_, {.pod = &record_});
  }
  Decision decide() { return decide(FakeWorld::pod("p")); }

  auto answers(berth_code code, uint32_t reason, bool clears = false) {
    return [=](const FakeCall&, const uint8_t*, uint64_t, berth_nomination& nomination) {
      nomination.code = code;
      nomination.reason = reason;
      nomination.clears = clears;
    };
  }
  // Nominates n0 with these victims.
  auto nominates(std::vector<model::PodId> victims, const std::string& node = "n0") {
    handles_.clear();
    for (const model::PodId pod : victims) handles_.push_back(pod.handle());
    return [this, node](const FakeCall&, const uint8_t*, uint64_t, berth_nomination& nomination) {
      nomination.code = BERTH_SUCCESS;
      nomination.node = world_->cluster().strings().intern(node);
      nomination.victims = handles_.data();
      nomination.victim_count = handles_.size();
    };
  }

  FakePlugin room_{"Room"}, first_{"First"}, second_{"Second"};
  std::vector<uint64_t> handles_;
  std::optional<FakeWorld> world_;
  std::unique_ptr<Profile> profile_;
  std::optional<ReferenceEvaluator> evaluator_;
  std::optional<Decider> decider_;
  model::PodRecord record_;
};

TEST_F(PostFilterTest, IsAskedOnlyIfNoRowFits) {
  int asked = 0;
  first_.post_filter = [&](const FakeCall& call, const uint8_t* codes, uint64_t draw,
                           berth_nomination& nomination) {
    ++asked;
    EXPECT_EQ(call.raw().count, 2u);
    EXPECT_EQ(codes[0], BERTH_UNSCHEDULABLE);
    EXPECT_EQ(codes[1], BERTH_UNSCHEDULABLE);
    EXPECT_NE(draw, 0u);
    nomination.code = BERTH_UNSCHEDULABLE;
  };
  start(2);
  place("a", 0);
  Decision made = decide();
  EXPECT_EQ(made.outcome, Outcome::kScheduled);
  EXPECT_FALSE(made.post_filter);
  place("b", 1);
  made = decide();
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(made.post_filter);
  EXPECT_EQ(made.nominating, Nominating::kKeep);
  EXPECT_EQ(made.event(), made.message);
}

TEST_F(PostFilterTest, ARefusalWithoutPluginsKeepsTheNominationUnlessItIsToldNotTo) {
  for (const bool clears : {false, true}) {
    decider_.reset();
    evaluator_.reset();
    profile_.reset();
    start(1, {.clears_without_post_filter = clears});
    place("a", 0);
    EXPECT_EQ(decide().nominating, clears ? Nominating::kClear : Nominating::kKeep);
  }
}

TEST_F(PostFilterTest, IsNotAskedWithoutNodes) {
  first_.post_filter = answers(BERTH_UNSCHEDULABLE, 1);
  start(0);
  const Decision made = decide();
  EXPECT_FALSE(made.post_filter);
  EXPECT_EQ(made.nominating, Nominating::kClear);
}

// Rows that the search left out cannot be helped, and a PreFilter's refusal holds for every row.
TEST_F(PostFilterTest, EveryRowHasTheCodeOfItsRefusal) {
  std::vector<int> codes;
  first_.post_filter = [&](const FakeCall& call, const uint8_t* of, uint64_t,
                           berth_nomination& nomination) {
    codes.assign(of, of + call.raw().count);
    nomination.code = BERTH_UNSCHEDULABLE;
  };
  uint32_t name = 0;
  room_.pre_filter_hook.prepare = [](const berth_template&) { return int64_t{0}; };
  room_.pre_filter = [&](const FakeCall&, berth_pre_filter_result& result) {
    result.narrows = 1;
    result.node_names = &name;
    result.node_name_count = 1;
  };
  start(3);
  for (model::Row row = 0; row < 3; ++row) place("p" + std::to_string(row), row);
  name = world_->cluster().strings().intern("n1");
  decide();
  EXPECT_THAT(codes, ElementsAre(3, 2, 3));
  for (const berth_code code : {BERTH_UNSCHEDULABLE, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE}) {
    room_.pre_filter = [=](const FakeCall&, berth_pre_filter_result& result) {
      result.code = code;
    };
    model::Pod other = FakeWorld::pod("other" + std::to_string(code));
    decide(other);
    EXPECT_THAT(codes, Each(code));
  }
}

TEST_F(PostFilterTest, WithTiesByNamePositionsAreInTheOrderOfNames) {
  std::vector<uint32_t> rows;
  first_.post_filter = [&](const FakeCall& call, const uint8_t*, uint64_t draw,
                           berth_nomination& nomination) {
    EXPECT_EQ(draw, 0u);
    for (size_t i = 0; i < call.raw().count; ++i) rows.push_back(call.at<uint32_t>(0, i));
    nomination.code = BERTH_UNSCHEDULABLE;
  };
  start(12, {.tie_break = TieBreak::kName});
  for (model::Row row = 0; row < 12; ++row) place("p" + std::to_string(row), row);
  decide();
  EXPECT_THAT(rows, ElementsAre(0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST_F(PostFilterTest, TextsAreThoseOfAllThatDidNotHelp) {
  first_.post_filter = answers(BERTH_UNSCHEDULABLE, 7, true);
  second_.post_filter = [](const FakeCall& call, const uint8_t*, uint64_t,
                           berth_nomination& nomination) {
    nomination.code = BERTH_UNSCHEDULABLE;
    for (const std::string text : {"one", "two"})
      call.raw().error->write(call.raw().error->context, {text.data(), text.size()});
  };
  start(1);
  place("a", 0);
  const Decision made = decide();
  EXPECT_EQ(made.message, "0/1 nodes are available: 1 Room says 1.");
  EXPECT_EQ(made.event(), made.message + " First says 7, one, two");
  EXPECT_EQ(made.nominating, Nominating::kClear);
  ASSERT_EQ(made.post_filter->texts.size(), 2u);
  EXPECT_EQ(made.post_filter->texts[1].plugin, "Second");
}

TEST_F(PostFilterTest, AnUnresolvableAnswerAndAFailureEndTheMatter) {
  int asked = 0;
  second_.post_filter = [&](const FakeCall&, const uint8_t*, uint64_t, berth_nomination&) {
    ++asked;
  };
  first_.post_filter = answers(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, 4);
  start(1);
  place("a", 0);
  EXPECT_THAT(decide().event(), HasSubstr(". First says 4"));
  first_.post_filter = [](const FakeCall&, const uint8_t*, uint64_t, berth_nomination&) {
    throw FakeFailure{"broke"};
  };
  const Decision made = decide();
  EXPECT_THAT(made.event(), HasSubstr(". broke"));
  EXPECT_EQ(made.outcome, Outcome::kUnschedulable);
  EXPECT_EQ(made.nominating, Nominating::kKeep);
  EXPECT_EQ(asked, 0);
}

TEST_F(PostFilterTest, ANominationIsPartOfTheDecision) {
  first_.post_filter = answers(BERTH_UNSCHEDULABLE, 7, true);
  second_.post_filter = [](const FakeCall&, const uint8_t*, uint64_t, berth_nomination&) {};
  start(1);
  const model::PodId a = place("a", 0), b = place("b", 0);
  second_.post_filter = nominates({b, a});
  const Decision made = decide();
  EXPECT_EQ(made.nominating, Nominating::kSet);
  EXPECT_EQ(made.post_filter->plugin, "Second");
  EXPECT_EQ(made.post_filter->row, 0u);
  EXPECT_THAT(made.post_filter->victims, ElementsAre(b, a));
  EXPECT_EQ(made.event(), made.message);
}

TEST_F(PostFilterTest, AWrongNominationIsAFailureOfThePlugin) {
  first_.post_filter = [](const FakeCall&, const uint8_t*, uint64_t, berth_nomination&) {};
  start(2);
  const model::PodId a = place("a", 0), elsewhere = place("b", 1);
  const auto wrong = [&](auto nomination, const char* why) {
    first_.post_filter = nomination;
    const Decision made = decide();
    EXPECT_EQ(made.nominating, Nominating::kKeep);
    EXPECT_TRUE(made.post_filter->victims.empty());
    EXPECT_THAT(made.event(), HasSubstr(why));
  };
  wrong(nominates({a}, "gone"), "plugin \"First\" nominated \"gone\", which is no node");
  wrong(nominates({elsewhere}), "named a victim");
  wrong(nominates({a, a}), "named a victim");
  wrong(nominates({model::PodId{99, 1}}), "named a victim");
  EXPECT_EQ(world_->calls().counts(profile_->post_filter.front().point->id()).broken, 4u);
}

// The trials of a row: removing pods until it fits.
TEST_F(PostFilterTest, WhatIfsTryRemovals) {
  first_.post_filter = [&](const FakeCall&, const uint8_t*, uint64_t,
                           berth_nomination& nomination) {
    host::TrialServices& services = *world_->trials().now;
    EXPECT_EQ(services.begin(1), nullptr);
    host::WhatIf& row = *services.begin(0);
    const FakeCall pods(*row.pods());
    EXPECT_EQ(pods.raw().count, 2u);
    EXPECT_EQ(pods.raw().columns[0].data, nullptr);  // of another table
    EXPECT_EQ(pods.at<int64_t>(3, 0), 1);
    EXPECT_EQ(pods.at<int64_t>(3, 1), 2);
    EXPECT_EQ(row.filter(), BERTH_UNSCHEDULABLE);
    std::string said;
    const berth_text_sink sink{sizeof sink, 0, &said, [](void* to, berth_string text) {
                                 static_cast<std::string*>(to)->append(text.data, text.size);
                               }};
    row.reasons(sink);
    EXPECT_EQ(said, "Room says 1");
    row.remove_pod(0);
    EXPECT_EQ(row.filter(), BERTH_UNSCHEDULABLE);
    row.remove_pod(1);
    EXPECT_EQ(row.filter(), BERTH_SUCCESS);
    row.add_pod(0);
    EXPECT_EQ(row.filter(), BERTH_UNSCHEDULABLE);
    row.reset();
    EXPECT_EQ(row.filter(), BERTH_UNSCHEDULABLE);
    row.remove_pod(0);
    row.remove_pod(0);  // not twice
    EXPECT_EQ(row.filter(), BERTH_ERROR);
    host::WhatIf& other = *services.begin(0);
    EXPECT_NE(&other, &row);
    other.remove_pod(7);
    EXPECT_EQ(other.filter(), BERTH_ERROR);
    other.end();
    nomination.code = BERTH_UNSCHEDULABLE;  // a what-if is still open: the host ends it
  };
  start(1);
  place("a", 0, 400, 1);
  place("b", 0, 400, 2);
  decide();
  decide();
  EXPECT_EQ(world_->trials().now, nullptr);
}

// Its values are not those of the column.
TEST_F(PostFilterTest, AColumnInATrialHasNoGeneration) {
  std::vector<uint64_t> seen;
  room_.filter = [&, plain = room_.filter](const FakeCall& call, size_t i) {
    seen.push_back(call.raw().columns[0].generation);
    return plain(call, i);
  };
  first_.post_filter = [&](const FakeCall&, const uint8_t*, uint64_t, berth_nomination& answer) {
    EXPECT_THAT(seen, ElementsAre(Ne(0u)));
    host::WhatIf& row = *world_->trials().now->begin(0);
    row.remove_pod(0);
    EXPECT_EQ(row.filter(), BERTH_SUCCESS);
    row.end();
    EXPECT_THAT(seen, ElementsAre(Ne(0u), 0u));
    answer.code = BERTH_UNSCHEDULABLE;
  };
  start(1);
  place("a", 0);
  decide();
  EXPECT_EQ(seen.size(), 2u);
}

// Each thread has its own trials; results do not depend on the number of threads.
TEST_F(PostFilterTest, ThreadsGetEqualResults) {
  constexpr uint32_t kNodes = 200;
  std::vector<int> fits;
  first_.post_filter = [&](const FakeCall&, const uint8_t*, uint64_t,
                           berth_nomination& nomination) {
    host::TrialServices& services = *world_->trials().now;
    fits.assign(kNodes, 0);
    const auto body = [](void* context, uint64_t i) {
      auto& test = *static_cast<std::pair<host::TrialServices*, std::vector<int>*>*>(context);
      host::WhatIf& row = *test.first->begin(static_cast<uint32_t>(i));
      const uint64_t pods = row.pods()->count;
      for (uint64_t pod = 0; pod < pods && row.filter() != BERTH_SUCCESS; ++pod) {
        row.remove_pod(pod);
        ++(*test.second)[i];
      }
      row.end();
    };
    std::pair<host::TrialServices*, std::vector<int>*> context{&services, &fits};
    services.for_each(kNodes, &context, body);
    nomination.code = BERTH_UNSCHEDULABLE;
  };
  std::vector<int> alone;
  for (const int threads : {1, 2, 4}) {
    Workers workers(threads);
    start(kNodes, {}, &workers);
    for (model::Row row = 0; row < kNodes; ++row)
      for (uint32_t i = 0; i < row % 7 + 1; ++i)
        place("p" + std::to_string(row) + "-" + std::to_string(i), row, 310);
    decide();
    if (threads == 1) alone = fits;
    EXPECT_EQ(fits, alone) << threads;
    EXPECT_THAT(fits, Each(Ne(0)));
    decider_.reset();
  }
}

}  // namespace
}  // namespace berth::framework
