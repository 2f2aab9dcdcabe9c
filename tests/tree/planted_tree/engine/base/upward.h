#pragma once

// Includes a header of a module that base may not use. check_includes.cmake must report it.
#include "engine/model/objects/quantity.h"

// Nor may it say what Blinking does: check_policy.sh has to notice.
inline constexpr char kPlantedPolicy[] = "Blinking";
inline constexpr char kPlantedId[] = "org.example.blinking";
inline constexpr char kPlantedReason[] = "node(s) did not blink in time";
