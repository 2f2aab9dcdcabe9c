#ifndef BERTH_ABI_NUMBERS_H_
#define BERTH_ABI_NUMBERS_H_

#include "berth/abi/base.h"

/*
 * The numbers behind the answer of a Filter or Score for one position, for people: `berth explain`
 * prints them. No decision asks for them or depends on them. Draft.
 *
 * They come as items. An item is one thing that the hook compares, such as a resource or a
 * constraint. It has facts: names with a number, a text, a term or pods. Names are those of the
 * Kubernetes API where it has one ("maxSkew").
 */

/* Units of numbers. Since ABI 1.1. */
#define BERTH_UNIT_ONE 0u
#define BERTH_UNIT_MILLI_CPU 1u
#define BERTH_UNIT_BYTES 2u

/* Since ABI 1.1. Lifetime: call. The functions copy their arguments. Facts before the first item
   are dropped. */
typedef struct berth_numbers_sink {
  uint32_t size;
  uint32_t reserved;
  void* context;
  /* Begins an item; the facts that follow are its own. */
  void (*item)(void* context, berth_string name);
  void (*number)(void* context, berth_string name, int64_t value, uint32_t unit);
  void (*text)(void* context, berth_string name, berth_string text);
  /* A term of the counts service: the host writes its selector and namespaces. */
  void (*term)(void* context, berth_string name, uint32_t term);
  /* The placed pods that a value of the call stands for; `column` is an index of call->columns.
     node.count:*: the pods that count in the node's domain. node.carried:*: the pods that carry a
     matching term there. node.ports: the pods of the node that use the port `element`. The host
     names some of them, and says how many there are. Pods that the host added to the row
     (nominations) are not among them. */
  void (*pods)(void* context, berth_string name, uint32_t column, uint64_t element);
} berth_numbers_sink;

#endif /* BERTH_ABI_NUMBERS_H_ */
