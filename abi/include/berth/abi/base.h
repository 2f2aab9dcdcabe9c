#ifndef BERTH_ABI_BASE_H_
#define BERTH_ABI_BASE_H_

/*
 * Conventions of the Berth plugin ABI. They hold for every header in this folder.
 *
 *  1. Integers have fixed widths; there are no C enums, bools or longs. Numbers that are named here
 *     (status codes, types, bits) never change their meaning.
 *  2. A struct whose first member is `size` may grow at its end. Its author sets `size` to
 *     sizeof(the struct); a reader uses a member only where BERTH_HAS says that it is there. A
 * member that is absent, null or zero means the default. Such structs never stand in arrays.
 *  3. Strings are pointer and length, UTF-8, not terminated. Where a string crosses often it is a
 *     string id of the host (strings service): equal ids are equal texts; id 0 is "absent".
 *  4. The host allocates what is passed on hot paths and the plugin fills it. What a plugin hands
 * out stays its own; until when it must live is written at each field ("call", "state", "instance",
 *     "process").
 *  5. Each function carries one thread tag. [init] and [cycle]: the thread that owns the model, one
 *     call at a time; [rows]: any number of threads at once, on different positions; [bind]: the
 * binding thread; [any]: whichever.
 *  6. No exception, longjmp or exit crosses the boundary in either direction. The SDK catches.
 *  7. The host checks all that a plugin returns before it uses it.
 */

#include <stddef.h>
#include <stdint.h>

#define BERTH_ABI_MAJOR 1
#define BERTH_ABI_MINOR 0

#ifdef __cplusplus
#define BERTH_EXTERN_C extern "C"
#else
#define BERTH_EXTERN_C extern
#endif

/* Marks the one symbol that a plugin exports. */
#define BERTH_EXPORT BERTH_EXTERN_C __attribute__((visibility("default")))

/* Whether the growable struct `*pointer` was built with `member`. */
#define BERTH_HAS(pointer, member) \
  ((pointer)->size >= (size_t)((const char*)(&(pointer)->member + 1) - (const char*)(pointer)))

typedef struct berth_string {
  const char* data;
  uint64_t size; /* bytes */
} berth_string;

/* Of a literal only. */
#define BERTH_STRING(literal) \
  { literal, sizeof(literal) - 1 }

/*
 * Status codes, by what the host does. They are kube-scheduler's, number and meaning.
 */
typedef int32_t berth_code;
#define BERTH_SUCCESS 0 /* go on */
#define BERTH_ERROR 1   /* the pod fails with the text that was given; it is no verdict on a node */
#define BERTH_UNSCHEDULABLE 2                  /* refused; preemption may help */
#define BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE 3 /* refused; removing pods cannot help */
#define BERTH_WAIT 4    /* Permit only: hold the pod until it is allowed or its time is over */
#define BERTH_SKIP 5    /* PreFilter, PreScore, Bind, PreBind: nothing to do here for this pod */
#define BERTH_PENDING 6 /* ends the cycle; no backoff penalty when the pod comes back */

/* Takes text that is asked for, in order. Lives for the call. `write` copies. */
typedef struct berth_text_sink {
  uint32_t size;
  uint32_t reserved;
  void* context;
  void (*write)(void* context, berth_string text);
} berth_text_sink;

/* A plugin's own instance. The host never looks inside. */
typedef struct berth_plugin berth_plugin;

#endif /* BERTH_ABI_BASE_H_ */
