#include "tests/runtime/plugins/patient.h"

BERTH_SDK_PLUGIN(berth::tests::PatientPlugin, "io.berth.test.patient", "Patient",
                 BERTH_RESERVE " " BERTH_PRE_BIND " " BERTH_POST_BIND);
