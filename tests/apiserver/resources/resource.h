#pragma once

// The resources that the server has, and the paths by which they are reached.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace berth::apiserver {

// A field that a fieldSelector may name, and where objects have it.
struct SelectableField {
  std::string_view label, path;
};

// Which form of the stored objects a resource shows.
enum class View : uint8_t {
  kStored,
  kEvents,  // events.k8s.io/v1 of events that are stored as those of v1
};

struct Resource {
  std::string_view group, version, plural, singular, kind;
  std::span<const std::string_view> short_names{};
  bool namespaced = true;
  enum class StatusPart : uint8_t {
    kNone,     // the status, if there is one, is a field as others are
    kKept,     // written through /status, and as it is by a create
    kDropped,  // written through /status alone
  } status = StatusPart::kNone;
  bool generation = false;  // metadata.generation counts changes of the spec
  std::span<const SelectableField> fields{};
  View view = View::kStored;
};

// All resources, also those that are optional. A resource's storage has the number of its place
// here; storage_of() of a view is the storage of what it shows.
std::span<const Resource> all_resources();
size_t storage_of(const Resource& resource);
// Null: there is no such resource.
const Resource* find_resource(std::string_view group, std::string_view version,
                              std::string_view plural);

// "v1", or "apps/v1".
std::string api_version(const Resource& resource);

}  // namespace berth::apiserver
