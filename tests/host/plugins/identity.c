/*
 * A plugin whose only interest is what it says of itself. The build makes many of it, each wrong in
 * one way: see CMakeLists.txt beside it for the macros. Without any it is right, in C, and its
 * PreEnqueue lets all pods in.
 */

#include "berth/abi/enqueue.h"
#include "berth/abi/plugin.h"

#if defined(SLEEPS_AT_START) || defined(SLEEPS_AT_END)
#include <poll.h>
#endif

#ifndef ID
#define ID "io.example.identity"
#endif
#ifndef NAME
#define NAME "Identity"
#endif
#ifndef POINTS
#define POINTS BERTH_PRE_ENQUEUE
#endif
#ifndef MINOR
#define MINOR 0
#endif

/* What the descriptor says, if it is something else than the note. */
#ifndef SAID_MAJOR
#define SAID_MAJOR BERTH_ABI_MAJOR
#endif
#ifndef SAID_MINOR
#define SAID_MINOR MINOR
#endif
#ifndef SAID_ID
#define SAID_ID ID
#endif
#ifndef SAID_NAME
#define SAID_NAME NAME
#endif
#ifndef SAID_POINTS
#define SAID_POINTS POINTS
#endif
#ifndef SAID_SIZE
#define SAID_SIZE sizeof(berth_plugin_descriptor)
#endif

#ifndef SAID_RESERVED
#define SAID_RESERVED 0
#endif

#ifndef NO_FUNCTIONS
#define NO_FUNCTIONS 0
#endif

#ifndef BUILT
#define BUILT BERTH_ABI_MINOR
#elif !defined(NOTE_MAJOR)
#define NOTE_MAJOR BERTH_ABI_MAJOR
#endif

#if defined(NOTE_MAJOR)
/* The header's macro can only speak of the header's own version. */
static const struct {
  uint32_t name_size, description_size, type;
  char owner[8];
  uint16_t versions[4];
  char text[sizeof(ID "\n" NAME "\n" POINTS "\n")];
} note __attribute__((used, aligned(4), section(".note.berth"))) = {
    sizeof(BERTH_NOTE_NAME),
    8 + sizeof(ID "\n" NAME "\n" POINTS "\n"),
    BERTH_NOTE_TYPE,
    BERTH_NOTE_NAME,
    {NOTE_MAJOR, MINOR, BUILT, 0},
    ID "\n" NAME "\n" POINTS "\n"};
#elif defined(NEEDS)
BERTH_PLUGIN_NOTE_NEEDING(ID, NAME, MINOR, POINTS, NEEDS);
#elif !defined(NO_NOTE)
BERTH_PLUGIN_NOTE(ID, NAME, MINOR, POINTS);
#endif

#ifdef MISSING_SYMBOL
/* The loader has to find it at once, not at the first call. */
extern void berth_test_symbol_that_nobody_has(void);
#endif

#ifdef NEEDS_HELPER
extern int berth_test_helper(void);
#endif

static berth_code check(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons) {
  (void)plugin;
  (void)reasons;
#ifdef MISSING_SYMBOL
  berth_test_symbol_that_nobody_has();
#endif
#ifdef NEEDS_HELPER
  berth_test_helper();
#endif
  for (uint64_t i = 0; i < call->count; ++i) codes[i] = BERTH_SUCCESS;
  return BERTH_SUCCESS;
}

static const berth_hook hook = {.size = sizeof(berth_hook)};
static const berth_pre_enqueue table = {
    .size = sizeof(berth_pre_enqueue), .hook = &hook, .check = check};
#ifndef CREATES_NOTHING
static char self;
#endif

static berth_plugin* create(void) {
#ifdef CREATES_NOTHING
  return 0;
#else
  return (berth_plugin*)&self;
#endif
}

static berth_code init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error) {
  (void)plugin;
  (void)host;
  (void)config;
  (void)error;
  return BERTH_SUCCESS;
}

static const void* extension(berth_plugin* plugin, berth_string id) {
  (void)plugin;
  (void)id;
  return &table;
}

static void destroy(berth_plugin* plugin) { (void)plugin; }

#ifdef NO_ENTRY
BERTH_EXPORT const berth_plugin_descriptor* berth_test_other_entry(void);
#define berth_plugin_entry_v1 berth_test_other_entry
#endif

const berth_plugin_descriptor* berth_plugin_entry_v1(void) {
  static const berth_plugin_descriptor descriptor = {
      .size = SAID_SIZE,
      .abi_major = SAID_MAJOR,
      .abi_minor_needed = SAID_MINOR,
      .abi_minor_built = BUILT,
      .reserved1 = SAID_RESERVED,
      .id = BERTH_STRING(SAID_ID),
      .name = BERTH_STRING(SAID_NAME),
      .version = BERTH_STRING("1.2.3"),
      .extension_points = BERTH_STRING(SAID_POINTS),
      .create = NO_FUNCTIONS ? 0 : create,
      .init = NO_FUNCTIONS ? 0 : init,
      .extension = NO_FUNCTIONS ? 0 : extension,
      .destroy = NO_FUNCTIONS ? 0 : destroy,
  };
#ifndef NO_DESCRIPTOR
#define NO_DESCRIPTOR 0
#endif
  return NO_DESCRIPTOR ? 0 : &descriptor;
}

#ifdef SLEEPS_AT_START
__attribute__((constructor)) static void sleep_at_start(void) { poll(0, 0, 400); }
#endif
#ifdef SLEEPS_AT_END
__attribute__((destructor)) static void sleep_at_end(void) { poll(0, 0, 400); }
#endif
