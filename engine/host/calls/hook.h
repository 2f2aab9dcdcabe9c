#pragma once

// One plugin instance at one extension point: the part that all points share. checked_calls.h has
// the calls of each point; berth/abi/hook.h is the plugin's side.
//
// Everything that a plugin's tables contain is checked and copied when the instance is made; the
// tables are not read later. A call checks the returned values before anybody uses them, catches
// exceptions, counts, and shows the watchdog that it is in progress. On success it does not
// allocate.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/abi/hook.h"
#include "engine/base/assert.h"
#include "engine/base/points.h"
#include "engine/host/calls/call_context.h"
#include "engine/host/calls/checks/call_error.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/host/calls/numbers.h"
#include "engine/host/calls/together.h"
#include "engine/host/faults/in_plugin.h"
#include "engine/host/instance/services/services.h"

namespace berth::host {

class Hook;
class TagScope;

// The result of preparing a hook for one template. Releases the plugin's state on destruction,
// which must happen on the [cycle] thread and before the instance is destroyed.
class Prepared {
 public:
  Prepared() = default;
  ~Prepared() { release(); }
  Prepared(Prepared&& other) noexcept { *this = std::move(other); }
  Prepared& operator=(Prepared&& other) noexcept;

  const void* state() const { return state_; }  // for berth_call.state; null: no state
  // Filter: refuses no node. Score: 0 on every node. PreFilter, PreScore: skips. The hook need not
  // be called for this template.
  bool passes() const { return passes_; }
  // False: calls get the declared inputs in order. True: calls get the columns inputs(), in that
  // order.
  bool narrowed() const { return narrowed_; }
  // Column ids that exist and that the hook's declaration covers.
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

// Immutable after construction, so its calls may be made from every thread that the ABI allows. The
// plugin's instance outlives it.
class Hook {
 public:
  Point point() const { return point_; }
  HookId id() const { return id_; }  // in the HookTable of the environment
  const std::string& plugin() const { return plugin_name_; }

  uint32_t depends() const { return depends_; }        // one of BERTH_DEPENDS_
  const std::string& space() const { return space_; }  // empty: the extension point's own space
  // The declared column ids, in order, families included.
  const std::vector<std::string>& inputs() const { return inputs_; }
  bool prepares() const { return prepare_ != nullptr; }  // the plugin has a `prepare`
  bool is_apart() const { return apart_ != nullptr; }    // it runs in a process of its own
  // See PluginCode::living_process. Precondition: is_apart().
  uint64_t living_process() const;

  // [cycle] Prepares the hook for one template. `pod` has the columns in the order of the
  // declaration: pod columns with count 1, others with null data. Replaces `prepared`. For a hook
  // without `prepare`, and after a failure, `prepared` is empty.
  CallError prepare(CallContext& calls, std::span<const berth_column> pod,
                    Prepared& prepared) const;

  // [any] The texts of a reason that this hook gave, in the order in which Kubernetes lists them:
  // at most 256, of 16 KiB. If the hook has no `describe` or it writes none, a text says that the
  // plugin gave no reason. `call`: as for the refused pod, with count 1. Replaces `texts`.
  CallError describe(CallContext& calls, berth_call& call, uint32_t reason,
                     std::vector<std::string>& texts) const;

  // Counts that the last call broke the contract in a way that only its caller notices.
  void count_broken(CallContext& calls) const;

  // [rows] Adds a call of a Filter or Score to a round; take() of these has its answers. `call`: as
  // for a call, without a mask. Precondition: is_apart().
  Posted post(Together& together, const berth_call& call) const {
    BERTH_ASSERT(is_apart());
    return together.post(*apart_, plugin_, point_, call);
  }

  // The plugin instance of a hook. All of it outlives the hook.
  struct Owner {
    berth_plugin* plugin;
    std::string_view name;
    const Environment* environment;
    std::string_view file = {};         // the plugin's path, for messages about faults
    const PluginCode* apart = nullptr;  // that runs in a process of its own; null: in this one
  };

 protected:
  // `hook` is the pointer in the table that the plugin returned for the point. Throws Error if it
  // breaks the contract.
  Hook(Point point, const Owner& owner, const berth_hook* hook);
  Hook(const Hook&) = delete;
  Hook& operator=(const Hook&) = delete;
  ~Hook() = default;

  // For the tables of derived classes: throws Error if a required function is null.
  static void require(bool present, std::string_view function);

  using NumbersFunction = berth_code (*)(berth_plugin* plugin, const berth_call* call,
                                         const berth_numbers_sink* sink);
  // Calls the function, which may be null, and collects what it writes; nothing after a failure.
  CallError write_numbers(NumbersFunction function, CallContext& calls, berth_call& call,
                          NumbersSource& source, std::vector<Item>& items) const;

  berth_plugin* instance() const { return plugin_; }
  const Environment& environment() const { return *environment_; }
  // A function of the plugin at this point, for scopes of calls. `function` is a literal.
  PluginFunction function(std::string_view function) const {
    return {plugin_name_, function, function_.file};
  }

  // Makes one call: `function()` returns a berth_code, or nothing. Sets the size and the sink of
  // `call`. Returns a failure if the code is not BERTH_SUCCESS, on an exception, and if the
  // watchdog marked the call as late. Defined in hook_invoke.h.
  template <typename Function>
  CallError invoke(CallContext& calls, berth_call& call, Function&& function) const;

  // The same for functions with the tag [bind], and [rows]; also a failure if a service refused the
  // call that the function made (TagScope).
  template <typename Function>
  CallError invoke_bind(CallContext& calls, berth_call& call, Function&& function) const;
  template <typename Function>
  CallError invoke_rows(CallContext& calls, berth_call& call, Function&& function) const;

  // The same for a call of a round, whose answers go to `answers`.
  CallError take_posted(CallContext& calls, Together& together, const Posted& posted,
                        berth_call& call, void* answers) const;

  // The same as invoke for functions without a berth_call.
  template <typename Function>
  CallError invoke_plain(CallContext& calls, Function&& function) const {
    return invoke_in(function_, calls, std::forward<Function>(function));
  }

  // Checks that the codes of all positions in the mask are in the set. `what` names the codes in
  // the error.
  CallError check_codes(CallContext& calls, const berth_call& call, std::string_view what,
                        std::span<const uint8_t> codes, CodeSet allowed) const;

  // Notes the answer of the call that has just ended, for logs of calls.
  void log_code(CallContext& calls, berth_code code) const {
    calls.log_code(id_, static_cast<uint8_t>(code));
  }
  // The same where the call was about one position.
  void log_code(CallContext& calls, const berth_call& call, std::span<const uint8_t> codes) const {
    if (call.count == 1) calls.log_code(id_, codes.front());
  }

  // The failure that the plugin reported, with the text that it wrote during the call.
  CallError reported(CallContext& calls) const;

  // The failure for a value that the contract does not allow: `plugin "X" ` + what. Counts an
  // error.
  CallError broken(CallContext& calls, const std::string& what) const;
  // The same for the answer about one of `count` positions: the text is `what`, the position, and
  // `rest`. Callers that know what the positions are ask for CallError::text_about().
  CallError broken_at(CallContext& calls, const std::string& what, size_t position, size_t count,
                      std::string_view rest = {}) const;

 private:
  friend class Prepared;

  template <typename Function>
  CallError invoke_in(const PluginFunction& in, CallContext& calls, Function&& function) const;

  void count_error(CallContext& calls) const;
  CallError failed(CallContext& calls, berth_code code) const;
  CallError threw(CallContext& calls) const;  // call it inside a catch block
  CallError late_or_refused(const PluginFunction& in, CallContext& calls) const;
  CallError used_the_model(CallContext& calls, const TagScope& scope) const;
  CallError take_inputs(CallContext& calls, const berth_prepared& answer, Prepared& made) const;
  bool covers(std::string_view column) const;
  void release(void* state) const noexcept;
  void check_declaration() const;
  void check_types(std::span<const uint32_t> types) const;  // in step with inputs_

  Point point_;
  HookId id_;
  berth_plugin* plugin_;
  std::string plugin_name_;
  PluginFunction function_;   // of calls
  PluginFunction preparing_;  // of `prepare`
  const Environment* environment_;
  const PluginCode* apart_;
  uint32_t depends_;
  std::string space_;
  std::vector<std::string> inputs_;
  decltype(berth_hook::prepare) prepare_;
  decltype(berth_hook::release) release_;
  decltype(berth_hook::describe) describe_;
};

}  // namespace berth::host
