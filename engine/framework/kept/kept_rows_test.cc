// Decisions that keep answers about rows equal decisions that keep none. Results of what-ifs hold
// as long as their stamps say so. Random histories of pods, nominations and nodes.

#include "engine/framework/kept/kept_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "engine/framework/decision/decide.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakePlugin;
using testing::FakeWorld;

constexpr uint32_t kKeptNodes = 150;  // three blocks
constexpr int64_t kRoom = 1000;       // milli-CPU of a node
constexpr int kHighest = 2;           // priority; the lowest is 0

// One way to decide. "Open" refuses unschedulable nodes; "Room" reads the requests of a node's pods
// and gives a reason of its own to each node that is too full; "Preempts" makes dry runs.
class Way {
 public:
  Way(FakeWorld& world, bool keeps) : world_(world) {
    open_.filter_hook.inputs = {"node.unschedulable"};
    open_.filter = [](const FakeCall& call, size_t i) -> uint8_t {
      return call.at<uint8_t>(0, i) == 0 ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    };
    room_.filter_hook.inputs = {"node.requested:cpu"};
    room_.filter = [](const FakeCall& call, size_t i) -> uint8_t {
      return call.at<int64_t>(0, i) < kRoom ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE;
    };
    preempts_.post_filter_hook.inputs = {"node.row", "pod.handle", "pod.started_at", "pod.budgets"};
    preempts_.post_filter = [this](const FakeCall& call, const uint8_t* codes, uint64_t,
                                   berth_nomination& nomination) {
      codes_.assign(codes, codes + call.raw().count);
      dry_runs();
      nomination.code = BERTH_UNSCHEDULABLE;
    };
    profile_ = world.profile({&open_, &room_, &preempts_});
    evaluator_ = make_evaluator(keeps ? Evaluation::kIncremental : Evaluation::kReference,
                                world.cluster(), world.calls(), FullOptions{.ranking_from = 1});
    decider_ =
        std::make_unique<Decider>(world.cluster(), *evaluator_, world.calls(), DecideOptions{},
                                  PostFilterOptions{nullptr, &world.trials()});
  }
  ~Way() {
    decider_.reset();
    evaluator_.reset();
    profile_.reset();
  }

  // The outcome in words, with the codes of all rows and the results of their what-ifs.
  std::string decide(const model::PodRecord& pod, uint32_t start) {
    runs_.clear();
    codes_.clear();
    const Decision& made = decider_->decide(*profile_, {.pod = &pod, .start = start});
    row_ = made.row;
    std::string said = made.event() + " row " + std::to_string(made.row) + " of " +
                       std::to_string(made.evaluated) + " next " + std::to_string(made.next_start);
    for (const std::string& refuser : made.refused_by.plugins) said += " by " + refuser;
    for (const uint8_t code : codes_) said += static_cast<char>('0' + code);
    for (const std::string& run : runs_) said += "; " + run;
    return said;
  }

  // The row of the last pod that was scheduled, or kNoRow.
  model::Row row() const { return row_; }
  // What-ifs whose stamp was seen before.
  size_t held() const { return held_; }

 private:
  void dry_runs() {
    berth_what_if_kept stamps{};
    const bool has_stamps = world_.trials().now->kept(stamps);
    for (uint32_t row = 0; row < world_.cluster().nodes().rows(); ++row) {
      const std::string run = dry_run(row);
      runs_.push_back(run);
      if (!has_stamps) continue;
      EXPECT_LT(row, stamps.rows);
      const auto [at, fresh] =
          known_.try_emplace({stamps.kind, row}, std::pair(stamps.by_row[row], run));
      if (!fresh && at->second.first == stamps.by_row[row]) {
        ++held_;
        EXPECT_EQ(at->second.second, run) << "row " << row << ", stamp " << stamps.by_row[row];
      }
      at->second = {stamps.by_row[row], run};
    }
  }
  // Removes pods until the row fits.
  std::string dry_run(uint32_t row) {
    host::WhatIf& trial = *world_.trials().now->begin(row);
    const FakeCall pods(*trial.pods());
    std::string said;
    for (uint64_t pod = 0; pod < pods.raw().count; ++pod) {
      said += std::to_string(trial.filter()) + texts(trial);
      trial.remove_pod(pod);
      said += " without " + std::to_string(pods.at<uint64_t>(1, pod)) + " of " +
              std::to_string(pods.at<int64_t>(2, pod)) + " in " +
              std::to_string(pods.raw().columns[3].sizes[pod]) + " ";
    }
    said += std::to_string(trial.filter()) + texts(trial);
    trial.end();
    return said;
  }
  static std::string texts(host::WhatIf& trial) {
    std::string said;
    trial.reasons({sizeof(berth_text_sink), 0, &said, [](void* to, berth_string text) {
                     static_cast<std::string*>(to)->append(text.data, text.size);
                   }});
    return said;
  }

  FakeWorld& world_;
  FakePlugin open_{"Open"}, room_{"Room"}, preempts_{"Preempts"};
  std::unique_ptr<Profile> profile_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Decider> decider_;
  std::vector<uint8_t> codes_;
  std::vector<std::string> runs_;
  std::map<std::pair<uint64_t, uint32_t>, std::pair<uint64_t, std::string>> known_;
  size_t held_ = 0;
  model::Row row_ = model::kNoRow;
};

class KeptRowsTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  KeptRowsTest() : world_(kKeptNodes), draws_(GetParam()) {
    for (model::Row row = 0; row < kKeptNodes; ++row) place(row, 1200);
  }

  uint32_t any(uint32_t below) { return static_cast<uint32_t>(draws_() % below); }
  model::Row any_row() { return any(world_.cluster().nodes().rows()); }
  model::Cluster& cluster() { return world_.cluster(); }

  model::PodId add(int64_t milli_cpu, const std::string& nominated = "") {
    model::Pod pod = FakeWorld::pod("p" + std::to_string(++pods_), milli_cpu);
    pod.spec.priority = static_cast<int32_t>(any(kHighest + 1));
    pod.spec.labels = {{"app", std::to_string(any(2))}};
    pod.nominated_node_name = nominated;
    return world_.add(pod).id;
  }
  void place(model::Row row, int64_t milli_cpu) {
    const model::PodId pod = add(milli_cpu);
    cluster().place(pod, row);
    placed_.push_back(pod);
  }
  void nominate() {
    nominated_.push_back(add(700, std::string(cluster().node_name(any_row()))));
    cluster().nominate(nominated_.back());
  }
  template <typename Use>
  void with_any(std::vector<model::PodId>& pods, bool ends, Use&& use) {
    if (pods.empty()) return;
    const size_t at = any(static_cast<uint32_t>(pods.size()));
    use(pods[at]);
    if (ends) pods.erase(pods.begin() + static_cast<ptrdiff_t>(at));
  }
  void put_budget() {
    model::DisruptionBudget budget;
    budget.namespace_name = "default";
    budget.name = "b" + std::to_string(any(2));
    budget.selector = model::LabelSelector{{{"app", std::to_string(any(2))}}, {}};
    budget.disruptions_allowed = any(3);
    cluster().put_budget(budget);
  }

  void change() {
    switch (any(10)) {
      case 0:
        return place(any_row(), 100 + any(900));
      case 1:
        return with_any(placed_, true, [&](model::PodId pod) { cluster().remove_pod(pod); });
      case 2:
      case 3:
        return nominate();
      case 4:
        return with_any(nominated_, true, [&](model::PodId pod) { cluster().remove_pod(pod); });
      case 5:
        return with_any(nominated_, false,
                        [&](model::PodId pod) { cluster().withdraw_nomination(pod); });
      case 6:
        return with_any(placed_, false,
                        [&](model::PodId pod) { cluster().set_started_at(pod, any(1000)); });
      case 7: {
        model::Node node = FakeWorld::node(std::string(cluster().node_name(any_row())));
        node.unschedulable = any(2) == 0;
        cluster().put_node(node);
        return;
      }
      case 8:
        if (any(8) == 0) put_budget();
        return;
      default:
        return nodes_change();
    }
  }
  void nodes_change() {
    if (any(20) != 0) return;
    if (any(2) == 0) {
      cluster().put_node(FakeWorld::node("more" + std::to_string(++pods_)));
      place(cluster().nodes().rows() - 1, 1200);
    } else {
      cluster().remove_node(cluster().node_name(any_row()));
    }
    cluster().order_rows();
  }

  FakeWorld world_;
  std::mt19937_64 draws_;
  uint32_t pods_ = 0;
  std::vector<model::PodId> placed_, nominated_;
};

TEST_P(KeptRowsTest, DecisionsAreThoseThatKeepNothing) {
  Way keeps(world_, true), forgets(world_, false);
  size_t refused = 0;
  for (int i = 0; i < 150; ++i) {
    for (uint32_t changes = any(4); changes != 0; --changes) change();
    // One of its own kind, or a pod that is nominated itself.
    const bool own = !nominated_.empty() && any(3) == 0;
    const model::PodId pod =
        own ? nominated_[any(static_cast<uint32_t>(nominated_.size()))] : add(500);
    const uint32_t start = any_row();
    const std::string expected = forgets.decide(cluster().pod(pod), start);
    ASSERT_EQ(keeps.decide(cluster().pod(pod), start), expected) << "decision " << i;
    if (!own) cluster().remove_pod(pod);
    refused += forgets.row() == model::kNoRow;
    if (forgets.row() != model::kNoRow && any(4) != 0) place(forgets.row(), 1200);
  }
  EXPECT_GT(refused, 20u);
  EXPECT_GT(keeps.held(), 20u * kKeptNodes);
  EXPECT_EQ(forgets.held(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Histories, KeptRowsTest, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace berth::framework
