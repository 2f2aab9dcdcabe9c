#pragma once

// The nodes whose objects say that their kubelets are silent: those with the annotation
// "berth/kubelet: stopped".

#include <set>
#include <string>

#include "engine/played/controllers/controller.h"

namespace berth::played {

// To join before all that ask it.
class StoppedKubelets final : public Controller {
 public:
  explicit StoppedKubelets(runtime::Core& core) : Controller(core) {}

  bool contains(const std::string& node) const { return nodes_.contains(node); }

  std::optional<Time> next() const override { return std::nullopt; }
  void run_due() override {}
  void object_changed(model::Operation operation, const model::Object& object) override;

 private:
  std::set<std::string, std::less<>> nodes_;
};

}  // namespace berth::played
