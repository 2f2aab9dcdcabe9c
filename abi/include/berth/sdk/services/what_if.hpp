#pragma once

// Lets a PostFilter ask the host whether a row would take the pod if some pods were gone, on
// several threads. The C contracts are in berth/abi/overlay.h.

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "berth/abi/overlay.h"
#include "berth/sdk/call.hpp"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

// A row as it would be without some of its pods. [rows], on one thread.
class WhatIf {
 public:
  WhatIf(const berth_what_if_service* table, berth_what_if* raw) : table_(table), raw_(raw) {}
  ~WhatIf() {
    if (raw_ != nullptr) table_->end(raw_);
  }
  WhatIf(const WhatIf&) = delete;
  WhatIf& operator=(const WhatIf&) = delete;

  // The pods of the row as it is, in their order of arrival, as positions. Its columns are the
  // inputs of the hook. Valid as long as this object.
  Call<NoState> pods() const {
    const berth_call* pods = table_->pods(raw_);
    if (pods == nullptr) internal::fail("the host has no memory for the pods of a row");
    return Call<NoState>(pods);
  }
  // Removes a pod, a position of `pods`; adds it back.
  void remove(size_t pod) { table_->remove_pod(raw_, pod); }
  void add(size_t pod) { table_->add_pod(raw_, pod); }
  void reset() { table_->reset(raw_); }

  // The code of the first filter that refuses the row as it is now.
  berth_code filter() { return table_->filter(raw_); }
  // Why the last `filter` refused it.
  std::vector<std::string> reasons() {
    std::vector<std::string> texts;
    const berth_text_sink sink = {
        sizeof sink, 0, &texts, [](void* to, berth_string text) {
          static_cast<std::vector<std::string>*>(to)->emplace_back(to_view(text));
        }};
    table_->reasons(raw_, &sink);
    return texts;
  }

 private:
  const berth_what_if_service* table_;
  berth_what_if* raw_;
};

class WhatIfs : Service<berth_what_if_service> {
 public:
  WhatIfs() = default;
  explicit WhatIfs(Host host) : Service(host, BERTH_WHAT_IF_SERVICE) {}

  // [rows] `row`: a value of node.row. Throws Failure outside of a call of a PostFilter.
  WhatIf begin(uint32_t row) const {
    berth_what_if* raw = table_->begin(host_, row);
    if (raw == nullptr) internal::fail("the host has no what-if of the row");
    return {table_, raw};
  }
  // [cycle] How long results hold; kind 0: they cannot be kept. Valid for the call.
  berth_what_if_kept kept() const {
    berth_what_if_kept out = {};
    out.size = sizeof out;
    if (BERTH_HAS(table_, kept) && table_->kept != nullptr && table_->kept(host_, &out) != 0)
      return out;
    return {};
  }
};

class Parallel : Service<berth_parallel_service> {
 public:
  Parallel() = default;
  explicit Parallel(Host host) : Service(host, BERTH_PARALLEL_SERVICE) {}

  // [cycle] Calls body(i) for each i < count, on several threads. Of the exceptions that bodies
  // throw, throws the one of the first position.
  template <class Body>
  void for_each(size_t count, const Body& body) const {
    struct Work {
      const Body& body;
      std::vector<std::exception_ptr> thrown;
    } work{body, std::vector<std::exception_ptr>(count)};
    table_->for_each(host_, count, &work, [](void* context, uint64_t i) {
      Work& of = *static_cast<Work*>(context);
      try {
        of.body(static_cast<size_t>(i));
      } catch (...) {
        of.thrown[i] = std::current_exception();
      }
    });
    for (const std::exception_ptr& thrown : work.thrown)
      if (thrown) std::rethrow_exception(thrown);
  }
};

// Extenders of the configuration that preempt.
class PreemptExtenders : Service<berth_preempt_extenders_service> {
 public:
  PreemptExtenders() = default;
  explicit PreemptExtenders(Host host) : Service(host, BERTH_PREEMPT_EXTENDERS_SERVICE) {}

  // [cycle] False: `choose` takes nothing.
  bool present() const {
    return BERTH_HAS(table_, choose) && table_->choose != nullptr && table_->present(host_) != 0;
  }
  // [cycle] Calls take(const berth_preempt_choice&) for each choice that the extenders leave.
  // False: no extender preempts, and nothing was taken. Throws Failure with the text of an error.
  template <class Take>
  bool choose(const std::vector<berth_preempt_choice>& choices, Take&& take) const {
    struct Work {
      Take& take;
      std::exception_ptr thrown;
      std::string error;
    } work{take, nullptr, {}};
    const berth_text_sink error = {sizeof error, 0, &work, [](void* to, berth_string text) {
                                     static_cast<Work*>(to)->error += to_view(text);
                                   }};
    std::vector<const berth_preempt_choice*> pointers;
    for (const berth_preempt_choice& choice : choices) pointers.push_back(&choice);
    const berth_code code = table_->choose(
        host_, pointers.data(), pointers.size(), &work,
        [](void* context, const berth_preempt_choice* choice) {
          Work& of = *static_cast<Work*>(context);
          try {
            if (!of.thrown) of.take(*choice);
          } catch (...) {
            of.thrown = std::current_exception();
          }
        },
        &error);
    if (work.thrown) std::rethrow_exception(work.thrown);
    if (code == BERTH_ERROR) throw Failure(work.error);
    return code == BERTH_SUCCESS;
  }
};

}  // namespace berth::sdk
