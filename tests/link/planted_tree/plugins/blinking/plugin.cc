// A plugin that reaches into the engine: check_includes.cmake has to notice.
#include "engine/base/error.h"

// Who this plugin is: check_policy.sh has to notice where the base says so too.
inline constexpr char kPlantedName[] = "Blinking";
inline constexpr char kPlantedId[] = "org.example.blinking";
inline constexpr char kPlantedReason[] = "node(s) did not blink in time";
