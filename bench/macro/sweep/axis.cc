#include "bench/macro/sweep/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "engine/base/rules/kube_version.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/suggestion.h"
#include "engine/base/text/typed_number.h"
#include "engine/config/gates/feature_gates.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_folders.h"

namespace berth::bench {
namespace {

constexpr size_t kMostValues = 100'000;  // of one axis

uint64_t typed_number_of(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The value as the axis writes it. Throws Error for one that it does not take.
using Normal = std::string (*)(const std::string& value);

template <uint64_t low, uint64_t high>
std::string whole(const std::string& value) {
  if (const auto problem = whole_number_problem(value, low, high)) throw Error(*problem);
  return std::to_string(typed_number_of(value));
}

std::string one_of(const std::string& value, const std::vector<std::string>& words) {
  if (std::ranges::find(words, value) != words.end()) return value;
  const std::string meant = nearest_word(value, words);
  throw Error(fmt::format("expected {}, found \"{}\"{}", fmt::join(words, " or "), printable(value),
                          meant.empty() ? "" : "; did you mean \"" + meant + "\"?"));
}

std::string kube_version(const std::string& value) {
  if (const auto version = kube_version_named(value)) return std::string(version_text(*version));
  std::vector<std::string> known;
  for (const KubeVersion version : kube_versions()) known.emplace_back(version_text(version));
  return one_of(value, known);
}

std::string any_text(const std::string& value) { return value; }

using Apply = void (*)(const std::string& argument, const std::string& value, Variant& variant);

struct Kind {
  const char* name;
  const char* argument;  // what stands behind the colon, for people; null: nothing does
  Normal normal;
  Apply apply;
};

constexpr Kind kKinds[] = {
    {"weight", "PLUGIN", whole<0, INT32_MAX>,
     [](const std::string& plugin, const std::string& value, Variant& variant) {
       variant.edits.weights[plugin] = static_cast<int32_t>(typed_number_of(value));
     }},
    {"plugin", "PLUGIN",
     [](const std::string& value) {
       return one_of(value, {"on", "off"});
     },
     [](const std::string& plugin, const std::string& value, Variant& variant) {
       variant.edits.plugins[plugin] = value == "on";
     }},
    {"percentage", nullptr, whole<0, 100>,
     [](const std::string& /*none*/, const std::string& value, Variant& variant) {
       variant.percentage = static_cast<int32_t>(typed_number_of(value));
     }},
    {"seed", nullptr, whole<0, UINT64_MAX>,
     [](const std::string& /*none*/, const std::string& value, Variant& variant) {
       variant.seed = typed_number_of(value);
     }},
    {"tie-seed", nullptr, whole<0, UINT64_MAX>,
     [](const std::string& /*none*/, const std::string& value, Variant& variant) {
       variant.tie_seed = typed_number_of(value);
     }},
    {"tie-break", nullptr,
     [](const std::string& value) {
       return one_of(value, {"random", "name"});
     },
     [](const std::string& /*none*/, const std::string& value, Variant& variant) {
       variant.tie_break =
           value == "name" ? framework::TieBreak::kName : framework::TieBreak::kRandom;
     }},
    {"kube-version", nullptr, kube_version,
     [](const std::string& /*none*/, const std::string& value, Variant& variant) {
       variant.rules.version = kube_version_named(value);
     }},
    {"gate", "NAME",
     [](const std::string& value) {
       return one_of(value, {"true", "false"});
     },
     [](const std::string& gate, const std::string& value, Variant& variant) {
       variant.rules.gates[gate] = value == "true";
     }},
    {"config", nullptr, any_text,
     [](const std::string& /*none*/, const std::string& value, Variant& variant) {
       variant.config = value == startup::kDefaultFolders ? "" : value;
     }},
    {"evaluation", nullptr,
     [](const std::string& value) {
       return one_of(value, {"reference", "full", "incremental"});
     },
     [](const std::string& /*none*/, const std::string& value, Variant& variant) {
       variant.evaluation = startup::evaluation_of(value);
     }},
    {"threads", nullptr, whole<1, 1024>,
     [](const std::string& /*none*/, const std::string& value, Variant& variant) {
       variant.threads = static_cast<int>(typed_number_of(value));
     }},
    {"set", "PARAMETER", any_text,
     [](const std::string& parameter, const std::string& value, Variant& variant) {
       variant.parameters[parameter] = value;
     }},
};

std::string_view head_of(std::string_view axis) { return axis.substr(0, axis.find(':')); }
std::string argument_of(const std::string& axis) {
  const size_t colon = axis.find(':');
  return colon == std::string::npos ? "" : axis.substr(colon + 1);
}

const Kind* kind_of(std::string_view axis) {
  const auto at = std::ranges::find(kKinds, head_of(axis), &Kind::name);
  return at == std::end(kKinds) ? nullptr : at;
}

[[noreturn]] void unknown(const std::string& axis) {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  const std::string meant = nearest_word(head_of(axis), names);
  throw UsageError(fmt::format(
      "--vary {}: nothing of this name can be varied{}; expected {}", printable(axis),
      meant.empty() ? "" : ", did you mean \"" + meant + "\"?", fmt::join(axis_forms(), ", ")));
}

// Throws UsageError if the text behind the colon is missing or too much.
const Kind& known_kind(const std::string& axis) {
  const Kind* kind = kind_of(axis);
  if (kind == nullptr) unknown(axis);
  const bool has_argument = axis.find(':') != std::string::npos;
  if (kind->argument != nullptr && argument_of(axis).empty())
    throw UsageError(
        fmt::format("--vary {}: expected {}:{}", printable(axis), kind->name, kind->argument));
  if (kind->argument == nullptr && has_argument)
    throw UsageError(
        fmt::format("--vary {}: expected {} without a colon", printable(axis), kind->name));
  return *kind;
}

// A..B and A..B..STEP as the numbers that it stands for; anything else as it is.
void add_values(const std::string& word, std::vector<std::string>& values) {
  const size_t dots = word.find("..");
  if (dots == std::string::npos) return values.push_back(word);
  const size_t more = word.find("..", dots + 2);
  const std::string first = word.substr(0, dots);
  const std::string last =
      word.substr(dots + 2, more == std::string::npos ? more : more - dots - 2);
  const std::string step = more == std::string::npos ? "1" : word.substr(more + 2);
  // A text with dots that is no range, such as the path of a file.
  if (whole_number_problem(first, 0, UINT64_MAX) || whole_number_problem(last, 0, UINT64_MAX) ||
      whole_number_problem(step, 1, UINT64_MAX))
    return values.push_back(word);
  const uint64_t from = typed_number_of(first), to = typed_number_of(last),
                 by = typed_number_of(step);
  if (from > to) throw Error(fmt::format("{} goes from the larger to the smaller number", word));
  if ((to - from) / by >= kMostValues)
    throw Error(fmt::format("{} is more than {} values", word, kMostValues));
  for (uint64_t i = 0; i <= (to - from) / by; ++i) values.push_back(std::to_string(from + i * by));
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    words.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<std::string> values_of(std::string_view list, const Kind& kind) {
  std::vector<std::string> typed, values;
  for (const std::string& word : words_of(list)) add_values(word, typed);
  if (typed.size() > kMostValues) throw Error(fmt::format("more than {} values", kMostValues));
  for (const std::string& value : typed) {
    if (value.empty()) throw Error("a value is empty");
    values.push_back(kind.normal(value));
  }
  std::vector<std::string> sorted = values;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    throw Error(fmt::format("lists {} twice", printable(*twice)));
  return values;
}

}  // namespace

Axis parse_axis(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw UsageError("--vary: expected NAME=VALUE[,VALUE...], found \"" + printable(text) + "\"");
  Axis axis{text.substr(0, equals), {}};
  const Kind& kind = known_kind(axis.name);
  try {
    axis.values = values_of(std::string_view(text).substr(equals + 1), kind);
    if (std::string_view(kind.name) == "gate")
      config::parse_gates(argument_of(axis.name) + "=" + axis.values.front());
  } catch (const Error& error) {
    throw UsageError("--vary " + printable(axis.name) + ": " + error.message());
  }
  return axis;
}

bool is_drawn(const std::string& axis) { return axis == "seed" || axis == "tie-seed"; }

void apply(const std::string& axis, const std::string& value, Variant& variant) {
  kind_of(axis)->apply(argument_of(axis), value, variant);
}

std::vector<std::string> axis_forms() {
  std::vector<std::string> forms;
  for (const Kind& kind : kKinds)
    forms.push_back(kind.argument == nullptr ? std::string(kind.name)
                                             : fmt::format("{}:{}", kind.name, kind.argument));
  return forms;
}

}  // namespace berth::bench
