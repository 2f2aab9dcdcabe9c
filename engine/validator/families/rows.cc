// The answer for a position is the same however the host cuts its calls, and whatever was asked
// before.

#include <algorithm>
#include <array>

#include "engine/validator/families/families.h"
#include "engine/validator/trial/pod_calls.h"
#include "engine/validator/trial/questions.h"

namespace berth::validator {
namespace {

std::vector<uint32_t> some_of(const std::vector<uint32_t>& all, size_t begin, size_t count) {
  const size_t end = std::min(all.size(), begin + count);
  return {all.begin() + static_cast<std::ptrdiff_t>(begin),
          all.begin() + static_cast<std::ptrdiff_t>(end)};
}

void check_split(const Subject& subject) {
  Session session(subject);
  for_questions(session, [](Question& question) {
    for (const size_t size : {size_t{64}, size_t{7}, size_t{1}})
      for (size_t begin = 0; begin < question.all.size(); begin += size)
        question.expect({.positions = some_of(question.all, begin, size)},
                        "in a call about " + std::to_string(size) + " of the positions alone");
  });
}

void check_order(const Subject& subject) {
  Session session(subject);
  Draws draws(subject.seed);
  for_questions(session, [&](Question& question) {
    std::vector<uint32_t> order = question.all;
    std::ranges::reverse(order);
    question.expect({.positions = order}, "in a call with the positions in reverse order");
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
    question.expect({.positions = order}, "in a call with the positions in another order");
  });
}

void check_repetition(const Subject& subject) {
  Session session(subject);
  for_questions(session, [](Question& question) {
    std::vector<uint32_t> twice;
    for (const uint32_t position : question.all) twice.insert(twice.end(), {position, position});
    question.expect({.positions = twice}, "in a call that has every position twice");
    for (size_t i = 0; i < question.all.size(); i += 16)
      question.expect({.positions = std::vector<uint32_t>(70, question.all[i])},
                      "in a call that has this position 70 times");
  });
}

void check_mask(const Subject& subject) {
  Session session(subject);
  Draws draws(subject.seed);
  for_questions(session, [&](Question& question) {
    for (const uint64_t pattern : {uint64_t{0}, draws.number(), 0x5555'5555'5555'5555u}) {
      Cut cut{.positions = question.all,
              .mask = std::vector<uint64_t>((question.all.size() + 63) / 64, pattern)};
      question.expect(cut, "in a call with a mask");
    }
  });
}

void check_state(const Subject& subject) {
  Session session(subject);
  for_questions(session, [](Question& question) {
    for (int i = 0; i < 3; ++i)
      question.expect({.positions = question.all}, "when the same call is made again");
  });
}

// Answers by hook and pod, each with states that are prepared for it.
using Answers = std::vector<std::optional<std::vector<Answer>>>;

Answers ask_pods(Session& session, bool backwards) {
  Answers made;
  for (const auto& hook : row_hooks(session)) {
    const size_t begin = made.size();
    std::vector<model::PodId> pods = session.pods();
    if (backwards) std::ranges::reverse(pods);
    for (const model::PodId pod : pods) {
      made.emplace_back();
      if (hook->hook().depends() == BERTH_DEPENDS_EXTERNAL) continue;
      if (const auto asked = hook->begin(pod))
        made.back() = hook->ask(*asked, {.positions = hook->everything()});
    }
    if (backwards) std::reverse(made.begin() + static_cast<std::ptrdiff_t>(begin), made.end());
  }
  return made;
}

// `how`: the difference between the two.
void compare(Session& session, const Answers& one, const Answers& other, const std::string& how) {
  const auto hooks = row_hooks(session);
  for (size_t i = 0; i < one.size(); ++i) {
    RowHook& hook = *hooks[i / session.pods().size()];
    const model::PodId pod = session.pods()[i % session.pods().size()];
    if (one[i].has_value() != other[i].has_value())
      throw AnswersDiffer(hook.name(), hook.name() + " is called for pod " + session.pod_name(pod) +
                                           " or not, depending on " + how);
    for (size_t k = 0; one[i] && k < one[i]->size(); ++k) {
      // Ids of reasons are those of one state.
      const int64_t a = (*one[i])[k].value, b = (*other[i])[k].value;
      if (a == b) continue;
      throw AnswersDiffer(hook.name(), hook.name() + " answers " + value_text(hook, a) + " for " +
                                           hook.position_name(static_cast<uint32_t>(k)) +
                                           " and pod " + session.pod_name(pod) + ", and " +
                                           value_text(hook, b) + ", depending on " + how);
    }
  }
}

void check_history(const Subject& subject) {
  Session session(subject);
  static_cast<void>(some_row_hooks(session));
  const Answers first = ask_pods(session, false);
  compare(session, first, ask_pods(session, true), "which pods were asked about before");
  Session fresh(subject, session.library());
  compare(session, first, ask_pods(fresh, true), "the calls that the instance had before");
}

template <typename Ask>
void check_pods(Session& session, const std::string& point, Ask&& ask) {
  const auto whole = ask(session.pods());
  if (whole.empty()) return;
  const size_t count = session.pods().size();
  for (size_t i = 0; i < count; ++i) {
    const model::PodId pod = session.pods()[i];
    const auto alone = ask({pod});
    if (alone.empty() || alone[0] == whole[i]) continue;
    throw AnswersDiffer(point, point + " answers otherwise for pod " + session.pod_name(pod) +
                                   " in a call about " + std::to_string(count) +
                                   " pods than alone");
  }
  std::vector<model::PodId> reversed = session.pods();
  std::ranges::reverse(reversed);
  auto back = ask(reversed);
  std::ranges::reverse(back);
  const auto differs = std::ranges::mismatch(whole, back);
  if (differs.in1 == whole.end() || back.empty()) return;
  const auto at = static_cast<size_t>(differs.in1 - whole.begin());
  throw AnswersDiffer(point, point + " answers otherwise for pod " +
                                 session.pod_name(session.pods()[at]) +
                                 " when the pods are in reverse order");
}

void check_queue(const Subject& subject) {
  Session session(subject);
  if (session.profile().pre_enqueue.empty() && session.profile().queue_sort.empty())
    throw NotApplicable("the plugin has neither a PreEnqueue nor a QueueSort");
  using Pods = std::vector<model::PodId>;
  check_pods(session, "PreEnqueue", [&](const Pods& pods) { return gate_codes(session, pods); });
  check_pods(session, "QueueSort", [&](const Pods& pods) { return queue_keys(session, pods); });
}

constexpr std::string_view kHookPage = "abi/include/berth/abi/hook.h";
// The first finds what others would come upon, too: answers that change by themselves.
constexpr std::array<Check, 7> kRowChecks = {{
    {"rows.again", "Equal calls get equal answers.", kHookPage, "calls.hooks", check_state},
    {"rows.split", "The host may split the positions of a call: the answer for each is the same.",
     kHookPage, "calls.hooks", check_split},
    {"rows.order",
     "The host may permute positions: a position is an index into the arrays of the "
     "call and means nothing else.",
     kHookPage, "calls.hooks", check_order},
    {"rows.repetition", "The host may repeat positions: the answer for each is the same.",
     kHookPage, "calls.hooks", check_repetition},
    {"rows.mask", "The mask changes no answer of the positions in it.", kHookPage, "calls.hooks",
     check_mask},
    {"rows.history",
     "The answer depends only on the columns at the position and on the template's state, not on "
     "other pods and earlier calls.",
     kHookPage, "calls.hooks", check_history},
    {"rows.queue",
     "The answer for a pod depends only on the pod's columns, not on the other pods of the call.",
     "abi/include/berth/abi/enqueue.h", "calls.hooks", check_queue},
}};

}  // namespace

std::span<const Check> row_checks() { return kRowChecks; }

}  // namespace berth::validator
