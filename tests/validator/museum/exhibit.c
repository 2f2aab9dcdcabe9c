/* One exhibit of the museum: EXHIBIT is its name, as a string literal. */

#include "tests/validator/museum/museum.h"

#define ID "io.berth.test.museum"
#define NAME "Museum"

BERTH_PLUGIN_NOTE(ID, NAME, 0, MUSEUM_POINTS);

const char museum_exhibit[] = EXHIBIT;

const berth_plugin_descriptor* berth_plugin_entry_v1(void) {
  static const berth_plugin_descriptor descriptor = {
      .size = sizeof(berth_plugin_descriptor),
      .abi_major = BERTH_ABI_MAJOR,
      .abi_minor_needed = 0,
      .abi_minor_built = BERTH_ABI_MINOR,
      .id = BERTH_STRING(ID),
      .name = BERTH_STRING(NAME),
      .version = BERTH_STRING("1.0.0"),
      .extension_points = BERTH_STRING(MUSEUM_POINTS),
      .validate = museum_validate,
      .create = museum_create,
      .init = museum_init,
      .extension = museum_extension,
      .destroy = museum_destroy,
  };
  museum_misbehave("entry");
  if (museum_is("descriptor_is_garbage")) return (const berth_plugin_descriptor*)(uintptr_t)16;
  return &descriptor;
}

#ifdef EXPORTS_MORE
BERTH_EXPORT int museum_more;
int museum_more = 1;
#endif
