/*
 * The museum of misbehaving plugins. Each exhibit is a shared object of its own that breaks one
 * rule of the contract; exhibits.tsv says which check must convict it. All have the same code,
 * compiled once: exhibit.c, which is compiled for each, says which exhibit it is.
 */
#ifndef BERTH_TESTS_VALIDATOR_MUSEUM_H_
#define BERTH_TESTS_VALIDATOR_MUSEUM_H_

#include <string.h>

#include "berth/abi/bind.h"
#include "berth/abi/clock.h"
#include "berth/abi/counts.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/plugin.h"
#include "berth/abi/score.h"
#include "berth/abi/volumes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MUSEUM_POINTS                                                                          \
  BERTH_PRE_ENQUEUE " " BERTH_QUEUE_SORT " " BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_SCORE \
                    " " BERTH_RESERVE

/* The name of this exhibit. */
extern const char museum_exhibit[];

/* Makes one of the misbehaviours that every function can have, if `where` is what the exhibit names
   before its last word: "filter" in "filter_crashes". */
void museum_misbehave(const char* where);
/* Does to the process what the exhibit names after `where`: "forks" in "filter_forks". */
void museum_disturb(const char* how);
/* Throws an exception; only exhibits with "throws" have it. */
void museum_throw(void) __attribute__((weak));
/* Throws one whose text is a null pointer. */
void museum_throw_null(void) __attribute__((weak));

static inline int museum_is(const char* name) { return strcmp(museum_exhibit, name) == 0; }

static inline berth_string museum_text(const char* text) {
  berth_string made = {text, strlen(text)};
  return made;
}

struct berth_plugin {
  const berth_host* host;
  const berth_strings_service* strings;
  const berth_columns_service* columns;
  const berth_volumes_service* volumes;
  const berth_counts_service* counts;
  const berth_clock_service* clock;
  const berth_random_service* random;
  int64_t most;                   /* from the arguments: pods on a node */
  int64_t calls;                  /* of filter */
  int64_t remembered;             /* a priority */
  const volatile int64_t* kept;   /* a column */
  volatile int64_t scratch[4096]; /* of one call */
  char* block;
};

/* The state of a pod. */
typedef struct museum_state {
  int64_t priority;
  uint32_t inputs[4];
  uint32_t node_names[1];
} museum_state;

/* The tables, by id; null: there is none. */
const void* museum_table(berth_string id);

/* The hooks (hooks.c). */
berth_code museum_prepare(berth_plugin* plugin, const berth_template* pod,
                          berth_prepared* prepared);
void museum_release(berth_plugin* plugin, void* made);
void museum_describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                     const berth_text_sink* sink);
berth_code museum_check(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons);
berth_code museum_keys(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]);
berth_code museum_wide_keys(berth_plugin* plugin, const berth_call* call, uint8_t* keys);
berth_code museum_pre_filter(berth_plugin* plugin, const berth_call* call,
                             berth_pre_filter_result* result);
berth_code museum_filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts);
berth_code museum_reasons(berth_plugin* plugin, const berth_call* call, uint32_t* reasons);
berth_code museum_score(berth_plugin* plugin, const berth_call* call, int64_t* raw);
berth_code museum_normalise(berth_plugin* plugin, uint64_t count, const int64_t* raw,
                            int64_t minimum, int64_t maximum, int64_t* final);
berth_code museum_reserve(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                          uint32_t* reasons);
void museum_unreserve(berth_plugin* plugin, const berth_call* call);

/* The descriptor's functions (museum.c). */
berth_code museum_validate(const berth_config* config);
berth_plugin* museum_create(void);
berth_code museum_init(berth_plugin* plugin, const berth_host* host, const berth_config* config,
                       const berth_text_sink* error);
const void* museum_extension(berth_plugin* plugin, berth_string id);
void museum_destroy(berth_plugin* plugin);

#ifdef __cplusplus
}
#endif

#endif /* BERTH_TESTS_VALIDATOR_MUSEUM_H_ */
