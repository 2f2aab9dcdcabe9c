// Faults of hooks when they are called, and the resulting errors.

#include <array>
#include <exception>
#include <limits>
#include <vector>

#include "tests/host/faulty_call.h"

namespace berth::host {
namespace {

#define NEVER "UNSCHEDULABLE or UNSCHEDULABLE_AND_UNRESOLVABLE"
#define ANY "SUCCESS, ERROR, " NEVER
#define SKIPS "SUCCESS, ERROR or SKIP"
#define AT " at position 12 of 64; "
#define ALL "SUCCESS, ERROR, UNSCHEDULABLE, UNSCHEDULABLE_AND_UNRESOLVABLE"

TEST(Calls, AGoodPluginPassesEverywhere) {
  Call c;
  CallContext& calls = c.calls();
  EXPECT_EQ(text(c.pre_enqueue()), "fine");
  EXPECT_EQ(text(c.filter()), "fine");
  EXPECT_EQ(text(c.hook<Filter>().reasons(calls, c.call, c.reasons)), "fine");
  EXPECT_EQ(c.reasons[63], 5u);
  EXPECT_EQ(text(c.score()), "fine");
  EXPECT_EQ(text(c.post_filter()), "fine");
  EXPECT_EQ(c.nomination.code, BERTH_UNSCHEDULABLE);
  EXPECT_EQ(text(c.permit()), "fine");
  EXPECT_EQ(text(c.reserve()), "fine");
  EXPECT_EQ(text(c.hook<Reserve>().unreserve(calls, c.call)), "fine");
  EXPECT_EQ(text(c.pre_flight()), "fine");
  EXPECT_EQ(text(c.pre_bind()), "fine");
  EXPECT_EQ(text(c.bind()), "fine");
  EXPECT_EQ(text(c.hook<PostBind>().call(calls, c.call)), "fine");
  EXPECT_EQ(text(c.queue_sort()), "fine");
  EXPECT_EQ(c.key(5), std::vector<uint8_t>(16, 5));
  EXPECT_EQ(text(c.hint()), "fine");
  EXPECT_EQ(c.helps, 1);
  EXPECT_EQ(text(c.pre_filter()), "fine");
  EXPECT_EQ(text(c.pre_score()), "fine");
  EXPECT_FALSE(c.pre_scored.skip);
}

TEST(Calls, ObserveIsToldOfPodsAndNodes) {
  const std::array<uint32_t, 2> nodes = {3, 7};
  Call fine;
  const Observe& hook = fine.hook<Observe>();
  EXPECT_TRUE(hook.is_told_of_changes() && hook.is_told_of_nodes());
  EXPECT_EQ(text(hook.bound(fine.calls(), fine.call)), "fine");
  EXPECT_EQ(text(hook.changed(fine.calls(), fine.call)), "fine");
  EXPECT_EQ(text(hook.left(fine.calls(), fine.call)), "fine");
  EXPECT_EQ(text(hook.node_left(fine.calls(), nodes)), "fine");
  Call sees("node_left sees the nodes");
  EXPECT_EQ(text(sees.hook<Observe>().node_left(sees.calls(), nodes)),
            "plugin \"Faulty\" threw an exception in Observe: two nodes");
  Call throws("left throws");
  EXPECT_EQ(text(throws.hook<Observe>().left(throws.calls(), throws.call)),
            "plugin \"Faulty\" threw an exception in Observe: bad luck");
  EXPECT_EQ(throws.calls().counts(throws.hook<Observe>().id()).broken, 1u);
}

TEST(Calls, ObserveMayHearLittle) {
  Call c("observe hears little");
  EXPECT_FALSE(c.hook<Observe>().is_told_of_changes());
  EXPECT_FALSE(c.hook<Observe>().is_told_of_nodes());
  EXPECT_NE(start_failure("observe has no left").find("has no function left"), std::string::npos);
}

// What a plugin's numbers refer to, as texts.
class NamedSource final : public NumbersSource {
 public:
  std::string term(uint32_t term) override { return term == 1 ? "app=web" : ""; }
  SomePods pods(uint32_t column, uint64_t element) override {
    return {element, {"pod-" + std::to_string(column)}};
  }
};

TEST(Calls, Numbers) {
  Call c;
  NamedSource source;
  std::vector<Item> items = {{"stale", {}}};
  ASSERT_EQ(text(c.hook<Filter>().numbers(c.calls(), c.call, source, items)), "fine");
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].name, "rack");
  const std::vector<Fact>& facts = items[0].facts;
  ASSERT_EQ(facts.size(), 4u);
  EXPECT_EQ(facts[0].name, "free");
  EXPECT_EQ(facts[0].number, -3);
  EXPECT_EQ(facts[0].unit, BERTH_UNIT_BYTES);
  EXPECT_EQ(facts[1].name, "");
  EXPECT_EQ(facts[1].text, "hot");
  EXPECT_EQ(facts[2].text, "app=web");
  EXPECT_EQ(facts[3].pods.count, 99u);
  EXPECT_EQ(facts[3].pods.names, std::vector<std::string>{"pod-2"});
  EXPECT_EQ(text(c.hook<Score>().numbers(c.calls(), c.call, source, items)), "fine");
  EXPECT_EQ(items.size(), 1u);
}

TEST(Calls, NumbersOfOldTablesAreNone) {
  Call c("tables are old");
  NamedSource source;
  std::vector<Item> items = {{"stale", {}}};
  EXPECT_EQ(text(c.filter()), "fine");
  EXPECT_EQ(text(c.hook<Filter>().numbers(c.calls(), c.call, source, items)), "fine");
  EXPECT_TRUE(items.empty());
  EXPECT_EQ(text(c.hook<Score>().numbers(c.calls(), c.call, source, items)), "fine");
  EXPECT_TRUE(items.empty());
}

TEST(Calls, FaultsOfNumbersLeaveNone) {
  const std::pair<const char*, const char*> kFaults[] = {
      {"numbers names no term", "plugin \"Faulty\" wrote the term 4711, which does not exist"},
      {"numbers has a unit of its own", "plugin \"Faulty\" wrote a number of the unknown unit 3"},
      {"numbers does not end", "plugin \"Faulty\" wrote more than 10000 numbers about one answer"},
      {"numbers throws", "plugin \"Faulty\" threw an exception in Filter: bad luck"},
      {"numbers fails", "the rack is on fire"}};
  for (const auto& [fault, expected] : kFaults) {
    Call c(fault);
    NamedSource source;
    std::vector<Item> items;
    EXPECT_EQ(text(c.hook<Filter>().numbers(c.calls(), c.call, source, items)), expected);
    EXPECT_TRUE(items.empty()) << fault;
  }
}

TEST(Calls, OverlayState) {
  Call c;
  const OverlayState& state = c.hook<OverlayState>();
  void* scratch = nullptr;
  EXPECT_EQ(text(state.begin(c.calls(), nullptr, scratch)), "fine");
  EXPECT_EQ(text(state.add_pod(c.calls(), scratch, c.call, 3)), "fine");
#ifndef BERTH_TEST_ISOLATED  // it is in the plugin's process
  EXPECT_EQ(*static_cast<int*>(scratch), 1);
#endif
  EXPECT_EQ(text(state.remove_pod(c.calls(), scratch, c.call, 3)), "fine");
  EXPECT_EQ(text(state.reset(c.calls(), scratch, nullptr)), "fine");
  EXPECT_EQ(text(state.end(c.calls(), scratch)), "fine");
  expect_broken({"begin returns nothing", &Call::begin_overlay, "returned no scratch from begin"});
}

TEST(Calls, CodesOutOfRange) {
  expect_all_broken(
      {{"filter 7", &Call::filter, "returned verdict 7" AT "Filter may return " ANY},
       {"filter 254", &Call::filter, "returned verdict 254" AT "Filter may return " ANY},
       {"pre_enqueue 1", &Call::pre_enqueue,
        "returned code ERROR" AT "PreEnqueue may return SUCCESS, " NEVER},
       {"hint 2", &Call::hint, "returned hint 2; a hint is 0 or 1"},
       {"reserve 4", &Call::reserve,
        "returned code WAIT" AT "Reserve may return " ALL " or PENDING"},
       {"permit 5", &Call::permit,
        "returned code SKIP" AT "Permit may return " ALL ", WAIT or PENDING"},
       {"permit 4", &Call::permit,
        "returned timeout -1 at position 12 of 64; Permit may not return a negative one"},
       {"pre_flight 2", &Call::pre_flight,
        "returned code UNSCHEDULABLE" AT "PreBind may return " SKIPS},
       {"pre_bind 5", &Call::pre_bind, "returned code SKIP" AT "PreBind may return " ANY},
       {"bind 3", &Call::bind,
        "returned code UNSCHEDULABLE_AND_UNRESOLVABLE" AT "Bind may return " SKIPS}});
}

// Not even one that would be an answer: success, or a score of 0.
TEST(Calls, NothingWritten) {
  expect_all_broken(
      {{"filter writes nothing", &Call::filter, "wrote no verdict at position 0 of 64"},
       {"filter 255", &Call::filter, "wrote no verdict at position 12 of 64"},
       {"score writes nothing", &Call::score, "wrote no score at position 0 of 64"},
       {"score -9223372036854775807", &Call::score, "wrote no score at position 12 of 64"},
       {"normalise writes nothing", &Call::normalise_own,
        "wrote no normalised score at position 0 of 64"},
       {"pre_enqueue writes nothing", &Call::pre_enqueue, "wrote no code at position 0 of 64"},
       {"hint writes nothing", &Call::hint, "wrote no hint"},
       {"reserve writes nothing", &Call::reserve, "wrote no code at position 0 of 64"},
       {"keys leaves one out", &Call::queue_sort,
        "wrote no key, or half of one, at position 7 of 64"},
       {"keys writes half of one", &Call::queue_sort,
        "wrote no key, or half of one, at position 7 of 64"},
       {"wide_keys 24 leaves one out", &Call::queue_sort,
        "wrote no key, or a part of one, at position 7 of 64"},
       {"wide_keys 3 leaves one out", &Call::queue_sort,
        "wrote no key, or a part of one, at position 7 of 64"},
       {"wide_keys 27 leaves the end", &Call::queue_sort,
        "wrote no key, or a part of one, at position 7 of 64"},
       {"permit writes nothing", &Call::permit, "wrote no code at position 0 of 64"},
       {"permit waits without end", &Call::permit, "wrote no timeout at position 0 of 64"},
       {"pre_flight writes nothing", &Call::pre_flight, "wrote no code at position 0 of 64"},
       {"pre_bind writes nothing", &Call::pre_bind, "wrote no code at position 0 of 64"},
       {"pre_bind_or_wait writes nothing", &Call::pre_bind, "wrote no code at position 0 of 64"},
       {"bind writes nothing", &Call::bind, "wrote no code at position 0 of 64"}});
}

// Any 16 bytes are a key, also those that the host fills keys with before a call.
TEST(Calls, EveryKeyIsAKey) {
  Call c;
  EXPECT_EQ(text(c.queue_sort()), "fine");
  EXPECT_EQ(c.calls().counts(c.hook<QueueSort>().id()).calls, 1u);
  for (const char* fault : {"keys are the filling", "wide_keys 1 are the filling"}) {
    Call filling(fault);
    EXPECT_EQ(text(filling.queue_sort()), "fine") << fault;
    EXPECT_EQ(filling.calls().counts(filling.hook<QueueSort>().id()).calls, 2u) << fault;
  }
}

TEST(Calls, WideKeysHaveTheBytesOfTheTable) {
  for (const size_t bytes : {size_t{3}, size_t{8}, size_t{16}, size_t{25}, size_t{512}}) {
    Call c("wide_keys " + std::to_string(bytes));
    ASSERT_EQ(c.hook<QueueSort>().key_bytes(), bytes);
    EXPECT_EQ(text(c.queue_sort()), "fine") << bytes;
    EXPECT_EQ(c.key(63), std::vector<uint8_t>(bytes, 63));
  }
  // A table of ABI 1.2 has no such members, whatever is behind it.
  EXPECT_EQ(Call("wide_keys 24 are behind the table").hook<QueueSort>().key_bytes(), 16u);
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
  expect_all_broken(
      {{"pre_filter 4", &Call::pre_filter,
        "returned code WAIT as its result; PreFilter may return " ALL ", SKIP or PENDING"},
       {"pre_filter -1", &Call::pre_filter,
        "returned code -1 as its result; PreFilter may return " ALL ", SKIP or PENDING"},
       {"pre_score 2", &Call::pre_score,
        "returned code UNSCHEDULABLE as its result; PreScore may return SUCCESS, ERROR or SKIP"},
       {"post_filter 5", &Call::post_filter,
        "returned code SKIP as its result; PostFilter may return " ANY},
       {"post_filter node 99", &Call::post_filter,
        "returned 99 as a node's name from PostFilter, which is not a string id"},
       {"post_filter sets something reserved", &Call::post_filter,
        "returned 7 in the member reserved, which must be 0, from PostFilter"},
       {"pre_score sets something reserved", &Call::pre_score,
        "returned 7 in the member reserved, which must be 0, from PreScore"},
       {"post_filter victims", &Call::post_filter,
        "returned 3 victims from PostFilter: too many, or without an array"}});
}

TEST(Calls, PreFilterNames) {
  Call good("pre_filter names 2");
  EXPECT_EQ(text(good.pre_filter()), "fine");
  EXPECT_TRUE(good.narrowed.narrows);
  EXPECT_EQ(good.narrowed.node_names.size(), 2u);
  expect_all_broken(
      {{"pre_filter names 99", &Call::pre_filter,
        "returned 99 as a node's name at position 1 of 2 from PreFilter, which is not a string id"},
       {"pre_filter names 0", &Call::pre_filter,
        "returned 0 as a node's name at position 1 of 2 from PreFilter, which is not a string id"},
       {"pre_filter names nothing at length", &Call::pre_filter,
        "returned 3 node names from PreFilter: too many, or without an array"},
       {"pre_filter narrows 3", &Call::pre_filter,
        "returned narrows = 3 from PreFilter, expected 0 or 1"},
       {"pre_filter names 2 without prepare", &Call::pre_filter,
        "returned node names from PreFilter, which belong to the state of a prepare, and has no "
        "prepare"}});
}

// A plugin may have both functions, the one without the state for hosts that know no other.
TEST(Calls, NormalisingWithTheState) {
  Call good("normalise_pod");
  const Score& score = good.hook<Score>();
  ASSERT_EQ(text(score.prepare(good.calls(), {}, good.prepared)), "fine");
  ASSERT_NE(good.prepared.state(), nullptr);
  std::array<int64_t, kPositions> final{};
  EXPECT_EQ(text(score.normalise_own(good.calls(), good.prepared.state(), good.raw, 0, 0, final)),
            "fine");
  EXPECT_EQ(final[7], good.raw[7] + 1);
  Call bad("normalise_pod fails");
  EXPECT_EQ(text(bad.normalise_own()), "the rack is on fire");
}

TEST(Calls, ScoresOutOfRange) {
  Call c("score 101");
  const Score& score = c.hook<Score>();
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
      text(c.hook<Score>().normalise_own(c.calls(), nullptr, c.raw, 0, 0, final)),
      "plugin \"Faulty\" normalised score 0 to 101 at position 0 of 64; Score may return 0 to "
      "100");
  Call good("normalise");
  EXPECT_EQ(text(good.hook<Score>().normalise_own(good.calls(), nullptr, good.raw, 0, 0, final)),
            "fine");
}

TEST(Calls, PreBindMayWait) {
  Call c("pre_bind_or_wait has a limit");
  c.waited[3] = 41;
  EXPECT_EQ(text(c.pre_bind()), "fine");
  EXPECT_EQ(c.codes[3], BERTH_WAIT);
  EXPECT_EQ(c.timeouts[3], 42);
  EXPECT_EQ(c.hook<PreBind>().wait_limit_nanoseconds(), 5'000'000'000);
  EXPECT_EQ(Call("pre_bind_or_wait").hook<PreBind>().wait_limit_nanoseconds(), 900'000'000'000);
  EXPECT_EQ(Call("pre_bind_or_wait has a long limit").hook<PreBind>().wait_limit_nanoseconds(),
            int64_t{BERTH_PRE_BIND_MAX_SECONDS} * 1'000'000'000);
  expect_all_broken(
      {{"pre_bind_or_wait asks for the past", &Call::pre_bind,
        "returned the time -1 at position 0 of 64; PreBind may not return a negative one"},
       {"pre_bind_or_wait 5", &Call::pre_bind,
        "returned code SKIP" AT "PreBind may return " ALL " or WAIT"},
       {"pre_bind 4", &Call::pre_bind, "returned code WAIT" AT "PreBind may return " ANY}});
}

TEST(Calls, OlderTablesHaveNoNewMembers) {
  Call c("tables are older");
  EXPECT_EQ(text(c.pre_bind()), "fine");
  EXPECT_EQ(c.codes[0], BERTH_SUCCESS);
  EXPECT_FALSE(c.hook<Bind>().quick());
  EXPECT_TRUE(Call("bind is quick").hook<Bind>().quick());
}

TEST(Calls, ServicesOfTheModelAreRefusedWhileBinding) {
  expect_all_broken({{"bind interns", &Call::bind,
                      "called strings.intern in Bind; a function with the tag [bind] may not"},
                     {"bind looks up a column", &Call::bind,
                      "called columns.find in Bind; a function with the tag [bind] may not"}});
  expect_all_broken({{"filter interns", &Call::filter,
                      "called strings.intern in Filter; a function with the tag [rows] may not"}});
  Call reads("bind reads a text");
  EXPECT_EQ(text(reads.bind()), "fine");
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
  EXPECT_EQ(text(reserve.hook<Reserve>().unreserve(reserve.calls(), reserve.call)),
            "plugin \"Faulty\" threw an exception in Reserve: bad luck");
  Call bind("bind throws");
  EXPECT_EQ(text(bind.bind()), "plugin \"Faulty\" threw an exception in Bind: bad luck");
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
  expect_broken({"filter returns 9", &Call::filter,
                 "returned code 9 from a call of Filter; a call may return SUCCESS or ERROR"});
}

TEST(Calls, AreCounted) {
  Call c("filter 7");
  const HookId id = c.hook<Filter>().id();
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
  const Filter& filter = c.hook<Filter>();
  EXPECT_EQ(text(filter.describe(c.calls(), c.call, 2, texts)), "fine");
  EXPECT_EQ(texts, (std::vector<std::string>{"the rack is full", "the rack is hot"}));
  const std::vector<std::string> none = {"plugin \"Faulty\" gave no reason"};
  EXPECT_EQ(text(filter.describe(c.calls(), c.call, 0, texts)), "fine");
  EXPECT_EQ(texts, none);
  Call throws("describe throws");
  EXPECT_EQ(text(throws.hook<Filter>().describe(throws.calls(), throws.call, 1, texts)),
            "plugin \"Faulty\" threw an exception in Filter: bad luck");
  Call nothing("hook describes nothing");
  EXPECT_EQ(text(nothing.hook<Filter>().describe(nothing.calls(), nothing.call, 1, texts)), "fine");
  EXPECT_EQ(texts, none);
  Call long_winded("describe says too much");
  EXPECT_EQ(
      text(long_winded.hook<Filter>().describe(long_winded.calls(), long_winded.call, 1, texts)),
      "fine");
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "plugin \"Faulty\" gave a reason of 4611686018427387904 bytes",
                       "plugin \"Faulty\" gave a reason of 5 bytes", "the rack is full"}));
}

TEST(Calls, ReasonsThatAreNotGiven) {
  Call c("reasons are not given");
  c.reasons.fill(9);
  EXPECT_EQ(text(c.hook<Filter>().reasons(c.calls(), c.call, c.reasons)), "fine");
  EXPECT_EQ(c.reasons[63], 0u);
}

}  // namespace
}  // namespace berth::host
