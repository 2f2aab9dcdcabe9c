#pragma once

// The question that a host asks a Filter or Score about one pod, and what is the right answer: that
// of one plain call about all positions.

#include <functional>
#include <string>
#include <vector>

#include "engine/validator/trial/row_hook.h"

namespace berth::validator {

struct Question {
  Session& session;
  RowHook& hook;
  const Asked& asked;
  std::vector<uint32_t> all;    // positions
  std::vector<Answer> answers;  // by position

  // Asks again with another cut. Throws Conviction if an answer differs; `how` says what is
  // different: "in a call about 7 of the positions alone".
  void expect(const Cut& cut, const std::string& how) const;
};

// Calls `look` for each pod of each hook that declares all that its answers depend on. Throws
// NotApplicable if there is none.
void for_questions(Session& session, const std::function<void(Question&)>& look);

// "verdict UNSCHEDULABLE", "score 55": an Answer's value.
std::string value_text(const RowHook& hook, int64_t value);
// The same with the reason: "verdict UNSCHEDULABLE with reason 1".
std::string answer_text(const RowHook& hook, const Answer& answer);

}  // namespace berth::validator
