#pragma once

// Decisions by two fake plugins, of which a test sets what they answer.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework::testing {

// Each test runs with the reference evaluation and with the incremental one.
class DecideTest : public ::testing::TestWithParam<Evaluation> {
 protected:
  void start(uint32_t nodes, DecideOptions options = {}) {
    world_.emplace(nodes);
    profile_ = world_->profile({&first_, &second_});
    evaluator_ = make_evaluator(GetParam(), world_->cluster(), world_->calls(),
                                FullOptions{.ranking_from = 1});
    decider_.emplace(world_->cluster(), *evaluator_, world_->calls(), options);
  }
  ~DecideTest() override {
    decider_.reset();
    evaluator_.reset();
    profile_.reset();
  }

  Decision decide(const model::Pod& pod, uint32_t start = 0, uint64_t arrival = 0) {
    record_ = world_->cluster().record_of(pod);
    record_.arrival = arrival;
    return decider_->decide(*profile_, {.pod = &record_, .start = start});
  }
  Decision decide(uint32_t start = 0) { return decide(FakeWorld::pod("p"), start); }

  static uint32_t row(const FakeCall& call, size_t i) { return call.at<uint32_t>(0, i); }
  void refuse(FakePlugin& plugin, std::set<uint32_t> rows, uint8_t code = BERTH_UNSCHEDULABLE) {
    plugin.filter = [=](const FakeCall& call, size_t i) {
      return rows.contains(row(call, i)) ? code : uint8_t{BERTH_SUCCESS};
    };
  }
  void score_rows(FakePlugin& plugin, std::vector<int64_t> scores) {
    plugin.score = [=](const FakeCall& call, size_t i) { return scores.at(row(call, i)); };
  }
  void narrow_to(FakePlugin& plugin, std::vector<std::string> names) {
    auto ids = std::make_shared<std::vector<uint32_t>>();
    plugin.pre_filter_hook.prepare = [](const berth_template&) { return int64_t{0}; };
    plugin.pre_filter = [=, this](const FakeCall&, berth_pre_filter_result& result) {
      ids->clear();
      for (const std::string& name : names)
        ids->push_back(world_->cluster().strings().intern(name));
      result.narrows = 1;
      result.node_names = ids->data();
      result.node_name_count = ids->size();
    };
    if (!plugin.filter) refuse(plugin, {});
  }

  FakePlugin first_{"First"}, second_{"Second"};
  std::optional<FakeWorld> world_;
  std::unique_ptr<Profile> profile_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Decider> decider_;
  model::PodRecord record_;
};

}  // namespace berth::framework::testing
