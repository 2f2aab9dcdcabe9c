#ifndef BERTH_ABI_HOST_H_
#define BERTH_ABI_HOST_H_

#include "berth/abi/base.h"

/*
 * The services that the host offers. A plugin looks up a service once, at init, by its id and
 * revision. Each service is a growable struct of functions that take the host as their first
 * argument. Lifetime of the host and of the services: instance.
 */
typedef struct berth_host berth_host;
struct berth_host {
  uint32_t size;
  uint16_t abi_major;
  uint16_t abi_minor;
  void* context; /* the host's own */

  /* [init] Null if the host does not have the service in this revision. */
  const void* (*service)(const berth_host* host, berth_string id);

  /* The host program and its version ("Berth 0.1.0"), for logs. Since ABI 1.3. */
  berth_string name;
  /* The profile that the instance belongs to: its schedulerName ("default-scheduler"). Since ABI
     1.3. */
  berth_string profile;
};

/* Log messages for people. The host puts the plugin's name in front of each. */
#define BERTH_LOG_SERVICE "berth.log/0"
#define BERTH_LOG_ERROR 1u
#define BERTH_LOG_WARNING 2u
#define BERTH_LOG_INFO 3u
#define BERTH_LOG_DEBUG 4u
typedef struct berth_log_service {
  uint32_t size;
  uint32_t level; /* at init: messages of a higher level are dropped. It may change: `shows` */
  void (*write)(const berth_host* host, uint32_t level, berth_string text); /* [any] */
  /* [any] Since ABI 1.3. 1: a message of this level is shown now. For messages that cost something
     to make. */
  uint32_t (*shows)(const berth_host* host, uint32_t level);
} berth_log_service;

/*
 * Strings as ids. Id 0 is "absent"; the empty string has an id of its own. An id that `intern` or
 * `find` returned is never reused. A text has one id at a time: what `intern` or `find` returned is
 * what columns have for that text, from then on. An id in a column means its text for the call, or
 * for the template state that was prepared with it: once no object of the cluster has the text any
 * more, the host may give the id to another text.
 */
#define BERTH_STRINGS_SERVICE "berth.strings/0"
typedef struct berth_strings_service {
  uint32_t size;
  uint32_t reserved;
  uint32_t (*intern)(const berth_host* host, berth_string text); /* [init] [cycle] */
  uint32_t (*find)(const berth_host* host, berth_string text);   /* [init] [cycle] 0: unknown */
  /* [any] The text is valid as long as the id. Empty for an id that does not exist. */
  berth_string (*text)(const berth_host* host, uint32_t id);
  /* [any] Since ABI 1.3. The same as `text`, for languages that cannot receive a struct by value.
   */
  void (*read)(const berth_host* host, uint32_t id, berth_string* text);
  /* [any] Since ABI 1.3. As `read`, for `count` ids. A plugin in a process of its own pays for one
     question instead of `count`. */
  void (*read_all)(const berth_host* host, uint64_t count, const uint32_t* ids,
                   berth_string* texts);
} berth_strings_service;

/*
 * Columns by id. Asking for a member of a family ("node.label:disk") creates its column. An id that
 * was found at init is valid for the life of the instance. One that `prepare` found is valid as
 * long as the state that it made, and any other until the call ends: columns that nobody asks for
 * are removed, and their ids are used again.
 */
#define BERTH_COLUMNS_SERVICE "berth.columns/0"
typedef struct berth_columns_service {
  uint32_t size;
  uint32_t reserved;
  uint32_t (*find)(const berth_host* host, berth_string id); /* [init] [cycle] 0: no such column */
} berth_columns_service;

/*
 * Node selectors. A handle refers to one parsed selector, from a pod column or from a
 * configuration; the former is valid as long as the state that was made of it, the latter for the
 * life of the instance. The selector's match column belongs to the nodes table, has type U8, and is
 * 1 where the node matches by the rules of the Kubernetes API. Handle 0 means no selector.
 */
#define BERTH_SELECTORS_SERVICE "berth.selectors/0"
struct berth_config;
typedef struct berth_selectors_service {
  uint32_t size;
  uint32_t reserved;
  /* [init] [cycle] The id of a selector's match column, a member of "node.matches:*". */
  uint32_t (*match_column)(const berth_host* host, uint32_t selector);
  /* [init] [cycle] Writes the errors of a selector, one `write` each; nothing if it is well-formed.
     A term with an error matches nothing. */
  void (*problem)(const berth_host* host, uint32_t selector, const berth_text_sink* sink);
  /* [init] The handle of a v1.NodeSelector, or of one v1.NodeSelectorTerm, at `node` of a
     configuration. 0: it is malformed, and the host has reported it as an error of the
     configuration. */
  uint32_t (*node_selector)(const berth_host* host, const struct berth_config* config,
                            uint32_t node);
  uint32_t (*node_selector_term)(const berth_host* host, const struct berth_config* config,
                                 uint32_t node);
  /* [init] The handle of a metav1.LabelSelector at `node` of a configuration. Label selectors have
     their own handles, which the counts service takes. 0: malformed, and reported. */
  uint32_t (*label_selector)(const berth_host* host, const struct berth_config* config,
                             uint32_t node);
} berth_selectors_service;

/* Receives bindings. The usual caller is DefaultBinder. */
#define BERTH_BINDINGS_SERVICE "berth.bindings/0"
typedef struct berth_bindings_service {
  uint32_t size;
  uint32_t reserved;
  /* [bind] Writes one binding per position. `pods` and `nodes` hold the values of the columns
     pod.handle and node.name of the call. ERROR: one of the pods is none of the call; those before
     it are written. */
  berth_code (*write)(const berth_host* host, uint64_t count, const uint64_t* pods,
                      const uint32_t* nodes);
  /* [bind] Since ABI 1.3. The same for each position by itself: codes[i] is SUCCESS, or ERROR for a
     pod that is none of the call, which is not written. Whether an API server takes a binding that
     was written is known later: the pod then fails or is bound without a further call of `bind`. */
  void (*write_each)(const berth_host* host, uint64_t count, const uint64_t* pods,
                     const uint32_t* nodes, uint8_t* codes);
} berth_bindings_service;

#endif /* BERTH_ABI_HOST_H_ */
