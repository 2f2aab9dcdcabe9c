#pragma once

// Other settings that are asked what they would decide in the state of a core.
//
// Two runs of one input with different settings part at the first decision that differs. From then
// on the clusters differ, so equal rules decide differently, too. A second opinion tells both cases
// apart: it has the configuration, plugins, rules and seed of the other run, and the model of this
// one. Its answer about a request is what the other run would answer if everything so far had gone
// as it went here.
//
// It disturbs nothing: it has plugin instances, services and call contexts of its own, draws are
// functions, and it changes neither the model nor the queue; what its plugins want done to pods
// that wait in Permit is not done. It does not ask PreEnqueue, Reserve
// and Permit plugins, and what its plugins keep of pods that they reserved is empty: a plugin that
// filters by such memory, rather than by the model, may answer differently than in a run of its
// own.
//
// Belongs to the thread that owns the model.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/effective.h"
#include "engine/framework/decision/decide.h"
#include "engine/framework/evaluation/batch_evaluator.h"
#include "engine/host/calls/checks/watchdog.h"
#include "engine/host/instance/services/waiting_service.h"
#include "engine/runtime/assembly.h"
#include "engine/runtime/plugin_services.h"

namespace berth::runtime {

class KeptObjects;

struct OtherSettings {
  config::Configuration configuration;
  Plugins* plugins = nullptr;       // outlives the core
  framework::DecideOptions decide;  // seed, tie break and percentage
};

// The pods that wait in Permit, for plugins that may look at them alone.
class SeenWaiting final : public host::WaitingServices {
 public:
  // `core`: where the core shows them; outlives the object.
  explicit SeenWaiting(const host::Waiting* core) : core_(core) {}

  void each(const std::function<void(uint64_t pod, uint32_t node)>& visit) override {
    if (core_ != nullptr && core_->now != nullptr) core_->now->each(visit);
  }
  bool allow(uint64_t /*pod*/, const std::string& /*plugin*/) override { return true; }
  bool reject(uint64_t /*pod*/, const std::string& /*plugin*/,
              std::string_view /*reason*/) override {
    return true;
  }
  void activate(std::span<const uint64_t> /*pods*/) override {}

 private:
  const host::Waiting* core_;
};

class SecondOpinion {
 public:
  // `environment`: of the core; the services that plugins change are replaced. The cluster outlives
  // the object. Throws Error as `assemble` does.
  SecondOpinion(OtherSettings settings, model::Cluster& cluster, host::Environment environment);
  SecondOpinion(const SecondOpinion&) = delete;
  SecondOpinion& operator=(const SecondOpinion&) = delete;

  // To be called once, before the first decision. `moment`: of the core; outlives the object.
  void begin(KeptObjects& objects, const host::Moment& moment,
             const host::WatchdogOptions& deadlines);

  // Null: no profile has the pod's scheduler name. The result is valid until the next call, and
  // details of it can be asked of decider() until the model is modified. Preconditions: as of
  // Decider::decide.
  const framework::Decision* decide(const framework::Request& request);
  framework::Decider& decider() { return *decider_; }

  // Calls in which a plugin broke the contract so far, by "plugin "NAME" broke the contract in
  // HOOK".
  std::map<std::string, uint64_t> broken() const;

  // Drops template states, before the cluster retires what they refer to: all, or those that depend
  // on single pods.
  void forget_states();
  void forget_states_of_pods();

  // What plugins of these settings raised: for the same cluster, and for no queue.
  host::External& external() { return services_.external; }

  const config::Configuration& configuration() const { return settings_.configuration; }
  const Assembly& assembly() const { return assembly_; }

 private:
  framework::Profile* profile_of(const model::PodRecord& pod) const;

  OtherSettings settings_;
  model::Cluster& cluster_;
  PluginServices services_;
  SeenWaiting waiting_;
  Assembly assembly_;
  const host::Moment* moment_ = nullptr;  // the core's
  std::unique_ptr<framework::Extenders> extenders_;
  std::unique_ptr<framework::BatchEvaluator> evaluator_;
  std::unique_ptr<framework::Decider> decider_;
  std::unique_ptr<host::Watchdog> watchdog_;
};

}  // namespace berth::runtime
