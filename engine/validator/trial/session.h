#pragma once

// A plugin at work for a check: loaded, with one instance and a made-up cluster.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/rules/rules.h"
#include "engine/framework/hooks/profile.h"
#include "engine/host/instance/instance.h"
#include "engine/model/cluster/cluster.h"
#include "engine/validator/check.h"
#include "engine/validator/world/given.h"
#include "engine/validator/world/made_annotations.h"
#include "engine/validator/world/objects.h"

namespace berth::validator {

// Drops what plugins log.
class QuietLog final : public host::LogServices {
 public:
  uint32_t level() const override { return BERTH_LOG_DEBUG; }
  void write(uint32_t, std::string_view, std::string_view) override {}
};

// Accepts all bindings.
class KeptBindings final : public host::BindingServices {
 public:
  bool write(std::span<const uint64_t> pods, std::span<const uint32_t>) override {
    count += pods.size();
    return true;
  }
  uint64_t count = 0;
};

// Pods wait, and leave when the plugin says so.
class KeptWaiting final : public host::WaitingServices {
 public:
  void each(const std::function<void(uint64_t pod, uint32_t node)>& visit) override {
    for (const auto& [pod, node] : pods) visit(pod, node);
  }
  bool allow(uint64_t, const std::string&) override { return true; }
  bool reject(uint64_t, const std::string&, std::string_view) override { return true; }
  void activate(std::span<const uint64_t>) override {}
  std::vector<std::pair<uint64_t, uint32_t>> pods;
};

// Belongs to one thread. States of the plugin that callers prepare are released before it.
class Session {
 public:
  static constexpr uint32_t kNodes = 141;  // two blocks of 64 rows, and a part of a third
  static constexpr uint32_t kPlaced = 90;
  static constexpr uint32_t kWaiting = 40;

  // Loads the plugin, makes an instance with the subject's arguments, and fills the cluster from
  // the subject's seed, beside the given objects: equal seeds give equal clusters, with equal ids.
  // Throws Conviction if the plugin cannot be loaded or refuses its arguments.
  explicit Session(const Subject& subject);
  // A further session in the process, with the code that is loaded already.
  Session(const Subject& subject, std::shared_ptr<const host::Library> library);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Of the newest version, so that plugins whose rule is new have work.
  static Rules rules() { return Rules(kube_versions().back()); }

  const std::shared_ptr<const host::Library>& library() const { return library_; }
  const host::Instance& instance() const { return *instance_; }
  model::Cluster& cluster() { return cluster_; }
  host::CallContext& calls() { return calls_; }
  host::Trials& trials() { return trials_; }  // where the plugin's services for what-ifs look
  // The hooks at all points, bound to the cluster.
  framework::Profile& profile() { return *profile_; }
  const std::vector<model::PodId>& pods() const { return pods_; }  // those that wait for a node
  const model::PodRecord& pod(model::PodId id) const { return cluster_.pod(id); }

  // For further instances. `hooks` outlives them.
  host::Environment environment(host::HookTable& hooks) {
    return {.model = model_,
            .bindings = &bindings_,
            .log = log_,
            .hooks = hooks,
            .trials = &trials_,
            .waiting = &waiting_,
            .threads = 2,
            .moment = &moment_,
            .metrics = &metrics_,
            .external = &external_,
            .rules = rules()};
  }

  std::string pod_name(model::PodId id) const;  // "default/pod-7", for messages
  std::string node_name_at(model::Row row) const;

  // Changes the cluster: nodes come, change and go, pods are placed and leave. Waiting pods stay.
  void change(Draws& draws);

 private:
  void take(GivenPods given);
  void wait(model::PodId pod);
  model::PodId add(model::Pod pod);
  void fill();
  void bind_hooks();
  void place(Draws& draws);

  uint64_t seed_;
  std::shared_ptr<const host::Library> library_;
  model::Cluster cluster_;
  MadeAnnotations annotations_{cluster_.strings()};
  host::ModelServices model_{cluster_};
  QuietLog log_;
  KeptBindings bindings_;
  KeptWaiting waiting_services_;
  host::HookTable hooks_;
  host::Waiting waiting_{&waiting_services_};
  host::Trials trials_;
  host::Moment moment_{.seed = seed_, .now = 1'704'067'200'000'000'000, .decision = 0};
  host::Metrics metrics_;
  host::External external_;  // nothing is kept that epochs could end
  host::CallContext calls_;
  std::unique_ptr<host::Instance> instance_;
  Vocabulary words_;
  std::unique_ptr<framework::Profile> profile_;
  std::vector<model::PodId> pods_;
  std::vector<model::PodId> placed_;
  uint32_t made_pods_ = 0;
};

// Loads the subject's plugin. Throws Conviction.
std::shared_ptr<const host::Library> load(const Subject& subject);

// Throws Conviction for a call that broke the contract. A failure that the plugin reported itself
// is an answer: returns true.
bool reported(const host::CallError& error);

}  // namespace berth::validator
