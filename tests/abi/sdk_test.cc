// The SDK's tools: texts, names, numbers, arguments.

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "berth/sdk/arithmetic.hpp"
#include "berth/sdk/config.hpp"
#include "berth/sdk/field_errors.hpp"
#include "berth/sdk/kubernetes/resource_names.hpp"
#include "berth/sdk/plugin.hpp"
#include "berth/sdk/points.hpp"
#include "berth/sdk/points/bind.hpp"
#include "berth/sdk/points/enqueue.hpp"
#include "berth/sdk/points/filter.hpp"
#include "berth/sdk/services/clock.hpp"
#include "berth/sdk/services/counts.hpp"
#include "berth/sdk/services/external.hpp"
#include "berth/sdk/services/metrics.hpp"
#include "berth/sdk/services/worker.hpp"
#include "plugins/testing/fake_config.h"
#include "plugins/testing/fake_host.h"

namespace berth::sdk {
namespace {

using Texts = std::vector<std::string>;

TEST(SdkText, Concat) {
  EXPECT_EQ(concat("a", std::string("b"), 'c', -1, uint64_t{UINT64_MAX}),
            "abc-118446744073709551615");
}

TEST(SdkPoints, EachHasOneIdAndAMinor) {
  for (size_t i = 0; i < kPoints.size(); ++i) EXPECT_EQ(point_index(kPoints[i].id), i);
  EXPECT_EQ(point_index("berth.filter/7"), kPoints.size());
  static_assert(minor_needed({BERTH_FILTER " " BERTH_SCORE}) == 0);
  Texts seen;
  for_each_point("a b c", [&](std::string_view id) { seen.emplace_back(id); });
  EXPECT_EQ(seen, (Texts{"a", "b", "c"}));
}

// As if these had come later.
constexpr Addition kPlanted[] = {{"node.pods", 2}, {"node.label:", 3}, {BERTH_COUNTS_SERVICE, 4}};

TEST(SdkAdditions, TheMinorFollowsFromPointsColumnsAndServices) {
  static_assert(minor_needed({BERTH_FILTER}, kPlanted) == 0);
  static_assert(minor_needed({BERTH_FILTER, "node.name"}, kPlanted) == 0);
  static_assert(minor_needed({BERTH_FILTER, "node.pods"}, kPlanted) == 2);
  static_assert(minor_needed({BERTH_FILTER, "node.label:*", "node.pods"}, kPlanted) == 3);
  static_assert(minor_needed({BERTH_FILTER, "node.pods", BERTH_COUNTS_SERVICE}, kPlanted) == 4);
  EXPECT_EQ(since_minor("node.label:disk", kPlanted), 3);
  EXPECT_EQ(since_minor("node.labels", kPlanted), 0);
}

struct Forgets : Observe {
  void bound(const Call&) const override { throw Failure("no room for it"); }
  void left(const Call&) const override {}
};

TEST(SdkObserve, AnExceptionIsAnErrorInTheLog) {
  plugins::testing::FakeHost fake;
  Hooks<Forgets> plugin;
  plugin.hook(Point::kObserve)->start(Host(fake.raw()));
  const auto& table = *static_cast<const berth_observe*>(plugin.extension(BERTH_OBSERVE));
  berth_call call{};
  call.size = sizeof call;
  table.bound(plugin.to_abi(), &call);
  table.left(plugin.to_abi(), &call);
  EXPECT_EQ(fake.logged, Texts{"bound: no room for it"});
}

struct UsesPods : Filter<> {
  Input<int64_t> pods{*this, "node.pods"};
  void filter(const Call&, std::span<uint8_t>) const override {}
};

// Keeps all inputs, and adds a member of a family.
struct KeepsAll : Filter<uint64_t> {
  Input<int64_t> pods{*this, "node.pods"};
  Family labels{*this, "node.label:*"};
  OptionalInput<int64_t> row{*this, "node.row"};
  OptionalInput<int64_t> colour{*this, "node.colour"};
  void prepare(const Template&, Preparation& prepared, uint64_t&) override {
    prepared.add<uint32_t>("node.label:disk");
    prepared.keep_all();
  }
  void filter(const Call&, std::span<uint8_t>) const override {}
};

TEST(SdkInputs, AreDeclaredIfTheHostHasThem) {
  plugins::testing::FakeHost fake;
  fake.missing_column = "node.colour";
  KeepsAll hook;
  EXPECT_FALSE(hook.row.found());
  hook.start(Host(fake.raw()));
  EXPECT_TRUE(hook.row.found());
  EXPECT_FALSE(hook.colour.found());
  EXPECT_EQ(Texts(hook.ids().begin(), hook.ids().end()),
            (Texts{"node.pods", "node.label:*", "node.row"}));
}

TEST(SdkInputs, CanAllBeKept) {
  plugins::testing::FakeHost fake;
  KeepsAll hook;
  hook.start(Host(fake.raw()));
  Narrowing narrowing;
  Preparation prepared(hook, narrowing);
  uint64_t state = 0;
  const berth_template raw{};
  hook.prepare(Template(&raw), prepared, state);
  Texts ids;
  for (const uint32_t id : narrowing.ids) ids.push_back(fake.column_text(id));
  EXPECT_EQ(ids, (Texts{"node.label:disk", "node.pods", "node.row", "node.colour"}));
}

TEST(SdkConfig, MembersQuantitiesAndDurations) {
  const plugins::testing::FakeConfig fake(
      R"({"racks": {"left": "500m", "right": "2"}, "wait": "1m", "bad": "soon"})");
  const Config config(fake.raw());
  std::string seen;
  for (const Config::Member& rack : config["racks"].members())
    seen += concat(rack.name, "=", rack.value.quantity(0, 1000), " ");
  EXPECT_EQ(seen, "left=500 right=2000 ");
  EXPECT_EQ(config["wait"].duration(), std::chrono::minutes(1));
  EXPECT_EQ(config["bad"].duration(std::chrono::seconds(3)), std::chrono::seconds(3));
  EXPECT_EQ(config["none"].quantity(7), 7);
  EXPECT_EQ(fake.errors(), (Texts{"bad: must be a duration such as 1m30s"}));
}

// A plugin that says that it needs less does not start, in any host.
TEST(SdkAdditions, AMinorThatIsTooLowIsAnError) {
  plugins::testing::FakeHost fake;
  UsesPods hook;
  EXPECT_NO_THROW(hook.start(Host(fake.raw(), Needs(2, kPlanted))));
  try {
    hook.start(Host(fake.raw(), Needs(1, kPlanted)));
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(),
                 "this plugin uses the column node.pods, which came with ABI 1.2, but says that it "
                 "needs ABI 1.1: name it behind the extension points in BERTH_SDK_PLUGIN");
  }
  const Host host(fake.raw(), Needs(3, kPlanted));
  EXPECT_NO_THROW((void)host.require<berth_strings_service>(BERTH_STRINGS_SERVICE));
  EXPECT_THROW((void)host.require<berth_counts_service>(BERTH_COUNTS_SERVICE), Failure);
}

// Services that came with ABI 1.3, behind a minor that says so.
TEST(SdkServices, OfTheRun) {
  plugins::testing::FakeHost fake;
  EXPECT_THROW(Clock(Host(fake.raw(), Needs(2))), Failure);
  const Host host(fake.raw(), Needs(minor_needed({BERTH_SCORE, BERTH_CLOCK_SERVICE})));
  fake.run.now = 5;
  EXPECT_EQ(Clock(host).now(), 5);
  const Random random(host);
  EXPECT_EQ(random.bits(3), 3u);
  fake.run.random = uint64_t{1} << 63;
  EXPECT_EQ(random.below(10, 0), 5u);
  const Worker worker(host);
  EXPECT_LT(worker.index(), worker.count());
  EXPECT_EQ(worker.scratch<int64_t>(100).size(), 100u);
  EXPECT_THROW((void)worker.scratch<int64_t>(BERTH_SCRATCH_MAX_BYTES), std::bad_alloc);
  Counter counter(host, "pods_total", "Pods.");
  counter.add();
  counter.add(2);
  Gauge(host, "heat", "").set(-4);
  EXPECT_EQ(fake.run.metrics, (std::map<std::string, int64_t>{{"pods_total", 3}, {"heat", -4}}));
}

TEST(SdkServices, OfDataFromOutside) {
  static_assert(minor_needed({BERTH_SCORE, "cluster.epoch:load"}) == 3);
  plugins::testing::FakeHost fake;
  const Host host(fake.raw());
  EXPECT_THROW(Epoch(host, ""), Failure);
  const Epoch heat(host, "heat"), load(host, "load");
  load.raise();
  heat.raise();
  EXPECT_EQ(fake.run.raised, (std::vector<std::string>{"load", "heat"}));
  Waker(host).wake();
  EXPECT_EQ(fake.run.wakes, 1);
}

TEST(SdkFieldErrors, WordedAsKubernetesDoes) {
  EXPECT_EQ(invalid_value("a\"b\\\n\x01", "bad"), "Invalid value: \"a\\\"b\\\\\\n\\x01\": bad");
  EXPECT_EQ(invalid_value(-3, "bad"), "Invalid value: -3: bad");
  EXPECT_EQ(unsupported_value("x", {"a", "b"}),
            "Unsupported value: \"x\": supported values: \"a\", \"b\"");
  EXPECT_EQ(required_value("it"), "Required value: it");
  EXPECT_EQ(duplicate_value("it"), "Duplicate value: \"it\"");
}

TEST(SdkNames, Qualified) {
  for (const char* good : {"a", "A-b_c.d", "example.com/gpu", "a.b-c.d/E", "1", "x/1"})
    EXPECT_TRUE(is_qualified_name(good)) << good;
  for (const char* bad : {"", "-a", "a-", "a b", "/a", "a/", "a/b/c", "Example.com/x", "a..b/x",
                          "-a/x", "a-/x", "a.-b/x", "a-.b/x", "a_b/x", ".a/x", "a./x"})
    EXPECT_FALSE(is_qualified_name(bad)) << bad;
  EXPECT_TRUE(is_qualified_name(std::string(63, 'a')));
  EXPECT_FALSE(is_qualified_name(std::string(64, 'a')));
  EXPECT_TRUE(is_qualified_name(std::string(253, 'a') + "/a"));
  EXPECT_FALSE(is_qualified_name(std::string(254, 'a') + "/a"));
}

TEST(SdkNames, AllProblemsInOrder) {
  const std::string rule =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
      "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  EXPECT_EQ(
      qualified_name_problems("/"),
      (Texts{"prefix part must be non-empty", "name part must be non-empty", "name part " + rule}));
  EXPECT_EQ(qualified_name_problems("a/b/c"),
            Texts{"a qualified name " + rule +
                  " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"});
  EXPECT_EQ(qualified_name_problems("A/" + std::string(64, 'b')),
            (Texts{"prefix part a lowercase RFC 1123 subdomain must consist of lower case "
                   "alphanumeric characters, '-' or '.', and must start and end with an "
                   "alphanumeric character (e.g. 'example.com', regex used for validation is "
                   "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
                   "name part must be no more than 63 characters"}));
}

TEST(SdkNames, ClassesOfResources) {
  for (const char* name : {"example.com/gpu", "a/b", "hugepages-2Mi", "attachable-volumes-aws-ebs",
                           "kubernetes.io/x", "sub.kubernetes.io/x"})
    EXPECT_TRUE(is_scalar_resource(name)) << name;
  for (const char* name : {"cpu", "memory", "ephemeral-storage", "pods", "storage", "gpu",
                           "requests.example.com/gpu", "Bad/gpu", "a/b/c", "huge"})
    EXPECT_FALSE(is_scalar_resource(name)) << name;
  EXPECT_TRUE(is_extended_resource("example.com/gpu"));
  EXPECT_FALSE(is_extended_resource("x.kubernetes.io/gpu"));
  EXPECT_FALSE(is_extended_resource("hugepages-2Mi"));
  // "requests." and the name together must be at most 253 characters.
  EXPECT_TRUE(is_extended_resource(std::string(244, 'a') + "/gpu"));
  EXPECT_FALSE(is_extended_resource(std::string(245, 'a') + "/gpu"));
}

TEST(SdkArithmetic, WrapsLikeGo) {
  EXPECT_EQ(wrapping_add(INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(wrapping_subtract(INT64_MIN, 1), INT64_MAX);
  EXPECT_EQ(wrapping_multiply(INT64_MAX, 2), -2);
  EXPECT_EQ(wrapping_divide(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(wrapping_divide(-7, 2), -3);
}

TEST(SdkArithmetic, SmallNumbersConvertExactly) {
  for (const int64_t value : {int64_t{0}, int64_t{1}, kSmall / 3, kSmall - 1, kSmall})
    EXPECT_EQ(small_to_double(value), static_cast<double>(value));
}

TEST(SdkArithmetic, SmallPercentagesAreExact) {
  EXPECT_TRUE(rc::check("100 * part / whole", [] {
    const auto whole = *rc::gen::oneOf(rc::gen::inRange<int64_t>(1, 1000),
                                       rc::gen::inRange<int64_t>(1, kSmallWhole + 1),
                                       rc::gen::inRange<int64_t>(kSmallWhole - 9, kSmallWhole + 1));
    // Close to a multiple of whole / 100, where an error in rounding would show.
    const int64_t near = *rc::gen::inRange<int64_t>(0, 101) * whole / 100;
    const int64_t part =
        std::clamp<int64_t>(*rc::gen::oneOf(rc::gen::inRange<int64_t>(near - 2, near + 3),
                                            rc::gen::inRange<int64_t>(0, whole + 1)),
                            0, whole);
    RC_ASSERT(small_percentage(part, whole) == 100 * part / whole);
  }));
}

TEST(SdkQueue, OrderedBytes) {
  const int64_t values[] = {INT64_MIN, -1, 0, 1, 255, 256, INT64_MAX};
  uint8_t last[8], next[8];
  put_ordered(last, values[0]);
  for (size_t i = 1; i < std::size(values); ++i) {
    put_ordered(next, values[i]);
    EXPECT_LT(std::memcmp(last, next, 8), 0);
    std::memcpy(last, next, 8);
  }
}

TEST(SdkConfig, ReadsTypedValuesWithFallbacks) {
  plugins::testing::FakeConfig fake(
      R"({"s": "x", "b": true, "i": 7, "f": 1.5, "l": [1, 2], "o": {"deep": "y"}, "n": null})");
  const Config config(fake.raw());
  EXPECT_EQ(config["s"].text(), "x");
  EXPECT_TRUE(config["b"].boolean());
  EXPECT_EQ(config["i"].integer(), 7);
  EXPECT_EQ(config["f"].number(), 1.5);
  EXPECT_EQ(config["l"].elements().size(), 2u);
  EXPECT_EQ(config["l"].elements()[1].integer(), 2);
  EXPECT_EQ(config["o"]["deep"].text(), "y");
  EXPECT_FALSE(config["n"].present());
  EXPECT_EQ(config["n"].integer(3), 3);
  EXPECT_EQ(config["absent"].text("z"), "z");
  EXPECT_EQ(config["absent"]["deeper"].integer(9), 9);
  EXPECT_EQ(fake.errors(), Texts{});
  EXPECT_EQ(fake.unknown(), Texts{});
  EXPECT_EQ(Config(nullptr)["x"].integer(4), 4);
}

TEST(SdkConfig, ReportsWithThePath) {
  plugins::testing::FakeConfig fake(R"({"s": 1, "i": 700, "l": [{"w": "1"}, 2], "more": 1})");
  const Config config(fake.raw());
  EXPECT_EQ(config["s"].text("z"), "z");
  EXPECT_EQ(config["i"].integer(5, 0, 100), 5);
  for (const Config& item : config["l"].elements())
    if (item.object()) item["w"].integer();
  config["absent"].error("is needed");
  config["l"].error("is short", "[7].w");
  EXPECT_EQ(fake.errors(), (Texts{"s: must be a string", "i: must be from 0 to 100",
                                  "l[0].w: must be a whole number", "l[1]: must be an object",
                                  "absent: is needed", "l[7].w: is short"}));
  EXPECT_EQ(fake.unknown(), Texts{"more"});
}

TEST(SdkConfig, TypeMeta) {
  const auto problems = [](std::string_view json) {
    plugins::testing::FakeConfig fake(json);
    Config(fake.raw()).type_meta("XArgs");
    Texts all = fake.errors();
    for (const std::string& path : fake.unknown()) all.push_back(path);
    return all;
  };
  EXPECT_EQ(problems("{}"), Texts{});
  EXPECT_EQ(problems(R"({"kind": "XArgs", "apiVersion": "kubescheduler.config.k8s.io/v1"})"),
            Texts{});
  EXPECT_EQ(problems(R"({"kind": "YArgs"})"),
            Texts{": the arguments are of type YArgs.kubescheduler.config.k8s.io, not "
                  "XArgs.kubescheduler.config.k8s.io"});
  EXPECT_EQ(problems(R"({"apiVersion": "apps/v1"})"),
            Texts{": the arguments are of type XArgs.apps, not XArgs.kubescheduler.config.k8s.io"});
}

}  // namespace
}  // namespace berth::sdk
