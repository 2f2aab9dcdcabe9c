#pragma once

// State that follows the pods of a row, for plugins whose answers depend on the pods of nodes
// beyond what columns hold. Derive, declare the pod columns, override. The C contract is in
// berth/abi/overlay.h.

#include <memory>

#include "berth/abi/overlay.h"
#include "berth/sdk/prepare.hpp"

namespace berth::sdk {

// Base: the state that the plugin's other hooks prepare. Scratch: the part that changes, made from
// a base; must be assignable.
template <class Base, class Scratch>
class OverlayState : public HookOf<Point::kOverlayState, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0,           complete(), begin_hook,
              add_hook,       remove_hook, reset_hook, end_hook};
    return &table_;
  }

 protected:
  // [rows] A scratch that equals `base`.
  virtual Scratch scratch_of(const Base& base) const = 0;
  // [rows] The scratch after a pod was added to, or removed from, the row. `pod`: its declared
  // columns.
  virtual void add_pod(Scratch& scratch, const Call& pod, uint32_t row) const = 0;
  virtual void remove_pod(Scratch& scratch, const Call& pod, uint32_t row) const = 0;

 private:
  static const OverlayState& of(berth_plugin* plugin) {
    return static_cast<OverlayState&>(HookOf<Point::kOverlayState, NoState>::of(plugin));
  }
  static const Base& base_of(const void* state) {
    return static_cast<const Prepared<Base>*>(state)->state;
  }
  static void* begin_hook(berth_plugin* plugin, const void* base) {
    std::unique_ptr<Scratch> made;
    guarded(nullptr,
            [&] { made = std::make_unique<Scratch>(of(plugin).scratch_of(base_of(base))); });
    return made.release();
  }
  static berth_code add_hook(berth_plugin* plugin, void* scratch, const berth_call* pod,
                             uint32_t row) {
    return guarded(pod->error,
                   [&] { of(plugin).add_pod(*static_cast<Scratch*>(scratch), Call(pod), row); });
  }
  static berth_code remove_hook(berth_plugin* plugin, void* scratch, const berth_call* pod,
                                uint32_t row) {
    return guarded(pod->error,
                   [&] { of(plugin).remove_pod(*static_cast<Scratch*>(scratch), Call(pod), row); });
  }
  static void reset_hook(berth_plugin* plugin, void* scratch, const void* base) {
    guarded(nullptr,
            [&] { *static_cast<Scratch*>(scratch) = of(plugin).scratch_of(base_of(base)); });
  }
  static void end_hook(berth_plugin*, void* scratch) { delete static_cast<Scratch*>(scratch); }

  berth_overlay_state table_{};
};

}  // namespace berth::sdk
