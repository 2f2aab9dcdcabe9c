#pragma once

// A process that takes part in an election, for the tests of this folder.

#include <string>
#include <utility>
#include <vector>

#include "engine/kube/lease/elector.h"
#include "engine/kube/lease/lease_testing.h"

namespace berth::kube::lease_test {

struct Process {
  // Its election has started.
  Process(World& world, Machine& machine, LeaseServer& server, std::string identity,
          uint64_t seed = 1)
      : wire(world, machine, [&server](const Request& request) { return server.answer(request); }),
        elector(wire, machine, options(std::move(identity), seed), callbacks()) {
    elector.start();
  }

  static LeaseOptions options(std::string identity, uint64_t seed) {
    LeaseOptions options;
    options.identity = std::move(identity);
    options.seed = seed;
    return options;
  }

  ElectionCallbacks callbacks() {
    return {.on_leading = [this] { heard.emplace_back("leading"); },
            .on_lost = [this](const Error& why) { heard.push_back(why.what()); },
            .on_new_leader = [this](const std::string& who) { heard.push_back("leader " + who); },
            .on_fault = [this](const Error& fault) { faults.push_back(fault.what()); }};
  }

  std::vector<std::string> heard, faults;
  Wire wire;
  LeaderElector elector;
};

}  // namespace berth::kube::lease_test
