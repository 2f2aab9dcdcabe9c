#pragma once

// A plugin at every extension point. Its argument `fault` selects one misbehaviour; without it the
// plugin behaves well: it refuses nothing, scores 0 and binds. It uses the C headers directly, so
// that the SDK cannot mask a fault.

#include <cstring>
#include <string>
#include <vector>

#include "berth/abi/bind.h"
#include "berth/abi/clock.h"
#include "berth/abi/counts.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/external.h"
#include "berth/abi/filter.h"
#include "berth/abi/metrics.h"
#include "berth/abi/observe.h"
#include "berth/abi/overlay.h"
#include "berth/abi/plugin.h"
#include "berth/abi/score.h"
#include "berth/abi/worker.h"

namespace faulty {

struct Plugin {
  std::string fault;
  const berth_host* host = nullptr;
  const berth_columns_service* columns = nullptr;
  const berth_counts_service* counts = nullptr;
  const berth_strings_service* strings = nullptr;
  const berth_clock_service* clock = nullptr;
  const berth_random_service* random = nullptr;
  const berth_worker_service* worker = nullptr;
  const berth_metrics_service* metrics = nullptr;
  const berth_external_service* outside = nullptr;
  uint32_t workers = 0, counter = 0, gauge = 0, heat = 0, load = 0;  // the last two are epochs
  bool same_counter = false;  // a counter that is made twice has one handle
  bool same_epoch = false;    // the same of an epoch
  bool external = false;      // what the hooks depend on

  bool is(const char* name) const { return fault == name; }

  std::vector<berth_string> inputs;
  berth_hook hook{};         // for all points except Filter
  berth_hook filter_hook{};  // has the faults of hooks
  std::vector<uint32_t> input_types;
  std::vector<uint32_t> prepared_inputs;
  std::vector<uint32_t> node_names;

  berth_pre_enqueue pre_enqueue{};
  berth_queue_sort queue_sort{};
  berth_hints hints{};
  berth_pre_filter pre_filter{};
  berth_filter filter{};
  berth_post_filter post_filter{};
  berth_pre_score pre_score{};
  berth_score score{};
  berth_reserve reserve{};
  berth_permit permit{};
  berth_pre_bind pre_bind{};
  berth_bind bind{};
  berth_post_bind post_bind{};
  berth_overlay_state overlay_state{};
  berth_observe observe{};

  void find_services_of_run();
  void fill_tables();  // fills in the tables, including faulty ones
};

inline berth_string text(const char* literal) { return {literal, std::strlen(literal)}; }

inline Plugin& of(berth_plugin* plugin) { return *reinterpret_cast<Plugin*>(plugin); }

// Faults that every function can have: throwing, returning BERTH_ERROR with a text, returning an
// undefined code, sleeping. Returns BERTH_SUCCESS otherwise. `where` is the name of the fault
// without its kind: "filter" in "filter throws".
berth_code common_faults(const Plugin& plugin, const char* where, const berth_text_sink* error);

// Asks the services that the fault names ("filter asks the time"). True: the call is to fail, with
// the answer as its text.
bool ask_services_of_run(const Plugin& plugin, const std::string& where,
                         const berth_text_sink* error);

void sleep_milliseconds(long milliseconds);

namespace hooks {

berth_code prepare(berth_plugin* plugin, const berth_template* pod, berth_prepared* prepared);
void release(berth_plugin* plugin, void* state);
void describe(berth_plugin* plugin, const berth_call* call, uint32_t reason,
              const berth_text_sink* sink);
berth_code check(berth_plugin* plugin, const berth_call* call, uint8_t* codes, uint32_t* reasons);
berth_code keys(berth_plugin* plugin, const berth_call* call, uint8_t (*keys)[16]);
berth_code wide_keys(berth_plugin* plugin, const berth_call* call, uint8_t* keys);
uint32_t actions(berth_plugin* plugin, uint32_t kind);
berth_code hint(berth_plugin* plugin, const berth_call* call, const berth_event* event,
                uint8_t* queue);
berth_code pre_filter(berth_plugin* plugin, const berth_call* call,
                      berth_pre_filter_result* result);
berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts);
berth_code reasons(berth_plugin* plugin, const berth_call* call, uint32_t* reasons);
berth_code numbers(berth_plugin* plugin, const berth_call* call, const berth_numbers_sink* sink);
berth_code post_filter(berth_plugin* plugin, const berth_call* call, const uint8_t* codes,
                       uint64_t draw, berth_nomination* nomination);
berth_code pre_score(berth_plugin* plugin, const berth_call* call, const berth_feasible* feasible,
                     berth_pre_score_result* result);
berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw);
berth_code normalise_own(berth_plugin* plugin, uint64_t count, const int64_t* raw, int64_t minimum,
                         int64_t maximum, int64_t* final);
berth_code normalise_pod(berth_plugin* plugin, const berth_call* call, const int64_t* raw,
                         int64_t minimum, int64_t maximum, int64_t* final);
berth_code reserve(berth_plugin* plugin, const berth_call* call, uint8_t* codes, uint32_t* reasons);
void unreserve(berth_plugin* plugin, const berth_call* call);
berth_code permit(berth_plugin* plugin, const berth_call* call, uint8_t* codes, uint32_t* reasons,
                  int64_t* timeout_nanoseconds);
berth_code pre_flight(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
berth_code pre_bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
berth_code pre_bind_or_wait(berth_plugin* plugin, const berth_call* call,
                            const int64_t* waited_nanoseconds, uint8_t* codes,
                            int64_t* again_nanoseconds);
berth_code bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes);
void post_bind(berth_plugin* plugin, const berth_call* call);
void bound(berth_plugin* plugin, const berth_call* call);
void changed(berth_plugin* plugin, const berth_call* call);
void left(berth_plugin* plugin, const berth_call* call);
void node_left(berth_plugin* plugin, uint64_t count, const uint32_t* nodes);
void* begin(berth_plugin* plugin, const void* base);
berth_code add_pod(berth_plugin* plugin, void* scratch, const berth_call* pod, uint32_t row);
berth_code remove_pod(berth_plugin* plugin, void* scratch, const berth_call* pod, uint32_t row);
void reset(berth_plugin* plugin, void* scratch, const void* base);
void end(berth_plugin* plugin, void* scratch);

}  // namespace hooks

}  // namespace faulty
