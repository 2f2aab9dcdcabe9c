// Threads: calls at once, and services of the host in functions that may not use them.

#include <time.h>

#include <array>
#include <atomic>
#include <thread>

#include "engine/base/sanitized.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/run/worker.h"
#include "engine/validator/families/families.h"
#include "engine/validator/trial/questions.h"

namespace berth::validator {
namespace {

void check_services(const Subject& subject) {
  Session session(subject);
  for (const auto& hook : some_row_hooks(session))
    for (const model::PodId pod : session.pods()) {
      const auto asked = hook->begin(pod);
      if (!asked) continue;
      // The host refuses such calls, and with it the answer.
      hook->ask(*asked, {.positions = hook->everything()});
    }
}

// Two calls at once, in a fixed order. The first call stops where it first touches each of its
// input arrays (GuardOptions::stops), and goes on when the second, on a thread of its own, has
// returned. So what the first keeps in memory of the instance at that time, the second may spoil.
class Turns {
 public:
  static void wait_for_second() { now_->wait(); }

  Turns() { now_ = this; }
  ~Turns() { now_ = nullptr; }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  // Runs `second` once for each time that `first` stops.
  template <typename First, typename Second>
  void run(First&& first, Second&& second) {
    turn_ = 0;
    std::thread thread([&] {
      host::use_fault_stack();
      host::Worker::is_slot(1);
      for (;;) {
        int turn = turn_.load();
        while (turn == kFirst) {
          pause();
          turn = turn_.load();
        }
        if (turn == kOver) return;
        second();
        int expected = kSecond;
        turn_.compare_exchange_strong(expected, kFirst);
      }
    });
    first();
    // The second may still run if the first did not wait for it to the end.
    turn_ = kOver;
    thread.join();
  }

 private:
  static constexpr int kFirst = 0, kSecond = 1, kOver = 2;

  static void pause() {
    const timespec shortly{0, 50'000};
    ::nanosleep(&shortly, nullptr);
  }
  // In the handler of a signal. A plugin may hold a lock that the second call waits for, so there
  // is an end to the patience.
  void wait() {
    turn_ = kSecond;
    for (int i = 0; i < 2'000 && turn_.load() == kSecond; ++i) pause();
  }

  static inline Turns* now_ = nullptr;
  std::atomic<int> turn_{kFirst};
};

// One side of a pair of calls.
struct Side {
  explicit Side(Question& question)
      : hook(question.hook), asked(question.asked), cut{.positions = question.all} {
    hook.gather(asked, cut, columns, names);
  }
  void call(Guarded* guarded) {
    failed = static_cast<bool>(reported(hook.call(asked, cut, calls, columns, guarded, answers)));
  }

  RowHook& hook;
  const Asked& asked;
  Cut cut;
  framework::CallColumns columns;
  std::vector<std::string> names;
  host::CallContext calls;
  std::vector<Answer> answers;
  bool failed = false;
};

void expect_equal(const Question& question, const Side& side) {
  for (size_t i = 0; i < question.all.size(); ++i) {
    if (!side.failed && side.answers[i] == question.answers[i]) continue;
    throw AnswersDiffer(
        question.hook.name(),
        question.hook.name() + " of pod " + question.session.pod_name(question.asked.pod) +
            " answers " + answer_text(question.hook, question.answers[i]) + " for " +
            question.hook.position_name(question.all[i]) + " alone, and " +
            (side.failed ? "reports an error" : answer_text(question.hook, side.answers[i])) +
            " when another thread calls it in between for another pod");
  }
}

void check_pair(Question& one, Question& other) {
  Side first(one), second(other);
  GuardOptions options;
  options.stops = true;
  Guarded guarded(options);
  guarded.take(first.columns.columns, first.names);
  std::string convicted;  // on the second thread
  set_interlude(Turns::wait_for_second);
  Turns turns;
  turns.run([&] { first.call(&guarded); },
            [&] {
              try {
                if (convicted.empty()) second.call(nullptr);
              } catch (const Conviction& failure) {
                convicted = failure.what();
              }
            });
  set_interlude(nullptr);
  if (!convicted.empty()) throw Conviction(convicted);
  expect_equal(one, first);
  if (!second.answers.empty()) expect_equal(other, second);
}

void check_threads(const Subject& subject) {
  Session session(subject);
  watch_guards();
  size_t pairs = 0;
  for (const auto& hook : some_row_hooks(session)) {
    if (hook->hook().depends() == BERTH_DEPENDS_EXTERNAL) continue;
    std::vector<Asked> asked;
    for (const model::PodId pod : session.pods())
      if (auto one = hook->begin(pod)) asked.push_back(std::move(*one));
    std::vector<Question> questions;
    for (const Asked& one : asked)
      if (auto answers = hook->ask(one, {.positions = hook->everything()}))
        questions.push_back({session, *hook, one, hook->everything(), std::move(*answers)});
    for (size_t i = 0; i + 1 < questions.size(); ++i, ++pairs)
      check_pair(questions[i], questions[i + 1]);
  }
  if (pairs == 0) throw NotApplicable("a host calls the hooks for fewer than two pods");
}

constexpr std::array<Check, 2> kServiceChecks = {{
    {"threads.services",
     "A plugin calls a function of a service only from functions with one of its tags, and asks "
     "for the time and random numbers only where answers are not kept.",
     "abi/include/berth/abi/base.h", "calls.hooks", check_services},
    {"threads.rows", "[rows] functions run on any number of threads at once.",
     "abi/include/berth/abi/base.h", "rows.history", check_threads, false, true},
}};

}  // namespace

std::span<const Check> service_checks() { return kServiceChecks; }

}  // namespace berth::validator
