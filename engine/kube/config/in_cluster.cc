#include "engine/kube/config/in_cluster.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/document/document.h"

namespace berth::kube {
namespace {

// Throws unless the file is there and has more than blanks.
std::string content_of(const std::string& path) {
  constexpr size_t kMostBytes = 1 << 20;
  constexpr std::string_view kBlanks = " \t\r\n";
  std::string text = read_file(path, kMostBytes);
  text.erase(text.find_last_not_of(kBlanks) + 1);
  text.erase(0, text.find_first_not_of(kBlanks));
  if (text.empty())
    throw Error(Place{.file = path, .field = {}},
                "is empty; a pod has it from its service account");
  return text;
}

bool is_port(std::string_view text) {
  uint16_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() && number != 0;
}

bool is_host(std::string_view text) {
  return text.find_first_of("/@?#\"\\[]") == text.npos &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace

Connection in_cluster(std::string_view host, std::string_view port, const std::string& folder) {
  if (host.empty() || port.empty())
    throw Error(
        "not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; run "
        "in a pod, or use a kubeconfig");
  if (!is_host(host))
    throw Error("KUBERNETES_SERVICE_HOST is " + document::quoted(host) +
                "; expected a name or an address");
  if (!is_port(port))
    throw Error("KUBERNETES_SERVICE_PORT is " + document::quoted(port) +
                "; expected a number from 1 to 65535");
  const bool v6 = host.find(':') != host.npos;
  Connection to;
  to.server = "https://" + (v6 ? "[" + std::string(host) + "]" : std::string(host)) + ":";
  to.server += port;
  to.token_file = folder + "/token";
  to.ca.file = folder + "/ca.crt";
  content_of(to.token_file);
  content_of(to.ca.file);
  const std::string namespace_file = folder + "/namespace";
  std::error_code unknown;
  if (std::filesystem::exists(namespace_file, unknown))
    to.namespace_name = content_of(namespace_file);
  return to;
}

}  // namespace berth::kube
