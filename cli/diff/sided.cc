#include "cli/diff/sided.h"

#include <fmt/format.h>

#include "engine/base/text/number_text.h"

namespace berth::cli {

void SidedOption::add_to(CLI::App& command, const std::string& help, const std::string& text) {
  command.add_option(name_, given_, help)->allow_extra_args(false)->option_text(text);
}

std::vector<std::string> SidedOption::split(const std::string& text) const {
  if (cut_ == Cut::kNever) return {text};
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(',', begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

void SidedOption::read() {
  if (given_.empty()) return;
  const std::vector<std::string> values = given_.size() == 1 ? split(given_[0]) : given_;
  if (values.size() > values_.size())
    throw CLI::ValidationError(name_, fmt::format("expected a value for both settings or one for "
                                                  "each of them, found {}",
                                                  plural(values.size(), "value")));
  for (const std::string& value : values)
    if (const std::string problem = problem_(value); !problem.empty())
      throw CLI::ValidationError(name_, problem);
  values_ = {values.front(), values.back()};
}

}  // namespace berth::cli
