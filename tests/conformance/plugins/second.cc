// Does not say which events it wants, so all are of interest.

#include "tests/conformance/plugins/scripted.h"

namespace berth::tests {

class Second final : public Scripted {
 public:
  Second() : Scripted("Second") {}
};

}  // namespace berth::tests

BERTH_SDK_PLUGIN(berth::tests::Second, "io.berth.test.second", "Second", BERTH_SCRIPTED_POINTS);
