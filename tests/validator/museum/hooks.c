/* The hooks of an exhibit. A well-behaved one refuses nodes with many pods, and prefers those with
   more. */

#include <stdlib.h>

#include "tests/validator/museum/museum.h"

extern int64_t museum_destroyed;

static const int64_t* column(const berth_call* call, uint32_t i) {
  return (const int64_t*)call->columns[i].data;
}

static void fill(uint8_t* codes, uint64_t count, uint8_t code) { memset(codes, code, count); }

/* States. */

berth_code museum_prepare(berth_plugin* plugin, const berth_template* pod,
                          berth_prepared* prepared) {
  museum_state* made = (museum_state*)calloc(1, sizeof(*made));
  museum_misbehave("prepare");
  made->priority = *(const int64_t*)pod->columns[0].data;
  if (museum_is("prepare_sets_unknown_flags")) prepared->flags = 8;
  if (museum_is("prepare_fails_in_silence")) return 7;
  if (museum_is("prepare_asks_for_undeclared")) {
    made->inputs[0] = plugin->columns->find(plugin->host, museum_text("node.name"));
    prepared->inputs = made->inputs;
    prepared->input_count = 1;
  }
  if (museum_is("prepare_asks_for_nothing_known")) {
    made->inputs[0] = 4711000;
    prepared->inputs = made->inputs;
    prepared->input_count = 1;
  }
  if (museum_is("prepare_asks_the_time")) made->priority += plugin->clock->now(plugin->host) % 2;
  if (museum_is("prepare_reads_volumes")) {
    const berth_volumes_service* volumes = plugin->volumes;
    made->priority = volumes->version(plugin->host) % 2 == 0 ? 10 : -10;
  }
  prepared->state = made;
  return BERTH_SUCCESS;
}

void museum_release(berth_plugin* plugin, void* made) {
  (void)plugin;
  museum_misbehave("release");
  if (!museum_is("state_leaks")) free(made);
}

void museum_describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                     const berth_text_sink* sink) {
  (void)plugin, (void)call, (void)reason;
  museum_misbehave("describe");
  sink->write(sink->context, museum_text("too many pods"));
}

/* Pods. */

berth_code museum_check(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                        uint32_t* reasons) {
  (void)plugin;
  museum_misbehave("gate");
  for (uint64_t i = 0; i < call->count; ++i) {
    codes[i] = column(call, 0)[i] > 20 ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
    reasons[i] = 1;
  }
  if (museum_is("gate_writes_behind")) codes[call->count] = BERTH_SUCCESS;
  if (museum_is("gate_waits")) codes[0] = BERTH_WAIT;
  if (museum_is("gate_writes_half")) codes[call->count / 2] = 0xFF;
  if (museum_is("gate_looks_at_neighbours") && call->count > 3) codes[3] = BERTH_UNSCHEDULABLE;
  return BERTH_SUCCESS;
}

berth_code museum_keys(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]) {
  museum_misbehave("sort");
  for (uint64_t i = 0; i < call->count; ++i) {
    memset(keys[i], 0, museum_is("sort_writes_half_a_key") ? 8 : 16);
    keys[i][0] = (uint8_t)(100 - column(call, 0)[i]);
    if (museum_is("sort_reads_behind") && i + 1 == call->count)
      keys[i][2] = (uint8_t)(((const volatile int64_t*)column(call, 0))[call->count + 8] & 0);
    if (museum_is("sort_draws")) keys[i][1] = (uint8_t)plugin->random->bits(plugin->host, i);
    if (museum_is("sort_numbers_positions")) keys[i][1] = (uint8_t)i;
  }
  return BERTH_SUCCESS;
}

/* Keys of 24 bytes. */
berth_code museum_wide_keys(berth_plugin* plugin, const berth_call* call, uint8_t* keys) {
  (void)plugin;
  for (uint64_t i = 0; i < call->count; ++i) {
    memset(keys + i * 24, 0, 12);
    keys[i * 24] = (uint8_t)(100 - column(call, 0)[i]);
  }
  return BERTH_SUCCESS;
}

berth_code museum_reserve(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                          uint32_t* reasons) {
  (void)plugin;
  museum_misbehave("reserve");
  fill(codes, call->count, museum_is("reserve_skips") ? BERTH_SKIP : BERTH_SUCCESS);
  memset(reasons, 0, call->count * sizeof(*reasons));
  return BERTH_SUCCESS;
}

void museum_unreserve(berth_plugin* plugin, const berth_call* call) {
  (void)plugin, (void)call;
  museum_misbehave("unreserve");
}

berth_code museum_pre_filter(berth_plugin* plugin, const berth_call* call,
                             berth_pre_filter_result* result) {
  const museum_state* state = (const museum_state*)call->state;
  museum_misbehave("pre_filter");
  plugin->remembered = state->priority;
  if (museum_is("pre_filter_waits")) result->code = BERTH_WAIT;
  if (museum_is("pre_filter_names_nowhere")) {
    result->narrows = 1;
    result->node_names = (const uint32_t*)(uintptr_t)16;
    result->node_name_count = 1;
  }
  if (museum_is("pre_filter_names_no_string")) {
    static const uint32_t names[1] = {4711000};
    result->narrows = 1;
    result->node_names = names;
    result->node_name_count = 1;
  }
  return BERTH_SUCCESS;
}

/* Rows. */

/* The limit of this pod, and what an exhibit makes of it. */
static int64_t limit_of(berth_plugin* plugin, const berth_call* call) {
  const museum_state* state = (const museum_state*)call->state;
  const int64_t limit = plugin->most;
  if (museum_is("filter_reads_pre_filter")) return limit - (plugin->remembered > 0);
  if (museum_is("filter_remembers_a_pod")) {
    if (plugin->calls == 1) plugin->remembered = 1000 + state->priority;
    return limit - (plugin->remembered - 1000 > 0);
  }
  if (museum_is("filter_counts_calls")) return limit - plugin->calls % 2;
  if (museum_is("filter_looks_at_count")) return limit - (call->count > 64 ? 2 : 0);
  if (museum_is("filter_looks_at_mask")) return limit - (call->mask != NULL ? 2 : 0);
  if (museum_is("instance_outlives_another")) return limit - (museum_destroyed != 0 ? 2 : 0);
  return limit - (state->priority > 0);
}

/* Breaks rules about memory; `add` is what this changes in answers. */
static int64_t touch_memory(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  /* Volatile: the compiler would leave out what has no effect. */
  const volatile int64_t* pods = column(call, call->column_count - 1);
  int64_t add = 0;
  if (museum_is("filter_reads_far_behind")) add = pods[call->count + 16] & 0;
  if (museum_is("filter_reads_before")) add = pods[-1] & 0;
  if (museum_is("filter_reads_padding")) add = pods[call->count] & 1;
  if (museum_is("filter_reads_more_columns")) add = call->columns[call->column_count].count == 77;
  if (museum_is("filter_writes_behind")) verdicts[call->count] = BERTH_SUCCESS;
  if (museum_is("filter_writes_inputs")) ((volatile int64_t*)(uintptr_t)pods)[0] = pods[0];
  if (museum_is("filter_keeps_columns")) {
    if (plugin->kept != NULL) add = plugin->kept[0] & 0;
    plugin->kept = pods;
  }
  return add;
}

static void use_services(berth_plugin* plugin, const berth_call* call) {
  if (museum_is("filter_interns")) plugin->strings->intern(plugin->host, museum_text("rack"));
  if (museum_is("filter_interns_for_one") && call->count == 1)
    plugin->strings->intern(plugin->host, museum_text("rack"));
  if (museum_is("filter_finds_strings")) plugin->strings->find(plugin->host, museum_text("rack"));
  if (museum_is("filter_finds_columns"))
    plugin->columns->find(plugin->host, museum_text("node.name"));
  if (museum_is("filter_asks_the_time")) plugin->clock->now(plugin->host);
  if (museum_is("filter_makes_terms")) {
    const berth_pod_term term = {.size = sizeof(term)};
    plugin->counts->term(plugin->host, &term);
  }
  if (museum_is("call_leaks")) plugin->block = (char*)malloc(64);
}

/* Faults of the array itself. */
static void spoil(const berth_call* call, const int64_t* pods, uint8_t* verdicts) {
  const uint64_t count = call->count;
  if (museum_is("filter_writes_nothing")) fill(verdicts, count, 0xFF);
  if (museum_is("filter_writes_half")) fill(verdicts + count / 2, count - count / 2, 0xFF);
  if (museum_is("filter_waits")) verdicts[count / 2] = BERTH_WAIT;
  if (museum_is("waits_for_the_important") &&
      ((const museum_state*)call->state)->priority == 1000000)
    verdicts[0] = BERTH_WAIT;
  if (museum_is("filter_refuses_the_first")) verdicts[0] = BERTH_UNSCHEDULABLE;
  if (museum_is("filter_refuses_the_last")) verdicts[count - 1] = BERTH_UNSCHEDULABLE;
  for (uint64_t i = 1; i < count; ++i) {
    if (museum_is("filter_looks_at_neighbours") && pods[i] > pods[i - 1])
      verdicts[i] = BERTH_UNSCHEDULABLE;
    if (museum_is("filter_expects_order") && i > count / 2 && i + 1 < count)
      verdicts[i] = BERTH_UNSCHEDULABLE;
  }
}

berth_code museum_filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  const int64_t* pods = column(call, call->column_count - 1);
  int64_t limit = 0;
  museum_misbehave("filter");
  ++plugin->calls;
  use_services(plugin, call);
  limit = limit_of(plugin, call) + touch_memory(plugin, call, verdicts);
  if (museum_is("filter_shares_memory")) {
    /* Another thread may come while the loop runs. */
    plugin->scratch[0] = limit;
    for (uint64_t i = 0; i < call->count; ++i) plugin->scratch[1 + i % 4000] = pods[i];
    limit = plugin->scratch[0];
  }
  for (uint64_t i = 0; i < call->count; ++i)
    verdicts[i] = pods[i] > limit ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
  spoil(call, pods, verdicts);
  return museum_is("filter_returns_9") ? 9 : BERTH_SUCCESS;
}

berth_code museum_reasons(berth_plugin* plugin, const berth_call* call, uint32_t* reasons) {
  (void)plugin;
  museum_misbehave("reasons");
  for (uint64_t i = 0; i < call->count; ++i)
    reasons[i] = museum_is("reasons_number_positions") ? (uint32_t)i : 1;
  return BERTH_SUCCESS;
}

berth_code museum_score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  const int64_t* pods = column(call, call->column_count - 1);
  museum_misbehave("score");
  if (museum_is("score_writes_nothing")) return BERTH_SUCCESS;
  for (uint64_t i = 0; i < call->count; ++i) {
    raw[i] = pods[i];
    if (museum_is("score_draws")) raw[i] = (int64_t)(plugin->random->bits(plugin->host, i) % 100);
    if (museum_is("score_is_above_100")) raw[i] += 100;
    if (museum_is("score_sums_up")) raw[i] = (raw[i] + 1 + (i > 0 ? raw[i - 1] : 0)) % 100;
    if (museum_is("score_numbers_positions")) raw[i] = (int64_t)i;
  }
  return BERTH_SUCCESS;
}

berth_code museum_normalise(berth_plugin* plugin, uint64_t count, const int64_t* raw,
                            int64_t minimum, int64_t maximum, int64_t* final) {
  (void)plugin;
  museum_misbehave("normalise");
  for (uint64_t i = 0; i < count; ++i) {
    final[i] = maximum == minimum ? 0 : 100 * (raw[i] - minimum) / (maximum - minimum);
    if (museum_is("normalise_exceeds_100")) final[i] += 1;
    if (museum_is("normalise_ranks")) final[i] = (int64_t)(i % 101);
  }
  return BERTH_SUCCESS;
}
