#pragma once

// The interface of a check of one plugin against the contract (abi/).
//
// A check is a function that loads the plugin, calls it and looks at what it does. It runs in a
// child process of its own (child.h), so a plugin that crashes, hangs, ends the process or breaks
// the memory of its host spoils nothing but that check. A check that returns has found nothing; it
// throws Conviction or NotApplicable otherwise.
//
// To add a check: write the function in the file of its family (families/), and name it in the
// family's table with what the contract says. tests/validator has a plugin for each check that the
// check must convict.

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/host/instance/config_tree.h"

namespace berth::validator {

// The plugin that is checked. What it refers to outlives the checks.
struct Subject {
  std::filesystem::path file;
  host::Arguments arguments;  // of the instances that checks make
  uint64_t seed = 0;          // of the cluster, its history and of garbage
};

// The plugin broke the contract. The text says what was seen.
struct Conviction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A Filter or a Score, or what is called before it, called a service that it may not. Any check
// that calls them comes upon it, and one convicts the plugin (runner.h).
struct ServiceMisuse : Conviction {
  using Conviction::Conviction;
};

// The plugin has nothing that the check looks at. The text says what is missing.
struct NotApplicable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Check {
  std::string_view name;      // "FAMILY.WHAT"; never changes its meaning
  std::string_view contract;  // the rule, as a sentence about a plugin
  std::string_view page;      // the file that states it
  std::string_view needs;     // another check, without which this one is not run; empty: none
  void (*run)(const Subject& subject);
  // True: the child then ends by exit(), which runs static destructors, also those of the plugin.
  bool ends_by_exit = false;
};

// All checks, in the order in which they run: each after the one that it needs.
std::span<const Check> all_checks();
// Null: there is none of that name.
const Check* find_check(std::string_view name);

}  // namespace berth::validator
