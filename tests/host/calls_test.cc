// Faults of hooks when they are called, and the resulting errors.

#include "engine/host/calls/checked_calls.h"

#include <array>
#include <exception>
#include <limits>

#include "tests/host/faulty_instance.h"

namespace berth::host {
namespace {

constexpr size_t kPositions = 64;

// A call over 64 positions, with outputs for every extension point.
struct Call {
  explicit Call(const std::string& fault = "") : instance(fault) { call.count = kPositions; }

  CallError pre_enqueue() { return instance->pre_enqueue()->call(calls(), call, codes, reasons); }
  CallError filter() { return instance->filter()->call(calls(), call, codes); }
  CallError score() { return instance->score()->call(calls(), call, raw); }
  CallError pre_filter() {
    call.count = 1;
    return instance->pre_filter()->call(calls(), call, narrowed);
  }
  CallError post_filter() {
    return instance->post_filter()->call(calls(), call, codes, 0, nomination);
  }
  CallError pre_bind() {
    return instance->pre_bind()->call(calls(), call, codes, waited, timeouts);
  }
  CallError permit() { return instance->permit()->call(calls(), call, codes, reasons, timeouts); }
  CallContext& calls() { return instance.calls(); }

  FaultyInstance instance;
  berth_call call{};
  std::array<uint8_t, kPositions> codes{};
  std::array<uint32_t, kPositions> reasons{};
  std::array<int64_t, kPositions> raw{};
  std::array<int64_t, kPositions> timeouts{};
  std::array<int64_t, kPositions> waited{};
  PreFilterAnswer narrowed;
  NominationAnswer nomination;
  PreScoreAnswer pre_scored;
};

std::string text(const CallError& error) { return error ? error.text() : "fine"; }

template <typename Make>
void expect_broken(const std::string& fault, Make make, const std::string& expected) {
  Call broken(fault);
  const CallError error = make(broken);
  ASSERT_TRUE(error) << fault;
  EXPECT_EQ(error.kind(), CallError::Kind::kBroken);
  EXPECT_EQ(error.text(), expected);
}

// `make` is a call of a member of `b`.
#define EXPECT_BROKEN(fault, make, expected) \
  expect_broken(                             \
      fault, [&](Call& b) -> CallError { return make; }, expected)

TEST(Calls, AGoodPluginPassesEverywhere) {
  Call c;
  FaultyInstance& instance = c.instance;
  CallContext& calls = c.calls();
  EXPECT_EQ(text(c.pre_enqueue()), "fine");
  EXPECT_EQ(text(c.filter()), "fine");
  EXPECT_EQ(text(instance->filter()->reasons(calls, c.call, c.reasons)), "fine");
  EXPECT_EQ(c.reasons[63], 5u);
  EXPECT_EQ(text(c.score()), "fine");
  EXPECT_EQ(text(c.post_filter()), "fine");
  EXPECT_EQ(c.nomination.code, BERTH_UNSCHEDULABLE);
  EXPECT_EQ(text(c.permit()), "fine");
  EXPECT_EQ(text(instance->reserve()->call(calls, c.call, c.codes, c.reasons)), "fine");
  EXPECT_EQ(text(instance->reserve()->unreserve(calls, c.call)), "fine");
  EXPECT_EQ(text(instance->pre_bind()->pre_flight(calls, c.call, c.codes)), "fine");
  EXPECT_EQ(text(c.pre_bind()), "fine");
  EXPECT_EQ(text(instance->bind()->call(calls, c.call, c.codes)), "fine");
  EXPECT_EQ(text(instance->post_bind()->call(calls, c.call)), "fine");
  std::array<QueueKey, kPositions> keys{};
  EXPECT_EQ(text(instance->queue_sort()->call(calls, c.call, keys)), "fine");
  EXPECT_EQ(keys[5], (QueueKey{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}));
  uint8_t helps = 0;
  EXPECT_EQ(text(instance->hints()->call(calls, c.call, berth_event{}, helps)), "fine");
  EXPECT_EQ(helps, 1);
  EXPECT_EQ(text(c.pre_filter()), "fine");
  EXPECT_EQ(text(instance->pre_score()->call(calls, c.call, nullptr, c.pre_scored)), "fine");
  EXPECT_FALSE(c.pre_scored.skip);
}

TEST(Calls, OverlayState) {
  Call c;
  const OverlayState& state = *c.instance->overlay_state();
  void* scratch = nullptr;
  EXPECT_EQ(text(state.begin(c.calls(), nullptr, scratch)), "fine");
  EXPECT_EQ(text(state.add_pod(c.calls(), scratch, c.call, 3)), "fine");
  EXPECT_EQ(*static_cast<int*>(scratch), 1);
  EXPECT_EQ(text(state.remove_pod(c.calls(), scratch, c.call, 3)), "fine");
  EXPECT_EQ(text(state.reset(c.calls(), scratch, nullptr)), "fine");
  EXPECT_EQ(text(state.end(c.calls(), scratch)), "fine");
  EXPECT_BROKEN("begin returns nothing",
                b.instance->overlay_state()->begin(b.calls(), nullptr, scratch),
                "plugin \"Faulty\" returned no scratch from begin");
}

TEST(Calls, CodesOutOfRange) {
  EXPECT_BROKEN(
      "filter 7", b.filter(),
      "plugin \"Faulty\" returned verdict 7 at position 12 of 64; Filter may return 0, 1, 2 "
      "or 3");
  EXPECT_BROKEN(
      "filter 255", b.filter(),
      "plugin \"Faulty\" returned verdict 255 at position 12 of 64; Filter may return 0, 1, "
      "2 or 3");
  EXPECT_BROKEN(
      "pre_enqueue 1", b.pre_enqueue(),
      "plugin \"Faulty\" returned code 1 at position 12 of 64; PreEnqueue may return 0, 2 or "
      "3");
  uint8_t helps = 0;
  EXPECT_BROKEN("hint 2", b.instance->hints()->call(b.calls(), b.call, berth_event{}, helps),
                "plugin \"Faulty\" returned hint 2; a hint is 0 or 1");
  EXPECT_BROKEN(
      "reserve 4", b.instance->reserve()->call(b.calls(), b.call, b.codes, b.reasons),
      "plugin \"Faulty\" returned code 4 at position 12 of 64; Reserve may return 0, 1, 2, 3 "
      "or 6");
  EXPECT_BROKEN(
      "permit 5", b.permit(),
      "plugin \"Faulty\" returned code 5 at position 12 of 64; Permit may return 0, 1, 2, 3, "
      "4 or 6");
  EXPECT_BROKEN(
      "permit 4", b.permit(),
      "plugin \"Faulty\" returned timeout -1 at position 12 of 64; Permit may not return a "
      "negative one");
  EXPECT_BROKEN(
      "pre_flight 2", b.instance->pre_bind()->pre_flight(b.calls(), b.call, b.codes),
      "plugin \"Faulty\" returned code 2 at position 12 of 64; PreBind may return 0, 1 or 5");
  EXPECT_BROKEN(
      "pre_bind 5", b.pre_bind(),
      "plugin \"Faulty\" returned code 5 at position 12 of 64; PreBind may return 0, 1, 2 or 3");
  EXPECT_BROKEN(
      "bind 3", b.instance->bind()->call(b.calls(), b.call, b.codes),
      "plugin \"Faulty\" returned code 3 at position 12 of 64; Bind may return 0, 1 or 5");
}

// Masked positions need no answer, so the host does not check them.
TEST(Calls, MaskedPositionsAreNotChecked) {
  Call c("filter 7");
  const uint64_t all_but_12 = ~(uint64_t{1} << 12);
  c.call.mask = &all_but_12;
  EXPECT_EQ(text(c.filter()), "fine");
}

// An error at a position has an effect only if the search reaches the position.
TEST(Calls, AnErrorVerdictIsAnAnswer) {
  Call c("filter 1");
  EXPECT_EQ(text(c.filter()), "fine");
  EXPECT_EQ(c.codes[12], BERTH_ERROR);
}

TEST(Calls, ResultsOutOfRange) {
  EXPECT_BROKEN(
      "pre_filter 4", b.pre_filter(),
      "plugin \"Faulty\" returned code 4 as its result; PreFilter may return 0, 1, 2, 3, 5 "
      "or 6");
  EXPECT_BROKEN(
      "pre_filter -1", b.pre_filter(),
      "plugin \"Faulty\" returned code -1 as its result; PreFilter may return 0, 1, 2, 3, 5 "
      "or 6");
  EXPECT_BROKEN("pre_score 2",
                b.instance->pre_score()->call(b.calls(), b.call, nullptr, b.pre_scored),
                "plugin \"Faulty\" returned code 2 as its result; PreScore may return 0, 1 or 5");
  EXPECT_BROKEN(
      "post_filter 5", b.post_filter(),
      "plugin \"Faulty\" returned code 5 as its result; PostFilter may return 0, 1, 2 or 3");
  EXPECT_BROKEN(
      "post_filter node 99", b.post_filter(),
      "plugin \"Faulty\" returned 99 as a node's name from PostFilter, which is not a string "
      "id");
  EXPECT_BROKEN(
      "post_filter victims", b.post_filter(),
      "plugin \"Faulty\" returned 3 victims from PostFilter: too many, or without an array");
}

TEST(Calls, PreFilterNames) {
  Call good("pre_filter names 2");
  EXPECT_EQ(text(good.pre_filter()), "fine");
  EXPECT_TRUE(good.narrowed.narrows);
  EXPECT_EQ(good.narrowed.node_names.size(), 2u);
  EXPECT_BROKEN("pre_filter names 99", b.pre_filter(),
                "plugin \"Faulty\" returned 99 as a node's name at position 1 of 2 from PreFilter, "
                "which is not a string id");
  EXPECT_BROKEN("pre_filter names 0", b.pre_filter(),
                "plugin \"Faulty\" returned 0 as a node's name at position 1 of 2 from PreFilter, "
                "which is not a string id");
  EXPECT_BROKEN(
      "pre_filter names nothing at length", b.pre_filter(),
      "plugin \"Faulty\" returned 3 node names from PreFilter: too many, or without an array");
}

TEST(Calls, ScoresOutOfRange) {
  Call c("score 101");
  const Score& score = *c.instance->score();
  EXPECT_EQ(text(c.score()), "fine");
  EXPECT_EQ(text(score.check_extremes(c.calls(), c.raw, 0, 100)), "fine");
  EXPECT_EQ(text(score.check_extremes(c.calls(), c.raw, 0, 101)),
            "plugin \"Faulty\" returned score 101 at position 12 of 64; Score may return 0 to 100");
  EXPECT_EQ(text(score.check_extremes(c.calls(), c.raw, -5, 101)),
            "plugin \"Faulty\" returned score -5; Score may return 0 to 100");
  EXPECT_EQ(text(score.check_extremes(c.calls(), c.raw, INT64_MAX, INT64_MIN + 1)), "fine");
}

TEST(Calls, OwnNormalising) {
  Call c("normalise too high");
  std::array<int64_t, kPositions> final{};
  EXPECT_EQ(
      text(c.instance->score()->normalise_own(c.calls(), c.raw, 0, 0, final)),
      "plugin \"Faulty\" normalised score 0 to 101 at position 0 of 64; Score may return 0 to "
      "100");
  Call good("normalise");
  EXPECT_EQ(text(good.instance->score()->normalise_own(good.calls(), good.raw, 0, 0, final)),
            "fine");
}

TEST(Calls, PreBindMayWait) {
  Call c("pre_bind_or_wait has a limit");
  c.waited[3] = 41;
  EXPECT_EQ(text(c.pre_bind()), "fine");
  EXPECT_EQ(c.codes[3], BERTH_WAIT);
  EXPECT_EQ(c.timeouts[3], 42);
  EXPECT_EQ(c.instance->pre_bind()->wait_limit_nanoseconds(), 5'000'000'000);
  EXPECT_EQ(Call("pre_bind_or_wait").instance->pre_bind()->wait_limit_nanoseconds(),
            900'000'000'000);
  EXPECT_EQ(
      Call("pre_bind_or_wait has a long limit").instance->pre_bind()->wait_limit_nanoseconds(),
      900'000'000'000);
  EXPECT_BROKEN(
      "pre_bind_or_wait asks for the past", b.pre_bind(),
      "plugin \"Faulty\" returned the time -1 at position 0 of 64; PreBind may not return "
      "a negative one");
  EXPECT_BROKEN(
      "pre_bind_or_wait 5", b.pre_bind(),
      "plugin \"Faulty\" returned code 5 at position 12 of 64; PreBind may return 0, 1, 2, 3 or 4");
  EXPECT_BROKEN(
      "pre_bind 4", b.pre_bind(),
      "plugin \"Faulty\" returned code 4 at position 12 of 64; PreBind may return 0, 1, 2 or 3");
}

TEST(Calls, OlderTablesHaveNoNewMembers) {
  Call c("tables are older");
  EXPECT_EQ(text(c.pre_bind()), "fine");
  EXPECT_EQ(c.codes[0], BERTH_SUCCESS);
  EXPECT_FALSE(c.instance->bind()->quick());
  EXPECT_TRUE(Call("bind is quick").instance->bind()->quick());
}

TEST(Calls, ServicesOfTheModelAreRefusedWhileBinding) {
  EXPECT_BROKEN("bind interns", b.instance->bind()->call(b.calls(), b.call, b.codes),
                "plugin \"Faulty\" called strings.intern in Bind; a function with the tag [bind] "
                "may not");
  EXPECT_BROKEN("bind looks up a column", b.instance->bind()->call(b.calls(), b.call, b.codes),
                "plugin \"Faulty\" called columns.find in Bind; a function with the tag [bind] may "
                "not");
  Call reads("bind reads a text");
  EXPECT_EQ(text(reads.instance->bind()->call(reads.calls(), reads.call, reads.codes)), "fine");
}

TEST(Calls, Exceptions) {
  for (int i = 0; i < 3; ++i) {
    Call c("filter throws");
    const CallError error = c.filter();
    ASSERT_TRUE(error);
    EXPECT_EQ(error.kind(), CallError::Kind::kThrew);
    EXPECT_EQ(error.text(), "plugin \"Faulty\" threw an exception in Filter: bad luck");
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  }
  Call number("filter throws a number");
  EXPECT_EQ(text(number.filter()), "plugin \"Faulty\" threw an exception in Filter");
  Call score("score throws");
  EXPECT_EQ(text(score.score()), "plugin \"Faulty\" threw an exception in Score: bad luck");
  Call reserve("unreserve throws");
  EXPECT_EQ(text(reserve.instance->reserve()->unreserve(reserve.calls(), reserve.call)),
            "plugin \"Faulty\" threw an exception in Reserve: bad luck");
  Call bind("bind throws");
  EXPECT_EQ(text(bind.instance->bind()->call(bind.calls(), bind.call, bind.codes)),
            "plugin \"Faulty\" threw an exception in Bind: bad luck");
}

TEST(Calls, ReportedErrors) {
  Call c("filter fails");
  const CallError error = c.filter();
  ASSERT_TRUE(error);
  EXPECT_EQ(error.kind(), CallError::Kind::kReported);
  EXPECT_EQ(error.text(), "the rack is on fire");
  Call silent("filter fails silently");
  EXPECT_EQ(text(silent.filter()), "it gave no text for its error");
  Call reports("pre_filter reports");
  EXPECT_EQ(text(reports.pre_filter()), "no such rack");
  EXPECT_BROKEN(
      "filter returns 9", b.filter(),
      "plugin \"Faulty\" returned code 9 from a call of Filter; a call may return 0 or 1");
}

TEST(Calls, AreCounted) {
  Call c("filter 7");
  const HookId id = c.instance->filter()->id();
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(c.filter());
  EXPECT_EQ(c.calls().counts(id).calls, 5u);
  EXPECT_EQ(c.calls().counts(id).errors, 5u);
  EXPECT_EQ(c.calls().counts(id).timed_calls, 0u);
  c.calls().time_calls(true);
  EXPECT_TRUE(c.filter());
  c.calls().time_calls(false);
  EXPECT_TRUE(c.filter());
  EXPECT_EQ(c.calls().counts(id).timed_calls, 1u);
  HookCounts sum = c.calls().counts(id);
  sum += sum;
  EXPECT_EQ(sum.calls, 14u);
}

TEST(Calls, Describe) {
  Call c;
  c.call.count = 1;
  std::vector<std::string> texts;
  const Filter& filter = *c.instance->filter();
  EXPECT_EQ(text(filter.describe(c.calls(), c.call, 2, texts)), "fine");
  EXPECT_EQ(texts, (std::vector<std::string>{"the rack is full", "the rack is hot"}));
  EXPECT_EQ(text(filter.describe(c.calls(), c.call, 0, texts)), "fine");
  EXPECT_TRUE(texts.empty());
  Call throws("describe throws");
  EXPECT_EQ(text(throws.instance->filter()->describe(throws.calls(), throws.call, 1, texts)),
            "plugin \"Faulty\" threw an exception in Filter: bad luck");
  Call nothing("hook describes nothing");
  EXPECT_EQ(text(nothing.instance->filter()->describe(nothing.calls(), nothing.call, 1, texts)),
            "fine");
  EXPECT_TRUE(texts.empty());
}

TEST(Calls, ReasonsThatAreNotGiven) {
  Call c("reasons are not given");
  c.reasons.fill(9);
  EXPECT_EQ(text(c.instance->filter()->reasons(c.calls(), c.call, c.reasons)), "fine");
  EXPECT_EQ(c.reasons[63], 0u);
}

TEST(Prepare, StateAndInputs) {
  Call c;
  Prepared prepared;
  const Filter& filter = *c.instance->filter();
  EXPECT_EQ(text(filter.prepare(c.calls(), {}, prepared)), "fine");
  EXPECT_EQ(*static_cast<const int*>(prepared.state()), 7);
  EXPECT_FALSE(prepared.narrowed());
  EXPECT_FALSE(prepared.passes());
  Prepared moved = std::move(prepared);
  EXPECT_NE(moved.state(), nullptr);

  Call narrows("prepare narrows");
  EXPECT_EQ(text(narrows.instance->filter()->prepare(narrows.calls(), {}, prepared)), "fine");
  EXPECT_TRUE(prepared.narrowed());
  ASSERT_EQ(prepared.inputs().size(), 1u);
  EXPECT_EQ(narrows.instance.fake.model.column_id(prepared.inputs()[0]), "node.label:disk");
  prepared = Prepared();

  Call passes("prepare passes");
  EXPECT_EQ(text(passes.instance->filter()->prepare(passes.calls(), {}, prepared)), "fine");
  EXPECT_TRUE(prepared.passes());
  prepared = Prepared();

  Call nothing("hook prepares nothing");
  EXPECT_FALSE(nothing.instance->filter()->prepares());
  EXPECT_EQ(text(nothing.instance->filter()->prepare(nothing.calls(), {}, prepared)), "fine");
  EXPECT_EQ(prepared.state(), nullptr);
}

TEST(Prepare, Broken) {
  Prepared p;
  EXPECT_BROKEN("prepare sets unknown flags", b.instance->filter()->prepare(b.calls(), {}, p),
                "plugin \"Faulty\" returned the unknown flags 8 from prepare of Filter");
  EXPECT_BROKEN(
      "prepare reads what is not declared", b.instance->filter()->prepare(b.calls(), {}, p),
      "plugin \"Faulty\" returned the column \"node.ports\", which its declaration does not "
      "cover, as input 0 from prepare of Filter");
  EXPECT_BROKEN(
      "prepare reads what there is not", b.instance->filter()->prepare(b.calls(), {}, p),
      "plugin \"Faulty\" returned a column that does not exist (number 4711) as input 0 from "
      "prepare of Filter");
  Call throws("prepare throws");
  EXPECT_EQ(text(throws.instance->filter()->prepare(throws.calls(), {}, p)),
            "plugin \"Faulty\" threw an exception in Filter: bad luck");
  EXPECT_EQ(p.state(), nullptr);
}

TEST(Prepare, ReleaseThrows) {
  Call c("release throws");
  {
    Prepared prepared;
    EXPECT_EQ(text(c.instance->filter()->prepare(c.calls(), {}, prepared)), "fine");
  }
  EXPECT_EQ(c.instance.fake.log.lines,
            std::vector<std::string>{"1 Faulty: threw an exception in release: bad luck"});
}

}  // namespace
}  // namespace berth::host
