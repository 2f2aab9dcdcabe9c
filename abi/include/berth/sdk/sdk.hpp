#pragma once

// The whole C++20 SDK. It is header-only and has no ABI of its own: only the C headers define what
// crosses the boundary.

#include "berth/sdk/config.hpp"
#include "berth/sdk/host.hpp"
#include "berth/sdk/plugin.hpp"
#include "berth/sdk/points/bind.hpp"
#include "berth/sdk/points/enqueue.hpp"
#include "berth/sdk/points/filter.hpp"
#include "berth/sdk/points/overlay.hpp"
#include "berth/sdk/points/score.hpp"
#include "berth/sdk/services/counts.hpp"
#include "berth/sdk/services/waiting.hpp"
#include "berth/sdk/services/what_if.hpp"
