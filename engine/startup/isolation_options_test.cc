// The options of isolation are added to what the file of the configuration says.

#include "engine/startup/isolation_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace berth::startup {
namespace {

using config::PluginIsolation;

// That of a file: plugins by name, each with a deadline of its own.
PluginIsolation file(std::initializer_list<const char*> names) {
  PluginIsolation isolation;
  for (const char* name : names) {
    config::IsolatedPlugin& plugin = isolation.plugins.emplace_back();
    plugin.name = name;
    plugin.deadline = std::chrono::seconds(2);
  }
  return isolation;
}

// The result of the options of a command line, or the error.
std::string added(const std::string& line, const PluginIsolation& to = {}) {
  CLI::App app;
  IsolationOptions options;
  options.add_to(app);
  try {
    app.parse(line);
    return to_text(options.added_to(to));
  } catch (const Error& error) {
    return error.what();
  } catch (const CLI::Error& error) {
    return error.what();
  }
}

TEST(IsolationOptions, AddPluginsToThoseOfTheFile) {
  EXPECT_EQ(added(""), "");
  EXPECT_EQ(added("--isolate A,B --isolate C"), "A, B, C");
  EXPECT_EQ(added("--isolate all"), "*");
  EXPECT_EQ(added("", file({"A"})), "A (deadline 2s)");
  EXPECT_EQ(added("--isolate A,B", file({"A"})), "A (deadline 2s), B");
  EXPECT_EQ(added("--isolate all", file({"A"})), "*, A (deadline 2s)");
  // The file names all plugins, so it says how B runs.
  EXPECT_EQ(added("--isolate B", file({"*"})), "* (deadline 2s)");
}

TEST(IsolationOptions, WinOverTheFile) {
  EXPECT_EQ(added("--isolation-skip A --isolation-allow B=files", file({"A", "*"})),
            "* (deadline 2s), A (onFailure Skip, deadline 2s), B (allow Files, deadline 2s)");
  EXPECT_EQ(added("--isolation-skip all --isolate B", file({"A"})),
            "A (onFailure Skip, deadline 2s), B (onFailure Skip)");
  EXPECT_EQ(added("--isolation-deadline 3s --isolation-memory 1Ki --isolate B", file({"A"})),
            "A (deadline 3s, memory 1024), B (deadline 3s, memory 1024)");
}

TEST(IsolationOptions, HaveNoEffectWithoutAnIsolatedPlugin) {
  EXPECT_EQ(added("--isolation-skip Rack --isolate Quota"),
            "--isolation-skip: the plugin \"Rack\" does not run in a process of its own; --isolate "
            "says which plugins do");
  EXPECT_EQ(
      added("--isolation-skip NodeNam --isolate NodeName"),
      "--isolation-skip: the plugin \"NodeNam\" does not run in a process of its own; did you "
      "mean NodeName?");
  for (const char* line :
       {"--isolation-deadline 1s", "--isolation-memory 1Gi", "--isolation-skip all"})
    EXPECT_THAT(added(line), testing::HasSubstr("has no effect, because no plugin")) << line;
}

TEST(IsolationOptions, AreRefusedIfMalformed) {
  for (const char* line :
       {"--isolation-deadline 5000", "--isolation-deadline 0s", "--isolation-deadline 1us"})
    EXPECT_THAT(added(line), testing::HasSubstr("expected a duration of whole milliseconds"));
  for (const char* line : {"--isolation-memory=-1", "--isolation-memory 5MB"})
    EXPECT_THAT(added(line), testing::HasSubstr("expected an amount of memory")) << line;
  EXPECT_THAT(added("--isolation-allow A=disk"),
              testing::HasSubstr("expected NAME=files or NAME=network"));
}

}  // namespace
}  // namespace berth::startup
