#pragma once

// The revisions of extension points that this host accepts. A point may have several: the id of its
// table in berth/abi/*.h, and former ones.
//
// A former id that means the same as the current one has no adapter: its tables are taken as they
// are. That is how an id goes on to load when it got a later revision without a change. A former id
// with other functions has an adapter, which makes a current table of the plugin's.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/base.h"
#include "engine/base/points.h"

namespace berth::host {

// A plugin's table of a former revision as a table of the current one. Immutable once made, so that
// its functions have the thread tags of the current table. The plugin's instance outlives it.
class AdaptedTable {
 public:
  virtual ~AdaptedTable() = default;
  // The plugin that the functions of the table, and those of its hook, get.
  virtual berth_plugin* plugin() = 0;
  virtual const void* table() const = 0;
};

// Checks a table that the plugin returned for a former id, and adapts it. Throws Error without a
// place, whose text follows "its table for ID ".
using Adapter = std::unique_ptr<AdaptedTable> (*)(berth_plugin* plugin, const void* table);

struct Revision {
  std::string_view id;  // "berth.filter/0"
  Point point{};
  Adapter adapt = nullptr;  // null: the table is a current one
};

// Of each point the current revision comes before former ones.
using Revisions = std::span<const Revision>;

// Those of this host.
Revisions host_revisions();

// The id of the point's current revision: "berth.filter/0".
std::string_view point_id(Point point);

// Null: `revisions` has none with this id.
const Revision* find_revision(Revisions revisions, std::string_view id);

// Of each point that a plugin implements in an accepted revision, the one that comes first in
// `revisions`, in the order in which the plugin names the points. The pointers are into
// `revisions`.
std::vector<const Revision*> choose_revisions(Revisions revisions,
                                              std::span<const std::string> offered);

// The ids that `revisions` has for the point of `id`, whatever its revision ("berth.filter/1,
// berth.filter/0"); empty if it has none.
std::string accepted_revisions(Revisions revisions, std::string_view id);

}  // namespace berth::host
