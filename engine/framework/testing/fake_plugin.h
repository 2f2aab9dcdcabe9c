#pragma once

// A plugin whose hooks are functions of the test, for tests that need a profile but no shared
// object. The functions stand behind the C tables of the ABI, so the host checks them like those of
// any plugin.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/framework/hooks/profile.h"
#include "engine/host/instance/services/model_services.h"

namespace berth::framework::testing {

// Thrown by a function of a fake plugin: the hook writes this text and answers BERTH_ERROR. Where a
// function is called for one position, the position gets the code.
struct FakeFailure {
  std::string text;
  uint8_t code = BERTH_ERROR;
};

// A call as functions of fake plugins see it. Columns are in the order of the declared inputs.
class FakeCall {
 public:
  explicit FakeCall(const berth_call& call) : call_(call) {}

  const berth_call& raw() const { return call_; }
  template <typename T>
  T at(size_t column, size_t position) const {
    return static_cast<const T*>(call_.columns[column].data)[position];
  }
  // True if the mask of the call has the position.
  bool wanted(size_t position) const {
    return call_.mask == nullptr || (call_.mask[position / 64] >> position % 64 & 1) != 0;
  }
  // The state that `prepare` returned, or an overlay's copy of it.
  int64_t state() const { return *static_cast<const int64_t*>(call_.state); }

 private:
  const berth_call& call_;
};

struct FakeHook {
  std::vector<std::string> inputs = {"node.row"};
  uint32_t depends = BERTH_DEPENDS_DECLARED;
  // The state of a template; columns as declared. Empty: the hook does not prepare.
  std::function<int64_t(const berth_template&)> prepare{};
  bool passes = false;  // what it prepares: BERTH_PREPARED_PASSES
  std::string space{};  // as in berth_hook
};

class FakePlugin {
 public:
  explicit FakePlugin(std::string name) : name_(std::move(name)) {}
  FakePlugin(const FakePlugin&) = delete;
  FakePlugin& operator=(const FakePlugin&) = delete;

  // Of each point the declaration and the function; an empty function means that the plugin does
  // not implement the point. Set before `hooks`.
  FakeHook pre_filter_hook{.inputs = {"pod.name"}}, filter_hook, pre_score_hook, score_hook;
  FakeHook overlay_hook{.inputs = {"pod.priority"}};
  FakeHook post_filter_hook;
  FakeHook hints_hook{.inputs = {"pod.priority"}};
  FakeHook binding_hook{.inputs = {"pod.handle", "pod.name", "node.name"}};  // Reserve to PostBind
  std::function<void(const FakeCall&, berth_pre_filter_result&)> pre_filter;
  std::function<uint8_t(const FakeCall&, size_t position)> filter;  // a verdict
  std::function<void(const FakeCall&)> filter_call;  // before the first position: may fail the call
  std::function<void(const FakeCall&, const berth_feasible*, berth_pre_score_result&)> pre_score;
  std::function<int64_t(const FakeCall&, size_t position)> score;  // raw
  uint32_t normalise = BERTH_NORMALISE_NONE;
  std::function<int64_t(int64_t raw)> normalise_own;
  std::function<int64_t(const FakeCall&, int64_t raw)> normalise_pod;  // in the place of that
  std::function<void(const FakeCall&, const uint8_t* codes, uint64_t draw, berth_nomination&)>
      post_filter;
  // The state follows a pod that is added (1) or removed (-1).
  std::function<void(int64_t& state, const FakeCall& pod, uint32_t row, int sign)> follow;
  // Returns true if the event may help; it may be called for all events.
  std::function<bool(const FakeCall&, const berth_event&)> hint;
  std::function<uint32_t(uint32_t kind)> actions = [](uint32_t) { return BERTH_DID_ANYTHING; };

  // Reserve and Permit are called about one pod, the others for each wanted position. They return a
  // code. Reserve implies Unreserve.
  std::function<uint8_t(const FakeCall&)> reserve;
  bool reserve_follows = false;  // BERTH_RESERVE_FOLLOWS_PRE_FILTER
  std::function<void(const FakeCall&)> unreserve = [](const FakeCall&) {};
  std::function<uint8_t(const FakeCall&, int64_t& timeout_nanoseconds)> permit;
  std::function<uint8_t(const FakeCall&, size_t position)> pre_flight, pre_bind, bind;
  // In the place of pre_bind; nanoseconds.
  std::function<uint8_t(const FakeCall&, size_t position, int64_t waited, int64_t& again)>
      pre_bind_or_wait;
  bool pre_bind_parallel = false;  // BERTH_PRE_BIND_PARALLEL
  std::function<void(const FakeCall&, size_t position)> post_bind;

  std::optional<host::Signing> signing;  // by what it says that it decides

  // The plugin's hooks, checked by the host. Throws Error if they break the contract of the ABI.
  PluginHooks hooks(const host::Environment& environment);

 private:
  struct Tables;

  std::string name_;
  std::shared_ptr<Tables> tables_;
};

// A model, and what plugins need to live.
class FakeWorld {
 public:
  // Nodes "n0", "n1", ... of 4 cores and 110 pods.
  explicit FakeWorld(uint32_t nodes);

  model::Cluster& cluster() { return cluster_; }
  host::CallContext& calls() { return calls_; }
  const host::Environment& environment() const { return environment_; }
  // The trials that the services of PostFilter plugins use.
  host::Trials& trials() { return trials_; }

  static model::Node node(const std::string& name);
  static model::Pod pod(const std::string& name, int64_t milli_cpu = 100);
  // A new pod of the model. Its record stays where it is.
  const model::PodRecord& add(const model::Pod& pod) { return cluster_.pod(cluster_.add_pod(pod)); }

  // A profile in which each plugin is enabled at all points that it implements, with weight 1.
  // Plugins outlive it.
  std::unique_ptr<Profile> profile(std::vector<FakePlugin*> plugins);

 private:
  model::Cluster cluster_;
  host::ModelServices services_{cluster_};
  host::HookTable hooks_;
  host::Trials trials_;
  host::Environment environment_{.model = services_,
                                 .bindings = nullptr,
                                 .log = host::standard_log(),
                                 .hooks = hooks_,
                                 .trials = &trials_};
  host::CallContext calls_;
};

}  // namespace berth::framework::testing
