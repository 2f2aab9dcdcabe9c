// A plugin whose entry function throws.

#include <stdexcept>

#include "berth/abi/enqueue.h"
#include "berth/abi/plugin.h"

BERTH_PLUGIN_NOTE("io.example.throws-at-entry", "ThrowsAtEntry", 0, BERTH_PRE_ENQUEUE);

const berth_plugin_descriptor* berth_plugin_entry_v1(void) {
  throw std::runtime_error("no entry today");
}
