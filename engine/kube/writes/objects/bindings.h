#pragma once

// Binds pods to nodes, and finds out what became of bindings whose answers say nothing.
//
// A binding is not idempotent: the server refuses the second one, also to the same node. So a
// binding is sent once. If its answer is lost, or does not tell whether the pod was bound (5xx, a
// conflict of an unknown kind), the pod is read, for as long as it takes. Only who may not read
// pods gives up after a time.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "engine/kube/writes/pod_name.h"
#include "engine/kube/writes/sender.h"

namespace berth::kube {

struct BindResult {
  enum class Kind : uint8_t {
    kBound,
    kFailed,    // nothing was bound, as far as the server tells
    kConflict,  // the pod is bound already, is being deleted, or is another: it is not ours to
                // write about
  } kind = Kind::kBound;
  std::string message{};  // if not bound: as client-go's error text; any text
};

// One thread, that of the loop.
class Bindings {
 public:
  // Called once for each binding, from the loop.
  using Answered = std::function<void(uint64_t number, const BindResult&)>;

  // `sender` outlives it.
  Bindings(Sender& sender, Answered answered) : sender_(sender), answered_(std::move(answered)) {}

  // `number` is the caller's, for the answer.
  void bind(uint64_t number, const PodName& pod, const std::string& node);

 private:
  struct One {
    uint64_t number;
    PodName pod;
    std::string node;
    std::string doubt{};  // why the pod has to be read
    uint32_t reads = 0;
  };
  using Shared = std::shared_ptr<One>;

  void bound(const Shared& one, const Outcome& outcome);
  void read(const Shared& one, Time wait);
  void seen(const Shared& one, const Outcome& outcome);
  void judge(const One& one, const std::string& uid, const std::string& node);
  void failed(const One& one, std::string message);
  void answer(const One& one, BindResult::Kind kind, std::string message = {});

  Sender& sender_;
  Answered answered_;
};

}  // namespace berth::kube
