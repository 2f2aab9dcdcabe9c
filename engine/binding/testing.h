#pragma once

// Shared by the tests of this folder: a world of two nodes, pods on them, and plugins whose calls
// are written to a log.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/framework/testing/fake_plugin.h"

namespace berth::binding {

using framework::testing::FakeCall;
using framework::testing::FakeFailure;
using framework::testing::FakePlugin;
using framework::testing::FakeWorld;

struct BindingFixture : testing::Test {
  // A new pod that counts on node n0 or n1.
  model::PodId pod(const std::string& name, model::Row row = 0) {
    const model::PodId id = world.cluster().add_pod(FakeWorld::pod(name));
    world.cluster().place(id, row);
    return id;
  }
  // The pod's name at a position of a call of Reserve to PostBind.
  std::string name(const FakeCall& call, size_t position = 0) {
    return std::string(world.cluster().text(call.at<uint32_t>(1, position)));
  }
  // Writes "WHAT POD" to the log.
  void note(const std::string& what, const FakeCall& call, size_t position = 0) {
    log.push_back(what + " " + name(call, position));
  }
  // The log, which is empty then.
  std::vector<std::string> told() { return std::exchange(log, {}); }

  FakeWorld world{2};
  FakePlugin a{"A"}, b{"B"};
  std::vector<std::string> log;
};

}  // namespace berth::binding
