#pragma once

// An extender that answers within the process, and fails as the rates say. A time-out takes no
// time: the core's clock stands still within a call.

#include <optional>
#include <string>
#include <vector>

#include "engine/framework/decision/extenders.h"
#include "tests/simulation/world/server.h"

namespace berth::simulation {

class FaultyExtenders final : public framework::Extenders {
 public:
  FaultyExtenders(Dice& dice, const Rates& rates, Server& server, Marks& marks)
      : dice_(dice), rates_(rates), server_(server), marks_(marks) {}
  void attach(const model::Cluster& cluster) { cluster_ = &cluster; }
  void heal() { healed_ = true; }

  bool filters() const override { return true; }
  bool prioritizes() const override { return true; }
  bool preempts() const override { return true; }
  bool binds() const override { return rates_.extenders_bind; }

  framework::ExtenderFilter filter(const model::PodRecord& pod,
                                   std::vector<model::Row> rows) override;
  std::vector<framework::ExtenderScores> prioritize(const model::PodRecord& pod,
                                                    const std::vector<model::Row>& rows) override;
  framework::ExtenderPreemption preempt(
      const model::PodRecord& pod, std::vector<framework::ExtenderVictims> candidates) override;
  // A time-out tells nothing of the binding: it was carried out, will be later, or never.
  framework::ExtenderBinding bind(const model::PodRecord& pod, std::string_view node) override;

 private:
  enum class Fault { kNone, kError, kTimeout };
  Fault draw_fault();
  // The text of a fault that fails the pod; nothing: there is none, or it is ignorable.
  std::optional<std::string> failure();

  Dice& dice_;
  const Rates& rates_;
  Server& server_;
  Marks& marks_;
  const model::Cluster* cluster_ = nullptr;
  bool healed_ = false;
};

}  // namespace berth::simulation
