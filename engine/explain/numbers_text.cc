#include "engine/explain/numbers_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text/number_text.h"
#include "engine/explain/change_words.h"

namespace berth::explain {
namespace {

constexpr size_t kNamedPods = 3;

std::string pods_text(const host::SomePods& pods) {
  if (pods.count == 0) return "none";
  const size_t named = std::min(pods.names.size(), kNamedPods);
  std::string text = fmt::format(
      "{}",
      fmt::join(pods.names.begin(), pods.names.begin() + static_cast<ptrdiff_t>(named), ", "));
  if (pods.count > named) text += fmt::format(" and {} more", grouped(pods.count - named));
  return text;
}

std::string fact_text(const host::Fact& fact) {
  switch (fact.kind) {
    case host::Fact::Kind::kNumber:
      return fact.name + " " + amount_words(fact.number, fact.unit);
    case host::Fact::Kind::kText:
      return fact.name + " " + fact.text;
    case host::Fact::Kind::kPods:
      return fact.name + " " + pods_text(fact.pods);
  }
  return {};
}

}  // namespace

std::vector<std::string> numbers_text(const std::string& plugin,
                                      const std::vector<host::Item>& items) {
  std::vector<std::string> lines;
  for (const host::Item& item : items) {
    std::vector<std::string> facts;
    for (const host::Fact& fact : item.facts) facts.push_back(fact_text(fact));
    lines.push_back(fmt::format("{} {}: {}", plugin, item.name, fmt::join(facts, ", ")));
  }
  return lines;
}

}  // namespace berth::explain
