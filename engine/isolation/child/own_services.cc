#include "engine/isolation/child/own_services.h"

#include <bit>
#include <span>
#include <type_traits>

#include "berth/abi/clock.h"
#include "berth/abi/external.h"
#include "berth/abi/worker.h"
#include "engine/host/run/clock_service.h"
#include "engine/isolation/channel/lane.h"
#include "engine/isolation/child/services.h"
#include "engine/isolation/child/stub.h"

namespace berth::isolation {

void MetricCells::make(uint32_t handle, bool counter) {
  if (handle == 0 || handle > BERTH_MOST_METRICS) return;
  kinds_[handle - 1].store(counter ? Kind::kCounter : Kind::kGauge, std::memory_order_relaxed);
}

bool MetricCells::add(uint32_t handle, uint64_t delta) {
  if (!is(handle, Kind::kCounter)) return false;
  values_[handle - 1].fetch_add(delta, std::memory_order_relaxed);
  mark(handle);
  return true;
}

bool MetricCells::set(uint32_t handle, int64_t value) {
  if (!is(handle, Kind::kGauge)) return false;
  values_[handle - 1].store(static_cast<uint64_t>(value), std::memory_order_relaxed);
  mark(handle);
  return true;
}

// A value that is added between the mark and the exchange is taken now, and its mark again later
// with nothing left.
void MetricCells::take(std::vector<MetricChange>& out) {
  for (uint32_t word = 0; word < changed_.size(); ++word) {
    if (changed_[word].load(std::memory_order_relaxed) == 0) continue;
    uint64_t marks = changed_[word].exchange(0, std::memory_order_acquire);
    for (; marks != 0; marks &= marks - 1) {
      const auto at = word * 64 + static_cast<uint32_t>(std::countr_zero(marks));
      std::atomic<uint64_t>& value = values_[at];
      const bool counts = is(at + 1, Kind::kCounter);
      out.push_back({at + 1, 0,
                     counts ? value.exchange(0, std::memory_order_relaxed)
                            : value.load(std::memory_order_relaxed)});
    }
  }
}

namespace {

MetricCells& cells_of(const berth_host* host) {
  return static_cast<PluginHost*>(host->context)->metrics();
}

uint32_t stray(Refused what) { return kOwnStray + static_cast<uint32_t>(what); }

void log_refused(Refused what) {
  on_lane(stray(what), 0, [&](PluginLane& lane) {
    Writer message;
    message.put(what);
    lane.ask(Ask::kRefused, message);
    return 0;
  });
}

uint32_t count(const berth_host*) { return kLaneCount; }
uint32_t index(const berth_host*) {
  const PluginLane* lane = PluginLane::current();
  if (lane != nullptr) return lane->number();
  StrayCalls::note(stray(Refused::kIndex));
  return BERTH_NO_WORKER;
}
void* scratch(const berth_host*, uint64_t bytes) {
  return on_lane(
      stray(Refused::kScratch), static_cast<void*>(nullptr), [&](PluginLane& lane) -> void* {
        if (lane.call_now().keeps != host::Keeps::kNoHook)
          return lane.scratch().get(nullptr, host::ParallelBody::current() != nullptr, bytes);
        log_refused(Refused::kScratch);
        return nullptr;
      });
}

// False, and refused: what the function answers is kept, or it is none of a hook.
bool allowed(PluginLane::CallNow& call, Refused service) {
  if (call.keeps == host::Keeps::kNothing) return true;
  if (call.keeps == host::Keeps::kNoHook) {
    log_refused(service);
  } else if (call.refused == Refused::kNothing) {
    call.refused = service;
  }
  return false;
}

int64_t now(const berth_host*) {
  return on_lane(stray(Refused::kClock), int64_t{0}, [](PluginLane& lane) {
    PluginLane::CallNow& call = lane.call_now();
    return allowed(call, Refused::kClock) ? call.now : 0;
  });
}
uint64_t bits(const berth_host*, uint64_t stream) {
  return on_lane(stray(Refused::kRandom), uint64_t{0}, [&](PluginLane& lane) {
    PluginLane::CallNow& call = lane.call_now();
    return allowed(call, Refused::kRandom) ? host::random_bits(call.random, stream) : 0;
  });
}

template <auto kMember>
uint32_t make(const berth_host* host, berth_string name, berth_string help) {
  const uint32_t handle = Stub<kMember>::call(host, name, help);
  cells_of(host).make(handle, ways::same<kMember, &berth_metrics_service::counter>());
  return handle;
}
void add(const berth_host* host, uint32_t counter, uint64_t delta) {
  if (!cells_of(host).add(counter, delta)) log_refused(Refused::kAdd);
}
void set(const berth_host* host, uint32_t gauge, int64_t value) {
  if (!cells_of(host).set(gauge, value)) log_refused(Refused::kSet);
}

EpochCells& epochs_of(const berth_host* host) {
  return static_cast<PluginHost*>(host->context)->epochs();
}
uint32_t epoch(const berth_host* host, berth_string name) {
  const uint32_t number = Stub<&berth_external_service::epoch>::call(host, name);
  epochs_of(host).name(number);
  return number;
}
void raise(const berth_host* host, uint32_t epoch) {
  if (!epochs_of(host).raise(epoch)) log_refused(Refused::kRaise);
}
void wake(const berth_host* host) { epochs_of(host).wake(); }

void for_each(const berth_host*, uint64_t count, void* context,
              void (*body)(void* context, uint64_t i)) {
  static constexpr host::PluginFunction kFunction = {};
  const host::ParallelBody scope(&kFunction);
  for (uint64_t i = 0; i < count; ++i) body(context, i);
}

void read(const berth_host* host, uint32_t id, berth_string* out) {
  *out = Stub<&berth_strings_service::text>::call(host, id);
}

// In parts, since a message has a greatest size. Texts that cannot be asked for are empty.
void read_all(const berth_host*, uint64_t count, const uint32_t* ids, berth_string* texts) {
  constexpr uint64_t kPart = 1024;
  constexpr auto kStray = static_cast<uint32_t>(kAsk<&berth_strings_service::text>);
  std::fill_n(texts, count, berth_string{});
  for (uint64_t begin = 0; begin < count; begin += kPart)
    on_lane(kStray, 0, [&](PluginLane& lane) {
      const uint64_t part = std::min(kPart, count - begin);
      Writer question;
      question.put(part);
      question.append(ids + begin, part * sizeof *ids);
      Reader answer = lane.ask(Ask::kTexts, question);
      for (uint64_t i = begin; i < begin + part; ++i) texts[i] = lasting(answer.text());
      return 0;
    });
}

// Asks once where no pod is refused.
void write_each(const berth_host* host, uint64_t count, const uint64_t* pods, const uint32_t* nodes,
                uint8_t* codes) {
  constexpr auto kWrite = &Stub<&berth_bindings_service::write>::call;
  std::fill_n(codes, count, uint8_t{BERTH_SUCCESS});
  if (kWrite(host, count, pods, nodes) == BERTH_SUCCESS) return;
  for (uint64_t i = 0; i < count; ++i)
    codes[i] = static_cast<uint8_t>(kWrite(host, 1, pods + i, nodes + i));
}

// The text outlives the call.
void version(const berth_host* host, berth_string* out) {
  Stub<&berth_rules_service::version>::call(host, out);
  *out = lasting({out->data, out->size});
}

uint32_t kept(const berth_host* host, berth_what_if_kept* out) {
  berth_what_if_stamps stamps = {};
  if (out == nullptr || !BERTH_HAS(out, rows) ||
      Stub<&berth_what_if_service::stamps>::call(host, &stamps) == 0)
    return 0;
  out->kind = stamps.kind;
  out->by_row = stamps.by_row;
  out->rows = stamps.rows;
  return 1;
}

berth_code choose(const berth_host* host, const berth_preempt_choice* const* choices,
                  uint64_t count, void* context,
                  void (*take)(void* context, const berth_preempt_choice* choice),
                  const berth_text_sink* error) {
  struct Taken {
    void* context;
    void (*take)(void* context, const berth_preempt_choice* choice);
  } taken{context, take};
  std::vector<berth_preempt_candidate> asked;
  for (const berth_preempt_choice* choice : std::span(choices, count)) {
    if (choice == nullptr || !BERTH_HAS(choice, violations)) return BERTH_ERROR;
    asked.push_back({choice->row, 0, choice->victims, choice->victim_count, choice->violations});
  }
  return Stub<&berth_preempt_extenders_service::ask>::call(
      host, asked.data(), count, &taken,
      [](void* to, const berth_preempt_candidate* left) {
        const auto& of = *static_cast<Taken*>(to);
        const berth_preempt_choice choice = {sizeof choice, left->row, left->victims,
                                             left->victim_count, left->violations};
        of.take(of.context, &choice);
      },
      error);
}

// Null: the engine does not answer for such a service.
template <typename... Tables>
const void* asking_table_of(std::string_view id, Types<Tables...>) {
  const void* table = nullptr;
  static_cast<void>(((id == Described<Tables>::kId && (table = &kAsking<Tables>)) || ...));
  return table;
}

constexpr berth_worker_service kWorker = {sizeof kWorker, 0, count, index, scratch};
constexpr berth_clock_service kClock = {sizeof kClock, 0, now};
constexpr berth_random_service kRandom = {sizeof kRandom, 0, bits};
constexpr berth_parallel_service kParallel = {sizeof kParallel, 0, for_each};
constexpr berth_metrics_service kMetrics = {sizeof kMetrics,
                                            0,
                                            make<&berth_metrics_service::counter>,
                                            make<&berth_metrics_service::gauge>,
                                            add,
                                            set};
constexpr berth_external_service kExternal = {sizeof kExternal, 0, epoch, raise, wake};
constexpr berth_strings_service kStrings = [] {
  auto table = asking_table<berth_strings_service>();
  table.read = read;
  table.read_all = read_all;
  return table;
}();
// A table that asks, but for one function that the process has itself.
template <typename Table, typename Function>
constexpr Table asking_but(Function Table::*member, std::type_identity_t<Function> own) {
  auto table = asking_table<Table>();
  table.*member = own;
  return table;
}
constexpr auto kBindings = asking_but(&berth_bindings_service::write_each, write_each);
constexpr auto kWhatIfs = asking_but(&berth_what_if_service::kept, kept);
constexpr auto kRules = asking_but(&berth_rules_service::version, version);
constexpr auto kPreemptExtenders = asking_but(&berth_preempt_extenders_service::choose, choose);

}  // namespace

const void* service_table(std::string_view id) {
  if (id == BERTH_WORKER_SERVICE) return &kWorker;
  if (id == BERTH_CLOCK_SERVICE) return &kClock;
  if (id == BERTH_RANDOM_SERVICE) return &kRandom;
  if (id == BERTH_PARALLEL_SERVICE) return &kParallel;
  if (id == BERTH_METRICS_SERVICE) return &kMetrics;
  if (id == BERTH_EXTERNAL_SERVICE) return &kExternal;
  if (id == BERTH_STRINGS_SERVICE) return &kStrings;
  if (id == BERTH_BINDINGS_SERVICE) return &kBindings;
  if (id == BERTH_WHAT_IF_SERVICE) return &kWhatIfs;
  if (id == BERTH_RULES_SERVICE) return &kRules;
  if (id == BERTH_PREEMPT_EXTENDERS_SERVICE) return &kPreemptExtenders;
  return asking_table_of(id, AskedServices());
}

}  // namespace berth::isolation
