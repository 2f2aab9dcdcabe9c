#pragma once

// Sees the statuses of budgets as they are written.

#include "engine/played/controllers/controller.h"
#include "tests/simulation/outages/budget_check.h"

namespace berth::simulation {

class Witness final : public played::Controller {
 public:
  Witness(runtime::Core& core, BudgetCheck& budgets) : Controller(core), budgets_(budgets) {}

  std::optional<Time> next() const override { return std::nullopt; }
  void run_due() override {}
  void object_changed(model::Operation, const model::Object& object) override {
    if (const auto* budget = std::get_if<model::DisruptionBudget>(&object)) budgets_.told(*budget);
  }

 private:
  BudgetCheck& budgets_;
};

}  // namespace berth::simulation
