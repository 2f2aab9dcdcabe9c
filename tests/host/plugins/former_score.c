/*
 * A plugin with the draft of Score that former_score.h has, and with today's if it is built with
 * BOTH. A node's score is its number of pods, plus the pod's priority from the state, plus 1 in
 * today's revision. Priority 99 is an error.
 */

#include "tests/host/plugins/former_score.h"

#include <string.h>

#include "berth/abi/plugin.h"
#include "berth/abi/score.h"

#ifdef BOTH
#define POINTS FORMER_SCORE " " PRESENT_SCORE
#define NAME "BothScores"
#else
#define POINTS FORMER_SCORE
#define NAME "FormerScore"
#endif
#define ID "io.berth.test.former-score"

#ifndef SIZE
#define SIZE sizeof(former_score)
#endif

BERTH_PLUGIN_NOTE(ID, NAME, 0, POINTS);

struct berth_plugin {
  int64_t priority; /* the state: there is one at a time */
  uint32_t states;
};

static const int64_t* numbers(const berth_column* columns, uint32_t i) {
  return (const int64_t*)columns[i].data;
}

static void say(const berth_text_sink* sink, const char* text) {
  const berth_string string = {text, strlen(text)};
  sink->write(sink->context, string);
}

static berth_code prepare(berth_plugin* plugin, const berth_template* pod,
                          berth_prepared* prepared) {
  plugin->priority = numbers(pod->columns, 0)[0];
  ++plugin->states;
  prepared->state = &plugin->priority;
  return BERTH_SUCCESS;
}

static void release(berth_plugin* plugin, void* state) {
  if (state == &plugin->priority) --plugin->states;
}

static void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                     const berth_text_sink* sink) {
  (void)call;
  (void)reason;
  say(sink, plugin->states == 1 ? "one state" : "no state");
}

static berth_code score(berth_plugin* plugin, const berth_call* call, uint8_t* scores) {
  const int64_t priority = *(const int64_t*)call->state;
  uint64_t i;
  if (plugin->states != 1 || priority == 99) {
    say(call->error, "a priority that this draft does not know");
    return BERTH_ERROR;
  }
  for (i = 0; i < call->count; ++i) scores[i] = (uint8_t)(numbers(call->columns, 1)[i] + priority);
  return BERTH_SUCCESS;
}

static const berth_string kInputs[] = {BERTH_STRING("pod.priority"), BERTH_STRING("node.pods")};
static const berth_hook kHook = {.size = sizeof(berth_hook),
                                 .inputs = kInputs,
                                 .input_count = 2,
                                 .prepare = prepare,
                                 .release = release,
                                 .describe = describe};
static const former_score kFormer = {.size = SIZE, .hook = &kHook, .score = score};

#ifdef BOTH
static berth_code present(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i)
    raw[i] = numbers(call->columns, 1)[i] + *(const int64_t*)call->state + 1;
  return BERTH_SUCCESS;
}
static const berth_score kPresent = {.size = sizeof(berth_score), .hook = &kHook, .score = present};
#endif

static berth_plugin self;

static berth_plugin* create(void) { return &self; }

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)plugin, (void)host, (void)config, (void)error;
  return BERTH_SUCCESS;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
#ifdef BOTH
  if (id.size == strlen(PRESENT_SCORE) && memcmp(id.data, PRESENT_SCORE, id.size) == 0)
    return &kPresent;
#endif
  (void)id;
  return &kFormer;
}

static void destroy(berth_plugin* plugin) { (void)plugin; }

static const berth_plugin_descriptor kDescriptor = {.size = sizeof(berth_plugin_descriptor),
                                                    .abi_major = BERTH_ABI_MAJOR,
                                                    .abi_minor_needed = 0,
                                                    .abi_minor_built = BERTH_ABI_MINOR,
                                                    .id = BERTH_STRING(ID),
                                                    .name = BERTH_STRING(NAME),
                                                    .version = BERTH_STRING("0.1.0"),
                                                    .extension_points = BERTH_STRING(POINTS),
                                                    .create = create,
                                                    .init = init,
                                                    .extension = extension,
                                                    .destroy = destroy};

BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void) { return &kDescriptor; }
