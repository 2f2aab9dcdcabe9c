#include "engine/host/instance/services/selector_arguments.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace berth::host {
namespace {

using document::Kind;
using document::Value;

class SelectorReader {
 public:
  SelectorReader(ConfigTree& tree, uint32_t node) : tree_(tree), node_(node) { tree.accept(node); }

  bool good() const { return good_; }

  model::NodeSelector selector(Value value, const std::string& path) {
    model::NodeSelector selector;
    object(value, path, {{"nodeSelectorTerms", [&](Value terms, const std::string& below) {
                            array(terms, below, [&](Value each, const std::string& at) {
                              selector.terms.push_back(term(each, at));
                            });
                          }}});
    return selector;
  }

  model::NodeSelectorTerm term(Value value, const std::string& path) {
    model::NodeSelectorTerm term;
    const auto read_into = [this](std::vector<model::Requirement>& requirements) {
      return [this, &requirements](Value list, const std::string& below) {
        array(list, below, [&](Value each, const std::string& at) {
          requirements.push_back(requirement(each, at));
        });
      };
    };
    object(value, path,
           {{"matchExpressions", read_into(term.match_expressions)},
            {"matchFields", read_into(term.match_fields)}});
    return term;
  }

  model::LabelSelector label_selector(Value value, const std::string& path) {
    model::LabelSelector selector;
    object(value, path,
           {{"matchLabels",
             [&](Value labels, const std::string& below) {
               if (!labels.set()) return;
               if (!labels.is(Kind::kObject)) return expected(labels, below, "an object");
               for (const document::Member& label : labels.members())
                 selector.match_labels.emplace_back(
                     label.key, string(label.value, below + "." + std::string(label.key)));
             }},
            {"matchExpressions", [&](Value list, const std::string& below) {
               array(list, below, [&](Value each, const std::string& at) {
                 selector.match_expressions.push_back(requirement(each, at));
               });
             }}});
    std::sort(selector.match_labels.begin(), selector.match_labels.end());
    return selector;
  }

 private:
  using Read = std::function<void(Value, const std::string&)>;
  struct Field {
    std::string_view name;
    Read read;
  };

  model::Requirement requirement(Value value, const std::string& path) {
    model::Requirement requirement;
    const auto text_into = [this](std::string& text) {
      return [this, &text](Value each, const std::string& at) { text = string(each, at); };
    };
    object(value, path,
           {{"key", text_into(requirement.key)},
            {"operator", text_into(requirement.op)},
            {"values", [&](Value list, const std::string& below) {
               array(list, below, [&](Value each, const std::string& at) {
                 requirement.values.push_back(string(each, at));
               });
             }}});
    return requirement;
  }

  void object(Value value, const std::string& path, std::initializer_list<Field> fields) {
    if (!value.set()) return;
    if (!value.is(Kind::kObject)) return expected(value, path, "an object");
    for (const document::Member& member : value.members()) {
      const std::string below = path + "." + std::string(member.key);
      const Field* known = nullptr;
      for (const Field& field : fields) {
        if (field.name == member.key) known = &field;
      }
      if (known != nullptr) {
        known->read(member.value, below);
      } else {
        tree_.report_unknown(node_, below, member.key_value);
        good_ = false;
      }
    }
  }

  void array(Value value, const std::string& path, const Read& read) {
    if (!value.set()) return;
    if (!value.is(Kind::kArray)) return expected(value, path, "a list");
    size_t index = 0;
    for (const Value each : value.elements()) {
      read(each, path + "[" + std::to_string(index++) + "]");
    }
  }

  std::string string(Value value, const std::string& path) {
    if (!value.set()) return {};
    if (value.is(Kind::kString)) return std::string(value.as_string());
    expected(value, path, "a string");
    return {};
  }

  void expected(Value value, const std::string& path, std::string_view what) {
    tree_.report_at(node_, path, value, "must be " + std::string(what));
    good_ = false;
  }

  ConfigTree& tree_;
  const uint32_t node_;
  bool good_ = true;
};

}  // namespace

std::optional<model::NodeSelector> read_node_selector(ConfigTree& tree, uint32_t node) {
  SelectorReader reader(tree, node);
  auto selector = reader.selector(tree.value(node), "");
  if (!reader.good()) return std::nullopt;
  return selector;
}

std::optional<model::NodeSelectorTerm> read_node_selector_term(ConfigTree& tree, uint32_t node) {
  SelectorReader reader(tree, node);
  auto term = reader.term(tree.value(node), "");
  if (!reader.good()) return std::nullopt;
  return term;
}

std::optional<model::LabelSelector> read_label_selector(ConfigTree& tree, uint32_t node) {
  SelectorReader reader(tree, node);
  auto selector = reader.label_selector(tree.value(node), "");
  if (!reader.good()) return std::nullopt;
  return selector;
}

}  // namespace berth::host
