#include "loadgen/workload/parse/parse_distribution.h"

#include <fmt/format.h>

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr char kDistributionKinds[] = "uniform, normal, logNormal, pareto, exponential, empirical";
constexpr double kLeastShape = 0.01;
constexpr double kMostShape = 100;

class Parser {
 public:
  Parser(Unit unit, FieldContext& context) : unit_(unit), context_(context) {}

  int64_t amount(Fields& in, std::string_view field, int64_t low = 0) {
    const Value value = in.at(field);
    if (!value.present()) {
      in.missing(field, "is missing");
      return low;
    }
    return context_.amount(value, unit_, low).value_or(low);
  }

  void uniform(Value value) {
    result.kind = Distribution::Kind::kUniform;
    Fields in(value, context_);
    result.first = amount(in, "min");
    result.second = amount(in, "max", result.first);
    in.done();
  }

  void normal(Value value) {
    result.kind = Distribution::Kind::kNormal;
    Fields in(value, context_);
    result.first = amount(in, "mean");
    result.second = amount(in, "deviation");
    in.done();
  }

  double shape(Fields& in, std::string_view field) {
    const Value value = in.at(field);
    if (value.present()) return context_.real(value, kLeastShape, kMostShape).value_or(1);
    in.missing(field, "is missing");
    return 1;
  }

  void log_normal(Value value) {
    result.kind = Distribution::Kind::kLogNormal;
    Fields in(value, context_);
    result.first = amount(in, "median");
    result.shape = shape(in, "sigma");
    in.done();
  }

  void pareto(Value value) {
    result.kind = Distribution::Kind::kPareto;
    Fields in(value, context_);
    result.first = amount(in, "min");
    result.shape = shape(in, "alpha");
    in.done();
  }

  void exponential(Value value) {
    result.kind = Distribution::Kind::kExponential;
    Fields in(value, context_);
    result.first = amount(in, "mean");
    in.done();
  }

  void empirical(Value value) {
    result.kind = Distribution::Kind::kEmpirical;
    if (!value.is(Kind::kArray) || value.size() == 0)
      return context_.report(value, expected("a list of {value, weight}", value));
    uint64_t sum = 0;
    for (const Value element : value.elements()) {
      Fields in(element, context_);
      const int64_t drawn = amount(in, "value");
      sum += in.count("weight", 1, kMostWeight, 1);
      in.done();
      result.values.emplace_back(drawn, sum);
    }
  }

  Distribution result;

 private:
  Unit unit_;
  FieldContext& context_;
};

struct KindOf {
  std::string_view name;
  void (Parser::*parse)(Value);
};
constexpr KindOf kKindsOf[] = {
    {"uniform", &Parser::uniform},         {"normal", &Parser::normal},
    {"logNormal", &Parser::log_normal},    {"pareto", &Parser::pareto},
    {"exponential", &Parser::exponential}, {"empirical", &Parser::empirical},
};

}  // namespace

std::optional<Distribution> parse_distribution(Value value, Unit unit, FieldContext& context,
                                               int64_t low, int64_t high, int64_t step) {
  if (!value.is(Kind::kObject)) {
    const std::optional<int64_t> fixed = context.amount(value, unit, low, high);
    if (!fixed) return std::nullopt;
    Distribution distribution;
    distribution.first = *fixed;
    return distribution;
  }
  Fields in(value, context);
  Parser parser(unit, context);
  int kinds = 0;
  for (const KindOf& kind : kKindsOf) {
    if (!in.has(kind.name)) continue;
    ++kinds;
    (parser.*kind.parse)(in.at(kind.name));
  }
  Distribution& result = parser.result;
  const auto bound = [&](std::string_view name, int64_t least, int64_t fallback) {
    const Value at = in.at(name);
    return at.present() ? context.amount(at, unit, least, high).value_or(fallback) : fallback;
  };
  result.step = bound("step", 1, step);
  result.lowest = bound("min", low, low);
  result.highest = bound("max", result.lowest, high);
  in.done();
  if (kinds != 1)
    context.report(value,
                   fmt::format("a distribution is an amount, or one of {}", kDistributionKinds));
  if (!context.faultless()) return std::nullopt;
  return std::move(result);
}

}  // namespace berth::loadgen
