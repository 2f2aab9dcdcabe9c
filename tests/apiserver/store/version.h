#pragma once

// One state of an object, as lists and watches show it. It never changes, so the history, lists of
// a former revision and watches share it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/apiserver/objects/json.h"
#include "tests/apiserver/resources/resource.h"

namespace berth::apiserver {

// The JSON text of an object and the places in it that are cut.
struct ObjectText {
  std::string json;
  size_t head = 0;         // where it goes on behind kind and apiVersion: at "metadata"
  size_t revision_at = 0;  // where the digits of the resourceVersion begin
  size_t revision_size = 0;
};

class Version {
 public:
  // `tree` is normalised (objects/forms.h) and has this revision. `key` as of Route::key().
  Version(const Resource& resource, std::string key, const json::value& tree, uint64_t revision);

  uint64_t revision() const { return revision_; }
  const std::string& key() const { return key_; }
  std::string_view name() const { return std::string_view(key_).substr(name_at_); }
  // With its slash: "default/"; empty: none.
  std::string_view prefix() const { return std::string_view(key_).substr(0, name_at_); }
  // The values of Resource::fields.
  const std::vector<std::string>& fields() const { return fields_; }
  const std::map<std::string, std::string, std::less<>>& labels() const;
  const ObjectText& text(const Resource& shown) const;

  // The whole text; as an item of a list it has no kind and apiVersion; with another revision.
  std::string_view whole(const Resource& shown) const { return text(shown).json; }
  void append_item(const Resource& shown, std::string& to) const;
  std::string with_revision(const Resource& shown, uint64_t revision) const;

 private:
  uint64_t revision_;
  std::string key_;
  size_t name_at_;
  std::vector<std::string> fields_;
  ObjectText text_;
  // Few ask for these, so they are made for the first who does.
  mutable std::optional<std::map<std::string, std::string, std::less<>>> labels_;
  mutable std::unique_ptr<ObjectText> viewed_;
};

using VersionPtr = std::shared_ptr<const Version>;

}  // namespace berth::apiserver
