// The soak test: pods of ever new names, labels, requests and owners go through `berth run`, and
// its memory must level off.
//   soak --berth build/release/bin/berth --pods 1000000
// It exits with status 1 if memory grows, or if the run's summary does not account for the pods.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "tests/soak/curve.h"
#include "tests/soak/load.h"
#include "tests/soak/process.h"

namespace berth::soak {
namespace {

struct Options {
  std::string berth;
  std::string summary = "soak-summary.json";
  uint64_t pods = 100'000;
  uint64_t samples = 20;
  double most_percent = 5;
  uint64_t slack = uint64_t{2} << 20;
  std::vector<std::string> kinds;
  Shape shape;
};

// Plays the load and returns the memory at each sample.
std::vector<Sample> play(const Options& options, Load& load, Process& process) {
  constexpr size_t kPiece = size_t{64} << 10;
  std::vector<Sample> samples;
  std::string lines;
  load.begin(lines);
  while (load.pods() < options.pods) {
    load.next(lines);
    const uint64_t due = (samples.size() + 1) * options.pods / options.samples;
    if (lines.size() < kPiece && load.pods() < due) continue;
    process.write(lines);
    lines.clear();
    if (load.pods() < due) continue;
    samples.push_back({load.pods(), process.resident_bytes()});
    std::fprintf(stderr, "%llu pods, %.1f MB\n", static_cast<unsigned long long>(load.pods()),
                 static_cast<double>(samples.back().bytes) / 1e6);
  }
  process.finish();
  return samples;
}

// The number of a field of the summary.
uint64_t number_of(std::string_view field, std::string_view summary) {
  const std::string key = fmt::format("\"{}\": ", field);
  const size_t at = summary.find(key);
  if (at == std::string_view::npos) {
    throw Error(fmt::format("the summary has no field \"{}\"", field));
  }
  return std::strtoull(summary.data() + at + key.size(), nullptr, 10);
}

void require_equal(std::string_view field, uint64_t expected, std::string_view summary) {
  const uint64_t found = number_of(field, summary);
  if (found == expected) return;
  throw Error(fmt::format("{} is {} in the summary, expected {}", field, found, expected));
}

// A run that dropped its input would be level, too.
void account(const Load& load, const std::string& summary) {
  require_equal("pods_total", load.pods(), summary);
  require_equal("pods_scheduled", load.expected().scheduled, summary);
  require_equal("pods_gated", load.expected().gated, summary);
  require_equal("pods_unschedulable", load.expected().refused, summary);
  require_equal("pods_deleted", load.expected().deleted, summary);
  require_equal("errors_in_input", 0, summary);
}

int soak(Options options) {
  for (const std::string& name : options.kinds) options.shape.kinds.push_back(kind_of(name));
  if (options.kinds.empty()) options.shape.kinds = all_kinds();
  Load load(options.shape);
  Process process({options.berth, "run", "--pods", "-", "--summary", options.summary});
  const std::vector<Sample> samples = play(options, load, process);
  account(load, read_file(options.summary));
  const Verdict verdict = judge(samples, options.most_percent, options.slack);
  const auto megabytes = [](uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  fmt::print("{}{}: {:.1f} MB at most in the second quarter, {:.1f} and {:.1f} MB in the next\n",
             table(samples), verdict.level ? "memory levels off" : "memory grows",
             megabytes(verdict.second), megabytes(verdict.third), megabytes(verdict.fourth));
  if (!verdict.level) fmt::print("each pod leaves {:.0f} bytes\n", verdict.bytes_per_pod);
  return verdict.level ? 0 : 1;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("plays pods of ever new kinds through berth run and watches its memory");
  app.add_option("--berth", options.berth, "the program")->required();
  app.add_option("--summary", options.summary, "where its summary goes")->capture_default_str();
  app.add_option("--pods", options.pods, "pods to play")->capture_default_str();
  app.add_option("--nodes", options.shape.nodes)->capture_default_str();
  app.add_option("--live", options.shape.live, "pods that are there at a time")
      ->capture_default_str();
  app.add_option("--replicas", options.shape.replicas, "of each Deployment")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--kinds", options.kinds, "kinds of Deployments, in turn (all)")->delimiter(',');
  app.add_option("--samples", options.samples, "points of the curve")
      ->check(CLI::Range(4, 10'000))
      ->capture_default_str();
  app.add_option("--most-growth", options.most_percent,
                 "percent by which memory may grow over the second half")
      ->capture_default_str();
  app.add_option("--slack", options.slack, "bytes by which it may grow besides")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return soak(std::move(options));
}

}  // namespace
}  // namespace berth::soak

int main(int argc, char** argv) {
  try {
    return berth::soak::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 1;
  }
}
