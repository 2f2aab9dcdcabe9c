/* Pods run only on nodes of a generation from `least`, and prefer the newest. The generation is a
   number in a label of the node: {"label": "example.com/generation", "least": 3} */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "berth/abi/filter.h"
#include "berth/abi/plugin.h"
#include "berth/abi/score.h"

#define ID "com.example.fresh-nodes"
#define NAME "FreshNodes"
#define POINTS BERTH_FILTER " " BERTH_SCORE
#define MOST 1000000

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

static int is(berth_string text, const char* other) {
  return text.size == strlen(other) && memcmp(text.data, other, text.size) == 0;
}

/* The number in a label; -1 if there is none. */
static int64_t generation_of(const berth_plugin* plugin, uint32_t label) {
  const berth_string text = plugin->strings->text(plugin->host, label);
  int64_t number = 0;
  if (label == 0 || text.size == 0 || text.size > 7) return -1;
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
  static const berth_string kOld = BERTH_STRING("node(s) were of an old generation");
  (void)plugin, (void)call, (void)reason;
  sink->write(sink->context, kOld);
}

static berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  const uint32_t* labels = call->columns[0].data;
  for (uint64_t i = 0; i < call->count; ++i) {
    const int64_t generation = generation_of(plugin, labels[i]);
    raw[i] = generation < 0 ? BERTH_NOT_SCORED : generation;
  }
  return BERTH_SUCCESS;
}

/* Arguments. */

static uint32_t member(const berth_config* config, const char* name) {
  const berth_string text = {name, strlen(name)};
  return config->member(config, 0, text);
}

/* About what Kubernetes takes as a label key. */
static int is_label_key(berth_string key) {
  if (key.size == 0 || key.size > 317) return 0;
  for (uint64_t i = 0; i < key.size; ++i)
    if (!isalnum((unsigned char)key.data[i]) && strchr("-_./", key.data[i]) == NULL) return 0;
  return memchr(key.data, 0, key.size) == NULL;
}

static berth_code validate(const berth_config* config) {
  static const berth_string kLabel = BERTH_STRING("must be a label key");
  static const berth_string kLeast = BERTH_STRING("must be a number from 0 to 1000000");
  static const berth_string kHere = BERTH_STRING("");
  static const berth_string kMissing = BERTH_STRING(".label");
  const uint32_t label = member(config, "label");
  const uint32_t least = member(config, "least");
  berth_string key = {NULL, 0};
  int64_t number = 0;
  if (label == BERTH_CONFIG_ABSENT)
    config->error(config, 0, kMissing, kLabel);
  else if (!config->string(config, label, &key) || !is_label_key(key))
    config->error(config, label, kHere, kLabel);
  if (least != BERTH_CONFIG_ABSENT &&
      (!config->integer(config, least, &number) || number < 0 || number > MOST))
    config->error(config, least, kHere, kLeast);
  return BERTH_SUCCESS;
}

/* Life. */

static berth_plugin* create(void) { return calloc(1, sizeof(berth_plugin)); }

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  static const berth_string kStrings = BERTH_STRING(BERTH_STRINGS_SERVICE);
  static const berth_string kNone = BERTH_STRING("this host has no strings service");
  const uint32_t least = member(config, "least");
  berth_string key = {NULL, 0};
  plugin->host = host;
  plugin->strings = host->service(host, kStrings);
  if (plugin->strings == NULL) {
    error->write(error->context, kNone);
    return BERTH_ERROR;
  }
  config->string(config, member(config, "label"), &key);
  if (least != BERTH_CONFIG_ABSENT) config->integer(config, least, &plugin->least);
  plugin->inputs[0].data = plugin->input;
  plugin->inputs[0].size = (uint64_t)snprintf(plugin->input, sizeof plugin->input,
                                              "node.label:%.*s", (int)key.size, key.data);
  plugin->hook = (berth_hook){.size = sizeof(berth_hook),
                              .inputs = plugin->inputs,
                              .input_count = 1,
                              .describe = describe};
  plugin->filter = (berth_filter){.size = sizeof(berth_filter),
                                  .hook = &plugin->hook,
                                  .filter = filter,
                                  .reasons = reasons};
  plugin->score = (berth_score){.size = sizeof(berth_score),
                                .normalise = BERTH_NORMALISE_MIN_MAX,
                                .hook = &plugin->hook,
                                .score = score};
  return BERTH_SUCCESS;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  if (is(id, BERTH_FILTER)) return &plugin->filter;
  if (is(id, BERTH_SCORE)) return &plugin->score;
  return NULL;
}

static void destroy(berth_plugin* plugin) { free(plugin); }

BERTH_PLUGIN_NOTE(ID, NAME, 0, POINTS);

static const berth_plugin_descriptor kDescriptor = {.size = sizeof(berth_plugin_descriptor),
                                                    .abi_major = BERTH_ABI_MAJOR,
                                                    .abi_minor_needed = 0,
                                                    .abi_minor_built = BERTH_ABI_MINOR,
                                                    .id = BERTH_STRING(ID),
                                                    .name = BERTH_STRING(NAME),
                                                    .version = BERTH_STRING("1.0.0"),
                                                    .extension_points = BERTH_STRING(POINTS),
                                                    .validate = validate,
                                                    .create = create,
                                                    .init = init,
                                                    .extension = extension,
                                                    .destroy = destroy};

BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void) { return &kDescriptor; }
