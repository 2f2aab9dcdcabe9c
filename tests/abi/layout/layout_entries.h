#pragma once

/* All headers of the ABI, and what layout_list.cc compares with layout_in_c.c. */

#include "berth/abi/bind.h"
#include "berth/abi/clock.h"
#include "berth/abi/column.h"
#include "berth/abi/config.h"
#include "berth/abi/counts.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/external.h"
#include "berth/abi/filter.h"
#include "berth/abi/hook.h"
#include "berth/abi/host.h"
#include "berth/abi/metrics.h"
#include "berth/abi/numbers.h"
#include "berth/abi/observe.h"
#include "berth/abi/overlay.h"
#include "berth/abi/plugin.h"
#include "berth/abi/rules.h"
#include "berth/abi/score.h"
#include "berth/abi/signing.h"
#include "berth/abi/volumes.h"
#include "berth/abi/worker.h"

/* Two numbers for each entry of berth_layout_entries.inc, which entries.awk writes. A struct: size
   and alignment. A member: offset and size. A number: its value, and 1 if its type is unsigned.
   Others: size and 0. */
typedef struct layout_numbers {
  uint64_t a;
  uint64_t b;
} layout_numbers;

BERTH_EXTERN_C const layout_numbers layout_in_c[];
BERTH_EXTERN_C const uint64_t layout_in_c_count;
