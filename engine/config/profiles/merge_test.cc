#include "engine/config/profiles/merge.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace berth::config {
namespace {

// Parses "A B=2 -C -*": enables A, and B with weight 2; disables C and all.
PluginSet set(const std::string& text, bool from_default) {
  PluginSet set;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool disabled = word.front() == '-';
    const size_t equals = word.find('=');
    PluginRef plugin{.name = word.substr(disabled, equals - disabled), .place = {}};
    if (equals != std::string::npos) plugin.weight = std::stoi(word.substr(equals + 1));
    plugin.from_default = from_default;
    (disabled ? set.disabled : set.enabled).push_back(plugin);
  }
  return set;
}

// The reverse; an exclamation mark follows entries of the configuration.
std::string text(const PluginSet& set) {
  std::string out;
  for (const PluginRef& plugin : set.enabled) {
    out += out.empty() ? "" : " ";
    out += plugin.name;
    if (plugin.weight != 0) out += "=" + std::to_string(plugin.weight);
    if (!plugin.from_default) out += "!";
  }
  for (const PluginRef& plugin : set.disabled) {
    out += (out.empty() ? "-" : " -") + plugin.name;
    if (plugin.weight != 0) out += "=" + std::to_string(plugin.weight);
  }
  return out;
}

struct MergeCase {
  std::string defaults;
  std::string configured;
  std::string merged;
};

TEST(Merge, FollowsKubeScheduler) {
  const MergeCase cases[] = {
      {"", "", ""},
      {"A B=2 C", "", "A B=2 C"},
      {"A B C", "D E", "A B C D! E!"},
      {"A B C", "-B", "A C -B"},
      {"A B C", "-*", "-*"},
      // "*" removes only the defaults.
      {"A B C", "-* B D=4", "B! D=4! -*"},
      // Disabled and enabled: added at the place of the entry.
      {"A B C", "-A A=7", "B C A=7! -A"},
      {"A B C", "D -A A", "B C D! A! -A"},
      // Enabled again: keeps its place and takes the entry's weight, even if unset.
      {"A=1 B=2 C", "D B=5", "A=1 B=5! C D!"},
      {"A=1 B=2 C", "B", "A=1 B! C"},
      // The last of several entries replaces the default; the others are kept, to be reported
      // later.
      {"A B", "B=1 B=2 B=3", "A B=3! B=1! B=2!"},
      {"A B", "D D", "A B D! D!"},
      // Unknown or duplicate names in the disabled list have no effect, nor have weights there.
      {"A B", "-X -A=3 -A", "B -X -A -A"},
      {"A -B", "-C", "A -C -B"},
      {"A B -B", "", "A -B"},
      {"A -*", "D", "D! -*"},
  };
  for (const auto& [defaults, configured, merged] : cases) {
    EXPECT_EQ(text(merge_plugin_set(set(defaults, true), set(configured, false))), merged)
        << "defaults: " << defaults << ", configured: " << configured;
  }
}

}  // namespace
}  // namespace berth::config
