#pragma once

// The columns that a server shows of pods, nodes and events.

#include <span>
#include <string_view>

#include "tests/apiserver/api/clock.h"
#include "tests/apiserver/objects/json.h"
#include "tests/apiserver/resources/resource.h"

namespace berth::apiserver {

struct Column {
  std::string_view name;
  bool wide = false;  // only `kubectl get -o wide` shows it
};

// Columns, and the cells of an object in their order, all texts. The first column is a name if
// there is one of that name.
struct Columns {
  std::span<const Column> columns;
  json::array (*cells)(const json::value& object, Nanoseconds now);
};

// Null: the kind has no columns of its own.
const Columns* columns_of(const Resource& resource);

}  // namespace berth::apiserver
