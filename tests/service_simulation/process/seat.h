#pragma once

// A place where one process runs, and where another one starts when it has ended, as a kubelet
// starts a container again.

#include <cstdint>
#include <memory>
#include <string>

#include "tests/service_simulation/process/process.h"
#include "tests/service_simulation/world/rates.h"

namespace berth::service_simulation {

class Seat {
 public:
  struct Surroundings {
    apiserver::VirtualLoop& world;
    apiserver::Handler& server;
    Trace& trace;
    Marks& marks;
    std::function<void(const std::string& process, const kube::Request&)> sent;
  };

  // `name`: the beginning of the names of its processes. All outlive it.
  Seat(Surroundings around, Dice& dice, const Rates& rates, std::string name)
      : around_(std::move(around)), dice_(dice), rates_(rates), name_(std::move(name)) {}
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  // Null: it ended, and the next one starts in a moment.
  Process* process() { return process_.get(); }
  const Process* process() const { return process_.get(); }
  void start();

  void kill();
  void terminate();
  void pause();
  void jump();
  // The connection is there again after a while.
  void disconnect();
  void connect();

 private:
  void end();
  void start_again();

  const Surroundings around_;
  Dice& dice_;
  const Rates& rates_;
  const std::string name_;
  int started_ = 0;
  bool connected_ = true;
  std::unique_ptr<Process> process_;
};

}  // namespace berth::service_simulation
