#ifndef BERTH_ABI_HOST_H_
#define BERTH_ABI_HOST_H_

#include "berth/abi/base.h"

/*
 * What the host offers. A service is looked up once, at init, by its id with revision; each is a
 * growable struct of functions that take the host first. Instance lifetime.
 */
typedef struct berth_host berth_host;
struct berth_host {
  uint32_t size;
  uint16_t abi_major;
  uint16_t abi_minor;
  void* context; /* the host's own */

  /* [init] Null if the host has no such service or not in that revision. */
  const void* (*service)(const berth_host* host, berth_string id);
};

/* Texts for people, with the plugin's name in front. */
#define BERTH_LOG_SERVICE "berth.log/0"
#define BERTH_LOG_ERROR 1u
#define BERTH_LOG_WARNING 2u
#define BERTH_LOG_INFO 3u
#define BERTH_LOG_DEBUG 4u
typedef struct berth_log_service {
  uint32_t size;
  uint32_t level; /* higher ones are dropped */
  void (*write)(const berth_host* host, uint32_t level, berth_string text); /* [any] */
} berth_log_service;

/* Strings as ids. Ids are never reused; 0 is no string, the empty string has an id of its own. */
#define BERTH_STRINGS_SERVICE "berth.strings/0"
typedef struct berth_strings_service {
  uint32_t size;
  uint32_t reserved;
  uint32_t (*intern)(const berth_host* host, berth_string text); /* [init] [cycle] */
  uint32_t (*find)(const berth_host* host, berth_string text);   /* [init] [cycle] 0: unknown */
  berth_string (*text)(const berth_host* host, uint32_t id);     /* [any] process lifetime */
} berth_strings_service;

/* Columns by id. A family's member ("node.label:disk") comes into being when it is asked for. */
#define BERTH_COLUMNS_SERVICE "berth.columns/0"
typedef struct berth_columns_service {
  uint32_t size;
  uint32_t reserved;
  uint32_t (*find)(const berth_host* host, berth_string id); /* [init] [cycle] 0: no such column */
} berth_columns_service;

/*
 * Node selectors. A handle names one parsed selector (of a pod column or of a configuration); its
 * match column is of the nodes table, U8, 1 where the node matches by the API's rules. Handle 0: no
 * selector.
 */
#define BERTH_SELECTORS_SERVICE "berth.selectors/0"
struct berth_config;
typedef struct berth_selectors_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] [cycle] The id of the match column of a selector; its family is "node.matches:*". */
  uint32_t (*match_column)(const berth_host* host, uint32_t selector);
  /* [init] [cycle] What is wrong with a selector, one `write` per problem; nothing if it is
     well-formed. A term with something wrong in it matches nothing. */
  void (*problem)(const berth_host* host, uint32_t selector, const berth_text_sink* sink);
  /* [init] A v1.NodeSelector, or one v1.NodeSelectorTerm, that stands in a configuration. 0:
     reported as an error of the configuration. */
  uint32_t (*node_selector)(const berth_host* host, const struct berth_config* config,
                            uint32_t node);
  uint32_t (*node_selector_term)(const berth_host* host, const struct berth_config* config,
                                 uint32_t node);
  /* [init] A metav1.LabelSelector that stands in a configuration: a handle of its own kind, for the
     counts service. 0: reported as an error of the configuration. */
  uint32_t (*label_selector)(const berth_host* host, const struct berth_config* config,
                             uint32_t node);
} berth_selectors_service;

/* Where bindings go; DefaultBinder is the usual caller. */
#define BERTH_BINDINGS_SERVICE "berth.bindings/0"
typedef struct berth_bindings_service {
  uint32_t size;
  uint32_t reserved;
  /* [bind] One binding per position: pod.handle and node.name as the call's columns had them. */
  berth_code (*write)(const berth_host* host, uint64_t count, const uint64_t* pods,
                      const uint32_t* nodes);
} berth_bindings_service;

#endif /* BERTH_ABI_HOST_H_ */
