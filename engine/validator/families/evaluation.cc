// Decisions with what the host keeps from one to the next, and the same decisions by the reference
// evaluation, which keeps nothing: over a history of the cluster they are equal.

#include <array>

#include "engine/base/error.h"
#include "engine/framework/ranking/evaluators.h"
#include "engine/framework/verification/verifier.h"
#include "engine/validator/families/families.h"
#include "engine/validator/trial/session.h"

namespace berth::validator {
namespace {

using framework::Evaluation;

// Makes decisions in one way and compares each with the reference.
class Comparison {
 public:
  Comparison(Session& session, Evaluation evaluation)
      : session_(session),
        name_(framework::name_of(evaluation)),
        options_{.seed = 1, .forced_percentage = 100},
        evaluator_(framework::make_evaluator(evaluation, session.cluster(), session.calls(), {})),
        decider_(session.cluster(), *evaluator_, session.calls(), options_,
                 {.trials = &session.trials()}),
        verifier_(session.cluster(), options_, &session.trials(), 1) {}

  void decide(model::PodId pod) {
    const framework::Request request{.pod = &session_.pod(pod), .attempt = 0, .start = 0};
    const framework::Decision& decision = decider_.decide(session_.profile(), request);
    const auto differs = verifier_.after(session_.profile(), request, decider_, decision);
    if (!differs) return;
    std::string text = "for pod " + session_.pod_name(pod) + " the " + differs->what;
    if (!differs->node.empty()) text += " of node \"" + differs->node + '"';
    if (!differs->plugin.empty()) text += ", which " + differs->point + " answers,";
    throw AnswersDiffer(differs->point, text + " is " + differs->mine + " by the evaluation \"" +
                                            name_ + "\" and " + differs->reference +
                                            " by the reference");
  }
  uint64_t compared() const { return verifier_.counts().verified; }

 private:
  Session& session_;
  std::string name_;
  framework::DecideOptions options_;
  std::unique_ptr<framework::Evaluator> evaluator_;
  framework::Decider decider_;
  framework::Verifier verifier_;
};

bool decides(framework::Profile& profile) {
  return !profile.pre_filter.empty() || !profile.filter.empty() || !profile.post_filter.empty() ||
         !profile.pre_score.empty() || !profile.score.empty();
}

void check_evaluations(const Subject& subject) {
  Session session(subject);
  if (!decides(session.profile()))
    throw NotApplicable("no hook of the plugin takes part in decisions");
  Draws draws(subject.seed + 2);
  Comparison full(session, Evaluation::kFull), incremental(session, Evaluation::kIncremental);
  constexpr int kRounds = 15;
  for (int round = 0; round < kRounds; ++round) {
    for (const model::PodId pod : session.pods()) {
      full.decide(pod);
      incremental.decide(pod);
    }
    session.change(draws);
  }
  if (full.compared() == 0)
    throw NotApplicable("the answers depend on state outside of the model, as declared");
}

constexpr std::array<Check, 1> kEvaluationChecks = {{
    {"evaluation.history",
     "The host keeps answers until a declared input changes: decisions are the same as without.",
     "abi/include/berth/abi/hook.h", "calls.hooks", check_evaluations},
}};

}  // namespace

std::span<const Check> evaluation_checks() { return kEvaluationChecks; }

}  // namespace berth::validator
