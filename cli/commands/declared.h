#pragma once

// The part of `berth plugin describe` that needs an instance: the inputs of each extension point,
// and the services.

#include <memory>
#include <string>
#include <vector>

#include "engine/document/json/json_writer.h"
#include "engine/host/loading/library.h"

namespace berth::cli {

// A column, or a family of columns ("node.label:*").
struct DeclaredInput {
  std::string column;
  std::string table;  // as abi/columns.md names it: "nodes"
  std::string type;   // of its elements: "u32", "u64 list"
};

struct DeclaredHook {
  std::string point;    // "Filter"
  std::string depends;  // "declared", "feasible" or "external", as BERTH_DEPENDS_
  std::string space;    // empty: the point's own
  std::vector<DeclaredInput> inputs;
};

struct Declared {
  std::vector<DeclaredHook> hooks;    // in the order of the plugin's points
  std::vector<std::string> services;  // ids of those that `init` looked up
  // Why there is no instance, so that nothing above is known. Empty: there was one.
  std::string problem;
  // The plugin takes being without arguments, and no instance came of it: no run could use it.
  bool unusable = false;
};

// Runs `validate`, `create`, `init` and `destroy` of the plugin, without arguments.
Declared declared_by(const std::shared_ptr<const host::Library>& library);

// The last lines of the description.
std::string declared_text(const Declared& declared);
// The last members of the object that is being written.
void write_declared(document::PrettyJsonWriter& json, const Declared& declared);

}  // namespace berth::cli
