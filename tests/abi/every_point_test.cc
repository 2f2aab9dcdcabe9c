// Calls every function of the plugin that implements every extension point, as a host would.

#include <dlfcn.h>

#include <gtest/gtest.h>

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/observe.h"
#include "berth/abi/overlay.h"
#include "berth/abi/plugin.h"
#include "berth/abi/score.h"
#include "berth/sdk/points.hpp"
#include "berth/sdk/text.hpp"
#include "plugins/testing/fake_config.h"
#include "plugins/testing/fake_host.h"
#include "plugins/testing/fake_numbers.h"
#include "plugins/testing/values.h"

namespace berth::plugins::testing {
namespace {

// Either side may be built with the headers of a later ABI (later_headers.awk).
#ifdef BERTH_TEST_OTHER_ABI
constexpr bool kSameAbi = false;
#else
constexpr bool kSameAbi = true;
#endif

using Bytes = std::vector<uint8_t>;
using Ints = std::vector<int64_t>;
using Texts = std::vector<std::string>;

const berth_plugin_descriptor& load() {
  void* library =
      dlopen(BERTH_BUILD_DIR "/test/plugins/" BERTH_TEST_PLUGIN ".so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  auto entry = reinterpret_cast<berth_plugin_entry_fn>(dlsym(library, BERTH_PLUGIN_ENTRY));
  if (entry == nullptr) throw std::runtime_error(dlerror());
  return *entry();
}

class EveryPointTest : public ::testing::Test {
 protected:
  EveryPointTest() {
    sink_ = {sizeof(sink_), 0, &texts_, [](void* context, berth_string text) {
               static_cast<Texts*>(context)->emplace_back(sdk::to_view(text));
             }};
    plugin_ = descriptor_.create();
    FakeConfig config(R"({"limit": 3})");
    EXPECT_EQ(descriptor_.init(plugin_, host_.raw(), config.raw(), &sink_), BERTH_SUCCESS);
  }
  ~EveryPointTest() override { descriptor_.destroy(plugin_); }

  template <class Table>
  const Table& table(const char* point) const {
    const auto* table =
        static_cast<const Table*>(descriptor_.extension(plugin_, sdk::to_abi(point)));
    EXPECT_NE(table, nullptr);
    EXPECT_EQ(table->size == sizeof(Table), kSameAbi);
    return *table;
  }
  // A call with these columns, which live until the end of the test.
  berth_call call(std::vector<Ints> columns, const void* state = nullptr,
                  uint32_t ran = BERTH_RAN_PRE_FILTER | BERTH_RAN_PRE_SCORE) {
    kept_.emplace_back();
    shown_.emplace_back();
    kept_.back().reserve(columns.size());
    for (Ints& column : columns) {
      kept_.back().emplace_back(std::move(column));
      shown_.back().push_back(kept_.back().back().column());
    }
    berth_call call{};
    call.size = sizeof(call);
    call.ran = ran;
    call.count = kept_.back().front().count();
    call.columns = shown_.back().data();
    call.column_count = static_cast<uint32_t>(columns.size());
    call.state = state;
    call.error = &sink_;
    return call;
  }
  // Prepares the hook for a pod of that priority.
  berth_prepared prepare(const berth_hook& hook, int64_t priority) {
    const Values values(Ints{priority});
    const berth_column columns[] = {values.column(), {}};
    const berth_template pod = {sizeof(pod), 2, columns, &sink_};
    berth_prepared prepared{};
    prepared.size = sizeof(prepared);
    code_ = hook.prepare(plugin_, &pod, &prepared);
    return prepared;
  }
  Texts describe(const berth_hook& hook, uint32_t reason) {
    texts_.clear();
    const berth_call one = call({{1}});
    hook.describe(plugin_, &one, reason, &sink_);
    return texts_;
  }

  template <class Function>
  Texts numbers_of(Function numbers, const berth_call& one) {
    const Texts columns = {"node.pods"};
    FakeNumbers collected(columns);
    EXPECT_EQ(numbers(plugin_, &one, collected.raw()), BERTH_SUCCESS);
    return collected.items();
  }

  const berth_plugin_descriptor& descriptor_ = load();
  FakeHost host_;
  berth_plugin* plugin_ = nullptr;
  berth_text_sink sink_{};
  Texts texts_;
  berth_code code_ = BERTH_SUCCESS;
  std::deque<std::vector<Values>> kept_;
  std::deque<std::vector<berth_column>> shown_;
};

TEST_F(EveryPointTest, NamesEveryPointThatTheSdkKnows) {
  std::string all;
  for (const sdk::PointInfo& point : sdk::kPoints) {
    all += sdk::concat(all.empty() ? "" : " ", point.id);
    EXPECT_NE(descriptor_.extension(plugin_, sdk::to_abi(point.id)), nullptr) << point.id;
  }
  EXPECT_EQ(sdk::to_view(descriptor_.extension_points), all);
  EXPECT_EQ(descriptor_.extension(plugin_, sdk::to_abi("berth.filter/9")), nullptr);
}

TEST_F(EveryPointTest, DescriptorAndConfiguration) {
  EXPECT_EQ(descriptor_.abi_major, BERTH_ABI_MAJOR);
  EXPECT_EQ(sdk::to_view(descriptor_.name), "EveryPoint");
  FakeConfig good(R"({"limit": 3})"), bad(R"({"limit": "3"})");
  EXPECT_EQ(descriptor_.validate(good.raw()), BERTH_SUCCESS);
  EXPECT_EQ(descriptor_.validate(bad.raw()), BERTH_SUCCESS);
  EXPECT_EQ(good.errors(), Texts{});
  EXPECT_EQ(bad.errors(), Texts{"limit: must be a number from 0"});
}

TEST_F(EveryPointTest, InitNamesWhatItMisses) {
  FakeHost poor;
  poor.missing_service = BERTH_COLUMNS_SERVICE;
  berth_plugin* plugin = descriptor_.create();
  FakeConfig config;
  EXPECT_EQ(descriptor_.init(plugin, poor.raw(), config.raw(), &sink_), BERTH_ERROR);
  EXPECT_EQ(texts_, Texts{"EveryPoint needs strings and columns"});
  descriptor_.destroy(plugin);
}

TEST_F(EveryPointTest, PrepareNarrowsAndReleases) {
  const berth_hook& hook = *table<berth_filter>(BERTH_FILTER).hook;
  EXPECT_EQ(hook.input_count, 2u);
  EXPECT_EQ(sdk::to_view(hook.inputs[1]), "node.pods");
  berth_prepared prepared = prepare(hook, 5);
  EXPECT_EQ(code_, BERTH_SUCCESS);
  ASSERT_EQ(prepared.input_count, 1u);
  EXPECT_EQ(host_.column_text(prepared.inputs[0]), "node.pods");
  EXPECT_EQ(prepared.flags, 0u);
  hook.release(plugin_, prepared.state);
  prepared = prepare(hook, 0);
  EXPECT_EQ(prepared.flags, BERTH_PREPARED_PASSES);
  hook.release(plugin_, prepared.state);
  prepare(hook, -1);
  EXPECT_EQ(code_, BERTH_ERROR);
  EXPECT_EQ(texts_, Texts{"a negative priority"});
}

TEST_F(EveryPointTest, Queue) {
  const auto& pre_enqueue = table<berth_pre_enqueue>(BERTH_PRE_ENQUEUE);
  const berth_call pods = call({{1, 1001}});
  Bytes codes(2);
  std::vector<uint32_t> reasons(2);
  EXPECT_EQ(pre_enqueue.check(plugin_, &pods, codes.data(), reasons.data()), BERTH_SUCCESS);
  EXPECT_EQ(codes, (Bytes{BERTH_SUCCESS, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE}));
  EXPECT_EQ(describe(*pre_enqueue.hook, reasons[1]),
            (Texts{"a priority that EveryPoint refuses", "and a second reason"}));

  uint8_t keys[2][16];
  EXPECT_EQ(table<berth_queue_sort>(BERTH_QUEUE_SORT).keys(plugin_, &pods, keys), BERTH_SUCCESS);
  EXPECT_EQ(keys[0][15], 1);
  const auto& sort = table<berth_queue_sort>(BERTH_QUEUE_SORT);
  Bytes wide(2 * sort.wide_key_bytes);
  EXPECT_EQ(sort.wide_keys(plugin_, &pods, wide.data()), BERTH_SUCCESS);
  EXPECT_EQ(wide[sort.wide_key_bytes - 1], 1);

  const auto& hints = table<berth_hints>(BERTH_HINTS);
  EXPECT_EQ(hints.actions(plugin_, BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_ALLOCATABLE);
  EXPECT_EQ(hints.actions(plugin_, BERTH_ON_VOLUME), 0u);
}

TEST_F(EveryPointTest, Hints) {
  const auto& hints = table<berth_hints>(BERTH_HINTS);
  const Values one(std::vector<int64_t>{1}), two(std::vector<int64_t>{2});
  const berth_column refused = two.column(), lower = one.column(), same = two.column();
  berth_call call{};
  call.size = sizeof(call);
  call.count = 1;
  call.columns = &refused;
  call.column_count = 1;
  berth_event event{};
  event.size = sizeof(event);
  event.kind = BERTH_ON_NODE;
  event.action = BERTH_DID_ADD;
  const auto hint = [&](const berth_column* before, const berth_column* after) {
    event.before = before;
    event.after = after;
    uint8_t queue = 77;
    EXPECT_EQ(hints.hint(plugin_, &call, &event, &queue), BERTH_SUCCESS);
    return queue;
  };
  EXPECT_EQ(hint(nullptr, &same), 1);
  EXPECT_EQ(hint(nullptr, &lower), 0);
  EXPECT_EQ(hint(&same, &same), 0);
}

TEST_F(EveryPointTest, Filters) {
  const auto& pre_filter = table<berth_pre_filter>(BERTH_PRE_FILTER);
  for (const auto& [priority, code] : {std::pair<int64_t, berth_code>{0, BERTH_SKIP},
                                       {1, BERTH_SUCCESS},
                                       {13, BERTH_UNSCHEDULABLE}}) {
    const berth_prepared prepared = prepare(*pre_filter.hook, priority);
    const berth_call pod = call({{0}}, prepared.state);
    berth_pre_filter_result result{};
    result.size = sizeof(result);
    EXPECT_EQ(pre_filter.pre_filter(plugin_, &pod, &result), BERTH_SUCCESS);
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.narrows, priority == 1 ? 1u : 0u);
    if (result.narrows != 0) {
      EXPECT_EQ(result.node_names[0], host_.id("node-0"));
    }
    pre_filter.hook->release(plugin_, prepared.state);
  }

  const auto& filter = table<berth_filter>(BERTH_FILTER);
  const berth_prepared prepared = prepare(*filter.hook, 5);
  const berth_call nodes = call({{0, 3, 4}}, prepared.state);
  Bytes verdicts(3);
  EXPECT_EQ(filter.filter(plugin_, &nodes, verdicts.data()), BERTH_SUCCESS);
  EXPECT_EQ(verdicts, (Bytes{BERTH_SUCCESS, BERTH_SUCCESS, BERTH_UNSCHEDULABLE}));
  std::vector<uint32_t> reasons(3);
  EXPECT_EQ(filter.reasons(plugin_, &nodes, reasons.data()), BERTH_SUCCESS);
  EXPECT_EQ(describe(*filter.hook, reasons[2]), Texts{"too many pods for EveryPoint"});
  EXPECT_EQ(numbers_of(filter.numbers, call({{4}}, prepared.state)), Texts{"pods: on the node 4"});
  const berth_call skipped = call({{0}}, prepared.state, 0);
  EXPECT_EQ(filter.filter(plugin_, &skipped, verdicts.data()), BERTH_ERROR);

  const auto& post_filter = table<berth_post_filter>(BERTH_POST_FILTER);
  berth_nomination nomination{};
  nomination.size = sizeof(nomination);
  EXPECT_EQ(post_filter.post_filter(plugin_, &nodes, verdicts.data(), 99, &nomination),
            BERTH_SUCCESS);
  EXPECT_EQ(nomination.code, BERTH_SUCCESS);
  EXPECT_EQ(nomination.node, host_.id("node-0"));
  ASSERT_EQ(nomination.victim_count, 1u);
  EXPECT_EQ(nomination.victims[0], 42u);
  filter.hook->release(plugin_, prepared.state);
}

TEST_F(EveryPointTest, Scores) {
  const auto& pre_score = table<berth_pre_score>(BERTH_PRE_SCORE);
  const berth_prepared prepared = prepare(*pre_score.hook, 5);
  const berth_call nodes = call({{0, 3, 4}}, prepared.state);
  berth_pre_score_result result{};
  result.size = sizeof(result);
  const uint64_t bits[] = {0b111};
  const berth_feasible feasible = {sizeof(feasible), 0, bits, 3, 3, 1};
  EXPECT_EQ(pre_score.pre_score(plugin_, &nodes, &feasible, &result), BERTH_SUCCESS);
  EXPECT_EQ(result.code, BERTH_SUCCESS);
  EXPECT_EQ(result.changed, 1u);

  const auto& score = table<berth_score>(BERTH_SCORE);
  EXPECT_EQ(score.normalise, BERTH_NORMALISE_OWN);
  Ints raw(3), final(3);
  EXPECT_EQ(score.score(plugin_, &nodes, raw.data()), BERTH_SUCCESS);
  EXPECT_EQ(raw, (Ints{BERTH_NOT_SCORED, 3, 4}));
  EXPECT_EQ(score.normalise_own(plugin_, 3, raw.data(), 3, 4, final.data()), BERTH_SUCCESS);
  EXPECT_EQ(final, (Ints{0, 100, 0}));
  const berth_call of_pod = call({{3, 3, 3}}, prepared.state);
  EXPECT_EQ(score.normalise_pod(plugin_, &of_pod, raw.data(), 3, 4, final.data()), BERTH_SUCCESS);
  EXPECT_EQ(final, (Ints{0, 0, 100}));
  EXPECT_EQ(numbers_of(score.numbers, call({{3}}, prepared.state)), Texts{"pods: on the node 3"});
  pre_score.hook->release(plugin_, prepared.state);
}

TEST_F(EveryPointTest, Binding) {
  const berth_call placements = call({{1, 13, 7, 0, 5}, {1, 1, 1, 1, 101}});
  const auto codes_of = [&](auto&& function) {
    Bytes codes(5);
    EXPECT_EQ(function(codes.data()), BERTH_SUCCESS);
    return codes;
  };
  std::vector<uint32_t> reasons(5);
  Ints timeouts(5);
  const auto& reserve = table<berth_reserve>(BERTH_RESERVE);
  host_.run.now = 100;
  host_.run.random = 7;
  EXPECT_EQ(codes_of([&](uint8_t* out) {
              return reserve.reserve(plugin_, &placements, out, reasons.data());
            }),
            (Bytes{0, BERTH_UNSCHEDULABLE, 0, 0, 0}));
  EXPECT_EQ(describe(*reserve.hook, reasons[1]), Texts{"a priority that EveryPoint refuses"});
  // It draws for stream 0, whose lowest bit it adds to the time.
  EXPECT_EQ(host_.run.metrics, (std::map<std::string, int64_t>{{"reserves_total", 5},
                                                               {"last_reserve_nanoseconds", 101}}));
  reserve.unreserve(plugin_, &placements);
  reserve.unreserve(plugin_, &placements);

  const auto& permit = table<berth_permit>(BERTH_PERMIT);
  EXPECT_EQ(codes_of([&](uint8_t* out) {
              return permit.permit(plugin_, &placements, out, reasons.data(), timeouts.data());
            }),
            (Bytes{0, 0, BERTH_WAIT, 0, 0}));
  EXPECT_EQ(timeouts[2], 1'000'000'000);

  const auto& pre_bind = table<berth_pre_bind>(BERTH_PRE_BIND);
  EXPECT_EQ(codes_of([&](uint8_t* out) { return pre_bind.pre_flight(plugin_, &placements, out); }),
            (Bytes{0, 0, 0, BERTH_SKIP, 0}));
  EXPECT_EQ(codes_of([&](uint8_t* out) { return pre_bind.pre_bind(plugin_, &placements, out); }),
            (Bytes{0, 0, 0, 0, BERTH_ERROR}));
  const berth_call later = call({{1, 13, 7, 0, 5}, {1, 60, 60, 1, 101}});
  const Ints waited{0, 0, 1, 0, 0};
  Ints again(5);
  EXPECT_EQ(codes_of([&](uint8_t* out) {
              return pre_bind.pre_bind_or_wait(plugin_, &later, waited.data(), out, again.data());
            }),
            (Bytes{0, BERTH_WAIT, 0, 0, BERTH_ERROR}));
  EXPECT_EQ(again[1], 1'000'000'000);

  const auto& bind = table<berth_bind>(BERTH_BIND);
  EXPECT_EQ(codes_of([&](uint8_t* out) { return bind.bind(plugin_, &placements, out); }),
            (Bytes{BERTH_SKIP, BERTH_SKIP, BERTH_SKIP, BERTH_SKIP, 0}));
  table<berth_post_bind>(BERTH_POST_BIND).post_bind(plugin_, &placements);
}

TEST_F(EveryPointTest, Observe) {
  const auto& observe = table<berth_observe>(BERTH_OBSERVE);
  const berth_call one = call({{4}, {0}}), two = call({{5}, {0}});
  const auto shown = [&] { return host_.run.metrics["last_reserve_nanoseconds"]; };
  observe.bound(plugin_, &one);
  EXPECT_EQ(shown(), 4);
  EXPECT_EQ(observe.changed, nullptr);
  observe.left(plugin_, &two);
  EXPECT_EQ(shown(), 5);
  const uint32_t nodes[] = {5, 6};
  observe.node_left(plugin_, 2, nodes);
  EXPECT_EQ(shown(), 6);
}

TEST_F(EveryPointTest, Overlay) {
  const auto& overlay = table<berth_overlay_state>(BERTH_OVERLAY_STATE);
  const berth_call pod = call({{4}});
  void* scratch = overlay.begin(plugin_, nullptr);
  EXPECT_EQ(overlay.add_pod(plugin_, scratch, &pod, 0), BERTH_SUCCESS);
  EXPECT_EQ(overlay.add_pod(plugin_, scratch, &pod, 0), BERTH_SUCCESS);
  EXPECT_EQ(overlay.remove_pod(plugin_, scratch, &pod, 0), BERTH_SUCCESS);
  EXPECT_EQ(*static_cast<int64_t*>(scratch), 4);
  overlay.reset(plugin_, scratch, nullptr);
  EXPECT_EQ(*static_cast<int64_t*>(scratch), 0);
  overlay.end(plugin_, scratch);
}

}  // namespace
}  // namespace berth::plugins::testing
