#pragma once

// Nodes and pods as kubectl prints them: a List, item by item.

#include <string>
#include <string_view>

#include "engine/model/objects.h"

namespace berth::loadgen {

// Between `begin_list` and `end_list` come items, each of which is appended with its comma.
void begin_list(std::string_view note, std::string& out);
void append_node(const model::Node& node, bool first, std::string& out);
void append_pod(const model::Pod& pod, bool first, std::string& out);
void end_list(std::string& out);

}  // namespace berth::loadgen
