/* The life of an exhibit, and its tables. */

#include "tests/validator/museum/museum.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* Read anew each time, so that the compiler does not know what will happen. */
static volatile uintptr_t nowhere = 16;

static int misbehaves(const char* where, const char* how) {
  char name[128];
  snprintf(name, sizeof(name), "%s_%s", where, how);
  return museum_is(name);
}

void museum_misbehave(const char* where) {
  if (misbehaves(where, "crashes")) *(volatile int*)nowhere = 1;
  if (misbehaves(where, "aborts")) abort();
  if (misbehaves(where, "exits")) exit(3);
  if (misbehaves(where, "leaves")) raise(SIGTERM);
  if (misbehaves(where, "throws")) museum_throw();
  if (misbehaves(where, "throws_null")) museum_throw_null();
  while (misbehaves(where, "hangs")) poll(0, 0, 1000);
  if (strncmp(museum_exhibit, where, strlen(where)) == 0 && museum_exhibit[strlen(where)] == '_')
    museum_disturb(museum_exhibit + strlen(where) + 1);
}

__attribute__((constructor)) static void begin(void) { museum_misbehave("start"); }
__attribute__((destructor)) static void end(void) { museum_misbehave("end"); }

berth_code museum_validate(const berth_config* config) {
  const uint32_t most = config->member(config, 0, museum_text("most"));
  int64_t value = 0;
  if (museum_is("validate_refuses_in_silence") && most != BERTH_CONFIG_ABSENT) return BERTH_ERROR;
  if (most == BERTH_CONFIG_ABSENT) return BERTH_SUCCESS;
  museum_misbehave("validate");
  if (museum_is("validate_accepts_all")) return BERTH_SUCCESS;
  if (config->integer(config, most, &value) == 0 || value < 0)
    config->error(config, most, museum_text(""), museum_text("must be a number from 0"));
  return BERTH_SUCCESS;
}

berth_plugin* museum_create(void) {
  museum_misbehave("create");
  if (museum_is("create_makes_nothing")) return NULL;
  return (berth_plugin*)calloc(1, sizeof(berth_plugin));
}

berth_code museum_init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  const uint32_t most = config->member(config, 0, museum_text("most"));
  museum_misbehave("init");
  plugin->host = host;
  plugin->strings =
      (const berth_strings_service*)host->service(host, museum_text(BERTH_STRINGS_SERVICE));
  plugin->columns =
      (const berth_columns_service*)host->service(host, museum_text(BERTH_COLUMNS_SERVICE));
  plugin->volumes =
      (const berth_volumes_service*)host->service(host, museum_text(BERTH_VOLUMES_SERVICE));
  plugin->counts =
      (const berth_counts_service*)host->service(host, museum_text(BERTH_COUNTS_SERVICE));
  plugin->clock = (const berth_clock_service*)host->service(host, museum_text(BERTH_CLOCK_SERVICE));
  plugin->random =
      (const berth_random_service*)host->service(host, museum_text(BERTH_RANDOM_SERVICE));
  plugin->most = 3;
  if (museum_is("instance_leaks")) plugin->block = (char*)malloc(100);
  if (museum_is("init_fails")) {
    error->write(error->context, museum_text("there is no rack"));
    return BERTH_ERROR;
  }
  if (most != BERTH_CONFIG_ABSENT && config->integer(config, most, &plugin->most) == 0) {
    error->write(error->context, museum_text("most is no number"));
    return BERTH_ERROR;
  }
  return BERTH_SUCCESS;
}

/* What the last destroyed instance leaves to all others. */
int64_t museum_destroyed;

void museum_destroy(berth_plugin* plugin) {
  museum_misbehave("destroy");
  ++museum_destroyed;
  free(plugin);
}

static const berth_string kInputs[] = {BERTH_STRING("pod.priority"), BERTH_STRING("node.pods")};
static const berth_string kNodeInputs[] = {BERTH_STRING("node.pods")};
static const berth_string kUnknownInputs[] = {BERTH_STRING("pod.priority"),
                                              BERTH_STRING("node.colour")};

#define HOOK(inputs, prepare, release)                                                   \
  {                                                                                      \
    sizeof(berth_hook), BERTH_DEPENDS_DECLARED, {NULL, 0}, inputs,                       \
        sizeof(inputs) / sizeof((inputs)[0]), 0, prepare, release, museum_describe, NULL \
  }
static const berth_hook kHook = HOOK(kInputs, museum_prepare, museum_release);
static const berth_hook kHookWithoutRelease = HOOK(kInputs, museum_prepare, NULL);
static const berth_hook kHookOfUnknown = HOOK(kUnknownInputs, museum_prepare, museum_release);
static const berth_hook kHookOfNodes = HOOK(kNodeInputs, NULL, NULL);
static const berth_hook kHookOfPods = {sizeof(berth_hook),
                                       BERTH_DEPENDS_DECLARED,
                                       {NULL, 0},
                                       kInputs,
                                       1,
                                       0,
                                       NULL,
                                       NULL,
                                       museum_describe,
                                       NULL};

static const berth_pre_enqueue kPreEnqueue = {sizeof(kPreEnqueue), 0, &kHookOfPods, museum_check};
static const berth_queue_sort kQueueSort = {
    sizeof(kQueueSort), 0, &kHookOfPods, museum_keys, NULL, 0, 0};
static const berth_queue_sort kWideQueueSort = {
    sizeof(kQueueSort), 0, &kHookOfPods, NULL, museum_wide_keys, 24, 0};
static const berth_pre_filter kPreFilter = {sizeof(kPreFilter), 0, &kHook, museum_pre_filter};
static const berth_score kScore = {
    sizeof(kScore), BERTH_NORMALISE_OWN, &kHook, museum_score, museum_normalise, NULL, NULL};
static const berth_score kPlainScore = {
    sizeof(kScore), BERTH_NORMALISE_NONE, &kHook, museum_score, NULL, NULL, NULL};
static const berth_reserve kReserve = {sizeof(kReserve), 0, &kHookOfPods, museum_reserve,
                                       museum_unreserve};

static const berth_hook* filter_hook(void) {
  if (museum_is("hook_lacks_release")) return &kHookWithoutRelease;
  if (museum_is("hook_declares_unknown")) return &kHookOfUnknown;
  if (museum_is("filter_reads_pre_filter")) return &kHookOfNodes;
  return &kHook;
}

static const void* filter_table(void) {
  static berth_filter filter;
  filter.size = museum_is("table_is_short") ? 8 : sizeof(filter);
  filter.hook = filter_hook();
  filter.filter = museum_is("table_lacks_function") ? NULL : museum_filter;
  filter.reasons = museum_reasons;
  return &filter;
}

const void* museum_extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  museum_misbehave("extension");
  if (museum_is("table_is_garbage")) return (const void*)nowhere;
  const berth_string filter = museum_text(BERTH_FILTER);
  if (id.size == filter.size && memcmp(id.data, filter.data, id.size) == 0)
    return museum_is("table_is_absent") ? NULL : filter_table();
  return museum_table(id);
}

const void* museum_table(berth_string id) {
  const struct {
    const char* id;
    const void* table;
  } tables[] = {
      {BERTH_PRE_ENQUEUE, &kPreEnqueue},
      {BERTH_QUEUE_SORT, museum_is("sort_writes_half_a_wide_key") ? &kWideQueueSort : &kQueueSort},
      {BERTH_PRE_FILTER, &kPreFilter},
      {BERTH_SCORE, museum_is("score_is_above_100") ? &kPlainScore : &kScore},
      {BERTH_RESERVE, &kReserve}};
  for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); ++i)
    if (id.size == strlen(tables[i].id) && memcmp(id.data, tables[i].id, id.size) == 0)
      return tables[i].table;
  return NULL;
}
