#pragma once

// Includes a header of a module that base may not use. check_includes.cmake must report it.
#include "engine/model/objects/quantity.h"

inline constexpr char kPlantedPolicy[] = "Blinking";
