/* Pods run only on nodes of a generation from `least`, and prefer the newest. The generation is a
   number in a label of the node:

     {"label": "example.com/generation", "least": 3} */

#include <ctype.h>
#include <stdio.h>

#include "berth/abi/filter.h"
#include "berth/abi/score.h"
#include "berth/c/plugin.h"

#define MOST 1000000

/* The tables belong to the instance: an argument says which column they read. */
struct berth_plugin {
  const berth_host* host;
  const berth_strings_service* strings;
  int64_t least;
  char input[512]; /* node.label:KEY */
  berth_string inputs[1];
  berth_hook hook;
  berth_filter filter;
  berth_score score;
};

/* The number in a label; -1 if there is none. */
static int64_t generation_of(const berth_plugin* plugin, uint32_t label) {
  const berth_string text = plugin->strings->text(plugin->host, label);
  int64_t number = 0;
  if (text.size == 0 || text.size > 7) return -1;
  for (uint64_t i = 0; i < text.size; ++i) {
    if (text.data[i] < '0' || text.data[i] > '9') return -1;
    number = 10 * number + (text.data[i] - '0');
  }
  return number;
}

static berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  const uint32_t* labels = call->columns[0].data;
  for (uint64_t i = 0; i < call->count; ++i)
    verdicts[i] = generation_of(plugin, labels[i]) >= plugin->least
                      ? BERTH_SUCCESS
                      : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
  return BERTH_SUCCESS;
}

static berth_code reasons(berth_plugin* plugin, const berth_call* call, uint32_t* out) {
  (void)plugin;
  for (uint64_t i = 0; i < call->count; ++i) out[i] = 1;
  return BERTH_SUCCESS;
}

static void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                     const berth_text_sink* sink) {
  (void)plugin, (void)call, (void)reason;
  sink->write(sink->context, berth_text("node(s) were of an old generation"));
}

static berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  const uint32_t* labels = call->columns[0].data;
  for (uint64_t i = 0; i < call->count; ++i) {
    const int64_t generation = generation_of(plugin, labels[i]);
    raw[i] = generation < 0 ? BERTH_NOT_SCORED : generation;
  }
  return BERTH_SUCCESS;
}

/* About what Kubernetes takes as the key of a label. The key becomes part of a column's id. */
static int is_label_key(berth_string key) {
  if (key.size == 0 || key.size > 317) return 0;
  for (uint64_t i = 0; i < key.size; ++i) {
    const char c = key.data[i];
    if (!isalnum((unsigned char)c) && c != '-' && c != '_' && c != '.' && c != '/') return 0;
  }
  return 1;
}

/* Reports every error, each at its place. */
static berth_code validate(const berth_config* config) {
  const uint32_t label = config->member(config, 0, berth_text("label"));
  const uint32_t least = config->member(config, 0, berth_text("least"));
  berth_string key = {NULL, 0};
  int64_t number = 0;
  if (label == BERTH_CONFIG_ABSENT)
    config->error(config, 0, berth_text(".label"), berth_text("must be a label key"));
  else if (!config->string(config, label, &key) || !is_label_key(key))
    config->error(config, label, berth_text(""), berth_text("must be a label key"));
  if (least != BERTH_CONFIG_ABSENT &&
      (!config->integer(config, least, &number) || number < 0 || number > MOST))
    config->error(config, least, berth_text(""), berth_text("must be a number from 0 to 1000000"));
  return BERTH_SUCCESS;
}

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  const uint32_t least = config->member(config, 0, berth_text("least"));
  berth_string key = {NULL, 0};
  plugin->host = host;
  plugin->strings = berth_service(host, BERTH_STRINGS_SERVICE);
  if (plugin->strings == NULL) return berth_fail(error, "this host has no strings service");
  config->string(config, config->member(config, 0, berth_text("label")), &key);
  if (least != BERTH_CONFIG_ABSENT) config->integer(config, least, &plugin->least);
  snprintf(plugin->input, sizeof plugin->input, "node.label:%.*s", (int)key.size, key.data);
  plugin->inputs[0] = berth_text(plugin->input);
  plugin->hook = (berth_hook){
      .size = sizeof(berth_hook), .inputs = plugin->inputs, .input_count = 1, .describe = describe};
  plugin->filter = (berth_filter){
      .size = sizeof(berth_filter), .hook = &plugin->hook, .filter = filter, .reasons = reasons};
  plugin->score = (berth_score){.size = sizeof(berth_score),
                                .normalise = BERTH_NORMALISE_MIN_MAX,
                                .hook = &plugin->hook,
                                .score = score};
  return BERTH_SUCCESS;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  if (berth_is(id, BERTH_FILTER)) return &plugin->filter;
  if (berth_is(id, BERTH_SCORE)) return &plugin->score;
  return NULL;
}

BERTH_C_PLUGIN("com.example.fresh-nodes", "FreshNodes", "1.0.0", 0, BERTH_FILTER " " BERTH_SCORE,
               validate, init, extension);
