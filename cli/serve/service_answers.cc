#include "cli/serve/service_answers.h"

#include "engine/config/write/write.h"
#include "engine/document/document.h"

namespace berth::cli {
namespace {

// The configuration that is in use, as kube-scheduler's /configz shows it.
std::string configz(const config::Configuration& configuration) {
  const config::Written written = config::convert(configuration);
  Diagnostics faults;
  const auto text = document::Document::parse(written.yaml, {}, faults);
  std::string json = R"({"componentconfig":)";
  document::append_json(text.roots()[0], json);
  return json + "}";
}

}  // namespace

ServiceAnswers::ServiceAnswers(const metrics::SchedulerMetrics& metrics,
                               const service::ClientMetrics& client,
                               const config::Configuration& configuration)
    : metrics_(metrics), client_(client), configuration_(configz(configuration)) {}

std::vector<service::Check> ServiceAnswers::checks() const {
  return {{.name = "ping", .in_healthz = true, .in_livez = true, .in_readyz = true},
          {.name = "leaderElection",
           .in_healthz = true,
           .in_livez = true,
           .in_readyz = true,
           .failure = healthy_ ? "" : "the lease expired and was not renewed"},
          {.name = "informer-sync",
           .in_readyz = true,
           .failure = synced_ ? "" : "not all lists of the cluster have come"}};
}

}  // namespace berth::cli
