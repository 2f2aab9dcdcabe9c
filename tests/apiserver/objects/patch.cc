#include "tests/apiserver/objects/patch.h"

#include <algorithm>

#include "tests/apiserver/objects/problem.h"

namespace berth::apiserver {
namespace {

struct MergeKey {
  std::string_view list, key;
};

// Lists of these names whose elements are merged, wherever they are. Others are replaced.
constexpr MergeKey kMergeKeys[] = {
    {"conditions", "type"},
    {"containers", "name"},
    {"initContainers", "name"},
    {"ephemeralContainers", "name"},
    {"env", "name"},
    {"volumes", "name"},
    {"volumeMounts", "mountPath"},
    {"volumeDevices", "devicePath"},
    {"ports", "containerPort"},
    {"taints", "key"},
    {"ownerReferences", "uid"},
    {"imagePullSecrets", "name"},
    {"secrets", "name"},
    {"hostAliases", "ip"},
    {"podIPs", "ip"},
    {"hostIPs", "ip"},
    {"addresses", "type"},
    {"topologySpreadConstraints", "topologyKey"},
    {"schedulingGates", "name"},
    {"resourceClaims", "name"},
    {"resourceClaimStatuses", "name"},
};

// Lists of texts that are united.
constexpr std::string_view kUnited[] = {"finalizers", "podCIDRs", "volumesInUse"};

std::string_view merge_key_of(std::string_view list, const json::array& patch) {
  for (const MergeKey& known : kMergeKeys) {
    if (known.list != list) continue;
    // Those of a service have no containerPort.
    const bool of_service = list == "ports" && !patch.empty() && find(patch[0], "port") != nullptr;
    return of_service ? "port" : known.key;
  }
  return {};
}

bool is_united(std::string_view list) {
  return std::ranges::find(kUnited, list) != std::end(kUnited);
}

void unite(json::array& target, const json::array& patch) {
  for (const json::value& item : patch) {
    if (std::ranges::find(target, item) == target.end()) target.push_back(item);
  }
}

void subtract(json::array& target, const json::array& patch) {
  for (const json::value& item : patch) {
    const auto* found = std::ranges::find(target, item);
    if (found != target.end()) target.erase(found);
  }
}

json::value* find_element(json::array& list, std::string_view key, const json::value& value) {
  for (json::value& element : list) {
    const json::value* found = element.is_object() ? find(element, key) : nullptr;
    if (found != nullptr && *found == value) return &element;
  }
  return nullptr;
}

// An element of a list, or a value, that is new: without the directives in it.
json::value fresh(const json::value& patch) {
  if (!patch.is_object()) return patch;
  json::value made = json::object();
  strategic_patch(made, patch);
  return made;
}

void merge_elements(json::array& target, const json::array& patch, std::string_view list,
                    std::string_view key) {
  const bool replaces = std::ranges::any_of(
      patch, [](const auto& item) { return text_at(item, "$patch") == "replace"; });
  if (replaces) target.clear();
  for (const json::value& item : patch) {
    const std::string_view directive = text_at(item, "$patch");
    if (directive == "replace") continue;
    const json::value* value = item.is_object() ? find(item, key) : nullptr;
    if (value == nullptr) {
      throw bad_request("map: element of " + std::string(list) +
                        " does not contain declared merge key: " + std::string(key));
    }
    json::value* found = find_element(target, key, *value);
    if (directive == "delete") {
      if (found != nullptr) target.erase(target.begin() + (found - target.begin()));
    } else if (found != nullptr) {
      strategic_patch(*found, item);
    } else {
      target.push_back(fresh(item));
    }
  }
}

void patch_list(json::object& target, std::string_view name, const json::array& patch) {
  const std::string_view key = merge_key_of(name, patch);
  json::value& list = target[name];
  if (key.empty() && !is_united(name)) {
    list = patch;
    return;
  }
  if (!list.is_array()) list.emplace_array();
  if (key.empty()) {
    unite(list.get_array(), patch);
  } else {
    merge_elements(list.get_array(), patch, name, key);
  }
}

// What an object keeps if the patch says so; the patch adds to it afterwards.
void retain(json::object& target, const json::array& names) {
  for (auto* member = target.begin(); member != target.end();) {
    const bool kept = std::ranges::any_of(names, [&](const json::value& name) {
      return name.is_string() && view(name.get_string()) == view(member->key());
    });
    member = kept ? member + 1 : target.stable_erase(member);
  }
}

// True if the member is a directive; it was followed then.
bool follow(json::object& target, std::string_view name, const json::value& value) {
  constexpr std::string_view kDelete = "$deleteFromPrimitiveList/";
  if (name.starts_with(kDelete)) {
    json::value* list = target.if_contains(name.substr(kDelete.size()));
    if (list != nullptr && list->is_array() && value.is_array()) {
      subtract(list->get_array(), value.get_array());
    }
    return true;
  }
  return name.starts_with("$setElementOrder/") || name == "$retainKeys" || name == "$patch";
}

}  // namespace

void merge_patch(json::value& target, const json::value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object()) target.emplace_object();
  json::object& object = target.get_object();
  for (const auto& [name, value] : patch.get_object()) {
    if (value.is_null()) {
      object.stable_erase(name);
    } else {
      merge_patch(object[name], value);
    }
  }
}

void strategic_patch(json::value& target, const json::value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  const std::string_view directive = text_at(patch, "$patch");
  if (!target.is_object() || directive == "replace" || directive == "delete") {
    target.emplace_object();
  }
  if (directive == "delete") return;
  json::object& object = target.get_object();
  if (const json::array* names = array_at(patch, "$retainKeys")) retain(object, *names);
  for (const auto& [key, value] : patch.get_object()) {
    const std::string_view name = view(key);
    if (follow(object, name, value)) continue;
    if (value.is_null()) {
      object.stable_erase(name);
    } else if (value.is_array()) {
      patch_list(object, name, value.get_array());
    } else {
      strategic_patch(object[name], value);
    }
  }
}

}  // namespace berth::apiserver
