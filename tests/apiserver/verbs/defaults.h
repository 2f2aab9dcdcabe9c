#pragma once

// What a server adds to new objects, as far as scheduling depends on it.

#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

// Drops a status that a create may not set, and fills in defaults of the kind. Throws Problem if an
// admission refuses the object.
void fill_in(Core& core, const Resource& resource, json::value& tree);

// The condition of a type in status.conditions, of which it is the only one, with the time of the
// change if there was another status or none.
void set_condition(json::value& tree, std::string_view type, std::string_view status,
                   const std::string& now, json::object more = {});

// The objects of a new server: namespaces, priority classes, and the config map of
// client_authority.
void add_first_objects(Core& core);

}  // namespace berth::apiserver
