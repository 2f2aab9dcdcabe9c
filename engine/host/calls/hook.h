#pragma once

// One plugin instance at one extension point: what all points have in common. The calls of each
// point are in checked_calls.h.
//
// Everything that a plugin hands out is copied or checked when the instance is made; nothing of its
// tables is read later. A call checks what came back before anybody uses it, catches what was
// thrown, counts, and shows the watchdog what is going on. On success it allocates nothing.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/hook.h"
#include "engine/host/calls/call_context.h"
#include "engine/host/calls/call_error.h"
#include "engine/host/calls/checks.h"
#include "engine/host/calls/points.h"
#include "engine/host/instance/services.h"

namespace berth::host {

class Hook;

// What a hook made of one template. Ends the life of the plugin's state when it goes, which must be
// on the [cycle] thread and before the instance.
class Prepared {
 public:
  Prepared() = default;
  ~Prepared() { release(); }
  Prepared(Prepared&& other) noexcept { *this = std::move(other); }
  Prepared& operator=(Prepared&& other) noexcept;

  const void* state() const { return state_; }  // for berth_call.state
  // Filter: refuses nobody; Score: 0 everywhere. The hook need not be called for this template.
  bool passes() const { return passes_; }
  // False: calls get the declared inputs in their order. True: the columns `inputs`, in this order.
  bool narrowed() const { return narrowed_; }
  const std::vector<uint32_t>& inputs() const { return inputs_; }

 private:
  friend class Hook;
  void release() noexcept;

  const Hook* hook_ = nullptr;
  void* state_ = nullptr;
  bool passes_ = false;
  bool narrowed_ = false;
  std::vector<uint32_t> inputs_;
};

class Hook {
 public:
  Point point() const { return point_; }
  HookId id() const { return id_; }
  const std::string& plugin() const { return plugin_name_; }

  uint32_t depends() const { return depends_; }        // one of BERTH_DEPENDS_
  const std::string& space() const { return space_; }  // empty: the point's own
  const std::vector<std::string>& inputs() const {
    return inputs_;
  }  // as declared, families included
  bool prepares() const { return prepare_ != nullptr; }

  // [cycle] `pod` has the columns as declared: of pods with count 1, others with null data. If the
  // hook does not prepare, `prepared` says so by being empty.
  CallError prepare(CallContext& worker, std::span<const berth_column> pod,
                    Prepared& prepared) const;

  // [any] The texts of a reason that this hook gave, as Kubernetes would list them; `call` as for
  // the pod that was refused, with count 1. None if the hook describes nothing.
  CallError describe(CallContext& worker, berth_call& call, uint32_t reason,
                     std::vector<std::string>& texts) const;

  // Whose hook it is. All of it outlives the hook.
  struct Owner {
    berth_plugin* plugin;
    std::string_view name;
    const Environment* environment;
  };

 protected:
  // Throws Error if the table breaks its contract. `table` is what the plugin returned for the
  // point.
  Hook(Point point, const Owner& owner, const berth_hook* hook);
  Hook(const Hook&) = delete;
  Hook& operator=(const Hook&) = delete;
  ~Hook() = default;

  // For the tables of derived classes: throws Error as above unless the function is there.
  static void require(bool present, std::string_view function);

  berth_plugin* instance() const { return plugin_; }
  const Environment& environment() const { return *environment_; }

  // Makes one call: `function()` returns a berth_code. `call` gets the worker's sink. In
  // hook_invoke.h.
  template <typename Function>
  CallError invoke(CallContext& worker, berth_call& call, Function&& function) const;

  // The same where there is no berth_call.
  template <typename Function>
  CallError invoke_plain(CallContext& worker, Function&& function) const;

  // That the codes of all positions that count are in the set; `what` is what they are called.
  CallError check_codes(CallContext& worker, const berth_call& call, std::string_view what,
                        std::span<const uint8_t> codes, CodeSet allowed) const;

  // What the plugin reported in the text sink of the call that returned.
  CallError reported(CallContext& worker) const;

  // For what a plugin returned and may not: `plugin "X" ` + what, counted as an error.
  CallError broken(CallContext& worker, const std::string& what) const;

 private:
  friend class Prepared;

  CallError failed(CallContext& worker, berth_code code) const;
  CallError threw(CallContext& worker) const;  // inside a catch block
  CallError late(CallContext& worker) const;
  CallError take_inputs(CallContext& worker, const berth_prepared& answer, Prepared& made) const;
  bool covers(std::string_view column) const;
  void release(void* state) const noexcept;
  void check_declaration() const;

  Point point_;
  HookId id_;
  berth_plugin* plugin_;
  std::string plugin_name_;
  const Environment* environment_;
  uint32_t depends_;
  std::string space_;
  std::vector<std::string> inputs_;
  decltype(berth_hook::prepare) prepare_;
  decltype(berth_hook::release) release_;
  decltype(berth_hook::describe) describe_;
};

}  // namespace berth::host
