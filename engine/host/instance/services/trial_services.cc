#include "engine/host/instance/services/trial_services.h"

#include <exception>
#include <vector>

#include "engine/host/calls/tag_scope.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/instance/text.h"
#include "engine/host/run/worker.h"

namespace berth::host {
namespace {

// berth_what_if is what plugins call a WhatIf.
WhatIf& of(berth_what_if* what_if) { return *reinterpret_cast<WhatIf*>(what_if); }

TrialServices* trials_of(const berth_host* host) {
  const Trials* trials = HostServices::of(host).environment().trials;
  return trials != nullptr ? trials->now : nullptr;
}

// No exception passes through the plugin. What fails here is memory.
template <typename Answer, typename Function>
Answer guarded(Answer no, Function&& function) noexcept {
  try {
    return function();
  } catch (const std::exception& failure) {
    standard_log().write(BERTH_LOG_ERROR, BERTH_WHAT_IF_SERVICE, failure.what());
    return no;
  }
}

berth_what_if* begin(const berth_host* host, uint32_t row) {
  if (TagScope::refuses("what_if.begin")) return nullptr;
  return guarded(static_cast<berth_what_if*>(nullptr), [&] {
    TrialServices* services = trials_of(host);
    WhatIf* what_if = services != nullptr ? services->begin(row) : nullptr;
    return reinterpret_cast<berth_what_if*>(what_if);
  });
}
// Writes the members that the plugin's struct covers.
uint32_t kept(const berth_host* host, berth_what_if_kept* out) {
  if (TagScope::refuses("what_if.kept")) return 0;
  return guarded(uint32_t{0}, [&] {
    TrialServices* services = trials_of(host);
    if (out == nullptr || !BERTH_HAS(out, rows))
      throw Error("what_if.kept: the struct is smaller than that of ABI 1.3");
    berth_what_if_kept whole = {};
    if (services == nullptr || !services->kept(whole)) return uint32_t{0};
    out->kind = whole.kind;
    out->by_row = whole.by_row;
    out->rows = whole.rows;
    return uint32_t{1};
  });
}
uint32_t stamps(const berth_host* host, berth_what_if_stamps* out) {
  berth_what_if_kept whole = {};
  whole.size = sizeof whole;
  if (kept(host, &whole) == 0) return 0;
  *out = {whole.kind, whole.by_row, whole.rows};
  return 1;
}
const berth_call* pods(berth_what_if* what_if) {
  return guarded(static_cast<const berth_call*>(nullptr), [&] { return of(what_if).pods(); });
}
void remove_pod(berth_what_if* what_if, uint64_t position) {
  guarded(0, [&] { return of(what_if).remove_pod(position), 0; });
}
void add_pod(berth_what_if* what_if, uint64_t position) {
  guarded(0, [&] { return of(what_if).add_pod(position), 0; });
}
void reset(berth_what_if* what_if) {
  guarded(0, [&] { return of(what_if).reset(), 0; });
}
berth_code filter(berth_what_if* what_if) {
  return guarded(berth_code{BERTH_ERROR}, [&] { return of(what_if).filter(); });
}
void reasons(berth_what_if* what_if, const berth_text_sink* sink) {
  guarded(0, [&] {
    check_sink(sink);
    return of(what_if).reasons(*sink), 0;
  });
}
void end(berth_what_if* what_if) {
  guarded(0, [&] { return of(what_if).end(), 0; });
}

// The bodies of one call of for_each.
struct Bodies {
  const PluginFunction* of;
  void* context;
  void (*body)(void* context, uint64_t i);

  void operator()(uint64_t i) const {
    const ParallelBody scope(of);
    body(context, i);
  }
  static void run(void* bodies, uint64_t i) { (*static_cast<const Bodies*>(bodies))(i); }
};

// An exception of a body must not end the other bodies, nor reach the plugin's caller from here.
void for_each(const berth_host* host, uint64_t count, void* context,
              void (*body)(void* context, uint64_t i)) {
  if (TagScope::refuses("parallel.for_each")) return;
  guarded(0, [&] {
    Bodies bodies{running_function(), context, body};
    if (TrialServices* services = trials_of(host)) {
      services->for_each(count, &bodies, Bodies::run);
    } else {
      for (uint64_t i = 0; i < count; ++i) bodies(i);
    }
    return 0;
  });
}

// Calls take(choice) for each that is left.
template <typename Take>
berth_code ask(const berth_host* host, std::span<const berth_preempt_choice> choices, Take&& take,
               const berth_text_sink* error) {
  TrialServices* services = trials_of(host);
  if (services == nullptr) return BERTH_SKIP;
  check_sink(error);
  std::string text;
  const berth_code code = services->ask_extenders(choices, take, text);
  if (!text.empty()) error->write(error->context, {text.data(), text.size()});
  return code;
}

berth_code choose(const berth_host* host, const berth_preempt_choice* const* choices,
                  uint64_t count, void* context,
                  void (*take)(void* context, const berth_preempt_choice* choice),
                  const berth_text_sink* error) {
  if (TagScope::refuses("preempt_extenders.choose")) return BERTH_ERROR;
  return guarded(berth_code{BERTH_ERROR}, [&] {
    std::vector<berth_preempt_choice> whole;
    for (const berth_preempt_choice* choice : std::span(choices, count)) {
      if (choice == nullptr || !BERTH_HAS(choice, violations))
        throw Error("preempt_extenders.choose: a choice is smaller than that of ABI 1.3");
      whole.push_back({sizeof whole.front(), choice->row, choice->victims, choice->victim_count,
                       choice->violations});
    }
    return ask(
        host, whole, [&](const berth_preempt_choice& left) { take(context, &left); }, error);
  });
}

// Of plugins that were built before ABI 1.3.
berth_code ask_former(const berth_host* host, const berth_preempt_candidate* candidates,
                      uint64_t count, void* context,
                      void (*take)(void* context, const berth_preempt_candidate* candidate),
                      const berth_text_sink* error) {
  if (TagScope::refuses("preempt_extenders.ask")) return BERTH_ERROR;
  return guarded(berth_code{BERTH_ERROR}, [&] {
    std::vector<berth_preempt_choice> choices;
    for (const berth_preempt_candidate& candidate : std::span(candidates, count)) {
      if (const auto problem = reserved_problem(candidate.reserved))
        throw Error("preempt_extenders.ask: a candidate with " + *problem);
      choices.push_back({sizeof choices.front(), candidate.row, candidate.victims,
                         candidate.victim_count, candidate.violations});
    }
    const auto take_former = [&](const berth_preempt_choice& left) {
      const berth_preempt_candidate former = {left.row, 0, left.victims, left.victim_count,
                                              left.violations};
      take(context, &former);
    };
    return ask(host, choices, take_former, error);
  });
}

uint32_t extenders_preempt(const berth_host* host) {
  if (TagScope::refuses("preempt_extenders.present")) return 0;
  return guarded(uint32_t{0}, [&] {
    TrialServices* services = trials_of(host);
    return uint32_t{services != nullptr && services->extenders_preempt()};
  });
}

}  // namespace

const berth_preempt_extenders_service& preempt_extenders_service() {
  static constexpr berth_preempt_extenders_service kTable = {sizeof kTable, 0, ask_former,
                                                             extenders_preempt, choose};
  return kTable;
}

const berth_what_if_service& what_if_service() {
  static constexpr berth_what_if_service kTable = {sizeof kTable, 0,       begin,  pods,
                                                   remove_pod,    add_pod, reset,  filter,
                                                   reasons,       end,     stamps, kept};
  return kTable;
}

const berth_parallel_service& parallel_service() {
  static constexpr berth_parallel_service kTable = {sizeof kTable, 0, for_each};
  return kTable;
}

}  // namespace berth::host
