#ifndef BERTH_ABI_PLUGIN_H_
#define BERTH_ABI_PLUGIN_H_

#include "berth/abi/config.h"
#include "berth/abi/host.h"

/*
 * How a shared object becomes a plugin.
 *
 * The object exports one function, berth_plugin_entry_v1, and carries an ELF note with the same
 * identity, so that a host can refuse it without running its code. Everything else is passed in
 * tables: the object has no undefined symbols that the host would have to define. One object is one
 * plugin: its identity has to be one that a host can read, list and refuse by itself. Several
 * plugins that share code are several objects that are linked from the same library.
 *
 * Life cycle: entry -> validate (any number of times) -> create -> init -> extension (once per
 * extension point) -> hooks -> destroy. An instance belongs to one profile. Objects are never
 * unloaded.
 */

typedef struct berth_plugin_descriptor {
  uint32_t size;
  uint16_t abi_major;
  uint16_t abi_minor_needed; /* loads in hosts of this minor version and later */
  uint16_t abi_minor_built;
  uint16_t reserved0;
  uint32_t reserved1;
  berth_string id;               /* process; reverse DNS: "io.example.rack" */
  berth_string name;             /* process; the name in configurations, reasons and reports */
  berth_string version;          /* process; the plugin's own version, shown to people */
  berth_string extension_points; /* process; ids with revision, separated by one space */

  /* [any] Reports every error in `config` through its error function. Null: the plugin takes no
     arguments. */
  berth_code (*validate)(const berth_config* config);

  /* [init] Makes an instance. Must not call the host. Null means failure. */
  berth_plugin* (*create)(void);

  /* [init] Looks up services and reads `config`, which `validate` has accepted. The host outlives
     the instance; `config` is valid for the call. On failure writes the reason to `error`. */
  berth_code (*init)(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                     const berth_text_sink* error);

  /* [init] Returns the table of an extension point ("berth.filter/0"), or null. Lifetime: instance.
   */
  const void* (*extension)(berth_plugin* plugin, berth_string id);

  /* [init] Ends the life of the instance and of everything with lifetime "instance". Called when no
     call of the instance is in progress and all states that it prepared have been released.
     Instances are destroyed in any order; the services of the host work until `destroy` returns. */
  void (*destroy)(berth_plugin* plugin);
} berth_plugin_descriptor;

typedef const berth_plugin_descriptor* (*berth_plugin_entry_fn)(void);
#define BERTH_PLUGIN_ENTRY "berth_plugin_entry_v1"
BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void);

/*
 * The ELF note: section .note.berth, name "Berth", type 1. Its description is four uint16 (ABI
 * major, minor needed, minor built, and one that plugins set to 0), then lines, each followed by a
 * newline, then one zero byte. The lines: the id; the name; the ids of the extension points; the
 * ids of the columns and services without which the plugin cannot work, each with one space
 * between. The last line may be left out; hosts before ABI 1.3 refuse it. Hosts ignore the fourth
 * number and what follows these lines, up to 16 KiB: a later minor version may give them a meaning
 * that hosts may leave out.
 *
 * The macros' arguments are string literals, except minor_needed. Use one of them once, at file
 * scope.
 */
#define BERTH_NOTE_NAME "Berth"
#define BERTH_NOTE_TYPE 1u
#define BERTH_PLUGIN_NOTE(id, name, minor_needed, points) \
  BERTH_PLUGIN_NOTE_OF(minor_needed, id "\n" name "\n" points "\n")
/* Since ABI 1.3. `needs`: "berth.worker/0 node.domain:*". */
#define BERTH_PLUGIN_NOTE_NEEDING(id, name, minor_needed, points, needs) \
  BERTH_PLUGIN_NOTE_OF(minor_needed, id "\n" name "\n" points "\n" needs "\n")

/* Since ABI 1.3. The note of these lines, for the macros above. */
#define BERTH_PLUGIN_NOTE_OF(minor_needed, lines)                                   \
  static const struct {                                                             \
    uint32_t name_size, description_size, type;                                     \
    char owner[8];                                                                  \
    uint16_t versions[4];                                                           \
    char text[sizeof(lines)];                                                       \
  } berth_plugin_note __attribute__((used, aligned(4), section(".note.berth"))) = { \
      sizeof(BERTH_NOTE_NAME),                                                      \
      4 * sizeof(uint16_t) + sizeof(lines),                                         \
      BERTH_NOTE_TYPE,                                                              \
      BERTH_NOTE_NAME,                                                              \
      {BERTH_ABI_MAJOR, minor_needed, BERTH_ABI_MINOR, 0},                          \
      lines}

#endif /* BERTH_ABI_PLUGIN_H_ */
