#include "tests/service_simulation/simulation.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "tests/apiserver/api/server.h"
#include "tests/service_simulation/checks/observer.h"
#include "tests/service_simulation/checks/rest.h"
#include "tests/service_simulation/process/seat.h"
#include "tests/service_simulation/world/users.h"
#include "tests/service_simulation/world/weather.h"

namespace berth::service_simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr apiserver::Nanoseconds kStart = 1'784'020'000 * apiserver::kSecond;
// Behind the last fault: a reflector waits for a minute at most before it asks again, a lease that
// nobody gave back for 15 s, and a pod that failed for 10 s.
constexpr Time kCalm = seconds(150);
// The queue has looked for pods that wait for too long. One flush may make room, another use it.
constexpr Time kFlush = seconds(400);
constexpr int kFlushes = 6;
constexpr Time kLongestGrace = seconds(31);

apiserver::Options server_options(uint64_t seed) {
  apiserver::Options options;
  options.seed = mix(seed + 11);
  return options;
}

class Simulation {
 public:
  explicit Simulation(uint64_t seed)
      : users_dice_(mix(seed)),
        weather_dice_(mix(seed + (uint64_t{1} << 62))),
        process_dice_(mix(seed + (uint64_t{1} << 63))),
        rates_(draw_rates(process_dice_)),
        world_(kStart),
        clock_(world_),
        server_(server_options(seed), clock_),
        trace_([this] { return world_.now(); }),
        observer_(server_, trace_, marks_),
        client_(server_),
        users_(client_, users_dice_, rates_, trace_, marks_),
        weather_(server_, weather_dice_, rates_, trace_, marks_) {}

  Outcome run() {
    users_.begin();
    observer_.expect_elections(rates_.elects);
    for (int i = 0; i < rates_.processes; ++i) {
      seats_.push_back(std::make_unique<Seat>(
          Seat::Surroundings{world_, server_, trace_, marks_,
                             [this](const std::string& process, const kube::Request& request) {
                               observer_.sent(process, request);
                             }},
          process_dice_, rates_, std::string(1, static_cast<char>('A' + i))));
      seats_.back()->start();
    }
    weather_.change();
    control();
    for (int step = 0; step < rates_.steps; ++step) this->step();
    heal();
    Outcome outcome;
    outcome.fault = trace_.fault();
    outcome.until_fault = trace_.until_fault();
    outcome.events = trace_.take();
    outcome.marks = marks_.counts();
    outcome.placed = observer_.bindings();
    return outcome;
  }

 private:
  void step() {
    users_.act();
    if (weather_dice_.chance(rates_.weather_changes)) weather_.change();
    for (const auto& seat : seats_) {
      if (process_dice_.chance(rates_.connections)) seat->disconnect();
      if (process_dice_.chance(rates_.jumps)) seat->jump();
      if (process_dice_.chance(rates_.pauses)) seat->pause();
      if (process_dice_.chance(rates_.crashes)) seat->kill();
      if (process_dice_.chance(rates_.ends)) seat->terminate();
    }
    world_.run_for(milliseconds(users_dice_.number(0, rates_.most_pause)));
  }
  void control() {
    users_.control();
    world_.after(seconds(1), [this] { control(); });
  }

  // Phase two.
  void heal() {
    trace_.add("all faults end");
    weather_.clear();
    for (const auto& seat : seats_) seat->connect();
    users_.collect_garbage();
    world_.run_for(kCalm);
    for (int i = 0; i < 6 && pods_leave(client_); ++i) world_.run_for(2 * kLongestGrace);
    check_rest();
    std::map<std::string, std::string> waiting = placeable_pods(client_);
    if (waiting.empty()) return;
    observer_.describe();
    for (const auto& [pod, words] : waiting) {
      trace_.add(pod + " waits: " + words + words_of(pod));
      if (!has_no_event(pod, words)) trace_.wrong(pod + " waits: " + words + words_of(pod));
    }
    for (int flush = 0; flush < kFlushes && !waiting.empty(); ++flush) {
      world_.run_for(kFlush);
      waiting = placeable_pods(client_);
    }
    for (const auto& [pod, words] : waiting)
      trace_.wrong(pod + " waits after the flush: " + words + words_of(pod));
  }
  void check_rest() {
    int leaders = 0;
    for (const auto& seat : seats_) {
      const Process* process = seat->process();
      if (process == nullptr) {
        trace_.wrong("a process is not there");
        continue;
      }
      leaders += process->may_write();
      for (const std::string& words : {process->unfinished(), process->fault()})
        if (!words.empty()) trace_.wrong(process->name() + ": " + words);
    }
    if (leaders != 1) trace_.wrong(std::to_string(leaders) + " processes may write");
  }
  std::string words_of(const std::string& pod) const {
    std::string words;
    for (const auto& seat : seats_)
      if (const Process* process = seat->process())
        words += "; " + process->name() + " " + process->waiting(pod).words;
    return words;
  }
  // As in tests/simulation/checks/inspection.cc: kube-scheduler has no event for what makes
  // preemption possible, for pods that leave with their anti-affinity against others, and for the
  // end of a nomination that spreading counted; nor for the room of a pod that another scheduler
  // binds. Such pods wait for the flush there, too.
  bool has_no_event(const std::string& pod, const std::string& words) const {
    if (words.find("by preemption") != words.npos) return true;
    const auto is_silent = [](const std::string& plugin) {
      return plugin == "InterPodAffinity" || plugin == "PodTopologySpread";
    };
    return std::ranges::any_of(seats_, [&](const auto& seat) {
      const Process* process = seat->process();
      if (process == nullptr || !process->may_write()) return false;
      return std::ranges::any_of(process->waiting(pod).refused_by, is_silent) ||
             process->left_in_silence(words.substr(words.rfind(' ') + 1));
    });
  }

  Dice users_dice_, weather_dice_, process_dice_;
  const Rates rates_;
  Marks marks_;
  apiserver::VirtualLoop world_;
  apiserver::VirtualClock clock_;
  apiserver::ApiServer server_;
  Trace trace_;
  Observer observer_;
  Client client_;
  Users users_;
  Weather weather_;
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace

Outcome play(uint64_t seed) { return Simulation(seed).run(); }

Outcome play_twice(uint64_t seed) {
  Outcome first = play(seed);
  const Outcome second = play(seed);
  if (first.events == second.events) return first;
  const auto [mine, other] = std::ranges::mismatch(first.events, second.events);
  const auto words = [](const auto& at, const auto& events) {
    return at == events.end() ? std::string("(nothing)") : *at;
  };
  first.fault =
      "two runs differ:\n" + words(mine, first.events) + "\nand\n" + words(other, second.events);
  return first;
}

}  // namespace berth::service_simulation
