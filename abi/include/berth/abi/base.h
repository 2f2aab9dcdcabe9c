#ifndef BERTH_ABI_BASE_H_
#define BERTH_ABI_BASE_H_

/*
 * Conventions of the Berth plugin ABI. They apply to every header in this folder.
 *
 *  1. Integers have fixed widths. There are no C enums, bools or longs. Numbers with a name (status
 *     codes, types, bits) never change their meaning.
 *  2. A struct whose first member is `size` may grow at its end. The side that allocates the struct
 *     sets `size` to sizeof(the struct), and the other side leaves `size` as it is: it reads and
 *     writes a member only if BERTH_HAS is true for it. So a plugin writes the members of a result
 *     (`berth_prepared`, `berth_nomination` and others, which the host allocates and zeroes) one by
 *     one, and never assigns a whole struct. An absent, null or zero member means the default. Such
 *     structs are never elements of arrays.
 *  3. A string is a pointer and a length, UTF-8, without a terminating NUL. Strings that are passed
 *     often are string ids of the host (strings service): equal ids mean equal texts, and id 0
 *     means "absent". A string is passed by value: on x86-64 and arm64 this is two arguments in two
 *     registers, the pointer and the length, for languages that have no structs by value. One
 *     function returns a struct, `text` of the strings service; `read` is the same without.
 *  4. On hot paths the host allocates the arrays and the plugin fills them. The plugin keeps
 *     ownership of memory that it hands out. The comment at each pointer names its lifetime: "call"
 *     (until the function returns), "state" (until `release` of the template state), "instance"
 *     (until `destroy`) or "process".
 *  5. Each function has one thread tag. [init] and [cycle]: the thread that owns the model, one
 *     call at a time. [rows]: any number of threads at once, on different positions. [bind]: the
 *     binding thread, one call at a time. [any]: any thread. No [rows] call overlaps an [init] or
 *     [cycle] call of the same instance, but for those that the [cycle] call brings about itself (a
 *     what-if runs filters); a [rows] call sees everything that [init] and [cycle] calls before it
 *     wrote, and the next [cycle] call sees what it wrote. [bind] functions run while [cycle] and
 *     [rows] functions run, of the same instance too: bind.h says what follows from that. A plugin
 *     calls a function of a service only from its own functions with one of the tags that the
 *     service function has. Services of the model ([init], [cycle]) refuse calls from [rows] and
 *     [bind] functions, which then fail, and from threads that the plugin made; `service` refuses
 *     calls outside of [init] functions. Memory that a [rows] function needs for its own work is on
 *     the stack, scratch memory of the host or the plugin's own by the number of the thread
 *     (worker.h), or thread_local: the host's threads live as long as the process.
 *  6. No exception, longjmp or exit crosses the boundary in either direction. The SDK catches
 *     exceptions.
 *  7. The host checks everything that a plugin returns before it uses it. It refuses a member with
 *     the name `reserved` that is not zero, and unknown bits of flags.
 *  8. What is marked "Since ABI 1.N" came with that minor version; everything else is there since
 *     ABI 1.0. abi/layout.list has the version of each name.
 */

#include <stddef.h>
#include <stdint.h>

#define BERTH_ABI_MAJOR 1
#define BERTH_ABI_MINOR 3

#ifdef __cplusplus
#define BERTH_EXTERN_C extern "C"
#else
#define BERTH_EXTERN_C extern
#endif

/* Marks the one symbol that a plugin exports. */
#define BERTH_EXPORT BERTH_EXTERN_C __attribute__((visibility("default")))

/* True if the growable struct `*pointer` was built with `member`. */
#define BERTH_HAS(pointer, member) \
  ((pointer)->size >= (size_t)((const char*)(&(pointer)->member + 1) - (const char*)(pointer)))

typedef struct berth_string {
  const char* data;
  uint64_t size; /* bytes */
} berth_string;

/* Requires a string literal. */
#define BERTH_STRING(literal) \
  { literal, sizeof(literal) - 1 }

/*
 * Status codes, described by what the host does. Numbers and meanings are those of kube-scheduler's
 * framework.Code.
 */
typedef int32_t berth_code;
#define BERTH_SUCCESS 0 /* continue */
/* The pod fails with the text in `error`. Not a verdict on a node. */
#define BERTH_ERROR 1
#define BERTH_UNSCHEDULABLE 2                  /* refused; preemption may help */
#define BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE 3 /* refused; removing pods cannot help */
/* Permit only: hold the pod until it is allowed or its timeout expires. */
#define BERTH_WAIT 4
/* PreFilter, PreScore, Bind, PreBind: this plugin has nothing to do for the pod. */
#define BERTH_SKIP 5
/* Ends the scheduling cycle. The pod gets no backoff when it becomes schedulable. */
#define BERTH_PENDING 6

/* Receives text from the callee, in order. Lifetime: call. `write` copies its argument. */
typedef struct berth_text_sink {
  uint32_t size;
  uint32_t reserved;
  void* context;
  void (*write)(void* context, berth_string text);
} berth_text_sink;

/*
 * Values that the host writes to output arrays before a call (hook.h). One that is still there says
 * that the plugin wrote nothing. Since ABI 1.3.
 */
#define BERTH_UNWRITTEN_CODE 0xFFu            /* verdicts, codes and hints */
#define BERTH_UNWRITTEN_SCORE (INT64_MIN + 1) /* raw and final scores */
#define BERTH_UNWRITTEN_NANOSECONDS INT64_MIN /* timeouts */

/* An instance of a plugin, opaque to the host. */
typedef struct berth_plugin berth_plugin;

#endif /* BERTH_ABI_BASE_H_ */
