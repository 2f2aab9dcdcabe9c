#pragma once

/*
 * Score as in a draft before the one of berth/abi/score.h: final scores as bytes, and no
 * normalising. The tests of revisions call it berth.score/0, and today's berth.score/1.
 */

#include "berth/abi/hook.h"

#define FORMER_SCORE "berth.score/0"
#define PRESENT_SCORE "berth.score/1"

typedef struct former_score {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [rows] Writes one score per position, 0 to 100. */
  berth_code (*score)(berth_plugin* plugin, const berth_call* call, uint8_t* scores);
} former_score;
