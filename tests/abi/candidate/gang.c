/*
 * A plugin at the extension points of the queue and of the binding cycle, in C with the headers
 * alone.
 *
 * Pods with the label example.com/hold stay out of the queue. Pods leave the queue by ascending
 * priority, then in the order of their entry. Two pods with equal labels example.com/pair are bound
 * together: the first waits in Permit until the second is reserved, a minute at most. Pairs are
 * bound by this plugin, others are left to the next one. Each bound pod is logged with a number.
 */

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/plugin.h"

#define ID "io.berth.candidate.gang"
#define NAME "CandidateGang"
#define POINTS                                                                                 \
  BERTH_PRE_ENQUEUE " " BERTH_QUEUE_SORT " " BERTH_RESERVE " " BERTH_PERMIT " " BERTH_PRE_BIND \
                    " " BERTH_BIND " " BERTH_POST_BIND

BERTH_PLUGIN_NOTE(ID, NAME, 0, POINTS);

#define MOST 64

/* A reserved pod that has a pair; pod 0: a free place. */
typedef struct member {
  uint64_t pod;
  uint32_t pair;
} member;

struct berth_plugin {
  const berth_host* host;
  const berth_log_service* log;
  const berth_strings_service* strings;
  const berth_waiting_service* waiting;
  const berth_bindings_service* bindings;
  member reserved[MOST];
  atomic_uint bound; /* [bind] */
};

static void say(const berth_text_sink* sink, const char* text) {
  const berth_string string = {text, strlen(text)};
  sink->write(sink->context, string);
}

static void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                     const berth_text_sink* sink) {
  (void)plugin, (void)call;
  say(sink, reason == 1 ? "the pod is held" : "too many pairs are waiting");
}

/* PreEnqueue and QueueSort. */

static const berth_string kHeld[] = {BERTH_STRING("pod.label:example.com/hold")};
static const uint32_t kHeldTypes[] = {BERTH_U32};
static const berth_hook kHeldHook = {.size = sizeof(berth_hook),
                                     .inputs = kHeld,
                                     .input_count = 1,
                                     .describe = describe,
                                     .input_types = kHeldTypes};

static berth_code check(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons) {
  const uint32_t* held = (const uint32_t*)call->columns[0].data;
  (void)plugin;
  for (uint64_t i = 0; i < call->count; ++i) {
    codes[i] = held[i] != 0 ? BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE : BERTH_SUCCESS;
    reasons[i] = 1;
  }
  return BERTH_SUCCESS;
}

static const berth_string kOrder[] = {BERTH_STRING("pod.priority")};
static const berth_hook kOrderHook = {
    .size = sizeof(berth_hook), .inputs = kOrder, .input_count = 1};

static berth_code keys(berth_plugin* plugin, const berth_call* call, uint8_t (*out)[16]) {
  const int64_t* priority = (const int64_t*)call->columns[0].data;
  (void)plugin;
  for (uint64_t i = 0; i < call->count; ++i) {
    const uint64_t shifted = (uint64_t)priority[i] ^ (UINT64_C(1) << 63);
    memset(out[i], 0, 16);
    for (int byte = 0; byte < 8; ++byte) out[i][byte] = (uint8_t)(shifted >> (56 - 8 * byte));
  }
  return BERTH_SUCCESS;
}

/* Reserve to PostBind. */

static const berth_string kPlacement[] = {BERTH_STRING("pod.handle"),
                                          BERTH_STRING("pod.label:example.com/pair"),
                                          BERTH_STRING("pod.name"), BERTH_STRING("node.name")};
static const uint32_t kPlacementTypes[] = {BERTH_U64, BERTH_U32, BERTH_U32, BERTH_U32};
static const berth_hook kPlacementHook = {.size = sizeof(berth_hook),
                                          .depends = BERTH_DEPENDS_EXTERNAL,
                                          .inputs = kPlacement,
                                          .input_count = 4,
                                          .describe = describe,
                                          .input_types = kPlacementTypes};

static uint64_t pod_of(const berth_call* call, uint64_t i) {
  return ((const uint64_t*)call->columns[0].data)[i];
}
static uint32_t pair_of(const berth_call* call, uint64_t i) {
  return ((const uint32_t*)call->columns[1].data)[i];
}

static member* find(berth_plugin* plugin, uint64_t pod) {
  for (int i = 0; i < MOST; ++i)
    if (plugin->reserved[i].pod == pod) return &plugin->reserved[i];
  return NULL;
}

static berth_code reserve(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                          uint32_t* reasons) {
  for (uint64_t i = 0; i < call->count; ++i) {
    codes[i] = BERTH_SUCCESS;
    if (pair_of(call, i) == 0) continue;
    member* free_place = find(plugin, 0);
    if (free_place == NULL) {
      codes[i] = BERTH_UNSCHEDULABLE;
      reasons[i] = 2;
      continue;
    }
    free_place->pod = pod_of(call, i);
    free_place->pair = pair_of(call, i);
  }
  return BERTH_SUCCESS;
}

static void unreserve(berth_plugin* plugin, const berth_call* call) {
  for (uint64_t i = 0; i < call->count; ++i) {
    member* there = find(plugin, pod_of(call, i));
    if (there != NULL) there->pod = 0;
  }
}

/* The other reserved pod of the pair. */
static member* partner(berth_plugin* plugin, uint64_t pod, uint32_t pair) {
  for (int i = 0; i < MOST; ++i) {
    member* one = &plugin->reserved[i];
    if (one->pod != 0 && one->pod != pod && one->pair == pair) return one;
  }
  return NULL;
}

static berth_code permit(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                         uint32_t* reasons, int64_t* timeout_nanoseconds) {
  (void)reasons;
  for (uint64_t i = 0; i < call->count; ++i) {
    codes[i] = BERTH_SUCCESS;
    if (pair_of(call, i) == 0) continue;
    member* other = partner(plugin, pod_of(call, i), pair_of(call, i));
    if (other == NULL) {
      codes[i] = BERTH_WAIT;
      timeout_nanoseconds[i] = INT64_C(60000000000);
      continue;
    }
    if (plugin->waiting->allow(plugin->host, other->pod) != BERTH_SUCCESS) {
      say(call->error, "the other pod of the pair does not wait");
      return BERTH_ERROR;
    }
    other->pod = 0;
    member* mine = find(plugin, pod_of(call, i));
    if (mine != NULL) mine->pod = 0;
  }
  return BERTH_SUCCESS;
}

static berth_code pre_flight(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  (void)plugin;
  for (uint64_t i = 0; i < call->count; ++i)
    codes[i] = pair_of(call, i) == 0 ? BERTH_SKIP : BERTH_SUCCESS;
  return BERTH_SUCCESS;
}

static berth_code pre_bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  for (uint64_t i = 0; i < call->count; ++i) {
    const uint32_t name = ((const uint32_t*)call->columns[3].data)[i];
    codes[i] = plugin->strings->text(plugin->host, name).size != 0 ? BERTH_SUCCESS : BERTH_ERROR;
    if (codes[i] == BERTH_ERROR) say(call->error, "the node has no name");
  }
  return BERTH_SUCCESS;
}

static berth_code bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
  for (uint64_t i = 0; i < call->count; ++i) {
    const uint64_t pod = pod_of(call, i);
    const uint32_t node = ((const uint32_t*)call->columns[3].data)[i];
    if (call->mask != NULL && (call->mask[i / 64] >> (i % 64) & 1) == 0) continue;
    codes[i] = BERTH_SKIP;
    if (pair_of(call, i) == 0) continue;
    codes[i] = (uint8_t)plugin->bindings->write(plugin->host, 1, &pod, &node);
    if (codes[i] == BERTH_ERROR) say(call->error, "the binding was refused");
  }
  return BERTH_SUCCESS;
}

static void post_bind(berth_plugin* plugin, const berth_call* call) {
  for (uint64_t i = 0; i < call->count; ++i) {
    const uint32_t name = ((const uint32_t*)call->columns[2].data)[i];
    const berth_string text = plugin->strings->text(plugin->host, name);
    char line[128];
    const int size = snprintf(line, sizeof line, "%.*s is bound, number %u", (int)text.size,
                              text.data, 1 + atomic_fetch_add(&plugin->bound, 1));
    const berth_string message = {line, (uint64_t)size};
    plugin->log->write(plugin->host, BERTH_LOG_INFO, message);
  }
}

static const berth_pre_enqueue kPreEnqueue = {
    .size = sizeof kPreEnqueue, .hook = &kHeldHook, .check = check};
static const berth_queue_sort kQueueSort = {
    .size = sizeof kQueueSort, .hook = &kOrderHook, .keys = keys};
static const berth_reserve kReserve = {
    .size = sizeof kReserve, .hook = &kPlacementHook, .reserve = reserve, .unreserve = unreserve};
static const berth_permit kPermit = {
    .size = sizeof kPermit, .hook = &kPlacementHook, .permit = permit};
static const berth_pre_bind kPreBind = {.size = sizeof kPreBind,
                                        .hook = &kPlacementHook,
                                        .pre_flight = pre_flight,
                                        .pre_bind = pre_bind};
static const berth_bind kBind = {.size = sizeof kBind, .hook = &kPlacementHook, .bind = bind};
static const berth_post_bind kPostBind = {
    .size = sizeof kPostBind, .hook = &kPlacementHook, .post_bind = post_bind};

static int is(berth_string id, const char* text) {
  return id.size == strlen(text) && memcmp(id.data, text, id.size) == 0;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  if (is(id, BERTH_PRE_ENQUEUE)) return &kPreEnqueue;
  if (is(id, BERTH_QUEUE_SORT)) return &kQueueSort;
  if (is(id, BERTH_RESERVE)) return &kReserve;
  if (is(id, BERTH_PERMIT)) return &kPermit;
  if (is(id, BERTH_PRE_BIND)) return &kPreBind;
  if (is(id, BERTH_BIND)) return &kBind;
  if (is(id, BERTH_POST_BIND)) return &kPostBind;
  return NULL;
}

static berth_plugin* create(void) { return (berth_plugin*)calloc(1, sizeof(struct berth_plugin)); }

static void destroy(berth_plugin* plugin) { free(plugin); }

static const void* service(const berth_host* host, const char* id) {
  const berth_string string = {id, strlen(id)};
  return host->service(host, string);
}

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)config;
  plugin->host = host;
  plugin->log = (const berth_log_service*)service(host, BERTH_LOG_SERVICE);
  plugin->strings = (const berth_strings_service*)service(host, BERTH_STRINGS_SERVICE);
  plugin->waiting = (const berth_waiting_service*)service(host, BERTH_WAITING_SERVICE);
  plugin->bindings = (const berth_bindings_service*)service(host, BERTH_BINDINGS_SERVICE);
  if (plugin->log && plugin->strings && plugin->waiting && plugin->bindings) return BERTH_SUCCESS;
  say(error, "a service is missing");
  return BERTH_ERROR;
}

static const berth_plugin_descriptor kDescriptor = {.size = sizeof(berth_plugin_descriptor),
                                                    .abi_major = BERTH_ABI_MAJOR,
                                                    .abi_minor_needed = 0,
                                                    .abi_minor_built = BERTH_ABI_MINOR,
                                                    .id = BERTH_STRING(ID),
                                                    .name = BERTH_STRING(NAME),
                                                    .version = BERTH_STRING("1.0.0"),
                                                    .extension_points = BERTH_STRING(POINTS),
                                                    .create = create,
                                                    .init = init,
                                                    .extension = extension,
                                                    .destroy = destroy};

BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void) { return &kDescriptor; }
