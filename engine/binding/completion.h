#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/binding/binding_sink.h"
#include "engine/framework/hooks/profile.h"

namespace berth::binding {

// A pod on its node for which PreBind plugins wait, between two calls of them: one, or several that
// work at the same time.
struct PreBindWait {
  struct Hook {
    size_t hook = 0;  // index into Profile::pre_bind
    // Of the latest answer: after which time the next call is due; 0: not said.
    Time again{};
    bool answered = true;         // the answer does not count in `next` yet
    Time next{};                  // when the next call is due
    std::optional<Time> since{};  // when the first WAIT counted; nothing: it did not yet
    bool due = false;             // the call is being made
    Time waited{};                // from the first WAIT to that call
  };
  std::vector<Hook> hooks;  // not empty
  size_t called = 0;        // the hooks from this index on were not called; others are done or wait
  std::vector<bool> skips;  // by hook: pre_flight had nothing to do

  // Null: nobody waits for the hook.
  Hook* find(size_t hook);
  // The hook was called, and does not wait any more.
  void done(size_t hook);
};

// The result of one pod's binding cycle, or of the part of it that was run.
struct Completion {
  model::PodId pod;
  framework::Profile* profile = nullptr;
  enum class Outcome : uint8_t {
    kBound,
    kFailed,
    kConflict,  // see BindAnswer
    kUnderWay,  // the server has not answered
    kRefused,   // by a PreBind plugin
    kTold,      // PostBind ran for a pod that was bound before
    kLost,      // bound, and the answer was an error; see BindAnswer
    kLostSeen,  // the same
    kWaits,     // for a PreBind plugin; `wait` is not null
  } outcome = Outcome::kFailed;
  // Some PreBind hook has something to do, and the cycle begins; see BindingRules::announces.
  bool announced = false;
  std::string message;     // of a failure or refusal
  std::string extender{};  // that is responsible for the binding; empty: the Bind plugins are
  uint64_t number = 0;     // see Binding
  // The plugin, of a binding that is under way; valid as long as the profile, whose hook has it.
  std::string_view bound_by{};
  // When Bind was asked, of a binding that is under way; 0 where nobody times points.
  Time bind_begins{};
  std::unique_ptr<PreBindWait> wait{};
};

// Ends the binding of the plugin or extender `bound_by`, which the server answered with an error.
void end_with_error(Completion& completion, std::string_view bound_by, const BindAnswer& answer);

}  // namespace berth::binding
