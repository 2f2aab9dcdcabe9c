#include "engine/validator/trial/questions.h"

#include "engine/host/calls/checks/code_name.h"

namespace berth::validator {

std::string value_text(const RowHook& hook, int64_t value) {
  return hook.hook().point() == Point::kScore ? "score " + std::to_string(value)
                                              : "verdict " + host::code_word(value);
}

std::string answer_text(const RowHook& hook, const Answer& answer) {
  const std::string text = value_text(hook, answer.value);
  return answer.reason == 0 ? text : text + " with reason " + std::to_string(answer.reason);
}

void Question::expect(const Cut& cut, const std::string& how) const {
  const auto again = hook.ask(asked, cut);
  if (!again)
    throw AnswersDiffer(hook.name(), hook.name() + " of pod " + session.pod_name(asked.pod) +
                                         " reports an error " + how);
  for (size_t i = 0; i < cut.positions.size(); ++i) {
    const Answer& before = answers[cut.positions[i]];
    const Answer& after = (*again)[i];
    if (!cut.in_mask(i) || after == before) continue;
    throw AnswersDiffer(hook.name(), hook.name() + " of pod " + session.pod_name(asked.pod) +
                                         " answers " + answer_text(hook, before) + " for " +
                                         hook.position_name(cut.positions[i]) +
                                         " in one call about all " + std::to_string(all.size()) +
                                         " positions, and " + answer_text(hook, after) + " " + how);
  }
}

void for_questions(Session& session, const std::function<void(Question&)>& look) {
  size_t asked_about = 0;
  bool external = false;
  for (const auto& hook : some_row_hooks(session)) {
    if (hook->hook().depends() == BERTH_DEPENDS_EXTERNAL) {
      external = true;
      continue;
    }
    for (const model::PodId pod : session.pods()) {
      const auto asked = hook->begin(pod);
      if (!asked) continue;
      std::vector<uint32_t> all = hook->everything();
      auto answers = hook->ask(*asked, {.positions = all});
      if (!answers) continue;
      Question question{session, *hook, *asked, std::move(all), std::move(*answers)};
      ++asked_about;
      look(question);
    }
  }
  if (asked_about != 0) return;
  throw NotApplicable(external ? "the answers depend on state outside of the model, as declared"
                               : "a host calls the hooks for no pod of the made-up cluster");
}

}  // namespace berth::validator
