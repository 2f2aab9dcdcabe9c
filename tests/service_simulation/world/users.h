#pragma once

// What happens in the cluster beside the scheduler: pods and nodes come, change and go; another
// scheduler binds pods; a controller binds volumes; a kubelet ends pods.
//
// Other schedulers use nodes of their own, once the first process has started: two schedulers that
// share a node overfill it, whatever they do.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/service_simulation/marks.h"
#include "tests/service_simulation/trace.h"
#include "tests/service_simulation/world/client.h"
#include "tests/service_simulation/world/rates.h"

namespace berth::service_simulation {

class Users {
 public:
  // All outlive this.
  Users(Client& client, Dice& dice, const Rates& rates, Trace& trace, Marks& marks)
      : client_(client), dice_(dice), rates_(rates), trace_(trace), marks_(marks) {}

  void begin();
  // One thing happens.
  void act();
  // Controllers do their work.
  void control();
  // Pods on nodes that are gone go, too.
  void collect_garbage();

 private:
  struct Node {
    std::string name;
    int64_t cpu = 0;  // milli
    int64_t pods = 0;
    bool present = false;
  };
  using Json = apiserver::json::value;

  void add_class(const std::string& name, int value, bool preempts);
  void put_node(Node& node);
  void add_others_node();
  Json pod(const std::string& name);
  void add_relations(Json& spec, const std::string& app);
  void add_volume(Json& spec);
  void create_pod();
  void create_pod(const std::string& name);
  void create_foreign_pod();
  void delete_pod();
  void recreate_pod();
  void finish_pod();
  void label_pod();
  void open_gate();
  void bind_by_another();
  void delete_node();
  void restore_node();
  void cordon_node();
  void grow_node();
  std::string any_pod();
  Node& any_node();

  Client& client_;
  Dice& dice_;
  const Rates& rates_;
  Trace& trace_;
  Marks& marks_;
  std::vector<Node> nodes_;
  std::vector<std::string> pods_;  // names of pods that may be there
  int last_pod_ = 0, last_volume_ = 0;
};

}  // namespace berth::service_simulation
