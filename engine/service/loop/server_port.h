#pragma once

// The server port of a core whose API server is a real one. Writes leave through the outbox; what
// comes of them returns by the watch, and answers to bindings through the inbox.
//
// A nomination that was written may be missing in an event of the pod that was on its way already:
// it stays until an event has it, as kube-scheduler's nominator keeps it. That event also ends the
// nomination before, for the pods that it kept out: the row of the pod has changed long ago. No
// such event comes if the write fails.
//
// A pod that preempts is held back until each of its victims leaves, as the watch tells, or until
// the preemption failed.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/change.h"
#include "engine/runtime/core.h"
#include "engine/runtime/server.h"
#include "engine/service/loop/outbox.h"

namespace berth::service {

// One thread, the core's, but for `bind`.
class ServerPort final : public runtime::Server, private binding::BindingSink {
 public:
  // Outlives the port.
  explicit ServerPort(Outbox& out) : out_(out) {}
  ServerPort(const ServerPort&) = delete;
  ServerPort& operator=(const ServerPort&) = delete;

  // To be called once, before the core gets input. `core` outlives the port's last call.
  void attach(runtime::Core& core);
  // The victim is about to be evicted for the sake of the other pod.
  void preempts(model::PodId preemptor, model::PodId victim);
  // Some victims stay: the pod is not held back any more.
  void preemption_failed(model::PodId preemptor);
  // A pod came from the server, or left: corrects what it cannot know yet.
  void correct(model::Operation operation, model::TemplatePod& pod);
  // An object of storage came from the server in that version, or left.
  void saw(model::Operation operation, const model::VolumeObject& object, std::string version);
  // The server did not take that write. Its word on the nomination counts again, but where it has
  // none and had none: there kube-scheduler's nominator keeps its own.
  void status_failed(uint64_t number);

  binding::BindingSink* bindings() override { return this; }
  // The pod's update may come after the answer.
  runtime::BindingEffects binding_effects() const override { return effects_; }
  void evict(model::PodId victim) override;
  void announce(model::PodId pod, std::string_view node) override;
  bool is_preempting(model::PodId pod) const override;
  void patch_status(const runtime::StatusPatch& patch) override;
  void put(const model::VolumeObject& object) override;

 private:
  struct Nomination {
    std::string uid;           // of the pod
    std::string before, node;  // empty: none
    uint64_t number = 0;       // of the write
  };
  struct Preemption {
    model::PodId preemptor;
    std::vector<model::PodId> victims;
  };

  // The server has what was written, or the pod is another or gone.
  void seen(const Nomination& nomination, const model::TemplatePod& pod);
  bool is_under_way(const Preemption& preemption) const;
  binding::BindAnswer bind(const binding::Binding& binding) override;
  void flush() override { out_.send(); }

  Outbox& out_;
  runtime::Core* core_ = nullptr;  // null until attach()
  runtime::BindingEffects effects_;
  std::vector<Preemption> preemptions_;  // under way, and some that are over; the latest is last
  uint64_t nominated_ = 0;               // writes with nominations so far
  // By full name of the pod: written, and not seen at the server.
  boost::unordered_flat_map<std::string, Nomination> nominations_;
  // Of claims and volumes, by kind and full name, as the core knows them.
  boost::unordered_flat_map<std::string, std::string> versions_;
};

}  // namespace berth::service
