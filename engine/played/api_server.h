#pragma once

// An API server and the controllers that a scheduler depends on, played on the core's clock.
//
//   played::ApiServer server({.volumes = played::VolumeControllerOptions()});
//   runtime::Core core(configuration, plugins, {.server = &server});
//   server.attach(core);
//   server.apply(change, source);  // what the input says, in the place of Door::apply
//
// - A binding is accepted at once, and shown to the output. By the core's rules it puts the labels
//   of the node's zone and region on the pod, and ends the pod's nomination.
// - A pod that is deleted leaves when its grace period ends. A victim is deleted so. With
//   controllers it stays as long as the kubelet of its node is silent (stopped_kubelets.h), unless
//   it is deleted without a grace period.
// - A status is written at once, and the core hears of it. If a pod is bound before its node is
//   announced, the binding has ended the nomination.
// - Ephemeral claims that were made for a pod go with it.
// - With controllers: they evict pods (controllers), and nodes are drained.
// - With volumes: they are bound and provisioned (volume_controller.h), and those in use are
//   protected (storage_protection.h).
//
// A run with it is a function of its input. One thread, the core's.

#include <functional>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/controllers/drain/drain.h"
#include "engine/ingest/objects/remarks.h"
#include "engine/played/controllers/controllers.h"
#include "engine/played/deletions.h"
#include "engine/played/held_pods.h"
#include "engine/played/storage_protection.h"
#include "engine/played/volume_controller.h"
#include "engine/runtime/actor.h"
#include "engine/runtime/core.h"
#include "engine/runtime/server.h"

namespace berth::played {

// The answer of the API server to a request to evict a pod.
struct EvictionAnswer {
  std::string namespace_name, name;
  Time at{};
  bool dry_run = false;
  controllers::ApiStatus status;
};

struct ApiServerOptions {
  // Takes the bindings, and answers them; outlives the server. Null: each is accepted.
  binding::BindingSink* bindings = nullptr;
  // Nothing: only the input binds volumes, and nothing protects them.
  std::optional<VolumeControllerOptions> volumes{};
  // With any of them, requests to evict pods are answered, too.
  ControllerList controllers = ControllerList::none();
  std::function<void(const EvictionAnswer&)> on_eviction{};  // may be empty
  Controllers::OnDrain on_drain{};                           // may be empty
  bool admission = true;  // false: no plugin of admission sees the bindings
};

class ApiServer final : public runtime::Server, private runtime::Actor, private Evictor {
 public:
  explicit ApiServer(const ApiServerOptions& options = {}) : options_(options) {}
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  // To be called once, before the core gets input. `core` outlives the server's last call.
  void attach(runtime::Core& core);

  // Somebody changes an object. As Door::apply, but that an object of storage which is in use stays
  // when it is deleted, and terminates.
  void apply(const model::Change& change, const runtime::Origin& from, size_t index = 0);
  // As Door::apply_work.
  void apply_work(std::span<const runtime::WorkFile> files);
  // Deletes the pod: it leaves at that time, or at once if that is not later than now. Without a
  // time it terminates for as long as nobody removes it. A second deletion counts only if it ends
  // earlier.
  void delete_pod(model::PodId pod, std::optional<Time> leaves);
  // Pods of which something was measured, and which never were there: NAMESPACE/NAME.
  ingest::Remarks::Named measured_without_pod() const;
  // The drains of nodes so far (drains.h), in the order in which they began.
  const std::list<controllers::Drain>& drains() const;

  binding::BindingSink* bindings() override { return options_.bindings; }
  runtime::BindingEffects binding_effects() const override { return effects_; }
  void evict(model::PodId victim) override;
  void announce(model::PodId pod, std::string_view node) override;
  void patch_status(const runtime::StatusPatch& patch) override;
  void put(const model::VolumeObject& object) override { core_->door().put(object); }

 private:
  void delete_within(model::PodId pod, std::optional<int64_t> grace_seconds,
                     const EvictionCause& cause) override;
  void kubelet_answers(const std::string& node) override {
    held_.release(node, core_->now(), deletions_);
  }

  std::optional<Time> next() const override;
  bool unfinished() const override { return next().has_value(); }
  void run_due() override;
  void catch_up() override;
  bool removes_pods() const override { return deletions_.size() != 0; }
  bool hears() const override { return false; }
  bool cordons(const model::Node&) override { return false; }
  bool takes(const model::EvictionRequest& request) override;
  void object_changed(model::Operation, const model::Object&) override {}
  void node_changed(model::Slot) override {}
  void pod_bound(model::PodId) override {}
  void pod_changed(model::PodId) override {}
  void pod_disrupted(model::PodId) override {}
  void pod_finishes(model::PodId, const runtime::PodFinish&) override {}
  void pod_ends(model::PodId pod) override;
  void storage_changed(const model::VolumeChange& change) override;
  void claim_unused(uint64_t claim) override;

  const model::Cluster& cluster() const { return core_->cluster(); }
  void evict(const model::EvictionRequest& request);
  void start(const std::string& namespace_name, const std::string& name);
  void end(model::PodId pod);
  void remove_ephemeral_claims(const model::PodRecord& pod);

  ApiServerOptions options_;
  runtime::Core* core_ = nullptr;  // null until attach()
  runtime::BindingEffects effects_;
  Deletions deletions_;
  HeldPods held_;  // their grace periods are over
  std::optional<VolumeController> volumes_;
  std::optional<StorageProtection> protection_;  // with volumes_
  std::optional<Controllers> controllers_;       // from attach()
  // Of files of objects, to be answered once all of them are there.
  std::vector<model::EvictionRequest> requests_;
};

}  // namespace berth::played
