#ifndef BERTH_ABI_SCORE_H_
#define BERTH_ABI_SCORE_H_

#include "berth/abi/hook.h"
#include "berth/abi/numbers.h"

/* The extension points that rank the feasible nodes: PreScore, Score and normalising. Stable. */

/* The feasible rows that are to be scored. */
typedef struct berth_feasible {
  uint32_t size;
  uint32_t reserved;
  const uint64_t* rows; /* call; one bit per row of the node table */
  uint64_t row_count;   /* rows of the node table */
  uint64_t feasible;    /* number of set bits; at least 2 */
  uint64_t generation;  /* equal numbers mean equal sets */
} berth_feasible;

/* PreScore: called once per pod, before its scores. Space pods, count 1. */
#define BERTH_PRE_SCORE "berth.pre_score/0"
typedef struct berth_pre_score_result {
  uint32_t size;
  berth_code code;  /* SUCCESS; SKIP: this plugin does not score the pod; ERROR fails the pod */
  uint32_t changed; /* with BERTH_DEPENDS_FEASIBLE, 1: raw scores that the host keeps are stale */
  uint32_t reserved;
} berth_pre_score_result;

typedef struct berth_pre_score {
  uint32_t size;
  uint32_t reserved;
  const berth_hook* hook; /* instance */
  /* [cycle] `feasible` is null unless the hook depends on BERTH_DEPENDS_FEASIBLE. */
  berth_code (*pre_score)(berth_plugin* plugin, const berth_call* call,
                          const berth_feasible* feasible, berth_pre_score_result* result);
} berth_pre_score;

/*
 * Normalising is elementwise: final = f(raw, minimum, maximum), where minimum and maximum are over
 * the scored rows and final is in 0..100. A raw score of BERTH_NOT_SCORED does not count in minimum
 * and maximum; its final score is 0. For NORMALISE_MAX and NORMALISE_MAX_REVERSED a maximum below 0
 * counts as 0.
 */
#define BERTH_NOT_SCORED INT64_MIN
#define BERTH_NORMALISE_NONE 0u         /* raw is final */
#define BERTH_NORMALISE_MAX 1u          /* 100 raw / maximum; raw where maximum is 0 */
#define BERTH_NORMALISE_MAX_REVERSED 2u /* 100 - 100 raw / maximum; 100 where maximum is 0 */
/* 100.0 * ((raw - minimum) / (maximum - minimum)) in doubles, truncated, so that 29 of 100 becomes
   28; 0 if maximum and minimum are equal */
#define BERTH_NORMALISE_MIN_MAX 3u
#define BERTH_NORMALISE_SPREAD 4u /* 100 (max + min - raw) / max; 100 where max is 0 */
#define BERTH_NORMALISE_OWN 5u    /* the plugin's `normalise_pod` */

/* Score: space nodes, or a dictionary of nodes. */
#define BERTH_SCORE "berth.score/0"
typedef struct berth_score {
  uint32_t size;
  uint32_t normalise;     /* one of BERTH_NORMALISE_ */
  const berth_hook* hook; /* instance */
  /* [rows] Writes one raw score per position. The host may also ask for positions that are not
     feasible; it ignores those scores. */
  berth_code (*score)(berth_plugin* plugin, const berth_call* call, int64_t* raw);
  /* [rows] Deprecated since ABI 1.3: use `normalise_pod`. The same without a call: it knows no pod
     and no state, and the text of a failure is lost. */
  berth_code (*normalise_own)(berth_plugin* plugin, uint64_t count, const int64_t* raw,
                              int64_t minimum, int64_t maximum, int64_t* final);
  /* [rows] Since ABI 1.1; null: the plugin has none. Writes the numbers behind the raw score of
     position 0; as in berth_filter. */
  berth_code (*numbers)(berth_plugin* plugin, const berth_call* call,
                        const berth_numbers_sink* sink);
  /* [rows] Since ABI 1.3. Only with BERTH_NORMALISE_OWN: a function of raw[i], `minimum`, `maximum`
     and the state alone. `call` has the number of scores, the state and the error sink, and no
     columns. */
  berth_code (*normalise_pod)(berth_plugin* plugin, const berth_call* call, const int64_t* raw,
                              int64_t minimum, int64_t maximum, int64_t* final);
} berth_score;

#endif /* BERTH_ABI_SCORE_H_ */
