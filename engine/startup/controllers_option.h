#pragma once

// The option --controllers: which controllers a run plays.

#include <CLI/CLI.hpp>
#include <optional>

#include "engine/played/controllers/controller_list.h"

namespace berth::startup {

struct ControllersOption {
  // Without a value, all in virtual time; with the machine's clock the cluster has its own.
  std::optional<played::ControllerList> list{};

  played::ControllerList played(bool by_wall_clock) const {
    if (list) return *list;
    return by_wall_clock ? played::ControllerList::none() : played::ControllerList::all();
  }
  // `clock`: how the command names its virtual clock: "--clock=virtual".
  void add_to(CLI::App& command, const char* clock);
};

}  // namespace berth::startup
