#pragma once

// The whole C++20 SDK. It is header-only and has no ABI of its own: only the C headers define what
// crosses the boundary.

#include "berth/sdk/bind.hpp"
#include "berth/sdk/config.hpp"
#include "berth/sdk/counts.hpp"
#include "berth/sdk/enqueue.hpp"
#include "berth/sdk/filter.hpp"
#include "berth/sdk/host.hpp"
#include "berth/sdk/overlay.hpp"
#include "berth/sdk/plugin.hpp"
#include "berth/sdk/score.hpp"
#include "berth/sdk/waiting.hpp"
#include "berth/sdk/what_if.hpp"
