#include "engine/host/instance/config_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "berth/abi/rules.h"
#include "engine/base/assert.h"
#include "engine/base/text/go_duration.h"
#include "engine/host/instance/text.h"
#include "engine/model/objects/quantity.h"

namespace berth::host {

using document::Kind;
using document::Value;

struct ConfigTree::Node {
  Value value;
  std::string path;  // from the root of the configuration
  // The members that the plugin asked for: their node numbers, or BERTH_CONFIG_ABSENT.
  std::map<std::string, uint32_t, std::less<>> members;
  std::vector<uint32_t> elements;  // all elements, or empty until one is asked for
  bool accepted = false;
};

namespace {

std::string strict_unknown(const std::string& path) {
  return "strict decoding error: unknown field " + document::quoted(path);
}

std::string below_path(const std::string& path, std::string_view name) {
  return (path.empty() ? path : path + ".") + std::string(name);
}

uint32_t abi_kind(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return BERTH_CONFIG_NULL;
    case Kind::kBoolean:
      return BERTH_CONFIG_BOOL;
    case Kind::kNumber:
      return BERTH_CONFIG_NUMBER;
    case Kind::kString:
      return BERTH_CONFIG_STRING;
    case Kind::kArray:
      return BERTH_CONFIG_ARRAY;
    case Kind::kObject:
      return BERTH_CONFIG_OBJECT;
  }
  return BERTH_CONFIG_NULL;
}

}  // namespace

// A plugin may pass a node number that does not exist; it is treated as null without members.
struct ConfigTree::Functions {
  static Value value(const berth_config* config, uint32_t node) {
    const ConfigTree& tree = *of(config);
    return tree.has(node) ? tree.value(node) : Value();
  }
  static uint32_t kind(const berth_config* config, uint32_t node) {
    const Value found = value(config, node);
    const uint32_t kind = found.present() ? abi_kind(found.kind()) : BERTH_CONFIG_NULL;
    // Absent arguments are an object without members.
    return node == 0 && kind == BERTH_CONFIG_NULL ? BERTH_CONFIG_OBJECT : kind;
  }
  static uint32_t length(const berth_config* config, uint32_t node) {
    const Value found = value(config, node);
    return found.is(Kind::kArray) ? static_cast<uint32_t>(found.size()) : 0;
  }
  static uint32_t element(const berth_config* config, uint32_t node, uint32_t i) {
    return i < length(config, node) ? of(config)->element(node, i) : BERTH_CONFIG_ABSENT;
  }
  static uint32_t member(const berth_config* config, uint32_t node, berth_string name) {
    ConfigTree& tree = *of(config);
    return tree.has(node) ? tree.member(node, view(name)) : BERTH_CONFIG_ABSENT;
  }
  static void accept(const berth_config* config, uint32_t node) {
    if (of(config)->has(node)) of(config)->accept(node);
  }
  static uint32_t boolean(const berth_config* config, uint32_t node, uint8_t* out) {
    const Value found = value(config, node);
    if (!found.is(Kind::kBoolean)) return 0;
    *out = found.as_bool() ? 1 : 0;
    return 1;
  }
  static uint32_t integer(const berth_config* config, uint32_t node, int64_t* out) {
    const std::optional<int64_t> found = value(config, node).as_int64();
    if (found) *out = *found;
    return found ? 1 : 0;
  }
  static uint32_t number(const berth_config* config, uint32_t node, double* out) {
    const std::optional<double> found = value(config, node).as_double();
    if (found) *out = *found;
    return found ? 1 : 0;
  }
  static uint32_t string(const berth_config* config, uint32_t node, berth_string* out) {
    const Value found = value(config, node);
    if (!found.is(Kind::kString)) return 0;
    const std::string_view text = found.as_string();
    *out = {text.data(), text.size()};
    return 1;
  }
  static uint32_t members(const berth_config* config, uint32_t node) {
    const Value found = value(config, node);
    return found.is(Kind::kObject) ? static_cast<uint32_t>(found.size()) : 0;
  }
  static uint32_t member_at(const berth_config* config, uint32_t node, uint32_t i,
                            berth_string* name) {
    if (i >= members(config, node)) return BERTH_CONFIG_ABSENT;
    auto at = value(config, node).members().begin();
    for (uint32_t k = 0; k < i; ++k) ++at;
    const std::string_view key = (*at).key;
    *name = to_abi(key);
    return member(config, node, *name);
  }
  // A number is taken by its text, as in a manifest.
  static uint32_t quantity(const berth_config* config, uint32_t node, uint32_t parts,
                           int64_t* out) {
    const Value found = value(config, node);
    if (parts != 1 && parts != 1000) return 0;
    if (!found.is(Kind::kString) && !found.is(Kind::kNumber)) return 0;
    const std::string_view text = found.is(Kind::kString) ? found.as_string() : found.number_text();
    const auto quantity = model::Quantity::parse(text);
    if (quantity) *out = parts == 1 ? quantity->value() : quantity->milli_value();
    return quantity ? 1 : 0;
  }
  static uint32_t duration(const berth_config* config, uint32_t node, int64_t* out) {
    const Value found = value(config, node);
    if (!found.is(Kind::kString)) return 0;
    const std::optional<int64_t> duration = parse_duration(found.as_string());
    if (duration) *out = *duration;
    return duration ? 1 : 0;
  }
  static int32_t rule(const berth_config* config, berth_string name) {
    const RuleInfo* info = find_rule(view(name));
    if (info == nullptr) return BERTH_RULE_UNKNOWN;
    return of(config)->rules_.has(info->rule) ? BERTH_RULE_YES : BERTH_RULE_NO;
  }
  static void error(const berth_config* config, uint32_t node, berth_string below,
                    berth_string text) {
    ConfigTree& tree = *of(config);
    tree.report(tree.has(node) ? node : 0, view(below), view(text));
  }
};

ConfigTree::ConfigTree(Arguments arguments)
    : place_(std::move(arguments.place)), rules_(arguments.rules) {
  config_ = {sizeof config_,
             0,
             this,
             Functions::kind,
             Functions::length,
             Functions::element,
             Functions::member,
             Functions::accept,
             Functions::boolean,
             Functions::integer,
             Functions::number,
             Functions::string,
             Functions::error,
             Functions::members,
             Functions::member_at,
             Functions::quantity,
             Functions::duration,
             Functions::rule};
  add(arguments.value, place_.field);
}

ConfigTree::~ConfigTree() = default;

ConfigTree* ConfigTree::of(const berth_config* config) {
  if (config == nullptr || config->kind != Functions::kind) return nullptr;
  return static_cast<ConfigTree*>(config->context);
}

ConfigTree::Node& ConfigTree::at(uint32_t node) const {
  BERTH_ASSERT(has(node));
  return *nodes_[node];
}

uint32_t ConfigTree::add(Value value, std::string path) {
  nodes_.push_back(std::make_unique<Node>());
  nodes_.back()->value = value;
  nodes_.back()->path = std::move(path);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t ConfigTree::element(uint32_t node, uint32_t i) {
  if (nodes_[node]->elements.empty()) {
    std::vector<uint32_t> elements;
    for (const Value value : nodes_[node]->value.elements()) {
      elements.push_back(
          add(value, nodes_[node]->path + "[" + std::to_string(elements.size()) + "]"));
    }
    nodes_[node]->elements = std::move(elements);
  }
  return nodes_[node]->elements[i];
}

uint32_t ConfigTree::member(uint32_t node, std::string_view name) {
  Node& parent = at(node);
  const auto found = parent.members.find(name);
  if (found != parent.members.end()) return found->second;
  const Value value = parent.value.find(name);
  const uint32_t number =
      value.present() ? add(value, below_path(parent.path, name)) : BERTH_CONFIG_ABSENT;
  parent.members.emplace(name, number);
  return number;
}

Value ConfigTree::value(uint32_t node) const { return at(node).value; }

Place ConfigTree::place(uint32_t node, std::string_view below) const {
  const Node& found = at(node);
  Place place = found.value.present() ? found.value.place() : place_;
  place.field = found.path + std::string(below);
  return place;
}

void ConfigTree::report(uint32_t node, std::string_view below, std::string_view text) {
  reported_.emplace_back(place(node, below), std::string(text));
}

void ConfigTree::report_at(uint32_t node, std::string_view below, Value value,
                           std::string_view text) {
  Place at = value.place();
  at.field = this->at(node).path + std::string(below);
  reported_.emplace_back(std::move(at), std::string(text));
}

void ConfigTree::report_unknown(uint32_t node, std::string_view below, Value key) {
  reported_.emplace_back(key.place(), strict_unknown(at(node).path + std::string(below)));
}

void ConfigTree::accept(uint32_t node) { at(node).accepted = true; }

template <typename Visit>
void ConfigTree::for_each_unknown(Visit&& visit) const {
  std::vector<uint32_t> open = {0};
  while (!open.empty()) {
    const Node& node = *nodes_[open.back()];
    open.pop_back();
    if (node.accepted) continue;
    open.insert(open.end(), node.elements.begin(), node.elements.end());
    for (const auto& [name, number] : node.members) {
      if (number != BERTH_CONFIG_ABSENT) open.push_back(number);
    }
    for (const document::Member& member : node.value.members()) {
      if (!node.members.contains(member.key))
        visit(below_path(node.path, member.key), member.key_value);
    }
  }
}

std::vector<std::string> ConfigTree::not_asked_for() const {
  std::vector<std::string> paths;
  for_each_unknown([&](std::string path, Value) { paths.push_back(std::move(path)); });
  return paths;
}

std::vector<Error> ConfigTree::errors() const {
  std::vector<Error> errors = reported_;
  for_each_unknown([&](const std::string& path, Value key) {
    errors.emplace_back(key.place(), strict_unknown(path));
  });
  std::stable_sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) {
    return std::tuple(a.place().line, a.place().column) <
           std::tuple(b.place().line, b.place().column);
  });
  return errors;
}

}  // namespace berth::host
