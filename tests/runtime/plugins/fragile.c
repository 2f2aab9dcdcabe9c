/*
 * A Filter and a Score that fail where a node has three pods, in the way that the pod's priority
 * says. Both read the number of pods, so each decision asks both about the node that the last pod
 * went to.
 */

#include <signal.h>
#include <unistd.h>

#include "berth/abi/filter.h"
#include "berth/abi/score.h"
#include "berth/c/plugin.h"

/* Priorities. */
#define FILTER_CRASHES 1
#define SCORE_CRASHES 2
#define FILTER_HANGS 3
#define SCORE_HANGS 4

#define FATAL_PODS 3

struct berth_plugin {
  const berth_host* host;
};

static void fail(const berth_call* call, int crashes, int hangs) {
  const int64_t* pods = (const int64_t*)call->columns[0].data;
  const int64_t priority = *(const int64_t*)call->columns[1].data;
  for (uint64_t i = 0; i < call->count; ++i) {
    if (pods[i] != FATAL_PODS) continue;
    if (priority == crashes) raise(SIGKILL);
    if (priority == hangs) sleep(600);
  }
}

static berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  (void)plugin;
  fail(call, FILTER_CRASHES, FILTER_HANGS);
  for (uint64_t i = 0; i < call->count; ++i) verdicts[i] = BERTH_SUCCESS;
  return BERTH_SUCCESS;
}

static berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  (void)plugin;
  const int64_t* pods = (const int64_t*)call->columns[0].data;
  fail(call, SCORE_CRASHES, SCORE_HANGS);
  for (uint64_t i = 0; i < call->count; ++i) raw[i] = 100 - (pods[i] < 100 ? pods[i] : 100);
  return BERTH_SUCCESS;
}

static const berth_string kInputs[] = {BERTH_STRING("node.pods"), BERTH_STRING("pod.priority")};
static const berth_hook kHook = {.size = sizeof(berth_hook),
                                 .depends = BERTH_DEPENDS_DECLARED,
                                 .inputs = kInputs,
                                 .input_count = 2};
static const berth_filter kFilter = {
    .size = sizeof(berth_filter), .hook = &kHook, .filter = filter};
static const berth_score kScore = {
    .size = sizeof(berth_score), .normalise = BERTH_NORMALISE_NONE, .hook = &kHook, .score = score};

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)config, (void)error;
  plugin->host = host;
  return BERTH_SUCCESS;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  if (berth_is(id, BERTH_FILTER)) return &kFilter;
  return berth_is(id, BERTH_SCORE) ? &kScore : NULL;
}

BERTH_C_PLUGIN("io.berth.test.fragile", "Fragile", "1.0.0", 0, BERTH_FILTER " " BERTH_SCORE, NULL,
               init, extension);
