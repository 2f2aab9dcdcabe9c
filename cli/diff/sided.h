#pragma once

// An option that may have a value for each of the two settings that are compared.

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace berth::cli {

class SidedOption {
 public:
  // The fault of a value; empty: none.
  using Problem = std::function<std::string(const std::string& value)>;
  enum class Cut : uint8_t { kAtComma, kNever };

  // `preset`: of both sides. kAtComma: "A,B" has the value of both sides; given twice, each is a
  // whole value. kNever: values have commas of their own, so that two are given one by one.
  SidedOption(std::string name, std::string preset, Problem problem, Cut cut = Cut::kAtComma)
      : name_(std::move(name)),
        problem_(std::move(problem)),
        cut_(cut),
        values_{preset, std::move(preset)} {}

  // This must outlive the parsing of the command line.
  void add_to(CLI::App& command, const std::string& help, const std::string& text);
  // To be called once the command line was read. Throws CLI::ValidationError.
  void read();

  const std::array<std::string, 2>& values() const { return values_; }
  const std::string& operator[](size_t side) const { return values_[side]; }
  bool differs() const { return values_[0] != values_[1]; }

 private:
  std::vector<std::string> split(const std::string& text) const;

  std::string name_;
  Problem problem_;
  Cut cut_;
  std::vector<std::string> given_;
  std::array<std::string, 2> values_;
};

}  // namespace berth::cli
