#include "engine/isolation/child/trial_services.h"

#include "engine/isolation/child/asking.h"

namespace berth::isolation {
namespace {

// The berth_what_if of a plugin is the number under which the engine knows it.
uint64_t number_of(berth_what_if* what_if) { return reinterpret_cast<uint64_t>(what_if); }

berth_what_if* begin(const berth_host*, uint32_t row) {
  return reinterpret_cast<berth_what_if*>(asked(uint64_t{0}, Ask::kWhatIfBegin, row));
}
const berth_call* pods(berth_what_if* what_if) {
  return reinterpret_cast<const berth_call*>(
      asked(uint64_t{0}, Ask::kWhatIfPods, number_of(what_if)));
}
void remove_pod(berth_what_if* what_if, uint64_t position) {
  told(Ask::kWhatIfRemove, number_of(what_if), position);
}
void add_pod(berth_what_if* what_if, uint64_t position) {
  told(Ask::kWhatIfAdd, number_of(what_if), position);
}
void reset(berth_what_if* what_if) { told(Ask::kWhatIfReset, number_of(what_if)); }
berth_code filter(berth_what_if* what_if) {
  return asked(berth_code{BERTH_ERROR}, Ask::kWhatIfFilter, number_of(what_if));
}
void reasons(berth_what_if* what_if, const berth_text_sink* sink) {
  on_lane(0, [&](PluginLane& lane) {
    Reader answer = lane.ask(Ask::kWhatIfReasons, message_of(number_of(what_if)));
    write_texts(answer, sink);
    return 0;
  });
}
void end(berth_what_if* what_if) { told(Ask::kWhatIfEnd, number_of(what_if)); }

uint32_t stamps(const berth_host*, berth_what_if_stamps* out) {
  return on_lane(0u, [&](PluginLane& lane) {
    Reader answer = lane.ask(Ask::kWhatIfStamps, Writer());
    const auto there = answer.get<uint32_t>();
    if (there == 0) return there;
    out->kind = answer.get<uint64_t>();
    const std::vector<uint64_t> by_row = answer.list<uint64_t>();
    out->rows = by_row.size();
    out->by_row =
        reinterpret_cast<const uint64_t*>(lane.keep_bytes(std::as_bytes(std::span(by_row))));
    return there;
  });
}

void for_each(const berth_host*, uint64_t count, void* context,
              void (*body)(void* context, uint64_t i)) {
  static constexpr host::PluginFunction kFunction = {};
  const host::ParallelBody scope(&kFunction);
  for (uint64_t i = 0; i < count; ++i) body(context, i);
}

void put(Writer& message, const berth_preempt_candidate& candidate) {
  message.put(candidate);
  message.list(candidate.victims, candidate.victims != nullptr ? candidate.victim_count : 0);
}

berth_code ask(const berth_host*, const berth_preempt_candidate* candidates, uint64_t count,
               void* context, void (*take)(void*, const berth_preempt_candidate*),
               const berth_text_sink* error) {
  return on_lane(berth_code{BERTH_ERROR}, [&](PluginLane& lane) {
    Writer message = message_of(count);
    for (uint64_t i = 0; i < count; ++i) put(message, candidates[i]);
    Reader answer = lane.ask(Ask::kAskExtenders, message);
    const auto code = answer.get<berth_code>();
    write_texts(answer, error);
    const auto left = answer.get<uint64_t>();
    std::vector<berth_preempt_candidate> kept;
    for (uint64_t i = 0; i < left; ++i) {
      auto& candidate = kept.emplace_back(answer.get<berth_preempt_candidate>());
      const std::vector<uint64_t> victims = answer.list<uint64_t>();
      candidate.victims =
          reinterpret_cast<const uint64_t*>(lane.keep_bytes(std::as_bytes(std::span(victims))));
      candidate.victim_count = victims.size();
    }
    for (const berth_preempt_candidate& candidate : kept) take(context, &candidate);
    return code;
  });
}

uint32_t present(const berth_host*) { return asked(0u, Ask::kExtendersPresent); }

}  // namespace

const berth_what_if_service& what_if_table() {
  static constexpr berth_what_if_service kTable = {
      sizeof kTable, 0, begin, pods, remove_pod, add_pod, reset, filter, reasons, end, stamps};
  return kTable;
}
const berth_parallel_service& parallel_table() {
  static constexpr berth_parallel_service kTable = {sizeof kTable, 0, for_each};
  return kTable;
}
const berth_preempt_extenders_service& preempt_extenders_table() {
  static constexpr berth_preempt_extenders_service kTable = {sizeof kTable, 0, ask, present};
  return kTable;
}

}  // namespace berth::isolation
