#include "engine/startup/serve/refused_options.h"

#include <fmt/format.h>

#include <string>

namespace berth::startup {
namespace {

constexpr std::string_view kFilesOfTls =
    "name the files with --tls-cert-file and --tls-private-key-file";
constexpr std::string_view kHttp1 = "its endpoint speaks HTTP/1.1 alone";
constexpr std::string_view kTlsSettings =
    "its endpoint has TLS 1.2 and 1.3 with their best ciphers";
constexpr std::string_view kSharing = "one process listens on a port";
constexpr std::string_view kReviews =
    "it asks the API server about each request and keeps answers for 10s";
constexpr std::string_view kFrontProxy = "it does not take users from the headers of a front proxy";
constexpr std::string_view kProfiling = "it has no pages for Go's profiler";
constexpr std::string_view kMetrics = "it serves all of its metrics";
constexpr std::string_view kLogs = "its messages are lines of text on standard error";

// By the sets of kube-scheduler's help.
constexpr RefusedOption kRefused[] = {
    {"--write-config-to", "`berth config` prints a configuration"},
    {"--cert-dir", kFilesOfTls},
    {"--disable-http2-serving", kHttp1},
    {"--http2-max-streams-per-connection", kHttp1},
    {"--permit-address-sharing", kSharing},
    {"--permit-port-sharing", kSharing},
    {"--tls-cipher-suites", kTlsSettings},
    {"--tls-min-version", kTlsSettings},
    {"--tls-sni-cert-key", kFilesOfTls},
    {"--authentication-skip-lookup", kReviews},
    {"--authentication-token-webhook-cache-ttl", kReviews},
    {"--authentication-tolerate-lookup-failure", kReviews},
    {"--client-ca-file", "it takes the authorities of clients from the API server"},
    {"--requestheader-allowed-names", kFrontProxy},
    {"--requestheader-client-ca-file", kFrontProxy},
    {"--requestheader-extra-headers-prefix", kFrontProxy},
    {"--requestheader-group-headers", kFrontProxy},
    {"--requestheader-uid-headers", kFrontProxy},
    {"--requestheader-username-headers", kFrontProxy},
    {"--authorization-always-allow-paths", "it allows /healthz, /readyz and /livez always"},
    {"--authorization-webhook-cache-authorized-ttl", kReviews},
    {"--authorization-webhook-cache-unauthorized-ttl", kReviews},
    {"--contention-profiling", kProfiling},
    {"--profiling", kProfiling},
    {"--emulated-version", "it is as kube-scheduler v1.34"},
    {"--allow-metric-labels", kMetrics},
    {"--allow-metric-labels-manifest", kMetrics},
    {"--disabled-metrics", kMetrics},
    {"--show-hidden-metrics-for-version", kMetrics},
    {"--log-flush-frequency", kLogs},
    {"--log-json-info-buffer-size", kLogs},
    {"--log-json-split-stream", kLogs},
    {"--log-text-info-buffer-size", kLogs},
    {"--log-text-split-stream", kLogs},
    {"--logging-format", kLogs},
    {"--vmodule", kLogs},
};

}  // namespace

std::span<const RefusedOption> refused_options() { return kRefused; }

void add_refused_options(CLI::App& command) {
  for (const RefusedOption& option : kRefused)
    command
        .add_option_function<std::string>(
            std::string(option.name),
            [option](const std::string& /*value*/) {
              throw CLI::ValidationError(
                  std::string(option.name),
                  fmt::format("kube-scheduler has this option, Berth has not: {}", option.hint));
            })
        ->expected(0, 1)
        ->default_str("true")
        ->group("");
}

}  // namespace berth::startup
