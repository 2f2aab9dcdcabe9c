/* A plugin in C whose instances own memory, which its `destroy` gives back. */

#include "berth/abi/enqueue.h"
#include "berth/c/plugin.h"

struct berth_plugin {
  char* owned;
};

static berth_code check(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons) {
  (void)reasons;
  memset(codes, plugin->owned[0], call->count);
  return BERTH_SUCCESS;
}

static const berth_hook kHook = {.size = sizeof(berth_hook)};
static const berth_pre_enqueue kTable = {
    .size = sizeof(berth_pre_enqueue), .hook = &kHook, .check = check};

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)host, (void)config;
  plugin->owned = (char*)calloc(1000, 1);
  return plugin->owned != NULL ? BERTH_SUCCESS : berth_fail(error, "there is no memory");
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  return berth_is(id, BERTH_PRE_ENQUEUE) ? &kTable : NULL;
}

static void destroy(berth_plugin* plugin) { free(plugin->owned); }

BERTH_C_PLUGIN_DESTROY("io.berth.test.owns", "Owns", "1.0.0", 0, BERTH_PRE_ENQUEUE, NULL, init,
                       extension, destroy);
