#ifndef BERTH_ABI_CONFIG_H_
#define BERTH_ABI_CONFIG_H_

#include "berth/abi/base.h"

/*
 * The arguments of a plugin (pluginConfig[].args) as a tree of nodes. Node 0 is the root: an
 * object, empty if the configuration has no arguments for the plugin. The tree is valid for the
 * call that it is passed to, on the thread of that call.
 *
 * Reading is strict. A plugin asks for each member that it knows; the host reports the other
 * members of the objects that were visited as unknown fields.
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
  uint32_t (*length)(const berth_config* config, uint32_t node); /* of an array; otherwise 0 */
  uint32_t (*element)(const berth_config* config, uint32_t node, uint32_t i); /* i < length */
  /* The member of an object, or BERTH_CONFIG_ABSENT. Asking for a name makes it a known field. */
  uint32_t (*member)(const berth_config* config, uint32_t node, berth_string name);
  /* Makes all members at and below a node known. For a part that the host reads, such as a node
     selector. */
  void (*accept)(const berth_config* config, uint32_t node);

  /* Return 1 and the value, or 0 if the node is of another kind or the value is out of range. Text
     is valid for the call. */
  uint32_t (*boolean)(const berth_config* config, uint32_t node, uint8_t* value);
  uint32_t (*integer)(const berth_config* config, uint32_t node, int64_t* value);
  uint32_t (*number)(const berth_config* config, uint32_t node, double* value);
  uint32_t (*string)(const berth_config* config, uint32_t node, berth_string* value);

  /* Reports an error at a node; the host puts the field path and the source position in front.
     `below` is a path from the node to a missing member (".shape[0].score"), or empty. */
  void (*error)(const berth_config* config, uint32_t node, berth_string below, berth_string text);

  /* Since ABI 1.2. The number of members of an object; otherwise 0. */
  uint32_t (*members)(const berth_config* config, uint32_t node);
  /* Since ABI 1.2. Member i of an object, in the order of the text, and its name, whose text is
     valid for the call. Makes the name a known field. BERTH_CONFIG_ABSENT if i is not below
     `members`. */
  uint32_t (*member_at)(const berth_config* config, uint32_t node, uint32_t i, berth_string* name);
  /* Since ABI 1.2. As `integer`, of a string or number with the syntax of a Kubernetes quantity
     ("500m", "2Gi"): the quantity times `parts`, which is 1 or 1000, rounded up as Kubernetes does.
     Also 0 if it is no quantity. */
  uint32_t (*quantity)(const berth_config* config, uint32_t node, uint32_t parts, int64_t* value);
  /* Since ABI 1.2. As `integer`, of a string with the syntax of a Go duration ("1m30s"), in
     nanoseconds. */
  uint32_t (*duration)(const berth_config* config, uint32_t node, int64_t* nanoseconds);

  /* Since ABI 1.3. As `holds` in berth/abi/rules.h, for arguments that are checked by other rules
     in other versions: BERTH_RULE_NO, BERTH_RULE_YES or BERTH_RULE_UNKNOWN. */
  int32_t (*rule)(const berth_config* config, berth_string name);
};

#endif /* BERTH_ABI_CONFIG_H_ */
