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
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "engine/host/instance/config_tree.h"
#include "engine/host/loading/library.h"

namespace berth::validator {

struct GivenObjects;  // world/given.h

// The way in which a plugin that is checked runs in a process of its own.
struct Apart {
  std::function<std::shared_ptr<const host::Library>(const std::filesystem::path& file)> load;
  // The failure of a plugin's process in a call of this process, if there was one; else empty.
  std::function<std::string()> failure;
};

// The plugin that is checked. What it refers to outlives the checks.
struct Subject {
  std::filesystem::path file;
  host::Arguments arguments;            // of the instances that checks make
  uint64_t seed = 0;                    // of the cluster, its history and of garbage
  const GivenObjects* given = nullptr;  // in the cluster beside what is made up; null: none
  const Apart* apart = nullptr;         // null: the plugin runs in the process of the check
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

// Answers of a hook differ where the contract says that they are the same. A plugin with one such
// fault most often meets other checks in the same way, which say nothing new (runner.h).
struct AnswersDiffer : Conviction {
  AnswersDiffer(std::string of, const std::string& text) : Conviction(text), hook(std::move(of)) {}
  std::string hook;  // "Filter"
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
  // True: it looks at the process and the memory in which the plugin's code is, so that it has
  // nothing to look at if that is another process.
  bool looks_at_process = false;
};

// All checks, in the order in which they run: each after the one that it needs.
std::span<const Check> all_checks();
// Null: there is none of that name.
const Check* find_check(std::string_view name);

}  // namespace berth::validator
