#include "engine/extenders/answers.h"

#include <algorithm>

#include "engine/base/text/characters.h"
#include "engine/document/document.h"

namespace berth::extenders {
namespace {

using document::Kind;
using document::Value;

// Go reads null as the zero value of any type.
bool is_null(std::string_view json) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = json.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return false;
  return json.substr(begin, json.find_last_not_of(kSpace) + 1 - begin) == "null";
}

document::Document parsed(const std::string& json) {
  Diagnostics diagnostics;
  document::Document made = document::Document::parse(json, "answer", diagnostics);
  if (diagnostics.count() != 0)
    throw Error("the answer is not JSON: " + std::string(diagnostics.kept().front().what()));
  if (made.roots().size() != 1) throw Error("the answer is not one JSON value");
  return made;
}

Value checked(Value value, Kind kind, std::string_view what) {
  if (value.set() && !value.is(kind))
    throw Error(std::string(what) + " must be of kind " + std::string(kind_name(kind)) + ", not " +
                std::string(kind_name(value.kind())));
  return value;
}

// The last member of that name counts.
Value member(Value object, std::string_view name, Kind kind) {
  Value found;
  for (const document::Member one : object.members())
    if (equal_but_for_case(one.key, name)) found = one.value;
  return checked(found, kind, name);
}

std::string text(Value object, std::string_view name) {
  const Value value = member(object, name, Kind::kString);
  return std::string(value.text());
}

int64_t whole(Value object, std::string_view name) {
  const Value value = member(object, name, Kind::kNumber);
  if (!value.set()) return 0;
  if (const std::optional<int64_t> number = value.as_int64()) return *number;
  throw Error(std::string(name) + " must be a whole number of 64 bits");
}

FailedNodes failed_nodes(Value object, std::string_view name) {
  FailedNodes failed;
  const Value map = member(object, name, Kind::kObject);
  for (const document::Member one : map.members()) {
    const Value message = checked(one.value, Kind::kString, name);
    failed.emplace_back(one.key, message.text());
  }
  return failed;
}

Value root_of(const document::Document& document, Kind kind) {
  return checked(document.roots()[0], kind, "the answer");
}

}  // namespace

FilterAnswer read_filter_answer(const std::string& json) {
  if (is_null(json)) return {};
  const document::Document document = parsed(json);
  const Value root = root_of(document, Kind::kObject);
  FilterAnswer answer;
  if (const Value nodes = member(root, "Nodes", Kind::kObject); nodes.set()) {
    answer.nodes.emplace();
    const Value items = member(nodes, "items", Kind::kArray);
    for (const Value item : items.elements()) {
      const Value node = checked(item, Kind::kObject, "an item of Nodes");
      answer.nodes->push_back(
          {text(member(node, "metadata", Kind::kObject), "name"), document::to_json(node)});
    }
  }
  if (const Value names = member(root, "NodeNames", Kind::kArray); names.set()) {
    answer.node_names.emplace();
    for (const Value name : names.elements()) {
      const Value one = checked(name, Kind::kString, "an element of NodeNames");
      answer.node_names->emplace_back(one.text());
    }
  }
  answer.failed = failed_nodes(root, "FailedNodes");
  answer.failed_for_good = failed_nodes(root, "FailedAndUnresolvableNodes");
  answer.error = text(root, "Error");
  return answer;
}

HostPriorities read_priorities(const std::string& json) {
  if (is_null(json)) return {};
  const document::Document document = parsed(json);
  HostPriorities priorities;
  for (const Value element : root_of(document, Kind::kArray).elements()) {
    const Value one = checked(element, Kind::kObject, "an element of the answer");
    priorities.emplace_back(text(one, "Host"), whole(one, "Score"));
  }
  return priorities;
}

std::vector<MetaVictims> read_preemption_answer(const std::string& json) {
  if (is_null(json)) return {};
  const document::Document document = parsed(json);
  std::vector<MetaVictims> all;
  const Value root = root_of(document, Kind::kObject);
  const Value nodes = member(root, "NodeNameToMetaVictims", Kind::kObject);
  for (const document::Member node : nodes.members()) {
    const Value victims = checked(node.value, Kind::kObject, "the victims of a node");
    MetaVictims one{std::string(node.key), {}, whole(victims, "NumPDBViolations")};
    const Value pods = member(victims, "Pods", Kind::kArray);
    for (const Value pod : pods.elements())
      one.uids.push_back(text(checked(pod, Kind::kObject, "an element of Pods"), "UID"));
    // If a node has two entries, the last counts.
    std::erase_if(all, [&](const MetaVictims& other) { return other.node == one.node; });
    all.push_back(std::move(one));
  }
  return all;
}

std::optional<std::string> read_bind_answer(const std::string& json) {
  if (is_null(json)) return std::nullopt;
  const document::Document document = parsed(json);
  std::string error = text(root_of(document, Kind::kObject), "Error");
  if (error.empty()) return std::nullopt;
  return error;
}

}  // namespace berth::extenders
