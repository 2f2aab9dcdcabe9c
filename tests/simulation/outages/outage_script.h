#pragma once

// The script of a simulation of outages. At drawn times of the core's clock kubelets stop, nodes
// fail, are deleted, drained or short of memory, somebody asks for evictions, or workloads grow and
// shrink. Each thing that ails a node ends after a drawn time, at the latest when all is healed.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/played/api_server.h"
#include "engine/runtime/core.h"
#include "tests/simulation/outages/machines.h"
#include "tests/simulation/outages/outage_marks.h"
#include "tests/simulation/outages/outage_world.h"

namespace berth::simulation {

struct OutageAct {
  Time at{};
  std::string words;
  std::function<void()> act;
};

class OutageScript {
 public:
  using OnScaled = std::function<void(const std::string& workload, uint64_t replicas)>;

  // All of it outlives the script. `on_scaled` is called before the API server hears of it.
  OutageScript(Dice& dice, OutageWorld& world, Machines& machines, OutageMarks& marks,
               OnScaled on_scaled);
  void attach(runtime::Core& core, played::ApiServer& api) {
    core_ = &core;
    api_ = &api;
  }

  // The cluster and its workloads, whose controllers make the pods.
  void begin();
  // All that happens, in order. To be called once.
  std::vector<OutageAct> draw();
  void heal();
  // The pods by which the workload was made smaller, over all times.
  uint64_t fewer(const std::string& workload) const;

 private:
  using Act = std::function<void()>;

  void plan(Time at, std::string words, Act act);
  // Two acts: one at a drawn time and the other one later.
  void plan_episode(const std::string& words, Act begins, Act ends);
  void plan_something();
  void plan_node(const std::string& node);
  void plan_deletion(const std::string& node);
  void plan_shortage(const std::string& node);
  void plan_drain(const std::string& node);
  void plan_zone();
  void plan_evictions();
  void plan_scale();
  // The same, and it is counted.
  Act marked(Outage mark, Act act);
  // Changes the node's state, and tells of it.
  Act set(const std::string& node, std::function<void(Machine&)> change);

  void use_memory(const std::string& node, bool pods);
  void free_memory(const std::string& node);
  void measure_node(const std::string& node, int64_t mebi);
  void measure_pod(const std::string& pod, int64_t mebi);
  void evict_some(int64_t count);
  void scale(size_t workload, uint64_t replicas);

  Dice& dice_;
  OutageWorld& world_;
  Machines& machines_;
  OutageMarks& marks_;
  const OnScaled on_scaled_;
  runtime::Core* core_ = nullptr;
  played::ApiServer* api_ = nullptr;
  std::vector<OutageAct> acts_;
  std::map<std::string, std::set<std::string>> measured_;  // pods, by node
  std::map<std::string, uint64_t> fewer_;                  // by workload
};

}  // namespace berth::simulation
