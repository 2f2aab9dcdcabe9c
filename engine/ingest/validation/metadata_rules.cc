#include "engine/ingest/validation/metadata_rules.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text/characters.h"
#include "engine/ingest/admission/label_syntax.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;
using Within = FieldErrors::Within;

// A generated name goes on behind the prefix, so a dash may end it. An API server puts an "a" for
// the last two characters then.
std::string completed(std::string_view prefix) {
  std::string name(prefix);
  if (name.size() > 1 && name.ends_with('-')) name.replace(name.size() - 2, 2, "a");
  return name;
}

// In the prefix of an annotation's key, case does not matter.
std::vector<std::string> annotation_key_problems(std::string_view key) {
  std::vector<std::string> problems = label_key_problems(key);
  if (problems.empty()) return problems;
  return label_key_problems(lower(key));
}

// The version in "group/version", or in "version".
std::string_view version_in(std::string_view api_version) {
  const size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
}

// The names of Services are names of hosts, those of Namespaces are parts of such names.
std::vector<std::string> name_problems(std::string_view kind, std::string_view name) {
  if (kind == "Namespace") return namespace_name_problems(name);
  if (kind == "Service") return service_name_problems(name);
  return object_name_problems(name);
}

std::string owner_words(Value owner) {
  return std::string(owner.find("kind").text()) + "/" + std::string(owner.find("name").text());
}

}  // namespace

void check_labels(const char* field, const model::StringMap& labels, FieldErrors& errors) {
  const Within in_labels(errors, field);
  for (const auto& [key, value] : labels) {
    errors.of_key(key);
    errors.invalid(key, label_key_problems(key));
    errors.invalid(value, label_value_problems(value));
  }
  errors.of_key({});
}

void check_name(Value metadata, std::string_view kind, FieldErrors& errors) {
  if (const std::string_view prefix = metadata.find("generateName").text(); !prefix.empty()) {
    const Within in_prefix(errors, "generateName");
    errors.invalid(prefix, name_problems(kind, completed(prefix)));
  }
  if (const std::string_view name = metadata.find("name").text(); !name.empty()) {
    const Within in_name(errors, "name");
    errors.invalid(name, name_problems(kind, name));
  }
  if (const std::string_view name = metadata.find("namespace").text(); !name.empty()) {
    const Within in_namespace(errors, "namespace");
    errors.invalid(name, namespace_name_problems(name));
  }
}

void check_owner_references(Value metadata, FieldErrors& errors) {
  const Value owners = metadata.find("ownerReferences");
  if (!owners.is(Kind::kArray)) return;
  const auto must_not_be_empty = [&](Value owner, const char* field) {
    const Within in_field(errors, field);
    if (owner.find(field).text().empty()) errors.invalid("", "must not be empty");
  };
  Value controller;
  size_t index = 0;
  for (const Value owner : owners.elements()) {
    const Within in_owner(errors, "ownerReferences", index++);
    if (const std::string_view version = owner.find("apiVersion").text();
        version_in(version).empty()) {
      const Within in_version(errors, "apiVersion");
      errors.invalid(version, "version must not be empty");
    }
    must_not_be_empty(owner, "kind");
    must_not_be_empty(owner, "name");
  }
  const Within in_owners(errors, "ownerReferences");
  for (const Value owner : owners.elements()) {
    const Value controls = owner.find("controller");
    if (!controls.is(Kind::kBoolean) || !controls.as_bool()) continue;
    if (controller.present())
      return errors.add("Invalid value: " + document::to_json(owners) +
                        ": Only one reference can have Controller set to true. Found \"true\" in "
                        "references for " +
                        owner_words(controller) + " and " + owner_words(owner));
    controller = owner;
  }
}

void check_annotations(Value metadata, FieldErrors& errors) {
  constexpr size_t kMostBytes = size_t{256} << 10;
  size_t bytes = 0;
  const Within in_annotations(errors, "annotations");
  for (const document::Member member : metadata.find("annotations").members()) {
    errors.of_key(member.key);
    errors.invalid(member.key, annotation_key_problems(member.key));
    bytes += member.key.size();
    if (member.value.is(Kind::kString)) bytes += member.value.as_string().size();
  }
  errors.of_key({});
  if (bytes > kMostBytes)
    errors.add("Too long: may not be more than " + std::to_string(kMostBytes) + " bytes");
}

}  // namespace berth::ingest
