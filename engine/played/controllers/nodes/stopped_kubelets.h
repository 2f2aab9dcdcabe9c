#pragma once

// The nodes whose objects say that their kubelets are silent: those with the annotation
// "berth/kubelet: stopped", and those whose condition Ready is Unknown.
//
// Of a silent node the API server hears nothing: its pods neither end nor are they refused or
// evicted by their kubelet, and those that are deleted terminate until it answers again.

#include <set>
#include <string>

#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/evictor.h"

namespace berth::played {

// To join before all that ask it.
class StoppedKubelets final : public Controller {
 public:
  // The evictor outlives it, and hears of kubelets that answer again.
  StoppedKubelets(runtime::Core& core, Evictor& evictor) : Controller(core), evictor_(evictor) {}

  // True if the node has the annotation.
  bool contains(const std::string& node) const { return stopped_.contains(node); }
  // True if no kubelet answers there. A node that goes while it is silent stays so until one of its
  // name comes.
  bool is_silent(const std::string& node) const { return silent_.contains(node); }

  std::optional<Time> next() const override { return std::nullopt; }
  void run_due() override {}
  void object_changed(model::Operation operation, const model::Object& object) override;

 private:
  Evictor& evictor_;
  std::set<std::string, std::less<>> stopped_, silent_;
};

}  // namespace berth::played
