#pragma once

// The C++20 SDK: all of it. It has no ABI of its own; what crosses are the C headers.

#include "berth/sdk/bind.hpp"
#include "berth/sdk/config.hpp"
#include "berth/sdk/counts.hpp"
#include "berth/sdk/enqueue.hpp"
#include "berth/sdk/filter.hpp"
#include "berth/sdk/host.hpp"
#include "berth/sdk/overlay.hpp"
#include "berth/sdk/plugin.hpp"
#include "berth/sdk/score.hpp"
