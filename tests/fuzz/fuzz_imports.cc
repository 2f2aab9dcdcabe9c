// Any text as an imported workload: the result is an error or a load with consistent steps. The
// first byte selects the importer. A NUL separates a definition from the template that all of its
// paths refer to.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/assert.h"
#include "engine/document/document.h"
#include "loadgen/import/import_cluster.h"
#include "loadgen/import/openb_load.h"
#include "loadgen/scheduler_perf/import_scheduler_perf.h"

namespace {

using namespace berth;
using namespace berth::loadgen;

constexpr int kMostSteps = 6;  // per load; each may have thousands of pods

// Reads the text, so that a sanitizer checks the view.
size_t letters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return c != ' '; }));
}

void check_pods(const LoadStep& step, const std::set<uint32_t>& defined) {
  const ingest::PodBatch& pods = step.pods;
  BERTH_ASSERT(pods.names.size() == pods.size() && step.planned.size() == pods.size());
  BERTH_ASSERT(pods.label_ends.empty() || pods.label_ends.size() == pods.size());
  Nanoseconds planned = step.at;
  for (size_t i = 0; i < pods.size(); ++i) {
    BERTH_ASSERT(defined.contains(pods.template_ids[i]));
    BERTH_ASSERT(step.planned[i] >= planned);
    BERTH_ASSERT(letters(pods.names[i]) <= pods.names[i].size());
    BERTH_ASSERT(letters(pods.namespace_of(i)) <= pods.namespace_of(i).size());
    planned = step.planned[i];
  }
  for (const auto& [key, value] : pods.labels)
    BERTH_ASSERT(letters(key) + letters(value) <= key.size() + value.size());
}

void play(Load& load) {
  LoadStep step;
  Nanoseconds at{0};
  std::set<uint32_t> defined;
  for (int i = 0; i < kMostSteps && load.next(step); ++i) {
    BERTH_ASSERT(step.at >= at);
    at = step.at;
    for (const ingest::TemplateDefinition& definition : step.templates)
      BERTH_ASSERT(definition.spec != nullptr && defined.insert(definition.id).second);
    check_pods(step, defined);
  }
  BERTH_ASSERT(!load.note().empty());
}

void open(const Workload& workload, const LoadSettings& settings) {
  try {
    play(*workload.open(settings));
    BERTH_ASSERT(workload.missing.empty());
  } catch (const Error& error) {
    BERTH_ASSERT(!error.message().empty());
  }
}

// Definitions with thousands of pods take long and find no more than those with dozens.
bool has_large_numbers(std::string_view text) {
  size_t digits = 0;
  return std::ranges::any_of(text, [&](char c) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    return digits > 2;
  });
}

void import_perf(std::string_view text) {
  const size_t end = text.find('\0');
  const bool played = !has_large_numbers(text.substr(0, end));
  const std::string object(end == text.npos ? std::string_view() : text.substr(end + 1));
  Diagnostics diagnostics;
  const document::Document document =
      document::Document::parse(text.substr(0, end), "d/c.yaml", diagnostics);
  const auto read = [&](const std::string&) { return object; };
  size_t opened = 0;
  for (const Workload& workload : import_scheduler_perf(document, "d/c.yaml", read, diagnostics))
    if (played && ++opened <= 3) open(workload, {});
}

void import_objects(std::string_view text) {
  Diagnostics diagnostics;
  const document::Document document = document::Document::parse(text, "c.yaml", diagnostics);
  if (!is_cluster(document)) return;
  LoadSettings settings;
  settings.parameters = {{"copies", "3"}, {"reschedule", "true"}};
  for (const Workload& workload : import_cluster(document, "c.yaml", diagnostics)) {
    open(workload, {});
    open(workload, settings);
  }
}

void import_trace(std::string_view text) {
  Diagnostics diagnostics;
  const size_t end = text.find('\0');
  try {
    std::vector<openb::TraceNode> nodes;
    if (end != text.npos) nodes = openb::read_nodes(text.substr(end + 1), "n.csv", diagnostics);
    openb::TraceLoad load(std::move(nodes),
                          openb::read_pods(text.substr(0, end), "p.csv", diagnostics), {}, "note");
    play(load);
  } catch (const Error& error) {
    BERTH_ASSERT(!error.message().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'c':
      import_objects(text);
      break;
    case 't':
      import_trace(text);
      break;
    default:
      import_perf(text);
  }
  return 0;
}
