#pragma once

// The faults of the server, which change in the course of a history.

#include "tests/apiserver/api/server.h"
#include "tests/service_simulation/marks.h"
#include "tests/service_simulation/trace.h"
#include "tests/service_simulation/world/rates.h"

namespace berth::service_simulation {

class Weather {
 public:
  // All outlive this.
  Weather(apiserver::ApiServer& server, Dice& dice, const Rates& rates, Trace& trace, Marks& marks)
      : server_(server), dice_(dice), rates_(rates), trace_(trace), marks_(marks) {}

  void change();
  void clear();

 private:
  using Rule = apiserver::FaultRule;
  void maybe(Rule rule);

  apiserver::ApiServer& server_;
  Dice& dice_;
  const Rates& rates_;
  Trace& trace_;
  Marks& marks_;
};

}  // namespace berth::service_simulation
