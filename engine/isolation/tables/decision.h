#pragma once

// The tables of PreFilter, Filter, PostFilter, PreScore and Score.

#include "berth/abi/filter.h"
#include "berth/abi/score.h"

namespace berth::isolation {

// Replace the plugin's functions by those that pass calls on; members that are null stay null.
void replace_in(berth_pre_filter& table);
void replace_in(berth_filter& table);
void replace_in(berth_post_filter& table);
void replace_in(berth_pre_score& table);
void replace_in(berth_score& table);

}  // namespace berth::isolation
