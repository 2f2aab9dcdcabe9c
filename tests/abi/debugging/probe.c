/*
 * A Filter for debuggers and profilers to look at, and one that behaves badly. The variable PROBE
 * of the environment says what it does beside passing every node: "crash", "spin" for half a second
 * in all, "wait" for a minute, "overrun" a block of the heap, "write" to a column, or "talk": it
 * refuses every node, and its texts are made to spoil a terminal, a line or a file.
 */

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "berth/abi/filter.h"
#include "berth/c/plugin.h"

struct berth_plugin {
  int64_t seen;
  const berth_host* host;
  const berth_log_service* log;
};

/* Escapes, a line of somebody else's, bytes that are no UTF-8, and more than anybody wants to
   read. */
static void talk(void (*write)(void* context, berth_string text), void* context) {
  static const char hostile[] = "zap\033[31m\nberth: forged\r\302\233\377\376\342\200\256 ";
  static char text[1 << 20];
  for (size_t i = 0; i < sizeof(text); ++i) text[i] = hostile[i % (sizeof(hostile) - 1)];
  const berth_string all = {text, sizeof(text)};
  write(context, all);
}

static void write_log(void* context, berth_string text) {
  const berth_plugin* plugin = (const berth_plugin*)context;
  plugin->log->write(plugin->host, BERTH_LOG_ERROR, text);
}

static int is_told_to(const char* what) {
  const char* told = getenv("PROBE");
  return told != NULL && strcmp(told, what) == 0;
}

/* Read anew each time, so that the compiler does not know what will happen. */
static volatile uintptr_t nowhere = 16;

__attribute__((noinline)) static void probe_crash(void) { *(volatile int*)nowhere = 1; }

__attribute__((noinline)) static int64_t probe_spin(int64_t pods) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 2;
  volatile int64_t sum = pods;
  while (clock() < end)
    for (int i = 0; i < 100000; ++i) sum += i;
  return sum;
}

__attribute__((noinline)) static void probe_wait(void) {
  static const char text[] = "waiting\n";
  if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0) return;
  poll(NULL, 0, 60 * 1000);
}

__attribute__((noinline)) static int64_t probe_overrun(void) {
  volatile int64_t* block = (volatile int64_t*)malloc(4 * sizeof(int64_t));
  if (block == NULL) return 0;
  block[0] = 1;
  const int64_t behind = block[4]; /* one behind the end */
  free((void*)block);
  return behind & 1;
}

__attribute__((noinline)) static void probe_node(berth_plugin* plugin, int64_t pods) {
  plugin->seen += pods + 1; /* a place to stop at */
  if (is_told_to("crash")) probe_crash();
  if (is_told_to("wait")) probe_wait();
  if (is_told_to("spin") && plugin->seen == pods + 1) plugin->seen += probe_spin(pods);
  if (is_told_to("overrun")) plugin->seen += probe_overrun();
}

static berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  const int64_t* pods = (const int64_t*)call->columns[0].data;
  if (is_told_to("talk")) talk(write_log, plugin);
  for (uint64_t i = 0; i < call->count; ++i) {
    probe_node(plugin, pods[i]);
    verdicts[i] = is_told_to("talk") ? BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE : BERTH_SUCCESS;
  }
  if (is_told_to("write")) ((volatile int64_t*)pods)[0] = 0;
  return BERTH_SUCCESS;
}

static berth_code reasons(berth_plugin* plugin, const berth_call* call, uint32_t* out) {
  (void)plugin;
  for (uint64_t i = 0; i < call->count; ++i) out[i] = 1;
  return BERTH_SUCCESS;
}

static void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                     const berth_text_sink* sink) {
  static const berth_string bad = BERTH_STRING("zap\033[31m\nberth: forged\r\302\233\377\376");
  (void)plugin, (void)call, (void)reason;
  sink->write(sink->context, bad);
  talk(sink->write, sink->context);
}

static const berth_string kInputs[] = {BERTH_STRING("node.pods")};
static const berth_hook kHook = {.size = sizeof(berth_hook),
                                 .depends = BERTH_DEPENDS_DECLARED,
                                 .inputs = kInputs,
                                 .input_count = 1,
                                 .describe = describe};
static const berth_filter kTable = {
    .size = sizeof(berth_filter), .hook = &kHook, .filter = filter, .reasons = reasons};

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)config;
  plugin->host = host;
  plugin->log = (const berth_log_service*)berth_service(host, BERTH_LOG_SERVICE);
  return plugin->log != NULL ? BERTH_SUCCESS : berth_fail(error, "this host has no log");
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  return berth_is(id, BERTH_FILTER) ? &kTable : NULL;
}

BERTH_C_PLUGIN("io.berth.test.probe", "Probe", "1.0.0", 0, BERTH_FILTER, NULL, init, extension);
