#pragma once

// One process of `berth serve`, from its start to its end, in virtual time: the state machines of
// the network's thread, and the owner of the core, whose turns come a moment after what they are
// about. What cli/serve/service.cc has beside these is sockets and threads.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/service/loop/scheduling.h"
#include "engine/service/network/server_link.h"
#include "tests/apiserver/virtual/http.h"
#include "tests/properties/dice.h"
#include "tests/service_simulation/marks.h"
#include "tests/service_simulation/process/gate.h"
#include "tests/service_simulation/process/process_loop.h"
#include "tests/service_simulation/trace.h"

namespace berth::service_simulation {

struct ProcessSettings {
  std::string name;  // of the lease's holder; another one for each process
  uint64_t seed = 0;
  bool elects = false;
  double qps = 50;
  int burst = 100;
  size_t most_under_way = 5000;
  size_t bind_batch = 0;  // 0: the default
  apiserver::Network network;
};

class Process {
 public:
  struct Surroundings {
    apiserver::VirtualLoop& world;
    apiserver::Handler& server;
    Trace& trace;
    Marks& marks;
    // Each request of the process, as it leaves.
    std::function<void(const std::string& process, const kube::Request&)> sent;
    // The process ends. It is not to be destroyed within the call.
    std::function<void()> ended;
  };

  // All references outlive it. It starts.
  Process(Surroundings around, ProcessSettings settings);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  // As SIGKILL.
  ~Process();

  const std::string& name() const { return settings_.name; }
  // SIGTERM.
  void terminate();
  void pause(Time time) { loop_.pause(loop_.now() + time); }
  void jump(Time by) { loop_.jump(by); }
  void set_connected(bool connected) { network_.set_connected(connected); }

  bool may_write() const { return link_.may_write(); }
  // What the queue has about the pod.
  struct Waiting {
    std::string words;
    std::vector<std::string> refused_by;  // plugins
  };
  Waiting waiting(const std::string& pod) const;
  // Another scheduler bound a pod that counted on this node here: kube-scheduler has no event for
  // the room that this leaves (deletePodFromSchedulingQueue).
  bool left_in_silence(const std::string& node) const { return silent_.contains(node); }
  // Something that was begun is not done: writes, bindings, pods that could be tried now.
  std::string unfinished() const;
  // The first thing that is wrong with the state of the core; empty: nothing is.
  std::string fault() const { return scheduling_.core().fault(); }

 private:
  service::LinkOptions link_options() const;
  service::SchedulingOptions scheduling_options() const;
  Gate::Calls gate_calls();
  void answered(const kube::Request& request, const kube::Answer& answer, Time took, bool streamed);
  void post(std::function<void()> call);
  void say(const std::string& words);
  void report(const runtime::Report& report);
  void follow(const runtime::Report& report);
  void look();
  void plan(Time when);
  void turn();
  void finish();
  void end(int status);

  const Surroundings around_;
  const ProcessSettings settings_;
  tests::Dice dice_;
  service::Inbox inbox_;
  ProcessLoop loop_;
  const Time begun_;
  apiserver::VirtualHttp network_;
  Gate gate_;
  service::ServerLink link_;
  service::Scheduling scheduling_;
  std::map<std::string, std::string> assumed_;  // nodes by pods
  std::set<std::string> silent_;                // see left_in_silence()
  Time posted_{};                               // when the last call crosses
  uint64_t turn_ = 0;                           // timer
  Time turn_at_{};
  bool over_ = false;  // the owner makes no turns
};

}  // namespace berth::service_simulation
