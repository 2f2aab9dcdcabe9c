#include "cli/results/refusal_reasons.h"

#include <algorithm>
#include <vector>

#include "engine/base/text/joined.h"

namespace berth::cli {
namespace {

// A word that is "12" or "0/5000": the number of nodes that a reason is about.
bool is_count(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789/") == std::string_view::npos;
}

std::string without_counts(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (!is_count(text.substr(0, end))) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return joined(words, " ");
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

// One sentence. The reasons in a list of nodes are in the order of their numbers there.
std::string sorted_sentence(std::string_view sentence) {
  constexpr std::string_view kList = "nodes are available: ";
  const size_t list = sentence.rfind(kList);
  if (list == std::string_view::npos) return without_counts(sentence);
  const size_t from = list + kList.size();
  std::vector<std::string> reasons;
  for (const std::string_view one : split_at(sentence.substr(from), ", "))
    reasons.push_back(without_counts(one));
  std::ranges::sort(reasons);
  return without_counts(sentence.substr(0, from)) + " " + joined(reasons, ", ");
}

}  // namespace

std::string refusal_reasons(std::string_view event) {
  std::vector<std::string> sentences;
  for (const std::string_view one : split_at(event, ". "))
    sentences.push_back(sorted_sentence(one.substr(0, one.find_last_not_of('.') + 1)));
  std::string text = joined(sentences, ". ");
  constexpr std::string_view kHead = "nodes are available: ";
  return text.starts_with(kHead) ? text.substr(kHead.size()) : text;
}

}  // namespace berth::cli
