/*
 * A plugin at every extension point, in plain C with the headers alone. The answers of its hooks
 * are simple; every_point_test.cc knows them.
 */

#include <stdlib.h>
#include <string.h>

#include "berth/abi/bind.h"
#include "berth/abi/clock.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/metrics.h"
#include "berth/abi/observe.h"
#include "berth/abi/overlay.h"
#include "berth/abi/plugin.h"
#include "berth/abi/score.h"
#include "berth/abi/worker.h"

#define ID "io.berth.test.every-point"
#define NAME "EveryPoint"
#define POINTS                                                                                  \
  BERTH_PRE_ENQUEUE " " BERTH_QUEUE_SORT " " BERTH_HINTS " " BERTH_PRE_FILTER " " BERTH_FILTER  \
                    " " BERTH_POST_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE " " BERTH_RESERVE \
                    " " BERTH_PERMIT " " BERTH_PRE_BIND " " BERTH_BIND " " BERTH_POST_BIND      \
                    " " BERTH_OVERLAY_STATE " " BERTH_OBSERVE

BERTH_PLUGIN_NOTE(ID, NAME, 0, POINTS);

struct berth_plugin {
  const berth_host* host;
  const berth_strings_service* strings;
  const berth_columns_service* columns;
  /* Null: the host is older. */
  const berth_worker_service* worker;
  const berth_clock_service* clock;
  const berth_random_service* random;
  const berth_metrics_service* metrics;
  uint32_t reserves, last_reserve; /* metrics */
  int64_t limit;                   /* from the configuration; nodes with more pods are refused */
  _Atomic int64_t reserved;        /* PostBind counts on the binding thread */
};

/* The state from prepare: the pod's priority, and one column instead of the declared two. */
typedef struct state {
  int64_t priority;
  uint32_t inputs[1];
  uint32_t node_names[1];
  uint64_t victims[1];
} state;

static berth_string string_of(const char* text) {
  berth_string string = {text, strlen(text)};
  return string;
}

static void say(const berth_text_sink* sink, const char* text) {
  if (sink != NULL) sink->write(sink->context, string_of(text));
}

static int is(berth_string a, const char* b) {
  return a.size == strlen(b) && memcmp(a.data, b, a.size) == 0;
}

static const int64_t* numbers(const berth_call* call, uint32_t column) {
  return (const int64_t*)call->columns[column].data;
}

/* Hooks. They read the priority of pods and the number of pods of nodes. */

static berth_code prepare(berth_plugin* plugin, const berth_template* pod,
                          berth_prepared* prepared) {
  state* made = (state*)calloc(1, sizeof(*made));
  if (made == NULL) return BERTH_ERROR;
  made->priority = *(const int64_t*)pod->columns[0].data;
  if (made->priority < 0) {
    say(pod->error, "a negative priority");
    free(made);
    return BERTH_ERROR;
  }
  made->inputs[0] = plugin->columns->find(plugin->host, string_of("node.pods"));
  made->node_names[0] = plugin->strings->intern(plugin->host, string_of("node-0"));
  made->victims[0] = 42;
  prepared->inputs = made->inputs;
  prepared->input_count = 1;
  prepared->flags = made->priority == 0 ? BERTH_PREPARED_PASSES : 0;
  prepared->state = made;
  return BERTH_SUCCESS;
}

static void release(berth_plugin* plugin, void* made) {
  (void)plugin;
  free(made);
}

static void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                     const berth_text_sink* sink) {
  (void)plugin, (void)call;
  say(sink, reason == 1 ? "too many pods for EveryPoint" : "a priority that EveryPoint refuses");
  if (reason == 3) say(sink, "and a second reason");
}

static const berth_string kPodAndNode[] = {BERTH_STRING("pod.priority"), BERTH_STRING("node.pods")};
static const uint32_t kPodAndNodeTypes[] = {BERTH_I64, BERTH_I64};
static const berth_string kPod[] = {BERTH_STRING("pod.priority")};

static const berth_hook kNodeHook = {
    sizeof(berth_hook), BERTH_DEPENDS_DECLARED, {NULL, 0}, kPodAndNode, 2, 0, prepare, release,
    describe,           kPodAndNodeTypes};
static const berth_hook kPodHook = {
    sizeof(berth_hook), BERTH_DEPENDS_DECLARED, {NULL, 0}, kPod, 1, 0, NULL, NULL, describe, NULL};
static const berth_hook kPlacementHook = {sizeof(berth_hook),
                                          BERTH_DEPENDS_EXTERNAL,
                                          {NULL, 0},
                                          kPodAndNode,
                                          2,
                                          0,
                                          NULL,
                                          NULL,
                                          describe,
                                          NULL};

static berth_code check(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i) {
    codes[i] = numbers(call, 0)[i] > 1000 ? BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE : BERTH_SUCCESS;
    reasons[i] = 3;
  }
  return BERTH_SUCCESS;
}

static berth_code keys(berth_plugin* plugin, const berth_call* call, uint8_t (*out)[16]) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i) {
    memset(out[i], 0, 16);
    out[i][15] = (uint8_t)numbers(call, 0)[i];
  }
  return BERTH_SUCCESS;
}

static berth_code wide_keys(berth_plugin* plugin, const berth_call* call, uint8_t* out) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i) {
    memset(out + i * 20, 0, 20);
    out[i * 20 + 19] = (uint8_t)numbers(call, 0)[i];
  }
  return BERTH_SUCCESS;
}

static uint32_t actions(berth_plugin* plugin, uint32_t kind) {
  (void)plugin;
  return kind == BERTH_ON_NODE ? BERTH_DID_ADD | BERTH_DID_UPDATE_ALLOCATABLE : 0;
}

static berth_code hint(berth_plugin* plugin, const berth_call* call, const berth_event* event,
                       uint8_t* queue) {
  (void)plugin;
  /* Of an event about another kind of object, columns of pods have no data. */
  *queue = event->before == NULL && event->after != NULL && event->after[0].data != NULL &&
           numbers(call, 0)[0] <= ((const int64_t*)event->after[0].data)[0];
  return BERTH_SUCCESS;
}

static berth_code pre_filter(berth_plugin* plugin, const berth_call* call,
                             berth_pre_filter_result* result) {
  const state* made = (const state*)call->state;
  (void)plugin;
  if (made->priority == 0) {
    result->code = BERTH_SKIP;
  } else if (made->priority == 13) {
    result->code = BERTH_UNSCHEDULABLE;
    result->reason = 2;
  } else if (made->priority == 1) {
    result->narrows = 1;
    result->node_names = made->node_names;
    result->node_name_count = 1;
  }
  return BERTH_SUCCESS;
}

static berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  uint64_t i;
  if ((call->ran & BERTH_RAN_PRE_FILTER) == 0) {
    say(call->error, "EveryPoint filters after its PreFilter only");
    return BERTH_ERROR;
  }
  for (i = 0; i < call->count; ++i)
    verdicts[i] = numbers(call, 0)[i] > plugin->limit ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
  return BERTH_SUCCESS;
}

static berth_code reasons(berth_plugin* plugin, const berth_call* call, uint32_t* out) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i) out[i] = 1;
  return BERTH_SUCCESS;
}

static berth_code tell(berth_plugin* plugin, const berth_call* call,
                       const berth_numbers_sink* sink) {
  (void)plugin;
  sink->item(sink->context, string_of("pods"));
  sink->number(sink->context, string_of("on the node"), numbers(call, 0)[0], BERTH_UNIT_ONE);
  return BERTH_SUCCESS;
}

static berth_code post_filter(berth_plugin* plugin, const berth_call* call, const uint8_t* codes,
                              uint64_t draw, berth_nomination* nomination) {
  const state* made = (const state*)call->state;
  uint64_t i;
  (void)plugin, (void)draw;
  nomination->code = BERTH_UNSCHEDULABLE;
  nomination->reason = 2;
  for (i = 0; i < call->count; ++i) {
    if (codes[i] != BERTH_UNSCHEDULABLE) continue;
    nomination->code = BERTH_SUCCESS;
    nomination->node = made->node_names[0];
    nomination->victims = made->victims;
    nomination->victim_count = 1;
    break;
  }
  return BERTH_SUCCESS;
}

static berth_code pre_score(berth_plugin* plugin, const berth_call* call,
                            const berth_feasible* feasible, berth_pre_score_result* result) {
  const state* made = (const state*)call->state;
  (void)plugin;
  result->code = made->priority == 0 ? BERTH_SKIP : BERTH_SUCCESS;
  result->changed = feasible != NULL && feasible->feasible > 2;
  return BERTH_SUCCESS;
}

static berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i) {
    const int64_t pods = numbers(call, 0)[i];
    raw[i] = pods == 0 ? BERTH_NOT_SCORED : pods;
  }
  return BERTH_SUCCESS;
}

static berth_code normalise_own(berth_plugin* plugin, uint64_t count, const int64_t* raw,
                                int64_t minimum, int64_t maximum, int64_t* final) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < count; ++i)
    final[i] = raw[i] == BERTH_NOT_SCORED || maximum == minimum
                   ? 0
                   : 100 * (maximum - raw[i]) / (maximum - minimum);
  return BERTH_SUCCESS;
}

/* The same by the priority of the state: pods of priority 5 like nodes with many pods. */
static berth_code normalise_pod(berth_plugin* plugin, const berth_call* call, const int64_t* raw,
                                int64_t minimum, int64_t maximum, int64_t* final) {
  const state* prepared = (const state*)call->state;
  uint64_t i;
  const berth_code code = normalise_own(plugin, call->count, raw, minimum, maximum, final);
  if (prepared->priority == 5)
    for (i = 0; i < call->count; ++i)
      if (raw[i] != BERTH_NOT_SCORED) final[i] = 100 - final[i];
  return code;
}

/* Services that came with ABI 1.3. */
static void count_reserves(berth_plugin* plugin, const berth_call* call) {
  uint64_t* draws = NULL;
  uint64_t i;
  if (plugin->worker != NULL && plugin->worker->index(plugin->host) != BERTH_NO_WORKER)
    draws = (uint64_t*)plugin->worker->scratch(plugin->host, call->count * sizeof(*draws));
  if (draws == NULL || plugin->random == NULL || plugin->clock == NULL || plugin->metrics == NULL)
    return;
  for (i = 0; i < call->count; ++i) draws[i] = plugin->random->bits(plugin->host, i);
  plugin->metrics->add(plugin->host, plugin->reserves, call->count);
  plugin->metrics->set(plugin->host, plugin->last_reserve,
                       plugin->clock->now(plugin->host) + (int64_t)(draws[0] & 1));
}

static berth_code reserve(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                          uint32_t* out) {
  uint64_t i;
  count_reserves(plugin, call);
  for (i = 0; i < call->count; ++i) {
    codes[i] = numbers(call, 0)[i] == 13 ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
    out[i] = 2;
    if (codes[i] == BERTH_SUCCESS) ++plugin->reserved;
  }
  return BERTH_SUCCESS;
}

static void unreserve(berth_plugin* plugin, const berth_call* call) {
  plugin->reserved -= (int64_t)call->count;
  if (plugin->reserved < 0) plugin->reserved = 0;
}

static berth_code permit(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                         uint32_t* out, int64_t* timeout_nanoseconds) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i) {
    codes[i] = numbers(call, 0)[i] == 7 ? BERTH_WAIT : BERTH_SUCCESS;
    out[i] = 0;
    timeout_nanoseconds[i] = 1000000000;
  }
  return BERTH_SUCCESS;
}

static berth_code pre_flight(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i)
    codes[i] = numbers(call, 0)[i] == 0 ? BERTH_SKIP : BERTH_SUCCESS;
  return BERTH_SUCCESS;
}

static berth_code pre_bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i)
    codes[i] = numbers(call, 1)[i] > 100 ? BERTH_ERROR : BERTH_SUCCESS;
  return BERTH_SUCCESS;
}

static berth_code pre_bind_or_wait(berth_plugin* plugin, const berth_call* call,
                                   const int64_t* waited_nanoseconds, uint8_t* codes,
                                   int64_t* again_nanoseconds) {
  uint64_t i;
  const berth_code code = pre_bind(plugin, call, codes);
  for (i = 0; i < call->count; ++i) {
    if (codes[i] != BERTH_SUCCESS || numbers(call, 1)[i] <= 50 || waited_nanoseconds[i] != 0)
      continue;
    codes[i] = BERTH_WAIT;
    again_nanoseconds[i] = 1000000000;
  }
  return code;
}

static berth_code bind_pods(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  uint64_t i;
  (void)plugin;
  for (i = 0; i < call->count; ++i)
    codes[i] = numbers(call, 0)[i] == 5 ? BERTH_SUCCESS : BERTH_SKIP;
  return BERTH_SUCCESS;
}

static void post_bind(berth_plugin* plugin, const berth_call* call) {
  plugin->reserved += 1000 * (int64_t)call->count;
}

/* Bound pods: a gauge has the last one that came or left, or the last node. */
static void show(berth_plugin* plugin, int64_t value) {
  if (plugin->metrics != NULL) plugin->metrics->set(plugin->host, plugin->last_reserve, value);
}

static void told(berth_plugin* self, const berth_call* call) { show(self, numbers(call, 0)[0]); }

static void node_left(berth_plugin* plugin, uint64_t count, const uint32_t* nodes) {
  show(plugin, nodes[count - 1]);
}

/* The scratch of an overlay: pods added minus pods removed on a row. */
static void* begin(berth_plugin* plugin, const void* base) {
  int64_t* scratch = (int64_t*)malloc(sizeof(int64_t));
  (void)plugin;
  if (scratch != NULL) *scratch = base == NULL ? 0 : ((const state*)base)->priority;
  return scratch;
}

static berth_code add_pod(berth_plugin* plugin, void* scratch, const berth_call* pod,
                          uint32_t row) {
  (void)plugin, (void)row;
  *(int64_t*)scratch += numbers(pod, 0)[0];
  return BERTH_SUCCESS;
}

static berth_code remove_pod(berth_plugin* plugin, void* scratch, const berth_call* pod,
                             uint32_t row) {
  (void)plugin, (void)row;
  *(int64_t*)scratch -= numbers(pod, 0)[0];
  return BERTH_SUCCESS;
}

static void reset(berth_plugin* plugin, void* scratch, const void* base) {
  (void)plugin;
  *(int64_t*)scratch = base == NULL ? 0 : ((const state*)base)->priority;
}

static void end(berth_plugin* plugin, void* scratch) {
  (void)plugin;
  free(scratch);
}

static const berth_pre_enqueue kPreEnqueue = {sizeof(kPreEnqueue), 0, &kPodHook, check};
static const berth_queue_sort kQueueSort = {sizeof(kQueueSort), 0,  &kPodHook, keys,
                                            wide_keys,          20, 0};
static const berth_hints kHints = {sizeof(kHints), 0, &kPodHook, actions, hint};
static const berth_pre_filter kPreFilter = {sizeof(kPreFilter), 0, &kNodeHook, pre_filter};
static const berth_filter kFilter = {sizeof(kFilter), 0, &kNodeHook, filter, reasons, tell};
static const berth_post_filter kPostFilter = {sizeof(kPostFilter), 0, &kNodeHook, post_filter};
static const berth_pre_score kPreScore = {sizeof(kPreScore), 0, &kNodeHook, pre_score};
static const berth_score kScore = {
    sizeof(kScore), BERTH_NORMALISE_OWN, &kNodeHook, score, normalise_own, tell, normalise_pod};
static const berth_reserve kReserve = {sizeof(kReserve), 0, &kPlacementHook, reserve, unreserve};
static const berth_permit kPermit = {sizeof(kPermit), 0, &kPlacementHook, permit};
static const berth_pre_bind kPreBind = {
    sizeof(kPreBind), 0, &kPlacementHook, pre_flight, pre_bind, pre_bind_or_wait, 60000000000};
static const berth_bind kBind = {sizeof(kBind), 0, &kPlacementHook, bind_pods, BERTH_BIND_QUICK, 0};
static const berth_post_bind kPostBind = {sizeof(kPostBind), 0, &kPlacementHook, post_bind};
static const berth_overlay_state kOverlayState = {
    sizeof(kOverlayState), 0, &kPodHook, begin, add_pod, remove_pod, reset, end};
static const berth_observe kObserve = {sizeof(kObserve), 0, &kPlacementHook, told, NULL, told,
                                       node_left};

static const struct {
  const char* id;
  const void* table;
} kTables[] = {{BERTH_PRE_ENQUEUE, &kPreEnqueue},
               {BERTH_QUEUE_SORT, &kQueueSort},
               {BERTH_HINTS, &kHints},
               {BERTH_PRE_FILTER, &kPreFilter},
               {BERTH_FILTER, &kFilter},
               {BERTH_POST_FILTER, &kPostFilter},
               {BERTH_PRE_SCORE, &kPreScore},
               {BERTH_SCORE, &kScore},
               {BERTH_RESERVE, &kReserve},
               {BERTH_PERMIT, &kPermit},
               {BERTH_PRE_BIND, &kPreBind},
               {BERTH_BIND, &kBind},
               {BERTH_POST_BIND, &kPostBind},
               {BERTH_OVERLAY_STATE, &kOverlayState},
               {BERTH_OBSERVE, &kObserve}};

static berth_code validate(const berth_config* config) {
  const uint32_t limit = config->member(config, 0, string_of("limit"));
  int64_t value = 0;
  if (limit == BERTH_CONFIG_ABSENT) return BERTH_SUCCESS;
  if (config->integer(config, limit, &value) == 0 || value < 0)
    config->error(config, limit, string_of(""), string_of("must be a number from 0"));
  return BERTH_SUCCESS;
}

static berth_plugin* create(void) { return (berth_plugin*)calloc(1, sizeof(berth_plugin)); }

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  const uint32_t limit = config->member(config, 0, string_of("limit"));
  plugin->host = host;
  plugin->strings = host->service(host, string_of(BERTH_STRINGS_SERVICE));
  plugin->columns = host->service(host, string_of(BERTH_COLUMNS_SERVICE));
  if (plugin->strings == NULL || plugin->columns == NULL) {
    say(error, "EveryPoint needs strings and columns");
    return BERTH_ERROR;
  }
  plugin->worker = host->service(host, string_of(BERTH_WORKER_SERVICE));
  plugin->clock = host->service(host, string_of(BERTH_CLOCK_SERVICE));
  plugin->random = host->service(host, string_of(BERTH_RANDOM_SERVICE));
  plugin->metrics = host->service(host, string_of(BERTH_METRICS_SERVICE));
  if (plugin->metrics != NULL) {
    plugin->reserves = plugin->metrics->counter(host, string_of("reserves_total"),
                                                string_of("Placements that were reserved."));
    plugin->last_reserve = plugin->metrics->gauge(host, string_of("last_reserve_nanoseconds"),
                                                  string_of("When the last one was."));
  }
  plugin->limit = 10;
  if (limit != BERTH_CONFIG_ABSENT) config->integer(config, limit, &plugin->limit);
  return BERTH_SUCCESS;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  for (size_t i = 0; i < sizeof(kTables) / sizeof(kTables[0]); ++i)
    if (is(id, kTables[i].id)) return kTables[i].table;
  return NULL;
}

static void destroy(berth_plugin* plugin) { free(plugin); }

static const berth_plugin_descriptor kDescriptor = {sizeof(berth_plugin_descriptor),
                                                    BERTH_ABI_MAJOR,
                                                    0,
                                                    BERTH_ABI_MINOR,
                                                    0,
                                                    0,
                                                    BERTH_STRING(ID),
                                                    BERTH_STRING(NAME),
                                                    BERTH_STRING("1.0"),
                                                    BERTH_STRING(POINTS),
                                                    validate,
                                                    create,
                                                    init,
                                                    extension,
                                                    destroy};

BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void) { return &kDescriptor; }
