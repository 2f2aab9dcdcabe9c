// Other settings are asked about the decisions of a core, in its state.

#include "engine/runtime/second_opinion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/framework/decision/decision_watch.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::Field;

constexpr char kDefault[] = R"([{"schedulerName":"default-scheduler"}])";
constexpr char kPacked[] = R"([{"schedulerName":"default-scheduler","pluginConfig":[
    {"name":"NodeResourcesFit","args":{"scoringStrategy":{"type":"MostAllocated",
     "resources":[{"name":"cpu","weight":1}]}}}]}])";

config::Configuration configuration(const std::string& profiles) {
  return config::parse(
      R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
      R"("profiles":)" +
          profiles + "}",
      "config");
}

class SecondOpinionTest : public CoreTest, private framework::DecisionWatch {
 protected:
  // Asks `others`, if there are some, about each decision.
  void begin_with(const std::string& own, const std::optional<std::string>& others) {
    runtime::OtherSettings other;
    runtime::CoreOptions options;
    options.scheduler.decide.tie_break = framework::TieBreak::kName;
    options.scheduler.decide.watch = this;
    options.retire_always = true;
    if (others) {
      other = {configuration(*others), &plugins_and_picky(), options.scheduler.decide};
      options.other = &other;
    }
    core.reset();
    options.server = &server.emplace(played::ApiServerOptions{&bindings, volumes, controllers});
    core =
        std::make_unique<runtime::Core>(configuration(own), plugins_and_picky(), options,
                                        [this](const runtime::Report& report) { record(report); });
    server->attach(*core);
    answers.clear();
  }

  static model::Pod sized(const std::string& name, int64_t cpu, int32_t priority = 0) {
    model::Pod made = pod(name);
    made.spec.priority = priority;
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(cpu)}};
    return made;
  }

  // Fills two nodes, and evicts for one more pod.
  void fill() {
    apply(model::added(node("a")));
    apply(model::added(node("b")));
    for (int i = 0; i < 9; ++i) schedule({sized("p" + std::to_string(i), 2)});
    schedule({sized("high", 4, 9)});
  }

  struct Answer {
    std::string own, other;  // "node a", or the message
    bool operator==(const Answer&) const = default;
  };
  std::vector<Answer> answers;

 private:
  std::string words(const framework::Decision& decision) {
    std::string text = decision.outcome == framework::Outcome::kScheduled
                           ? "node " + std::string(cluster().node_name(decision.row))
                           : decision.message;
    if (decision.post_filter)
      text += ", victims: " + std::to_string(decision.post_filter->victims.size());
    return text;
  }
  void made(framework::Decider& /*decider*/, const framework::Request& request,
            const framework::Decision& decision) override {
    if (core->opinion() == nullptr) return;
    const framework::Decision* const other = core->opinion()->decide(request);
    answers.push_back({words(decision), other == nullptr ? "no profile" : words(*other)});
  }
};

MATCHER(IsEqualAnswer, "") { return arg.own == arg.other; }

// Also about preemption, and while what states refer to is retired again and again.
TEST_F(SecondOpinionTest, EqualSettingsGiveEqualAnswers) {
  begin_with(kDefault, kDefault);
  fill();
  EXPECT_GE(answers.size(), 10u);
  EXPECT_THAT(answers, Each(IsEqualAnswer()));
  EXPECT_THAT(answers, Contains(Field(&Answer::own, EndsWith("victims: 2"))));
}

TEST_F(SecondOpinionTest, OtherSettingsDecideInTheStateOfTheCore) {
  begin_with(kDefault, kPacked);
  apply(model::added(node("a")));
  apply(model::added(node("b")));
  for (const char* name : {"p", "q", "r"}) schedule({sized(name, 2)});
  // The second goes where the first one is, and so would the third, wherever the second is here.
  EXPECT_THAT(answers, ElementsAre(Answer{"node a", "node a"}, Answer{"node b", "node a"},
                                   Answer{"node a", "node a"}));
}

TEST_F(SecondOpinionTest, ChangesNothing) {
  begin_with(kDefault, std::nullopt);
  fill();
  const std::vector<std::string> alone = results;
  const std::string hash = core->scheduler().decisions().hash().to_string();
  results.clear();
  begin_with(kDefault, kPacked);
  fill();
  EXPECT_EQ(results, alone);
  EXPECT_EQ(core->scheduler().decisions().hash().to_string(), hash);
}

TEST_F(SecondOpinionTest, HasNoAnswerWithoutAProfile) {
  begin_with(kDefault, R"([{"schedulerName":"other"}])");
  apply(model::added(node("a")));
  schedule({sized("p", 1)});
  EXPECT_THAT(answers, ElementsAre(Answer{"node a", "no profile"}));
}

}  // namespace
}  // namespace berth::tests
