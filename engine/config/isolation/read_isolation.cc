#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/config/isolation/plugin_isolation.h"
#include "engine/config/read/berth_document.h"
#include "engine/config/read/node.h"
#include "engine/config/rules/scheduler_rules.h"
#include "engine/model/objects/quantity.h"

namespace berth::config {
namespace {

using document::Kind;
using document::Value;

class IsolationReader {
 public:
  explicit IsolationReader(Faults& faults) : faults_(faults), reader_(faults) {}

  PluginIsolation run(Value root) {
    if (!expect_type(root, kIsolationKind, faults_)) return {};
    const auto read_already = [](const Node&) {};
    reader_.object({.value = root, .path = ""},
                   {{"apiVersion", read_already},
                    {"kind", read_already},
                    {"plugins", [&](const Node& node) {
                       reader_.array(node, [&](const Node& element) { plugin(element); });
                     }}});
    return std::move(isolation_);
  }

 private:
  void unsupported(const Node& node, std::string_view text, std::string_view supported) {
    faults_.add(node.place(), "Unsupported value: " + quoted(text) +
                                  ": supported values: " + std::string(supported));
  }

  void plugin(const Node& node) {
    IsolatedPlugin plugin;
    Node name = node.member({}, "name");
    const bool is_object = reader_.object(
        node, {{"name", [&](const Node& n) { name = n; }},
               {"onFailure", [&](const Node& n) { on_failure(n, plugin); }},
               {"allow",
                [&](const Node& n) {
                  reader_.array(n, [&](const Node& element) { allow(element, plugin); });
                }},
               {"deadline", [&](const Node& n) { deadline(n, plugin); }},
               {"memory", [&](const Node& n) { memory(n, plugin); }}});
    if (!is_object) return;
    if (!name.set()) return faults_.required(at(node, name));
    const std::optional<std::string> text = reader_.string(name);
    if (!text) return;
    if (text->empty()) return faults_.required(name.place());
    if (std::ranges::find(isolation_.plugins, *text, &IsolatedPlugin::name) !=
        isolation_.plugins.end())
      return faults_.duplicate(name.place(), *text);
    plugin.name = *text;
    plugin.place = name.place();
    isolation_.plugins.push_back(std::move(plugin));
  }

  // The place of a member that is missing: that of the object, with the member's path.
  static Place at(const Node& node, const Node& member) {
    Place place = member.value.present() ? member.place() : node.place();
    place.field = member.path;
    return place;
  }

  void on_failure(const Node& node, IsolatedPlugin& plugin) {
    const std::optional<std::string> text = reader_.string(node);
    if (!text) return;
    if (*text == "Skip") {
      plugin.on_failure = OnFailure::kSkip;
    } else if (*text != "Fail") {
      unsupported(node, *text, R"("Fail", "Skip")");
    }
  }

  void allow(const Node& node, IsolatedPlugin& plugin) {
    const std::optional<std::string> text = reader_.string(node);
    if (!text) return;
    bool* const allowed = *text == "Files"     ? &plugin.files
                          : *text == "Network" ? &plugin.network
                                               : nullptr;
    if (allowed == nullptr) return unsupported(node, *text, R"("Files", "Network")");
    if (*allowed) return faults_.duplicate(node.place(), *text);
    *allowed = true;
  }

  void deadline(const Node& node, IsolatedPlugin& plugin) {
    if (!node.set()) return;
    const std::optional<int64_t> nanoseconds = reader_.duration(node);
    if (!nanoseconds) return;
    constexpr int64_t kPerMillisecond = 1'000'000;
    if (*nanoseconds < kPerMillisecond || *nanoseconds % kPerMillisecond != 0)
      return faults_.invalid(node.place(), document::to_json(node.value),
                             "must be a whole number of milliseconds, at least 1ms");
    plugin.deadline = std::chrono::milliseconds(*nanoseconds / kPerMillisecond);
  }

  void memory(const Node& node, IsolatedPlugin& plugin) {
    if (!node.set()) return;
    std::optional<model::Quantity> amount;
    if (node.value.is(Kind::kString)) amount = model::Quantity::parse(node.value.as_string());
    if (node.value.is(Kind::kNumber)) amount = model::Quantity::parse(node.value.number_text());
    if (!amount || amount->negative())
      return faults_.invalid(node.place(), document::to_json(node.value),
                             "must be an amount of memory such as 512Mi, or 0 for no limit");
    plugin.memory = amount->value();
  }

  Faults& faults_;
  Reader reader_;
  PluginIsolation isolation_;
};

}  // namespace

bool is_plugin_isolation(Value root) {
  return root.find("kind").text() == kIsolationKind ||
         (is_of_berth(root) && !is_scheduler_rules(root));
}

CheckedIsolation check_plugin_isolation(Value root) {
  Faults faults;
  CheckedIsolation checked;
  checked.isolation = IsolationReader(faults).run(root);
  checked.faults = faults.take();
  return checked;
}

CheckedIsolation plugin_isolation_in(const document::Document& document) {
  CheckedIsolation checked;
  std::optional<uint32_t> first;  // its line
  for (const Value root : document.roots()) {
    if (!is_plugin_isolation(root)) continue;
    CheckedIsolation one = check_plugin_isolation(root);
    if (!first) {
      checked.isolation = std::move(one.isolation);
      first = root.position().line;
    } else {
      one.faults.insert(one.faults.begin(), second_of_kind(root, kIsolationKind, *first));
    }
    std::ranges::move(one.faults, std::back_inserter(checked.faults));
  }
  return checked;
}

}  // namespace berth::config
