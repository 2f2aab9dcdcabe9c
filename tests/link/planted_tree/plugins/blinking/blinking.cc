// A plugin that reaches into the engine: check_includes.cmake has to notice.
#include "engine/base/error.h"
