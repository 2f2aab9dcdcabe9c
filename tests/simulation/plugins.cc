#include "tests/simulation/plugins.h"

#include "tests/runtime/folder.h"

namespace berth::simulation {

runtime::Plugins& plugins() {
  static tests::PluginFolder folder;
  static runtime::Plugins found = [] {
    folder.add_shipped_but("");
    folder.add_of_tests("simulation_chaos", "chaos.so");
    return folder.discover();
  }();
  return found;
}

}  // namespace berth::simulation
