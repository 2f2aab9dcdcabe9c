/* Sorts pods by priority alone, which stands behind 16 bytes that are equal for all pods. In
   profiles whose name begins with "long" keys are a byte longer. A pod of priority 99 ends the
   process unless that is new, and one of priority 98 always does. */

#include <stdlib.h>
#include <string.h>

#include "berth/abi/enqueue.h"
#include "berth/c/plugin.h"

struct berth_plugin {
  const berth_host* host;
};

static berth_code write_keys(const berth_call* call, uint8_t* keys, uint32_t bytes) {
  const int64_t* priorities = (const int64_t*)call->columns[0].data;
  static int calls = 0;
  ++calls;
  for (uint64_t i = 0; i < call->count; ++i) {
    if (priorities[i] == 98 || (priorities[i] == 99 && calls > 2)) abort();
    uint8_t* key = keys + i * bytes;
    memset(key, 0, bytes);
    key[20] = (uint8_t)(100 - priorities[i]);
  }
  return BERTH_SUCCESS;
}

static berth_code wide_keys(berth_plugin* plugin, const berth_call* call, uint8_t* keys) {
  (void)plugin;
  return write_keys(call, keys, 24);
}

static berth_code longer_keys(berth_plugin* plugin, const berth_call* call, uint8_t* keys) {
  (void)plugin;
  return write_keys(call, keys, 25);
}

static const berth_string kInputs[] = {BERTH_STRING("pod.priority")};
static const berth_hook kHook = {.size = sizeof(berth_hook),
                                 .depends = BERTH_DEPENDS_DECLARED,
                                 .inputs = kInputs,
                                 .input_count = 1};
static const berth_queue_sort kWide = {
    .size = sizeof(berth_queue_sort), .hook = &kHook, .wide_keys = wide_keys, .wide_key_bytes = 24};
static const berth_queue_sort kLonger = {.size = sizeof(berth_queue_sort),
                                         .hook = &kHook,
                                         .wide_keys = longer_keys,
                                         .wide_key_bytes = 25};

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)config, (void)error;
  plugin->host = host;
  return BERTH_SUCCESS;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  const berth_string profile = plugin->host->profile;
  if (!berth_is(id, BERTH_QUEUE_SORT)) return NULL;
  return profile.size >= 4 && memcmp(profile.data, "long", 4) == 0 ? &kLonger : &kWide;
}

BERTH_C_PLUGIN("io.berth.test.wide-order", "WideOrder", "1.0.0", 3, BERTH_QUEUE_SORT, NULL, init,
               extension);
