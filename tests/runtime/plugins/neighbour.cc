// The plugin Patient under another name.

#include "tests/runtime/plugins/patient.h"

BERTH_SDK_PLUGIN(berth::tests::PatientPlugin, "io.berth.test.neighbour", "Neighbour",
                 BERTH_RESERVE " " BERTH_PRE_BIND " " BERTH_POST_BIND);
