#pragma once

// Creates an instance of the plugin `Faulty` in a fake environment.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/base/error.h"
#include "engine/host/instance/instance.h"
#include "tests/host/fake_environment.h"
#include "tests/host/scratch_folder.h"
#ifdef BERTH_TEST_ISOLATED
#include "engine/isolation/parent/isolation.h"
#endif

namespace berth::host {

// Plugin arguments parsed from text, valid while this object lives.
class TextArguments {
 public:
  explicit TextArguments(const std::string& text) {
    Diagnostics diagnostics;
    document_ = document::Document::parse(text, "config.yaml", diagnostics);
    EXPECT_EQ(diagnostics.count(), 0u);
  }

  Arguments get() const {
    Arguments arguments;
    if (!document_.roots().empty()) arguments.value = document_.roots()[0];
    arguments.place.file = "config.yaml";
    arguments.place.field = "profiles[0].pluginConfig[1].args";
    return arguments;
  }

 private:
  document::Document document_;
};

// Loaded once per process, as for profiles that share a plugin. The same tests run with the plugin
// in a process of its own.
inline const std::shared_ptr<const Library>& faulty_library() {
#ifdef BERTH_TEST_ISOLATED
  static const auto library =
      isolation::load_isolated(SealedFile(ScratchFolder::built("faulty")),
                               {.program = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host"});
#else
  static const auto library = Library::load(ScratchFolder::built("faulty"));
#endif
  return library;
}

class FaultyInstance {
 public:
  // Throws Error if the instance cannot be created.
  explicit FaultyInstance(const std::string& fault = "")
      : arguments_("{\"fault\": \"" + fault + "\"}"),
        instance_(faulty_library(), fake.environment, fake.calls, arguments_.get()) {}

  const Instance* operator->() const { return &instance_; }
  CallContext& calls() { return fake.calls; }

  FakeEnvironment fake;

 private:
  TextArguments arguments_;
  Instance instance_;
};

// The message of a failed start, without the path; "started" if it succeeds.
inline std::string start_failure(const std::string& fault) {
  try {
    const FaultyInstance instance(fault);
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, ScratchFolder::built("faulty").string());
    return error.message();
  }
  return "started";
}

}  // namespace berth::host
