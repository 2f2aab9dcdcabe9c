#pragma once

// Kubernetes objects as kubectl prints them, compact, without a newline. Read back with
// ingest's decoders they are the same again, but for what they say in another order.

#include <string>
#include <string_view>

#include "engine/model/objects/objects.h"

namespace berth::loadgen {

void append(const model::Node& node, std::string& out);
void append(const model::Pod& pod, std::string& out);
void append(const model::Namespace& object, std::string& out);
void append(const model::SelectorOwner& set, std::string& out);

// The text in quotes.
void append_json_text(std::string_view text, std::string& out);

}  // namespace berth::loadgen
