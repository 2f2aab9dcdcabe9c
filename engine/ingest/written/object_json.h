#pragma once

// Writes Kubernetes objects as compact JSON in kubectl's form, without a newline. ingest's decoders
// read them back as equal objects, apart from the order of unordered lists.

#include <string>
#include <string_view>

#include "engine/model/objects/change.h"

namespace berth::ingest {

void append(const model::Node& node, std::string& out);
void append(const model::Pod& pod, std::string& out);
void append(const model::TemplatePod& pod, std::string& out);  // the whole pod
void append(const model::Namespace& object, std::string& out);
void append(const model::SelectorOwner& owner, std::string& out);
void append(const model::DisruptionBudget& budget, std::string& out);
void append(const model::VolumeObject& object, std::string& out);
void append(const model::PodGroup& group, std::string& out);
void append(const model::EvictionRequest& request, std::string& out);
void append(const model::ControllerObject& object, std::string& out);  // as it came
void append(const model::Object& object, std::string& out);
// A volume of a pod; without its name, unless it tells a claim.
void append(const model::PodVolume& volume, std::string& out);

// Appends the text in quotes, with escapes.
void append_json_text(std::string_view text, std::string& out);

}  // namespace berth::ingest
