/* A plugin that logs a message of each level when it starts, and says which the host wants. A
   thread of its own logs a warning and a message that nobody wants. */

#include <pthread.h>
#include <string.h>

#include "berth/abi/enqueue.h"
#include "berth/abi/plugin.h"

#define ID "io.berth.test.talks"
#define NAME "Talks"

BERTH_PLUGIN_NOTE(ID, NAME, 0, BERTH_PRE_ENQUEUE);

static berth_code check(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons) {
  (void)plugin, (void)reasons;
  for (uint64_t i = 0; i < call->count; ++i) codes[i] = BERTH_SUCCESS;
  return BERTH_SUCCESS;
}

static const berth_hook kHook = {.size = sizeof(berth_hook)};
static const berth_pre_enqueue kTable = {
    .size = sizeof(berth_pre_enqueue), .hook = &kHook, .check = check};
static char self;

static berth_plugin* create(void) { return (berth_plugin*)&self; }
static void destroy(berth_plugin* plugin) { (void)plugin; }
static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin, (void)id;
  return &kTable;
}

typedef struct talk {
  const berth_host* host;
  const berth_log_service* log;
} talk;

static void* from_thread(void* context) {
  const talk* of = (const talk*)context;
  of->log->write(of->host, BERTH_LOG_WARNING, (berth_string)BERTH_STRING("from a thread"));
  of->log->write(of->host, BERTH_LOG_DEBUG + 1, (berth_string)BERTH_STRING("from nobody"));
  return NULL;
}

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  static const berth_string kService = BERTH_STRING(BERTH_LOG_SERVICE);
  static const berth_string kTexts[] = {BERTH_STRING("on fire"), BERTH_STRING("warm"),
                                        BERTH_STRING("here"), BERTH_STRING("thinking")};
  const berth_log_service* log = (const berth_log_service*)host->service(host, kService);
  char level[] = "level 0";
  (void)plugin, (void)config, (void)error;
  if (log == NULL) return BERTH_ERROR;
  for (uint32_t i = 0; i < 4; ++i) log->write(host, i + 1, kTexts[i]);
  level[6] = (char)('0' + log->level);
  const berth_string said = {level, strlen(level)};
  log->write(host, BERTH_LOG_ERROR, said);
  talk of = {host, log};
  pthread_t thread;
  if (pthread_create(&thread, NULL, from_thread, &of) != 0) return BERTH_ERROR;
  pthread_join(thread, NULL);
  return BERTH_SUCCESS;
}

BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void) {
  static const berth_plugin_descriptor kDescriptor = {
      .size = sizeof(berth_plugin_descriptor),
      .abi_major = BERTH_ABI_MAJOR,
      .abi_minor_needed = 0,
      .abi_minor_built = BERTH_ABI_MINOR,
      .id = BERTH_STRING(ID),
      .name = BERTH_STRING(NAME),
      .version = BERTH_STRING("1.0.0"),
      .extension_points = BERTH_STRING(BERTH_PRE_ENQUEUE),
      .create = create,
      .init = init,
      .extension = extension,
      .destroy = destroy};
  return &kDescriptor;
}
