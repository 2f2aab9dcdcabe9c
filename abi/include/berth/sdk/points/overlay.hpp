#pragma once

// State that follows the pods of a row, for plugins whose answers depend on the pods of nodes
// beyond what columns hold. Derive, declare the pod columns, override. The C contract is in
// berth/abi/overlay.h.

#include <memory>
#include <type_traits>

#include "berth/abi/overlay.h"
#include "berth/sdk/points/filter.hpp"

namespace berth::sdk {

// FilterHook: the class of the plugin's filter. Its state is copied for each row that the host
// changes, and the copy follows the changes: `call.state()` in the filter is what `prepare` filled
// in for rows as they are, and the copy for changed rows. The filter needs no code for that.
template <class FilterHook>
class OverlayState : public HookOf<Point::kOverlayState, NoState> {
 public:
  using State = typename FilterHook::PreparedState;
  static_assert(std::is_base_of_v<HookOf<Point::kFilter, State>, FilterHook>,
                "OverlayState follows the state of a sdk::Filter");
  static_assert(!std::is_same_v<State, NoState>, "a filter without a state has nothing to follow");

  const void* table() final {
    table_ = {sizeof(table_), 0,           complete(), begin_hook,
              add_hook,       remove_hook, reset_hook, end_hook};
    return &table_;
  }

 protected:
  // [rows] The state after a pod was added to, or removed from, the row. `pod`: its declared
  // columns. A change that throws fails the row.
  virtual void add_pod(State& state, const Call& pod, uint32_t row) const = 0;
  virtual void remove_pod(State& state, const Call& pod, uint32_t row) const = 0;
  // [rows] Makes `state`, a copy of `base` that followed changes, equal to `base` again. Override
  // it if undoing the changes is cheaper than a copy. If it throws, the next change fails.
  virtual void restore(State& state, const State& base) const { state = base; }

 private:
  // The state that calls of the filter get; `base` is set while the copy is not restored.
  struct Copy : Prepared<State> {
    explicit Copy(const Prepared<State>& from) : Prepared<State>(from) {}
    const Prepared<State>* base = nullptr;
  };

  static const OverlayState& of(berth_plugin* plugin) {
    return static_cast<OverlayState&>(HookOf<Point::kOverlayState, NoState>::of(plugin));
  }
  static Copy& copy_of(void* scratch) {
    return static_cast<Copy&>(*static_cast<Prepared<State>*>(scratch));
  }
  static void* begin_hook(berth_plugin*, const void* base) {
    std::unique_ptr<Copy> made;
    guarded(nullptr,
            [&] { made = std::make_unique<Copy>(*static_cast<const Prepared<State>*>(base)); });
    return static_cast<Prepared<State>*>(made.release());
  }
  void restore(Copy& copy) const {
    if (copy.base == nullptr) return;
    restore(copy.state, copy.base->state);
    copy.base = nullptr;
  }
  static berth_code add_hook(berth_plugin* plugin, void* scratch, const berth_call* pod,
                             uint32_t row) {
    return guarded(pod->error, [&] {
      of(plugin).restore(copy_of(scratch));
      of(plugin).add_pod(copy_of(scratch).state, Call(pod), row);
    });
  }
  static berth_code remove_hook(berth_plugin* plugin, void* scratch, const berth_call* pod,
                                uint32_t row) {
    return guarded(pod->error, [&] {
      of(plugin).restore(copy_of(scratch));
      of(plugin).remove_pod(copy_of(scratch).state, Call(pod), row);
    });
  }
  static void reset_hook(berth_plugin* plugin, void* scratch, const void* base) {
    copy_of(scratch).base = static_cast<const Prepared<State>*>(base);
    guarded(nullptr, [&] { of(plugin).restore(copy_of(scratch)); });
  }
  static void end_hook(berth_plugin*, void* scratch) { delete &copy_of(scratch); }

  berth_overlay_state table_{};
};

}  // namespace berth::sdk
