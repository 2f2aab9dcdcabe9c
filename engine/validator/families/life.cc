// The life of instances: how they begin, live beside each other, and end.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "engine/base/sanitized.h"
#include "engine/validator/families/families.h"
#include "engine/validator/trial/row_hook.h"

namespace berth::validator {
namespace {

void check_start(const Subject& subject) { const Session session(subject); }

// The columns that a hook declares, as one text.
std::string declaration(const host::Hook& hook) {
  std::string text = "space \"" + hook.space() + "\", depends " + std::to_string(hook.depends());
  for (const std::string& input : hook.inputs()) text += ", " + input;
  return text;
}

void check_instances(const Subject& subject) {
  auto first = std::make_unique<Session>(subject);
  auto second = std::make_unique<Session>(subject, first->library());
  for (const Point point : first->library()->points()) {
    const std::string one = declaration(*first->instance().hook(point));
    const std::string other = declaration(*second->instance().hook(point));
    if (one != other)
      throw Conviction("with equal arguments one instance declares for " +
                       std::string(point_name(point)) + " " + one + " and another " + other);
  }
  // The second outlives the first, and goes on answering.
  const auto ask_all = [](Session& session) {
    std::vector<std::pair<std::string, std::vector<Answer>>> answers;  // by hook
    for (const auto& hook : row_hooks(session))
      for (const model::PodId pod : session.pods())
        if (const auto asked = hook->begin(pod))
          if (const auto made = hook->ask(*asked, {.positions = hook->everything()}))
            answers.emplace_back(hook->name(), *made);
    return answers;
  };
  const auto before = ask_all(*second);
  first.reset();
  const bool external = [&] {
    for (const auto& hook : row_hooks(*second))
      if (hook->hook().depends() == BERTH_DEPENDS_EXTERNAL) return true;
    return false;
  }();
  const auto after = ask_all(*second);
  if (external || before == after) return;
  const auto differs = std::ranges::mismatch(before, after);
  const std::string hook = differs.in1 != before.end() ? differs.in1->first : "a hook";
  throw AnswersDiffer(hook, hook + " answers otherwise after another instance was destroyed");
}

void check_exit(const Subject& subject) { const Session session(subject); }

size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

// Repeats `step` and looks at the memory of the process. A leak of a few bytes in each step shows
// in both halves; caches that fill up show in the first alone.
template <typename Step>
void expect_no_growth(const std::string& what, size_t steps, Step&& step) {
  for (size_t i = 0; i < steps / 4; ++i) step();
  size_t grown[2];
  for (size_t& half : grown) {
    const size_t before = resident_bytes();
    for (size_t i = 0; i < steps; ++i) step();
    const size_t after = resident_bytes();
    half = after > before ? after - before : 0;
  }
  const size_t least = steps * 8;  // of what an allocator gives for the smallest block
  if (grown[0] < least || grown[1] < least) return;
  throw Conviction(what + " " + std::to_string(steps) + " times takes " +
                   std::to_string(grown[1] / 1024) + " KiB that are not given back");
}

void check_leaks(const Subject& subject) {
  if (kSanitized) throw NotApplicable("memory is not measured in a build with a sanitizer");
  Session session(subject);
  const auto prepare_all = [&](auto& hooks) {
    for (auto& at : hooks) {
      if (!at.point->prepares()) continue;
      size_t next = 0;
      expect_no_growth("preparing a state for " + std::string(point_name(at.point->point())) +
                           " and releasing it",
                       20'000, [&] {
                         const model::PodId pod = session.pods()[next++ % session.pods().size()];
                         at.bound.prepare_anew(session.pod(pod), session.calls());
                       });
    }
  };
  prepare_all(session.profile().pre_filter);
  prepare_all(session.profile().filter);
  prepare_all(session.profile().pre_score);
  prepare_all(session.profile().score);
  expect_no_growth("creating an instance and destroying it", 2'000, [&] {
    host::HookTable hooks;
    const host::Instance instance(session.library(), session.environment(hooks), session.calls(),
                                  subject.arguments);
  });
}

void check_row_leaks(const Subject& subject) {
  if (kSanitized) throw NotApplicable("memory is not measured in a build with a sanitizer");
  Session session(subject);
  for (const auto& hook : some_row_hooks(session))
    for (const model::PodId pod : session.pods()) {
      const auto asked = hook->begin(pod);
      if (!asked) continue;
      const Cut cut{.positions = {0, 1}};
      expect_no_growth("calling " + hook->name(), 20'000, [&] { hook->ask(*asked, cut); });
      break;
    }
}

constexpr std::array<Check, 2> kLifeChecks = {{
    {"life.start",
     "create makes an instance, init succeeds with arguments that validate accepts, and extension "
     "returns a complete table for each extension point of the note.",
     "abi/include/berth/abi/plugin.h", "identity.load", check_start},
    {"life.exit", "Nothing that a plugin leaves behind disturbs the end of the process.",
     "abi/README.md", "life.start", check_exit, true, true},
}};

constexpr std::array<Check, 3> kLaterLifeChecks = {{
    {"life.instances",
     "An instance belongs to one profile: several live at one time and end in any order.",
     "abi/include/berth/abi/plugin.h", "calls.hooks", check_instances},
    {"life.leaks", "release ends a state, and destroy everything that an instance holds.",
     "abi/include/berth/abi/hook.h", "calls.hooks", check_leaks, false, true},
    {"life.leaks_in_calls", "A call leaves nothing behind: on hot paths the host allocates.",
     "abi/include/berth/abi/base.h", "calls.hooks", check_row_leaks, false, true},
}};

}  // namespace

std::span<const Check> life_checks() { return kLifeChecks; }
std::span<const Check> later_life_checks() { return kLaterLifeChecks; }

}  // namespace berth::validator
