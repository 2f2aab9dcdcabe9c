// Plugins that fail to start, and the messages.

#include "engine/host/instance/instance.h"
#include "engine/host/loading/library.h"

#include <exception>

#include "engine/host/instance/validate.h"
#include "tests/host/faulty_instance.h"

namespace berth::host {
namespace {

std::vector<std::string> validation(const std::string& arguments) {
  std::vector<std::string> texts;
  const TextArguments text(arguments);
  for (const Error& error : validate(*faulty_library(), text.get()))
    texts.emplace_back(error.what());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Instance, HasAHookForEveryPoint) {
  FaultyInstance instance;
  EXPECT_EQ(instance->name(), "Faulty");
  for (const PointInfo& info : kPoints) {
    const Hook* hook = instance->hook(info.point);
    ASSERT_NE(hook, nullptr);
    EXPECT_EQ(hook->point(), info.point);
    EXPECT_EQ(hook->inputs(), (Texts{"node.name", "node.label:*", "pod.priority"}));
    EXPECT_EQ(instance.fake.hooks.name(hook->id()).hook, point_name(hook->point()));
  }
  EXPECT_EQ(instance->hook<Hints>()->actions(BERTH_ON_NODE),
            BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL);
  EXPECT_EQ(instance->hook<Hints>()->actions(BERTH_ON_VOLUME), 0u);
}

TEST(Instance, HasNoHookForOtherPoints) {
  FakeEnvironment fake;
  const Instance instance(Library::load(ScratchFolder::built("good")), fake.environment, fake.calls,
                          {});
  EXPECT_NE(instance.hook<PreEnqueue>(), nullptr);
  EXPECT_EQ(instance.hook<Filter>(), nullptr);
}

TEST(Instance, CreateReturnsNothing) {
  FakeEnvironment fake;
  try {
    const Instance instance(Library::load(ScratchFolder::built("creates_nothing")),
                            fake.environment, fake.calls, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "plugin \"Identity\" returned no instance from create");
  }
}

TEST(Instance, InitFails) {
  EXPECT_EQ(start_failure("init fails"),
            "plugin \"Faulty\" could not be initialised: the rack is on fire");
  EXPECT_EQ(start_failure("init fails silently"), "plugin \"Faulty\" could not be initialised");
  EXPECT_EQ(start_failure("init returns 9"),
            "plugin \"Faulty\" could not be initialised (init returned the code 9, expected "
            "SUCCESS or ERROR)");
  EXPECT_EQ(start_failure("init throws"), "plugin \"Faulty\" threw an exception in init: bad luck");
  EXPECT_EQ(start_failure("init throws a number"), "plugin \"Faulty\" threw an exception in init");
  EXPECT_EQ(start_failure("init finds an argument wrong"),
            "plugin \"Faulty\" refused its arguments: config.yaml:1:11: "
            "profiles[0].pluginConfig[1].args.fault: must be modest");
}

TEST(Instance, InitMissesServices) {
  EXPECT_EQ(start_failure("init misses services"),
            "plugin \"Faulty\" could not be initialised: it cannot see the weather; it asked for "
            "services that this Berth does not have: berth.weather/0, berth.what_if/0");
}

TEST(Instance, InitLogs) {
  FaultyInstance instance("init logs");
  EXPECT_EQ(instance.fake.log.lines, Texts{"2 Faulty: the rack is warm"});
}

TEST(Instance, ExtensionFails) {
  EXPECT_EQ(start_failure("extension has no filter"),
            "plugin \"Faulty\" has no table for berth.filter/0, which its note names");
  EXPECT_TRUE(start_failure("extension throws")
                  .starts_with("plugin \"Faulty\" threw an exception in extension: bad luck; "));
}

TEST(Instance, TablesThatBreakTheContract) {
  const std::string filter = "plugin \"Faulty\" is not usable: its table for berth.filter/0 ";
  EXPECT_EQ(start_failure("table has no hook"), filter + "has no hook");
  EXPECT_EQ(start_failure("table has no size"),
            filter + "has 0 bytes; ABI " + host_abi() + " has 40");
  EXPECT_EQ(start_failure("table has a huge size"),
            filter + "says that it has 4000000000 bytes, expected at most 65536");
  EXPECT_EQ(start_failure("table is not aligned"),
            filter + "is at an address that is not aligned to 8 bytes");
  EXPECT_EQ(start_failure("table has no filter"), filter + "has no function filter");
  EXPECT_EQ(
      start_failure("tables have no functions"),
      filter +
          "has no function filter; is not usable: its table for berth.score/0 has no function "
          "score; is not usable: its table for berth.bind/0 has no function bind");
  const std::string score = "plugin \"Faulty\" is not usable: its table for berth.score/0 ";
  EXPECT_EQ(start_failure("score normalises oddly"),
            score + "declares an unknown kind of normalising: 77");
  EXPECT_EQ(start_failure("score lacks normalise_own"), score + "has no function normalise_pod");
  const std::string hints = "plugin \"Faulty\" is not usable: its table for berth.hints/0 ";
  EXPECT_EQ(start_failure("actions throws"), hints + "threw an exception in actions: bad luck");
  EXPECT_EQ(start_failure("actions unknown"),
            hints + "returned the unknown actions 4096 for kind 1");
  EXPECT_EQ(start_failure("actions whatever"), "started");
  EXPECT_EQ(
      start_failure("wait limit is negative"),
      "plugin \"Faulty\" is not usable: its table for berth.pre_bind/0 has the wait limit -1; "
      "it may not be negative");
  const std::string keys = "plugin \"Faulty\" is not usable: its table for berth.queue_sort/0 has ";
  EXPECT_EQ(start_failure("table has no keys"), keys + "no function keys");
  EXPECT_EQ(start_failure("table ends before its keys"),
            keys + "no function keys, and its table of 32 bytes ends before wide_key_bytes");
  EXPECT_EQ(start_failure("table has bytes without keys"),
            keys + "keys of 24 bytes without the function wide_keys");
  for (const char* bytes : {"0", "513", "4294967295"})
    EXPECT_EQ(start_failure(std::string("wide_keys ") + bytes),
              keys + "wide keys of " + bytes + " bytes, expected 1 to 512");
  EXPECT_EQ(start_failure("wide_keys 24 and something reserved"),
            keys + "5 in the member reserved2, which must be 0");
  EXPECT_EQ(start_failure("bind has unknown flags"),
            "plugin \"Faulty\" is not usable: its table for berth.bind/0 has the unknown flags 6");
}

TEST(Instance, AColumnThatInitAskedForInVain) {
  EXPECT_EQ(start_failure("init asks for an unknown column"),
            "plugin \"Faulty\" could not be initialised: no such column; it asked for the column "
            "\"node.requsted:cpu\", which this Berth does not have; did you mean "
            "node.requested:cpu?");
}

TEST(Instance, ReservedMembersAreZero) {
  const std::string table = "is not usable: its table for berth.";
  EXPECT_EQ(start_failure("tables have something reserved"),
            "plugin \"Faulty\" " + table +
                "filter/0 has 7 in the member reserved, which must be 0; " + table +
                "permit/0 has 8 in the member reserved, which must be 0; " + table +
                "bind/0 has 9 in the member reserved2, which must be 0");
  EXPECT_EQ(start_failure("hook has something reserved"),
            "plugin \"Faulty\" " + table +
                "filter/0 has a hook with 7 in the member reserved, which must be 0");
}

TEST(Instance, InputsThatAreReadAsAnotherType) {
  const std::string filter = "plugin \"Faulty\" is not usable: its table for berth.filter/0 ";
  EXPECT_EQ(start_failure("inputs have types"), "started");
  EXPECT_EQ(start_failure("input has another type"),
            filter + "declares the input \"pod.priority\" as u32; it is i64");
  EXPECT_EQ(start_failure("input is no list"),
            filter + "declares the input \"node.label:*\" as a list of u32; it is u32");
  EXPECT_EQ(start_failure("input has an unknown type"),
            filter + "declares the input \"node.name\" as the unknown type 77; it is u32");
  EXPECT_EQ(start_failure("hook has no types"), "started");
}

TEST(Instance, HooksThatBreakTheContract) {
  const std::string filter = "plugin \"Faulty\" is not usable: its table for berth.filter/0 ";
  EXPECT_EQ(start_failure("hook has no size"),
            filter + "has a hook of 0 bytes; ABI " + host_abi() + " has 72");
  EXPECT_EQ(start_failure("hook depends on the moon"),
            filter + "depends on 9, which is none of BERTH_DEPENDS_");
  EXPECT_EQ(start_failure("hook has an unknown space"),
            filter + "has the space \"node.ports\", which is no dictionary column of nodes");
  EXPECT_EQ(start_failure("hook has an unknown input"),
            filter + "declares the input \"node.colour\", which this Berth does not have");
  EXPECT_EQ(start_failure("hook has a mistyped family"),
            filter +
                "declares the input \"node.lable:example.com/rack\", which this Berth does not "
                "have; did you mean node.label:example.com/rack?");
  EXPECT_EQ(start_failure("hook has a family without a member"),
            filter +
                "declares the input \"node.label\", which this Berth does not have; did you "
                "mean node.label:KEY?");
  EXPECT_EQ(start_failure("hook has an input of events"),
            filter + "declares the input \"event.matches:*\", which only hints have");
  EXPECT_EQ(start_failure("hook has a malformed input"),
            filter + "has a malformed text as input 3");
  EXPECT_EQ(start_failure("hook has inputs without names"),
            filter + "declares 3 inputs without naming them");
  EXPECT_EQ(start_failure("hook prepares without release"), filter + "has prepare without release");
  EXPECT_EQ(start_failure("hook releases without prepare"), filter + "has release without prepare");
  EXPECT_TRUE(
      start_failure("hook has a space among pods")
          .starts_with("plugin \"Faulty\" is not usable: its table for berth.pre_enqueue/0 has "
                       "the space \"node.taints\", which is not possible at this point; "));
}

TEST(Instance, DestroyThrows) {
  FakeEnvironment fake;
  const TextArguments arguments("{fault: destroy throws}");
  { const Instance instance(faulty_library(), fake.environment, fake.calls, arguments.get()); }
  EXPECT_EQ(fake.log.lines, Texts{"1 Faulty: threw an exception in destroy: bad luck"});
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

TEST(Validate, Arguments) {
  EXPECT_EQ(validation(""), Texts{});
  EXPECT_EQ(validation("{}"), Texts{});
  EXPECT_EQ(validation("{fault: none}"), Texts{});
  EXPECT_EQ(validation("{fault: 7}"),
            Texts{"config.yaml:1:9: profiles[0].pluginConfig[1].args.fault: must be a string"});
  EXPECT_EQ(validation("{fault: none, rack: 1}"),
            Texts{"config.yaml:1:15: strict decoding error: unknown field "
                  "\"profiles[0].pluginConfig[1].args.rack\""});
  EXPECT_EQ(validation("{fault: validate misses a member}"),
            Texts{"config.yaml:1:1: profiles[0].pluginConfig[1].args.rack[0]: Required value"});
}

TEST(Validate, PluginsThatFail) {
  EXPECT_EQ(validation("{fault: validate throws}"),
            Texts{"config.yaml:1:1: profiles[0].pluginConfig[1].args: plugin \"Faulty\" threw an "
                  "exception in validate: bad luck"});
  EXPECT_EQ(
      validation("{fault: validate refuses silently}"),
      Texts{"config.yaml:1:1: profiles[0].pluginConfig[1].args: plugin \"Faulty\" refused its "
            "arguments without a message (code 1)"});
}

TEST(Validate, PluginWithoutArguments) {
  const TextArguments arguments("{a: 1}");
  EXPECT_TRUE(validate(*Library::load(ScratchFolder::built("good")), arguments.get()).empty());
}

}  // namespace
}  // namespace berth::host
