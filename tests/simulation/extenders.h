#pragma once

// Extenders that answer within the process, and fail as the rates say.

#include <string>
#include <vector>

#include "engine/framework/decision/extenders.h"
#include "tests/simulation/draws.h"

namespace berth::simulation {

class FaultyExtenders final : public framework::Extenders {
 public:
  FaultyExtenders(Dice& dice, const Rates& rates) : dice_(dice), rates_(rates) {}
  void attach(const model::Cluster& cluster) { cluster_ = &cluster; }
  void heal() { healed_ = true; }

  bool filters() const override { return true; }
  bool prioritizes() const override { return true; }
  bool preempts() const override { return true; }
  bool binds() const override { return false; }

  framework::ExtenderFilter filter(const model::PodRecord&, std::vector<model::Row> rows) override {
    framework::ExtenderFilter answer;
    if (fails()) {
      answer.error = "the extender is down";
      return answer;
    }
    for (const model::Row row : rows) {
      if (healed_ || !dice_.chance(rates_.extender_refusals)) {
        answer.rows.push_back(row);
        continue;
      }
      answer.refused.push_back(
          {std::string(cluster_->node_name(row)), BERTH_UNSCHEDULABLE, "the extender says no"});
    }
    return answer;
  }
  std::vector<framework::ExtenderScores> prioritize(const model::PodRecord&,
                                                    const std::vector<model::Row>& rows) override {
    if (fails()) return {};
    framework::ExtenderScores scores{"simulated", {}};
    for (const model::Row row : rows) scores.weighted.emplace_back(row, dice_.number(0, 100));
    return {scores};
  }
  framework::ExtenderPreemption preempt(
      const model::PodRecord&, std::vector<framework::ExtenderVictims> candidates) override {
    if (fails()) return {{}, "the extender is down"};
    return {std::move(candidates), {}};
  }
  framework::ExtenderBinding bind(const model::PodRecord&, std::string_view) override { return {}; }

 private:
  bool fails() { return !healed_ && dice_.chance(rates_.extender_errors); }

  Dice& dice_;
  const Rates& rates_;
  const model::Cluster* cluster_ = nullptr;
  bool healed_ = false;
};

}  // namespace berth::simulation
