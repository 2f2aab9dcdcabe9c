#pragma once

// The kinds of the Kubernetes API that are read, with their groups and versions. Internal to this
// module.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/model/objects/objects.h"

namespace berth::ingest {

// A kind that is read as an object of its own; manifests of workloads (workloads/workload.h) beside
// it.
struct ReadKind {
  enum class Use : uint8_t { kObject, kPod, kPolicy };  // scheduling reads it, or only admission

  std::string_view name;
  std::string_view api_version;  // that an API server of v1.34 has
  Use use = Use::kObject;
  std::optional<model::SelectorOwnerKind> selector_owner = std::nullopt;
  bool as_json = false;                  // frames have it as JSON
  std::string_view former_version = {};  // that it takes as well; empty: none
};

// Null: the kind is not read.
const ReadKind* find_kind(std::string_view name);
inline bool is_read(std::string_view kind) { return find_kind(kind) != nullptr; }
// " Node, Pod, ...": all of them.
std::string read_kind_names();

// The group of an apiVersion; "" for the core group, whose apiVersion is only a version.
std::string_view group_of(std::string_view api_version);
// True if an apiVersion is given and belongs to another group than the kind.
bool of_other_group(const ReadKind& kind, std::string_view api_version);

// The kind that is read, or a workload's, that a kind of its group probably was meant to be: the
// nearest name, case aside. Empty: the name is such a kind, in any group, or none is near. Without
// an apiVersion, of any group.
std::string near_kind(std::string_view kind, std::string_view api_version);

// The text of kubectl about an object with this kind and apiVersion that no API server of v1.34
// takes; nothing if one does, and for kinds that neither are read nor are workloads, or that a
// custom resource defines.
std::optional<std::string> version_problem(std::string_view kind, std::string_view api_version);

}  // namespace berth::ingest
