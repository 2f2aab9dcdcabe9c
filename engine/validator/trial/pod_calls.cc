#include "engine/validator/trial/pod_calls.h"

#include <algorithm>
#include <array>

namespace berth::validator {
namespace {

using framework::BoundHook;

std::vector<const model::PodRecord*> records(Session& session,
                                             const std::vector<model::PodId>& pods) {
  std::vector<const model::PodRecord*> made;
  for (const model::PodId pod : pods) made.push_back(&session.pod(pod));
  return made;
}

// The keys after a call before which they held `before`; empty after an error.
std::vector<QueueKey> ask_keys(Session& session, framework::HookAt<host::QueueSort>& at,
                               const std::vector<model::PodId>& pods, uint8_t before) {
  PodCall made(session, at.bound, pods);
  const size_t bytes = at.point->key_bytes();
  std::vector<uint8_t> all(pods.size() * bytes, before);
  if (reported(at.point->call_over(session.calls(), made.call, all))) return {};
  std::vector<QueueKey> keys;
  for (auto key = all.begin(); key != all.end(); key += static_cast<std::ptrdiff_t>(bytes))
    keys.emplace_back(key, key + static_cast<std::ptrdiff_t>(bytes));
  return keys;
}

void check_keys(Session& session, framework::HookAt<host::QueueSort>& at) {
  const std::vector<model::PodId>& pods = session.pods();
  const std::vector<QueueKey> zeros = ask_keys(session, at, pods, 0x00);
  const std::vector<QueueKey> ones = ask_keys(session, at, pods, 0xFF);
  if (zeros.empty() || ones.empty()) return;
  for (size_t i = 0; i < pods.size(); ++i)
    for (size_t k = 0; k < zeros[i].size(); ++k)
      if (zeros[i][k] == 0x00 && ones[i][k] == 0xFF)
        throw Conviction("QueueSort wrote nothing to byte " + std::to_string(k) +
                         " of the key of pod " + session.pod_name(pods[i]));
}

// Calls `ask(at, call)` for each hook of a list with all placements.
template <typename Hooks, typename Ask>
void for_placements(Session& session, Hooks& hooks, Ask&& ask) {
  std::vector<model::Row> rows;
  for (size_t i = 0; i < session.pods().size(); ++i)
    rows.push_back(static_cast<model::Row>(i * 5 % session.cluster().nodes().rows()));
  for (auto& at : hooks) {
    PodCall made(session, at.bound, session.pods(), rows);
    ask(*at.point, made.call);
  }
}

// Calls `ask(at, call, guarded)` for each hook of a list and each number of pods.
template <typename Hooks, typename Ask>
size_t for_guarded(Session& session, Hooks& hooks, const GuardOptions& options, bool placements,
                   Ask&& ask) {
  size_t calls = 0;
  for (auto& at : hooks)
    for (const size_t count : {size_t{1}, size_t{7}, session.pods().size()}) {
      std::vector<model::PodId> pods = session.pods();
      pods.resize(count);
      const std::vector<model::Row> rows(placements ? count : 0, 3);
      PodCall made(session, at.bound, pods, rows);
      Guarded guarded(options);
      guarded.take(made.columns.columns, at.bound.hook().inputs());
      made.call.columns =
          guarded.input("the list of columns", made.call.columns, made.call.column_count);
      ask(*at.point, made.call, guarded);
      ++calls;
    }
  return calls;
}

// Of pods that become bound, change and leave.
void tell(const host::Observe& hook, host::CallContext& calls, berth_call& call) {
  reported(hook.bound(calls, call));
  if (hook.is_told_of_changes()) reported(hook.changed(calls, call));
  reported(hook.left(calls, call));
}

void tell_of_nodes(Session& session, const host::Observe& hook) {
  const model::Cluster& cluster = session.cluster();
  const std::array<uint32_t, 1> left = {cluster.nodes().node(cluster.nodes().slot_of(0)).name};
  if (hook.is_told_of_nodes()) reported(hook.node_left(session.calls(), left));
}

}  // namespace

size_t call_guarded(Session& session, const GuardOptions& options) {
  framework::Profile& profile = session.profile();
  host::CallContext& calls = session.calls();
  const auto codes = [](Guarded& guarded, const berth_call& call) {
    return std::span(guarded.output<uint8_t>("the array of codes", call.count), call.count);
  };
  const auto reasons = [](Guarded& guarded, const berth_call& call) {
    return std::span(guarded.output<uint32_t>("the array of reasons", call.count), call.count);
  };
  size_t made = for_guarded(session, profile.pre_enqueue, options, false,
                            [&](auto& hook, berth_call& call, Guarded& guarded) {
                              const auto out = codes(guarded, call);
                              const auto why = reasons(guarded, call);
                              guarded.protect();
                              reported(hook.call(calls, call, out, why));
                            });
  made +=
      for_guarded(session, profile.queue_sort, options, false,
                  [&](auto& hook, berth_call& call, Guarded& guarded) {
                    const size_t bytes = call.count * hook.key_bytes();
                    const std::span out(guarded.output<uint8_t>("the array of keys", bytes), bytes);
                    guarded.protect();
                    reported(hook.call(calls, call, out));
                  });
  made += for_guarded(session, profile.reserve, options, true,
                      [&](auto& hook, berth_call& call, Guarded& guarded) {
                        const auto out = codes(guarded, call);
                        const auto why = reasons(guarded, call);
                        guarded.protect();
                        reported(hook.call(calls, call, out, why));
                        reported(hook.unreserve(calls, call));
                      });
  made += for_guarded(session, profile.observe, options, true,
                      [&](auto& hook, berth_call& call, Guarded& guarded) {
                        guarded.protect();
                        tell(hook, calls, call);
                      });
  made += for_guarded(
      session, profile.permit, options, true, [&](auto& hook, berth_call& call, Guarded& guarded) {
        const auto out = codes(guarded, call);
        const auto why = reasons(guarded, call);
        const std::span times(guarded.output<int64_t>("the array of timeouts", call.count),
                              call.count);
        guarded.protect();
        reported(hook.call(calls, call, out, why, times));
      });
  return made;
}

PodCall::PodCall(Session& session, const BoundHook& hook, const std::vector<model::PodId>& pods,
                 const std::vector<model::Row>& rows) {
  hook.gather_pods(nullptr, records(session, pods), rows, columns);
  call = BoundHook::call(columns, pods.size(), nullptr, 0);
}

std::vector<uint8_t> gate_codes(Session& session, const std::vector<model::PodId>& pods) {
  if (session.profile().pre_enqueue.empty()) return {};
  auto& at = session.profile().pre_enqueue.front();
  PodCall made(session, at.bound, pods);
  std::vector<uint8_t> codes(pods.size());
  std::vector<uint32_t> reasons(pods.size());
  if (reported(at.point->call(session.calls(), made.call, codes, reasons))) return {};
  return codes;
}

std::vector<QueueKey> queue_keys(Session& session, const std::vector<model::PodId>& pods) {
  if (session.profile().queue_sort.empty()) return {};
  return ask_keys(session, session.profile().queue_sort.front(), pods, 0);
}

void call_queue_hooks(Session& session) {
  gate_codes(session, session.pods());
  for (auto& at : session.profile().queue_sort) check_keys(session, at);
}

void call_binding_hooks(Session& session) {
  framework::Profile& profile = session.profile();
  host::CallContext& calls = session.calls();
  const size_t count = session.pods().size();
  std::vector<uint8_t> codes(count);
  std::vector<uint32_t> reasons(count);
  std::vector<int64_t> timeouts(count), waited(count), again(count);
  for_placements(session, profile.reserve, [&](const host::Reserve& hook, berth_call& call) {
    reported(hook.call(calls, call, codes, reasons));
  });
  for_placements(session, profile.permit, [&](const host::Permit& hook, berth_call& call) {
    reported(hook.call(calls, call, codes, reasons, timeouts));
  });
  for_placements(session, profile.pre_bind, [&](const host::PreBind& hook, berth_call& call) {
    reported(hook.pre_flight(calls, call, codes));
    reported(hook.call(calls, call, codes, waited, again));
  });
  for_placements(session, profile.bind, [&](const host::Bind& hook, berth_call& call) {
    reported(hook.call(calls, call, codes));
  });
  for_placements(session, profile.post_bind, [&](const host::PostBind& hook, berth_call& call) {
    reported(hook.call(calls, call));
  });
  for_placements(session, profile.observe, [&](const host::Observe& hook, berth_call& call) {
    tell(hook, calls, call);
    tell_of_nodes(session, hook);
  });
  // Twice, because it is idempotent.
  for (int i = 0; i < 2; ++i)
    for_placements(session, profile.reserve, [&](const host::Reserve& hook, berth_call& call) {
      reported(hook.unreserve(calls, call));
    });
}

void hint_columns(Session& session, const framework::TemplateHook& state, model::Row row,
                  framework::CallColumns& of_pod, framework::CallColumns& object) {
  object.columns.assign(state.inputs.size() + 1, berth_column{});  // never empty
  object.gathered.resize(state.inputs.size());
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    if (state.inputs[i] == 0) continue;
    const model::ColumnInfo& info = session.cluster().catalog().info(state.inputs[i]);
    if (info.table != model::Table::kNodes) continue;
    of_pod.columns[i] = berth_column{};
    using model::Attribute;
    if (info.attribute == Attribute::kNodeRow || info.attribute == Attribute::kNodeCount ||
        info.attribute == Attribute::kNodeCarried)
      continue;
    const berth_column whole = session.cluster().view(state.inputs[i]);
    object.gathered[i].begin(info.type, info.list);
    object.gathered[i].positions(whole, {&row, 1});
    object.columns[i] = object.gathered[i].view();
    object.columns[i].dictionary_size = whole.dictionary_size;
  }
}

}  // namespace berth::validator
