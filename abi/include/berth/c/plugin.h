#ifndef BERTH_C_PLUGIN_H_
#define BERTH_C_PLUGIN_H_

/*
 * What is the same in all plugins in C: the note, the descriptor, the entry function, and the
 * memory of an instance. For C++ the SDK has this. It is code of the plugin and no part of the ABI:
 * a plugin can do without. Since ABI 1.2.
 *
 *   struct berth_plugin {
 *     const berth_host* host;
 *   };
 *   static berth_code init(berth_plugin* plugin, const berth_host* host,
 *                          const berth_config* config, const berth_text_sink* error) {
 *     (void)config, (void)error;
 *     plugin->host = host;
 *     return BERTH_SUCCESS;
 *   }
 *   static const void* extension(berth_plugin* plugin, berth_string id) {
 *     (void)plugin;
 *     return berth_is(id, BERTH_SCORE) ? &kScore : NULL;
 *   }
 *   BERTH_C_PLUGIN("com.example.lamps", "Lamps", "1.0.0", 0, BERTH_SCORE, NULL, init, extension);
 */

#include <stdlib.h>
#include <string.h>

#include "berth/abi/plugin.h"

/* Lives as long as `text`. */
static inline berth_string berth_text(const char* text) {
  const berth_string string = {text, strlen(text)};
  return string;
}

/* 1: the texts are equal. */
static inline int berth_is(berth_string text, const char* other) {
  return text.size == strlen(other) && (text.size == 0 || memcmp(text.data, other, text.size) == 0);
}

/* [init] A service of the host; null if the host does not offer it. */
static inline const void* berth_service(const berth_host* host, const char* id) {
  return host->service(host, berth_text(id));
}

/* Writes why a function fails, and returns BERTH_ERROR. */
static inline berth_code berth_fail(const berth_text_sink* error, const char* text) {
  error->write(error->context, berth_text(text));
  return BERTH_ERROR;
}

/* What an instance owns besides its struct, by default: nothing. */
static inline void berth_c_owns_nothing(berth_plugin* plugin) { (void)plugin; }

/*
 * Defines the plugin. `id`, `name`, `version` and `points` are string literals; `points` has the
 * ids of the extension points, separated by one space. `minor_needed`: the minor version of the ABI
 * without which the plugin cannot work. `validate`, `init` and `extension` are the functions of the
 * descriptor; `validate` is NULL if the plugin takes no arguments. An instance is a zeroed
 * `struct berth_plugin`, which is freed at the end; see BERTH_C_PLUGIN_DESTROY for one that owns
 * more. Use once, at file scope, where `struct berth_plugin` is complete.
 */
#define BERTH_C_PLUGIN(id, name, version, minor_needed, points, validate, init, extension)   \
  BERTH_C_PLUGIN_DESTROY(id, name, version, minor_needed, points, validate, init, extension, \
                         berth_c_owns_nothing)

/*
 * The same for a plugin whose instances own memory, files or threads: `destroy` is a function
 * `void (berth_plugin*)` that gives back what `init` and later calls took. It is called once for
 * each instance, also if `init` failed, so it finds zeros where nothing was taken yet; it does not
 * free the struct itself. [init]
 */
#define BERTH_C_PLUGIN_DESTROY(id, name, version, minor_needed, points, validate, init, extension, \
                               destroy)                                                            \
  BERTH_PLUGIN_NOTE(id, name, minor_needed, points);                                               \
  static berth_plugin* berth_c_create(void) {                                                      \
    return (berth_plugin*)calloc(1, sizeof(struct berth_plugin));                                  \
  }                                                                                                \
  static void berth_c_destroy(berth_plugin* plugin) {                                              \
    (destroy)(plugin);                                                                             \
    free(plugin);                                                                                  \
  }                                                                                                \
  BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void) {                        \
    static const berth_plugin_descriptor kDescriptor = {sizeof(berth_plugin_descriptor),           \
                                                        BERTH_ABI_MAJOR,                           \
                                                        minor_needed,                              \
                                                        BERTH_ABI_MINOR,                           \
                                                        0,                                         \
                                                        0,                                         \
                                                        BERTH_STRING(id),                          \
                                                        BERTH_STRING(name),                        \
                                                        BERTH_STRING(version),                     \
                                                        BERTH_STRING(points),                      \
                                                        validate,                                  \
                                                        berth_c_create,                            \
                                                        init,                                      \
                                                        extension,                                 \
                                                        berth_c_destroy};                          \
    return &kDescriptor;                                                                           \
  }                                                                                                \
  BERTH_EXPORT const berth_plugin_descriptor* berth_plugin_entry_v1(void)

#endif /* BERTH_C_PLUGIN_H_ */
