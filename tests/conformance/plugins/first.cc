// Registers node additions and updates of node labels.

#include "tests/conformance/plugins/scripted.h"

namespace berth::tests {

class First final : public Scripted {
 public:
  First() : Scripted("First") { add(hints_); }

 private:
  ScriptedHints hints_{BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL};
};

}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::First, "io.berth.test.first", "First",
                 BERTH_SCRIPTED_POINTS " " BERTH_HINTS);
