#pragma once

// The base may use nothing: check_includes.cmake has to notice.
#include "engine/model/objects/quantity.h"

inline constexpr char kPlantedPolicy[] = "Blinking";
