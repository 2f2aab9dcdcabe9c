#pragma once

// Calls of hooks whose positions are pods or placements.

#include <cstdint>
#include <vector>

#include "engine/validator/trial/guarded.h"
#include "engine/validator/trial/session.h"

namespace berth::validator {

// A call about pods with the declared columns of a hook, as a host makes it. Not to be moved.
struct PodCall {
  // `rows`: the node of each pod, or empty where positions are pods.
  PodCall(Session& session, const framework::BoundHook& hook, const std::vector<model::PodId>& pods,
          const std::vector<model::Row>& rows = {});
  PodCall(const PodCall&) = delete;
  PodCall& operator=(const PodCall&) = delete;

  framework::CallColumns columns;
  berth_call call;
};

// PreEnqueue and QueueSort about all waiting pods. Throw Conviction for a key with bytes that were
// not written.
void call_queue_hooks(Session& session);
// The codes and the keys of the pods in one call; empty if the plugin lacks the point or reported
// an error.
std::vector<uint8_t> gate_codes(Session& session, const std::vector<model::PodId>& pods);
using QueueKey = std::vector<uint8_t>;  // of host::QueueSort::key_bytes()
std::vector<QueueKey> queue_keys(Session& session, const std::vector<model::PodId>& pods);

// PreEnqueue, QueueSort, Reserve, Observe and Permit about some and about all waiting pods, with
// arrays in guarded memory. Returns the number of calls.
size_t call_guarded(Session& session, const GuardOptions& options);

// Reserve, Permit, PreBind, Bind, PostBind, Observe and Unreserve about all waiting pods, one after
// the other as a host calls them.
void call_binding_hooks(Session& session);

// The columns of a hint about row `row`: nulls the columns of nodes in `of_pod`, and puts those of
// the row into `object`, with null for all others.
void hint_columns(Session& session, const framework::TemplateHook& state, model::Row row,
                  framework::CallColumns& of_pod, framework::CallColumns& object);

}  // namespace berth::validator
