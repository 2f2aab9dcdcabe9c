/*
 * The table and the descriptor of GoRack, whose filter is in rack.go.
 */

#include "berth/c/plugin.h"
#include "_cgo_export.h"
#include "berth/abi/filter.h"

struct berth_plugin {
  const berth_host* host;
};

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)config, (void)error;
  plugin->host = host;
  return BERTH_SUCCESS;
}

/* In the order of the constants in rack.go. */
static const berth_string kInputs[] = {BERTH_STRING("pod.label:example.com/rack"),
                                       BERTH_STRING("node.label:example.com/rack")};

/* Go has no const: rackFilter() reads the call alone. */
static berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  (void)plugin;
  if (rackFilter((berth_call*)call, verdicts) == BERTH_SUCCESS) return BERTH_SUCCESS;
  return berth_fail(call->error, "the function in Go panicked");
}

static berth_code reasons(berth_plugin* plugin, const berth_call* call, uint32_t* reasons_out) {
  (void)plugin;
  for (uint64_t i = 0; i < call->count; ++i) reasons_out[i] = 1;
  return BERTH_SUCCESS;
}

static void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                     const berth_text_sink* sink) {
  (void)plugin, (void)call, (void)reason;
  sink->write(sink->context, berth_text("node(s) were in another rack"));
}

static const berth_hook kHook = {
    .size = sizeof(berth_hook), .inputs = kInputs, .input_count = 2, .describe = describe};
static const berth_filter kFilter = {
    .size = sizeof(berth_filter), .hook = &kHook, .filter = filter, .reasons = reasons};

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  return berth_is(id, BERTH_FILTER) ? &kFilter : NULL;
}

BERTH_C_PLUGIN("com.example.go-rack", "GoRack", "1.0.0", 0, BERTH_FILTER, NULL, init, extension);
