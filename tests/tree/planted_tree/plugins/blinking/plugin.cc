// A plugin that includes an engine header. check_includes.cmake must report it.
#include "engine/base/error.h"

// The plugin's name. check_policy.sh must report that base contains it too.
inline constexpr char kPlantedName[] = "Blinking";
inline constexpr char kPlantedId[] = "org.example.blinking";
inline constexpr char kPlantedReason[] = "node(s) did not blink in time";
