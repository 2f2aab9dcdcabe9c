// The SDK at every extension point: the answers of derived classes reach the C tables, and
// exceptions do not.

#include <optional>

#include <gtest/gtest.h>

#include "berth/sdk/sdk.hpp"
#include "plugins/testing/harness.h"
#include "tests/abi/sdk_hooks.h"

namespace {

namespace sdk = berth::sdk;
using namespace berth::tests;

class EveryPoint : public sdk::Plugin {
 public:
  static constexpr char kVersion[] = "2.1";
  EveryPoint() {
    maybe_throw();
    add(pre_enqueue_, queue_sort_, hints_, pre_filter_, filter_, post_filter_, pre_score_, score_);
    add(reserve_, permit_, pre_bind_, bind_, post_bind_, overlay_, observe_);
  }
  static void validate(const sdk::Config& config) {
    config["known"].integer();
    maybe_throw();
  }
  void init(sdk::Host, const sdk::Config&) override { maybe_throw(); }

 private:
  MyPreEnqueue pre_enqueue_;
  MyQueueSort queue_sort_;
  MyHints hints_;
  MyPreFilter pre_filter_;
  MyFilter filter_;
  MyPostFilter post_filter_;
  MyPreScore pre_score_;
  MyScore score_;
  MyReserve reserve_;
  MyPermit permit_;
  MyPreBind pre_bind_;
  MyBind bind_;
  MyPostBind post_bind_;
  MyOverlay overlay_;
  HearsAll observe_;
};

}  // namespace

BERTH_SDK_PLUGIN(EveryPoint, "io.berth.test.sdk-every-point", "SdkEveryPoint",
                 BERTH_PRE_ENQUEUE " " BERTH_QUEUE_SORT " " BERTH_HINTS " " BERTH_PRE_FILTER
                                   " " BERTH_FILTER " " BERTH_POST_FILTER " " BERTH_PRE_SCORE
                                   " " BERTH_SCORE " " BERTH_RESERVE " " BERTH_PERMIT
                                   " " BERTH_PRE_BIND " " BERTH_BIND " " BERTH_POST_BIND
                                   " " BERTH_OVERLAY_STATE " " BERTH_OBSERVE);

namespace berth::plugins::testing {
namespace {

using Ints = std::vector<int64_t>;
using Texts = std::vector<std::string>;

class SdkPointsTest : public ::testing::Test {
 protected:
  ~SdkPointsTest() override { thrown = 0; }

  Columns columns(int64_t priority) {
    return {{"pod.priority", Ints{priority}},
            {"node.pods", Ints{1, 2}},
            {"node.allocatable:cpu", Ints{10, 20}}};
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(SdkPointsTest, Descriptor) {
  const berth_plugin_descriptor& descriptor = Harness::descriptor();
  EXPECT_EQ(descriptor.size, sizeof(descriptor));
  EXPECT_EQ(descriptor.abi_minor_needed, sdk::info(sdk::Point::kObserve).since_minor);
  EXPECT_EQ(sdk::to_view(descriptor.id), "io.berth.test.sdk-every-point");
  EXPECT_EQ(sdk::to_view(descriptor.name), "SdkEveryPoint");
  EXPECT_EQ(sdk::to_view(descriptor.version), "2.1");
  for (const sdk::PointInfo& point : sdk::kPoints)
    EXPECT_NE(plugin_.table<berth_filter>(point.id), nullptr) << point.id;
  EXPECT_EQ(plugin_.table<berth_filter>("berth.filter/1"), nullptr);
}

TEST_F(SdkPointsTest, FilterNarrowsAndRefuses) {
  EXPECT_EQ(plugin_.filter(columns(15)),
            (std::vector<Verdict>{{BERTH_UNSCHEDULABLE, {"a small node"}}, {}}));
  EXPECT_EQ(plugin_.inputs(), Texts{"node.allocatable:cpu"});
  plugin_.filter(columns(0));
  EXPECT_TRUE(plugin_.passed());
}

TEST_F(SdkPointsTest, AColumnThatWasNotPreparedIsAnErrorOfTheCall) {
  try {
    plugin_.filter(columns(99));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).find("an input was read that `prepare` left out: "), 0u);
  }
}

// The filter's own code reads what its calls are given: the state of prepare or an overlay's copy
// of it, with the columns that prepare chose.
TEST_F(SdkPointsTest, FilterReadsTheCopyThatFollowsPods) {
  const auto& overlay = *plugin_.table<berth_overlay_state>(BERTH_OVERLAY_STATE);
  const auto& filter = *plugin_.table<berth_filter>(BERTH_FILTER);
  berth_plugin* self = plugin_.raw();
  EXPECT_EQ(overlay.hook->input_count, 1u);
  const Values priority = Values(Ints{5}), pods = Values(Ints{1}), cpu = Values(Ints{10});
  const berth_column declared[] = {priority.column(), pods.column(), {}};
  const berth_template pod = {sizeof(pod), 3, declared, nullptr};
  berth_prepared prepared{};
  ASSERT_EQ(filter.hook->prepare(self, &pod, &prepared), BERTH_SUCCESS);
  void* copy = overlay.begin(self, prepared.state);
  ASSERT_NE(copy, nullptr);

  const berth_column chosen[] = {cpu.column()}, changed[] = {priority.column()};
  berth_call judged{}, moved{};
  judged.size = moved.size = sizeof(judged);
  judged.count = moved.count = judged.column_count = moved.column_count = 1;
  judged.columns = chosen;
  moved.columns = changed;
  const auto verdict = [&](const void* state) {
    uint8_t found = 99;
    judged.state = state;
    EXPECT_EQ(filter.filter(self, &judged, &found), BERTH_SUCCESS);
    return found;
  };
  EXPECT_EQ(verdict(prepared.state), BERTH_SUCCESS);  // a limit of 5
  EXPECT_EQ(verdict(copy), BERTH_SUCCESS);
  EXPECT_EQ(overlay.add_pod(self, copy, &moved, 2), BERTH_SUCCESS);
  EXPECT_EQ(verdict(copy), BERTH_UNSCHEDULABLE);  // 15
  EXPECT_EQ(overlay.remove_pod(self, copy, &moved, 1), BERTH_SUCCESS);
  EXPECT_EQ(verdict(copy), BERTH_SUCCESS);  // 10
  EXPECT_EQ(overlay.add_pod(self, copy, &moved, 1), BERTH_SUCCESS);
  EXPECT_EQ(verdict(copy), BERTH_UNSCHEDULABLE);
  EXPECT_EQ(verdict(prepared.state), BERTH_SUCCESS);
  overlay.reset(self, copy, prepared.state);
  EXPECT_EQ(verdict(copy), BERTH_SUCCESS);
  overlay.end(self, copy);
  filter.hook->release(self, prepared.state);
}

TEST_F(SdkPointsTest, PreFilterAndPreEnqueue) {
  EXPECT_EQ(plugin_.pre_filter(columns(0)).code, BERTH_SKIP);
  EXPECT_EQ(plugin_.pre_filter(columns(-1)).code, BERTH_UNSCHEDULABLE);
  EXPECT_EQ(plugin_.pre_filter(columns(-1)).reasons, Texts{"a low priority"});
  EXPECT_EQ(plugin_.pre_enqueue(columns(1))[0], (Verdict{BERTH_UNSCHEDULABLE, {"never"}}));
}

TEST_F(SdkPointsTest, Numbers) {
  const auto all = plugin_.filter_numbers(columns(2));
  ASSERT_EQ(all.size(), 2u);
  ASSERT_EQ(all[1].size(), 1u);
  EXPECT_EQ(all[1][0].find("cpu: free "), 0u);
  EXPECT_NE(all[1][0].find("m, size small, selected term 3, in the way pods of "
                           "node.allocatable:cpu 0"),
            std::string::npos);
  // A hook that does not override it writes none.
  EXPECT_TRUE(plugin_.score_numbers(columns(2))[0].empty());
}

TEST_F(SdkPointsTest, HintsReadTheObjectOfTheEvent) {
  HintEvent event{
      .kind = BERTH_ON_POD_ASSIGNED, .action = BERTH_DID_ADD, .before = {}, .after = {}};
  const auto priority = [&](int64_t value) { return columns(value); };
  event.after = priority(3);
  EXPECT_TRUE(plugin_.hint(columns(1), event));
  event.before = priority(2);
  EXPECT_TRUE(plugin_.hint(columns(1), event));
  event.before = priority(4);
  EXPECT_FALSE(plugin_.hint(columns(1), event));
  event.self = true;
  EXPECT_TRUE(plugin_.hint(columns(1), event));
  event.self = false;
  event.after.reset();
  EXPECT_FALSE(plugin_.hint(columns(1), event));
}

TEST_F(SdkPointsTest, Scores) {
  EXPECT_EQ(plugin_.score(columns(1)), (Ints{1, 2}));
  EXPECT_EQ(plugin_.pre_score(columns(1)), BERTH_SUCCESS);
  EXPECT_TRUE(plugin_.changed());
  EXPECT_EQ(plugin_.pre_score(columns(1), {1, 0}), BERTH_SKIP);
  EXPECT_FALSE(plugin_.changed());
  const auto& score = *plugin_.table<berth_score>(BERTH_SCORE);
  const Ints raw = {5, BERTH_NOT_SCORED, 10};
  Ints final(3);
  EXPECT_EQ(score.normalise_own(plugin_.raw(), 3, raw.data(), 5, 10, final.data()), BERTH_SUCCESS);
  EXPECT_EQ(final, (Ints{0, 0, 100}));
  EXPECT_EQ(plugin_.table<berth_pre_score>(BERTH_PRE_SCORE)->hook->depends,
            static_cast<uint32_t>(BERTH_DEPENDS_FEASIBLE));
}

TEST_F(SdkPointsTest, ObserveHearsOfBoundPods) {
  const auto& observe = *plugin_.table<berth_observe>(BERTH_OBSERVE);
  const Values priorities = Values(Ints{5});
  const berth_column column = priorities.column();
  berth_call call{};
  call.size = sizeof(call);
  call.count = call.column_count = 1;
  call.columns = &column;
  observe.bound(plugin_.raw(), &call);
  EXPECT_EQ(MyObserve::told, 5);
  observe.changed(plugin_.raw(), &call);
  EXPECT_EQ(HearsAll::changes, 1);
  observe.left(plugin_.raw(), &call);
  EXPECT_EQ(MyObserve::told, 0);
  const uint32_t nodes[] = {3, 8};
  observe.node_left(plugin_.raw(), 2, nodes);
  EXPECT_EQ(HearsAll::last, 8u);
}

// A plugin that overrides no more than it has to is told all the same.
TEST(SdkObserve, ChangesAndNodesMayBeIgnored) {
  MyObserve observe;
  const auto& table = *static_cast<const berth_observe*>(observe.table());
  EXPECT_NE(table.changed, nullptr);
  EXPECT_NE(table.node_left, nullptr);
}

// Calls every function that has an error channel, with plain arguments.
class SdkThrowTest : public ::testing::TestWithParam<int> {
 protected:
  SdkThrowTest() {
    sink_ = {sizeof(sink_), 0, &text_, [](void* context, berth_string text) {
               *static_cast<std::string*>(context) = sdk::to_view(text);
             }};
    columns_[0] = priorities_.column();
    columns_[1] = priorities_.column();
    columns_[2] = priorities_.column();
    call_.size = sizeof(call_);
    call_.count = 1;
    call_.columns = columns_;
    call_.column_count = 3;
    call_.error = &sink_;
    call_.state = &prepared_;
    thrown = GetParam();
  }
  ~SdkThrowTest() override { thrown = 0; }

  void expect_error(berth_code code) {
    EXPECT_EQ(code, GetParam() == 0 ? BERTH_SUCCESS : BERTH_ERROR);
    if (GetParam() != 0) {
      EXPECT_EQ(text_, GetParam() == 1 ? "thrown by a hook" : "an exception of an unknown type");
    }
    text_.clear();
  }
  template <class Table>
  const Table& table(const char* point) {
    return *plugin_.table<Table>(point);
  }

  FakeHost host_;
  Harness plugin_{host_};
  const Values priorities_ = Values(Ints{1});
  berth_column columns_[3]{};
  sdk::Prepared<Limit> prepared_;
  berth_call call_{};
  berth_text_sink sink_{};
  std::string text_;
  uint8_t code_ = 0;
  uint32_t reason_ = 0;
  int64_t number_ = 0;
};

TEST_P(SdkThrowTest, NothingGetsOut) {
  berth_plugin* self = plugin_.raw();
  uint8_t key[1][16];
  berth_event event{};
  berth_pre_filter_result pre_filter{};
  berth_nomination nomination{};
  berth_pre_score_result pre_score{};
  expect_error(table<berth_pre_enqueue>(BERTH_PRE_ENQUEUE).check(self, &call_, &code_, &reason_));
  expect_error(table<berth_queue_sort>(BERTH_QUEUE_SORT).keys(self, &call_, key));
  expect_error(table<berth_hints>(BERTH_HINTS).hint(self, &call_, &event, &code_));
  EXPECT_EQ(table<berth_hints>(BERTH_HINTS).actions(self, 4), GetParam() == 0 ? 4u : 0u);
  expect_error(table<berth_pre_filter>(BERTH_PRE_FILTER).pre_filter(self, &call_, &pre_filter));
  expect_error(table<berth_filter>(BERTH_FILTER).filter(self, &call_, &code_));
  expect_error(table<berth_post_filter>(BERTH_POST_FILTER)
                   .post_filter(self, &call_, &code_, 7, &nomination));
  expect_error(
      table<berth_pre_score>(BERTH_PRE_SCORE).pre_score(self, &call_, nullptr, &pre_score));
  expect_error(table<berth_score>(BERTH_SCORE).score(self, &call_, &number_));
  expect_error(table<berth_reserve>(BERTH_RESERVE).reserve(self, &call_, &code_, &reason_));
  expect_error(table<berth_permit>(BERTH_PERMIT).permit(self, &call_, &code_, &reason_, &number_));
  expect_error(table<berth_pre_bind>(BERTH_PRE_BIND).pre_bind(self, &call_, &code_));
  expect_error(table<berth_bind>(BERTH_BIND).bind(self, &call_, &code_));

  const int64_t raw = 1;
  EXPECT_EQ(table<berth_score>(BERTH_SCORE).normalise_own(self, 1, &raw, 0, 2, &number_),
            GetParam() == 0 ? BERTH_SUCCESS : BERTH_ERROR);
  expect_error(table<berth_score>(BERTH_SCORE).normalise_pod(self, &call_, &raw, 0, 2, &number_));
}

TEST_P(SdkThrowTest, NorOutOfPrepareInitAndCreate) {
  const berth_hook& hook = *table<berth_filter>(BERTH_FILTER).hook;
  const berth_template pod = {sizeof(pod), 3, columns_, &sink_};
  berth_prepared prepared{};
  expect_error(hook.prepare(plugin_.raw(), &pod, &prepared));
  if (prepared.state != nullptr) hook.release(plugin_.raw(), prepared.state);

  const FakeConfig config;
  expect_error(Harness::descriptor().init(plugin_.raw(), host_.raw(), config.raw(), &sink_));
  berth_plugin* made = Harness::descriptor().create();
  EXPECT_EQ(made != nullptr, GetParam() == 0);
  if (made != nullptr) Harness::descriptor().destroy(made);
  EXPECT_EQ(Harness::descriptor().validate(config.raw()),
            GetParam() == 0 ? BERTH_SUCCESS : BERTH_ERROR);
  EXPECT_EQ(config.errors().size(), GetParam() == 0 ? 0u : 1u);
}

TEST_P(SdkThrowTest, NorOutOfAnOverlay) {
  const auto& overlay = table<berth_overlay_state>(BERTH_OVERLAY_STATE);
  berth_plugin* self = plugin_.raw();
  prepared_.state.limit = 40;
  void* none = overlay.begin(self, &prepared_);
  EXPECT_EQ(none != nullptr, GetParam() == 0);
  if (none != nullptr) overlay.end(self, none);
  thrown = 0;
  void* scratch = overlay.begin(self, &prepared_);
  thrown = GetParam();
  const auto limit = [&] { return static_cast<sdk::Prepared<Limit>*>(scratch)->state.limit; };
  expect_error(overlay.add_pod(self, scratch, &call_, 2));
  expect_error(overlay.add_pod(self, scratch, &call_, 5));
  expect_error(overlay.remove_pod(self, scratch, &call_, 3));
  EXPECT_EQ(limit(), GetParam() == 0 ? 44 : 40);
  thrown = 0;
  overlay.add_pod(self, scratch, &call_, 60);
  thrown = GetParam();
  // A copy that cannot be restored does not follow the next change as if it were.
  overlay.reset(self, scratch, &prepared_);
  expect_error(overlay.add_pod(self, scratch, &call_, 1));
  thrown = 0;
  EXPECT_EQ(overlay.remove_pod(self, scratch, &call_, 3), BERTH_SUCCESS);
  EXPECT_EQ(limit(), GetParam() == 0 ? 38 : 37);
  overlay.end(self, scratch);
}

INSTANTIATE_TEST_SUITE_P(Thrown, SdkThrowTest, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace berth::plugins::testing
