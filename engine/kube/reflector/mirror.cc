#include "engine/kube/reflector/mirror.h"

#include <algorithm>
#include <utility>

#include "engine/base/text/printable.h"

namespace berth::kube {

std::string Mirror::key_of(std::string_view namespace_name, std::string_view name) {
  std::string key(namespace_name);
  if (!key.empty()) key += '/';
  return key.append(name);
}

model::Change Mirror::deleted(std::string_view key) const {
  const size_t slash = key.find('/');
  if (slash == key.npos) return deleted_object(kind_, "", std::string(key));
  return deleted_object(kind_, std::string(key.substr(0, slash)),
                        std::string(key.substr(slash + 1)));
}

const ObjectVersion* Mirror::find(std::string_view namespace_name, std::string_view name) const {
  const auto known = known_.find(key_of(namespace_name, name));
  return known == known_.end() ? nullptr : &known->second.version;
}

void Mirror::remove(Objects::iterator known, std::vector<Watched>& changes) {
  changes.push_back({deleted(known->first)});
  known_.erase(known);
}

void Mirror::end_list(std::vector<Watched>& changes) {
  std::vector<std::string> gone;
  for (const auto& [key, known] : known_)
    if (known.list != list_) gone.push_back(key);
  std::ranges::sort(gone);
  for (const std::string& key : gone) remove(known_.find(key), changes);
}

void Mirror::leave_out(document::Value object, const std::string& fault) const {
  constexpr size_t kMostName = 600;  // bytes; an API server's names are shorter
  const document::Value metadata = object.find("metadata");
  const std::string name =
      key_of(metadata.find("namespace").text(), metadata.find("name").text()).substr(0, kMostName);
  fault_(printable(std::string(kind_.name) + " \"" + name + "\" is left out: " + fault));
}

void Mirror::take(model::Operation operation, document::Value object,
                  std::vector<Watched>& changes) {
  std::string fault;
  const auto metadata = read_metadata(kind_, object, fault);
  if (!metadata) return leave_out(object, fault);
  std::string key = key_of(metadata->namespace_name, metadata->name);
  auto known = known_.find(key);
  if (operation == model::Operation::kDeleted) {
    if (known != known_.end()) remove(known, changes);
    return;
  }
  bool has = known != known_.end();
  if (has && known->second.version.uid != metadata->uid) {
    remove(known, changes);
    has = false;
  }
  if (has) {
    known->second.list = list_;
    if (known->second.version.resource_version == metadata->resource_version) return;
  }
  std::optional<Watched> read = read_object(kind_, object, whole_, fault);
  if (!read) return leave_out(object, fault);
  read->change.operation = has ? model::Operation::kModified : model::Operation::kAdded;
  changes.push_back(std::move(*read));
  if (has) {
    known->second.version.resource_version = metadata->resource_version;
  } else {
    known_.emplace(
        std::move(key),
        Known{{std::string(metadata->uid), std::string(metadata->resource_version)}, list_});
  }
}

}  // namespace berth::kube
