#include "tests/apiserver/store/selector.h"

#include <algorithm>

#include "tests/apiserver/objects/problem.h"

namespace berth::apiserver {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The parts between commas that are not within parentheses.
std::vector<std::string_view> terms_of(std::string_view text) {
  std::vector<std::string_view> terms;
  size_t begin = 0, depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      const std::string_view term = trimmed(text.substr(begin, i - begin));
      if (!term.empty()) terms.push_back(term);
      begin = i + 1;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')' && depth > 0) {
      --depth;
    }
  }
  return terms;
}

struct Comparison {
  std::string_view key, value;
  bool equal = true;
};

// "KEY=VALUE", "KEY==VALUE" or "KEY!=VALUE".
bool parse_comparison(std::string_view term, Comparison& made) {
  const size_t sign = term.find('=');
  if (sign == term.npos || sign == 0) return false;
  made.equal = term[sign - 1] != '!';
  made.key = trimmed(term.substr(0, made.equal ? sign : sign - 1));
  const bool twice = made.equal && term.substr(sign).starts_with("==");
  made.value = trimmed(term.substr(sign + (twice ? 2 : 1)));
  return true;
}

std::string quoted_term(std::string_view term) { return "\"" + std::string(term) + "\""; }

}  // namespace

Selector::Selector(const Resource& resource, std::string_view fields, std::string_view labels) {
  for (const std::string_view term : terms_of(fields)) add_field(resource, term);
  for (const std::string_view term : terms_of(labels)) add_label(term);
}

void Selector::add_field(const Resource& resource, std::string_view term) {
  Comparison parsed;
  if (!parse_comparison(term, parsed)) {
    throw bad_request("invalid selector: " + quoted_term(term) + "; can't understand it");
  }
  FieldTerm made{FieldTerm::Of::kField, 0, parsed.equal, std::string(parsed.value)};
  if (parsed.key == "metadata.name") {
    made.of = FieldTerm::Of::kName;
  } else if (parsed.key == "metadata.namespace" && resource.namespaced) {
    made.of = FieldTerm::Of::kNamespace;
  } else {
    const auto found = std::ranges::find(resource.fields, parsed.key, &SelectableField::label);
    if (found == resource.fields.end()) {
      throw bad_request("field label not supported: " + std::string(parsed.key));
    }
    made.field = static_cast<size_t>(found - resource.fields.begin());
  }
  fields_.push_back(std::move(made));
}

void Selector::add_label(std::string_view term) {
  LabelTerm made;
  Comparison parsed;
  const size_t open = term.find('(');
  if (open != term.npos && term.back() == ')') {
    const std::string_view before = trimmed(term.substr(0, open));
    const size_t space = before.find(' ');
    const std::string_view word =
        space == before.npos ? std::string_view() : trimmed(before.substr(space));
    if (word != "in" && word != "notin") {
      throw bad_request("unable to parse requirement: " + quoted_term(term));
    }
    made.key = before.substr(0, space);
    made.op = word == "in" ? Operator::kIn : Operator::kNotIn;
    for (const std::string_view value : terms_of(term.substr(open + 1, term.size() - open - 2))) {
      made.values.emplace_back(value);
    }
  } else if (parse_comparison(term, parsed)) {
    made.key = parsed.key;
    made.op = parsed.equal ? Operator::kIn : Operator::kNotIn;
    made.values.emplace_back(parsed.value);
  } else if (term.find_first_of(" <>()") != term.npos) {
    throw bad_request("unable to parse requirement: " + quoted_term(term));
  } else {
    made.op = term.front() == '!' ? Operator::kAbsent : Operator::kExists;
    made.key = trimmed(term.substr(term.front() == '!' ? 1 : 0));
  }
  labels_.push_back(std::move(made));
}

bool Selector::matches(const FieldTerm& term, const Version& version) {
  bool equal = false;
  switch (term.of) {
    case FieldTerm::Of::kName:
      equal = version.name() == term.value;
      break;
    case FieldTerm::Of::kNamespace: {
      const std::string_view prefix = version.prefix();
      equal = prefix.substr(0, prefix.size() - 1) == term.value;
      break;
    }
    case FieldTerm::Of::kField:
      equal = version.fields()[term.field] == term.value;
      break;
  }
  return equal == term.equal;
}

bool Selector::matches(const LabelTerm& term, const Version& version) {
  const auto found = version.labels().find(term.key);
  const bool has = found != version.labels().end();
  if (term.op == Operator::kExists || term.op == Operator::kAbsent) {
    return has == (term.op == Operator::kExists);
  }
  const bool among = has && std::ranges::find(term.values, found->second) != term.values.end();
  return among == (term.op == Operator::kIn);
}

bool Selector::matches(const Version& version) const {
  return std::ranges::all_of(fields_, [&](const auto& term) { return matches(term, version); }) &&
         std::ranges::all_of(labels_, [&](const auto& term) { return matches(term, version); });
}

}  // namespace berth::apiserver
