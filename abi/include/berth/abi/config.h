#ifndef BERTH_ABI_CONFIG_H_
#define BERTH_ABI_CONFIG_H_

#include "berth/abi/base.h"

/*
 * The arguments of a plugin (pluginConfig[].args), as a tree of nodes. Node 0 is the root: an
 * object, empty when the configuration says nothing. Lives for the call that it is passed to. [the
 * caller's thread]
 *
 * Reading is strict: a plugin asks for each member it knows; the host reports members of visited
 * objects that nobody asked for as unknown fields.
 */
#define BERTH_CONFIG_ABSENT UINT32_MAX

/* Kinds of nodes. */
#define BERTH_CONFIG_NULL 0u
#define BERTH_CONFIG_BOOL 1u
#define BERTH_CONFIG_NUMBER 2u
#define BERTH_CONFIG_STRING 3u
#define BERTH_CONFIG_ARRAY 4u
#define BERTH_CONFIG_OBJECT 5u

typedef struct berth_config berth_config;
struct berth_config {
  uint32_t size;
  uint32_t reserved;
  void* context; /* the host's own */

  uint32_t (*kind)(const berth_config* config, uint32_t node);
  uint32_t (*length)(const berth_config* config, uint32_t node); /* of an array; else 0 */
  uint32_t (*element)(const berth_config* config, uint32_t node, uint32_t i); /* i < length */
  /* The member of an object, or BERTH_CONFIG_ABSENT; asking makes the name a known one. */
  uint32_t (*member)(const berth_config* config, uint32_t node, berth_string name);
  /* All members below here are known (a part that somebody else reads, such as a node selector). */
  void (*accept)(const berth_config* config, uint32_t node);

  /* 1 and the value; or 0 when the node is of another kind or does not fit. Text lives for the
   * call. */
  uint32_t (*boolean)(const berth_config* config, uint32_t node, uint8_t* value);
  uint32_t (*integer)(const berth_config* config, uint32_t node, int64_t* value);
  uint32_t (*number)(const berth_config* config, uint32_t node, double* value);
  uint32_t (*string)(const berth_config* config, uint32_t node, berth_string* value);

  /* Reports what is wrong at a node; the host puts the path and the place in front. `below` is a
     path from the node to a member that is missing (".shape[0].score"), or empty. */
  void (*error)(const berth_config* config, uint32_t node, berth_string below, berth_string text);
};

#endif /* BERTH_ABI_CONFIG_H_ */
