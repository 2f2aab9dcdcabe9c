#pragma once

// Claims and volumes of a simulation: which there are, and which pods use them. The controller of
// the core binds them; its delay and its failures are drawn here.
//
// It draws with dice of its own, so that the rest of a seed's history is the same with volumes and
// without.

#include <optional>
#include <string>

#include "engine/runtime/core.h"
#include "tests/simulation/world/draws.h"

namespace berth::simulation {

class Storage {
 public:
  // `history`: volumes are tied to zones, and claims come and go; a pod may lose its place for
  // good.
  Storage(uint64_t seed, bool history);
  void attach(runtime::Core& core) { core_ = &core; }

  // Nothing: there are no volumes.
  std::optional<runtime::VolumeControllerOptions> controller() const { return controller_; }
  // Classes and claims.
  void begin();
  // The node of that name came.
  void node_came(const std::string& name);
  // Gives some pods a claim of their namespace.
  void equip(model::Pod& pod);
  // A claim changes or goes, or a volume comes; nothing without histories. In words; empty:
  // nothing.
  std::string change();

 private:
  void put(const model::VolumeObject& object);
  model::PersistentVolumeClaim draw_claim(const std::string& namespace_name, int number);

  Dice dice_;
  bool history_;
  runtime::Core* core_ = nullptr;
  std::optional<runtime::VolumeControllerOptions> controller_;
  int uids_ = 0, volumes_ = 0;
};

}  // namespace berth::simulation
