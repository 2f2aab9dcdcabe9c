#pragma once

// What happens in phase one: objects come, change and go, pods are decided, the clock jumps.

#include <functional>
#include <string>
#include <vector>

#include "tests/simulation/world/server.h"
#include "tests/simulation/world/storage.h"

namespace berth::simulation {

class Script {
 public:
  // `note` takes what is done, in words.
  Script(Dice& dice, const Rates& rates, Server& server, Storage& storage, Marks& marks,
         std::function<void(std::string)> note)
      : dice_(dice),
        rates_(rates),
        server_(server),
        storage_(storage),
        marks_(marks),
        note_(std::move(note)) {}
  void attach(runtime::Core& core, played::ApiServer& api) {
    core_ = &core;
    api_ = &api;
  }

  // The cluster at the beginning.
  void begin();
  // One thing happens.
  void act();

 private:
  model::Pod new_pod();
  std::string some_pod();  // of the server; empty: it has none
  std::string some_node();
  void put_node(uint32_t number);

  void jump();
  void create();
  void decide();
  void settle();
  void remove();
  void update();
  void change_node();
  void between();
  void answer_waiting();
  void bind_elsewhere();
  void recreate();
  void change_relations();

  Dice& dice_;
  const Rates& rates_;
  Server& server_;
  Storage& storage_;
  Marks& marks_;
  std::function<void(std::string)> note_;
  runtime::Core* core_ = nullptr;
  played::ApiServer* api_ = nullptr;
  std::vector<model::Pod> kinds_;  // that most pods are of
  uint32_t nodes_ = 0, pods_ = 0, uids_ = 0;
};

}  // namespace berth::simulation
