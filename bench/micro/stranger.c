/*
 * A stranger's Score, as simple as one can be, in variants that differ in what the answer depends
 * on (BENCH_INPUTS) and in how it is normalised (BENCH_NORMALISE).
 */

#include "berth/abi/score.h"
#include "berth/c/plugin.h"

/* Values of BENCH_INPUTS. */
#define STATIC_INPUT 1   /* a label of nodes */
#define CHANGING_INPUT 2 /* the number of pods, which every decision changes on one node */
#define EXTERNAL_INPUT 3 /* the same label, and something outside of the cluster */
#define NO_INPUT 4       /* nothing */

struct berth_plugin {
  const berth_host* host;
};

static berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  (void)plugin;
#if BENCH_INPUTS == CHANGING_INPUT
  const int64_t* pods = (const int64_t*)call->columns[0].data;
  for (uint64_t i = 0; i < call->count; ++i) raw[i] = 100 - (pods[i] < 100 ? pods[i] : 100);
#elif BENCH_INPUTS == NO_INPUT
  for (uint64_t i = 0; i < call->count; ++i) raw[i] = 7;
#else
  const uint32_t* labels = (const uint32_t*)call->columns[0].data;
  for (uint64_t i = 0; i < call->count; ++i) raw[i] = labels[i] % 101;
#endif
  return BERTH_SUCCESS;
}

#if BENCH_INPUTS != NO_INPUT
static const berth_string kInputs[] = {
#if BENCH_INPUTS == CHANGING_INPUT
    BERTH_STRING("node.pods")};
#else
    BERTH_STRING("node.label:kubernetes.io/hostname")};
#endif
#endif

static const berth_hook kHook = {
    .size = sizeof(berth_hook),
    .depends = BENCH_INPUTS == EXTERNAL_INPUT ? BERTH_DEPENDS_EXTERNAL : BERTH_DEPENDS_DECLARED,
#if BENCH_INPUTS != NO_INPUT
    .inputs = kInputs,
    .input_count = 1,
#endif
};
static const berth_score kTable = {
    .size = sizeof(berth_score), .normalise = BENCH_NORMALISE, .hook = &kHook, .score = score};

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)config, (void)error;
  plugin->host = host;
  return BERTH_SUCCESS;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  return berth_is(id, BERTH_SCORE) ? &kTable : NULL;
}

BERTH_C_PLUGIN("io.berth.bench." BENCH_NAME, BENCH_NAME, "1.0.0", 0, BERTH_SCORE, NULL, init,
               extension);
