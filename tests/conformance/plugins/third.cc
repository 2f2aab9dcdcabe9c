// Registers no events.

#include "tests/conformance/plugins/scripted.h"

namespace berth::tests {

class Third final : public Scripted {
 public:
  Third() : Scripted("Third") { add(hints_); }

 private:
  ScriptedHints hints_{0};
};

}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::Third, "io.berth.test.third", "Third",
                 BERTH_SCRIPTED_POINTS " " BERTH_HINTS);
