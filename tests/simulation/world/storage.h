#pragma once

// Claims and volumes of a simulation: which there are, and which pods use them. The controller of
// the core binds them; its delay and its failures are drawn here.
//
// It draws with dice of its own, so that the rest of a seed's history is the same with volumes and
// without.

#include <optional>
#include <string>

#include "engine/played/api_server.h"
#include "tests/simulation/world/draws.h"

namespace berth::simulation {

class Storage {
 public:
  // `history`: volumes are tied to zones, and claims come and go; a pod may lose its place for
  // good.
  Storage(uint64_t seed, bool history);
  void attach(runtime::Core& core, played::ApiServer& server) {
    core_ = &core;
    server_ = &server;
  }

  // Nothing: there are no volumes.
  std::optional<played::VolumeControllerOptions> controller() const { return controller_; }
  // StorageCapacityScoring, with half of the histories that have volumes.
  Rules rules() const { return rules_; }
  // Classes, claims, and what drivers publish of their capacity.
  void begin();
  // The node of that name came.
  void node_came(const std::string& name);
  // Gives some pods a claim of their namespace.
  void equip(model::Pod& pod);
  // A claim or a capacity changes or goes, or a volume comes; nothing without histories. In words;
  // empty: nothing.
  std::string change();

 private:
  void put(const model::VolumeObject& object);
  model::PersistentVolumeClaim draw_claim(const std::string& namespace_name, int number);
  // Of a zone; without histories of all nodes, and enough for every claim.
  model::CsiStorageCapacity draw_capacity(const std::string& zone);

  Dice dice_;
  Dice capacity_dice_;  // of its own, for the same reason
  bool history_;
  runtime::Core* core_ = nullptr;
  played::ApiServer* server_ = nullptr;
  std::optional<played::VolumeControllerOptions> controller_;
  Rules rules_;
  int uids_ = 0, volumes_ = 0;
};

}  // namespace berth::simulation
