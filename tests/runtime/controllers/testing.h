#pragma once

// A core with the controllers that a run plays.

#include <string>
#include <vector>

#include "tests/runtime/testing.h"

namespace berth::tests {

class PlayedTest : public CoreTest {
 protected:
  PlayedTest() { controllers = played::ControllerList::all(); }

  void pass(Time time) { core->advance_to(core->now() + time); }
  // "KEY:EFFECT", with the prefix node.kubernetes.io/ left out.
  std::vector<std::string> taints_of(const std::string& name) {
    std::vector<std::string> all;
    const model::Slot slot = cluster().nodes().find(cluster().strings().find(name));
    for (const model::Taint& taint :
         cluster().taint_sets().taints(cluster().nodes().node(slot).taint_set))
      all.push_back(taint.key.substr(taint.key.find('/') + 1) + ":" + taint.effect);
    return all;
  }
};

}  // namespace berth::tests
