#include "plugins/default_binder/default_binder.h"

BERTH_SDK_PLUGIN(berth::sdk::Hooks<berth::plugins::DefaultBind>, "io.berth.default-binder",
                 "DefaultBinder", BERTH_BIND);
