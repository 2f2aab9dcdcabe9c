#include "engine/ingest/objects/decode/container_run.h"

#include <charconv>
#include <optional>
#include <string>

#include "engine/base/text/go_duration.h"

namespace berth::ingest {
namespace {

constexpr int64_t kLongestRun = int64_t{87'600} * 3'600 * 1'000'000'000;
constexpr int64_t kMostCode = 255;

std::optional<int32_t> code_of(const std::string& text) {
  int32_t code = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return code;
}

}  // namespace

const char* problem_of_run(int64_t nanoseconds, int64_t exit_code) {
  if (nanoseconds < 0 || nanoseconds > kLongestRun)
    return "expected a duration from 0s to 87600h, such as 90s or 1h15m";
  if (exit_code < 0 || exit_code > kMostCode) return "expected an exit code from 0 to 255";
  return nullptr;
}

void read_run(const FieldReader& annotations, model::PodSpec& spec) {
  const bool runs = annotations.has(kRunsFor), ends = annotations.has(kExitCode);
  if (!runs && !ends) return;
  const std::string code_text = ends ? annotations.text(kExitCode) : "0";
  const int64_t time = parse_duration(annotations.text(kRunsFor)).value_or(-1);
  const int32_t code = code_of(code_text).value_or(-1);
  if (!runs) {
    annotations.missing(kRunsFor, "is missing: without it the exit code has no effect");
  } else if (const char* problem = problem_of_run(time, 0)) {
    annotations.wrong(kRunsFor, problem);
  } else if (const char* wrong = problem_of_run(0, code)) {
    annotations.wrong(kExitCode, wrong);
  } else {
    spec.run = model::ContainerRun{time, code};
  }
}

}  // namespace berth::ingest
