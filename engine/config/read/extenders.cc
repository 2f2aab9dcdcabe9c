#include "engine/config/read/extenders.h"

#include <array>
#include <set>

#include "engine/base/text/base64.h"

namespace berth::config {
namespace {

template <typename T, typename U>
void set(T& field, std::optional<U> value) {
  if (value) field = std::move(*value);
}

void read_bytes(const Node& node, Reader& reader, Faults& faults, std::string& out) {
  const std::optional<std::string> text = reader.string(node);
  if (!text) return;
  if (std::optional<std::string> bytes = base64_bytes(*text)) {
    out = std::move(*bytes);
  } else {
    faults.add(node.place(), "must be base64");
  }
}

ExtenderTls read_tls(const Node& node, Reader& reader, Faults& faults) {
  ExtenderTls tls;
  const auto text = [&](std::string& field) {
    return [&](const Node& n) { set(field, reader.string(n)); };
  };
  const auto bytes = [&](std::string& field) {
    return [&](const Node& n) { read_bytes(n, reader, faults, field); };
  };
  reader.object(node, {{"insecure", [&](const Node& n) { set(tls.insecure, reader.boolean(n)); }},
                       {"serverName", text(tls.server_name)},
                       {"certFile", text(tls.cert_file)},
                       {"keyFile", text(tls.key_file)},
                       {"caFile", text(tls.ca_file)},
                       {"certData", bytes(tls.cert_data)},
                       {"keyData", bytes(tls.key_data)},
                       {"caData", bytes(tls.ca_data)}});
  return tls;
}

ManagedResource read_resource(const Node& node, Reader& reader) {
  ManagedResource resource;
  reader.object(node, {{"name", [&](const Node& n) { set(resource.name, reader.string(n)); }},
                       {"ignoredByScheduler", [&](const Node& n) {
                          set(resource.ignored_by_scheduler, reader.boolean(n));
                        }}});
  return resource;
}

bool alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// A qualified name with a prefix that is neither Kubernetes' own nor that of a quota.
bool is_extended_resource(std::string_view name) {
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos || slash == 0 || name.find('/', slash + 1) != name.npos)
    return false;
  const std::string_view prefix = name.substr(0, slash), own = name.substr(slash + 1);
  if (name.find("kubernetes.io/") != name.npos || name.starts_with("requests.")) return false;
  constexpr size_t kLongestName = 63, kLongestPrefix = 253 - std::string_view("requests.").size();
  if (own.empty() || own.size() > kLongestName || prefix.size() > kLongestPrefix) return false;
  if (!alphanumeric(own.front()) || !alphanumeric(own.back())) return false;
  for (const char c : own)
    if (!alphanumeric(c) && c != '-' && c != '_' && c != '.') return false;
  for (const char c : prefix)
    if (!(alphanumeric(c) && !(c >= 'A' && c <= 'Z')) && c != '-' && c != '.') return false;
  return prefix.front() != '-' && prefix.front() != '.' && prefix.back() != '-' &&
         prefix.back() != '.';
}

}  // namespace

Extender read_extender(const Node& node, Reader& reader, Faults& faults) {
  Extender to;
  to.place = node.place();
  const auto text = [&](std::string& field) {
    return [&](const Node& n) { set(field, reader.string(n)); };
  };
  const auto flag = [&](bool& field) {
    return [&](const Node& n) { set(field, reader.boolean(n)); };
  };
  reader.object(node, {{"urlPrefix", text(to.url_prefix)},
                       {"filterVerb", text(to.filter_verb)},
                       {"preemptVerb", text(to.preempt_verb)},
                       {"prioritizeVerb", text(to.prioritize_verb)},
                       {"bindVerb", text(to.bind_verb)},
                       {"weight", [&](const Node& n) { set(to.weight, reader.int64(n)); }},
                       {"enableHTTPS", flag(to.enable_https)},
                       {"tlsConfig",
                        [&](const Node& n) {
                          if (n.set()) to.tls = read_tls(n, reader, faults);
                        }},
                       {"httpTimeout", [&](const Node& n) { set(to.timeout, reader.duration(n)); }},
                       {"nodeCacheCapable", flag(to.node_cache_capable)},
                       {"managedResources",
                        [&](const Node& n) {
                          reader.array(n, [&](const Node& one) {
                            to.managed_resources.push_back(read_resource(one, reader));
                          });
                        }},
                       {"ignorable", flag(to.ignorable)}});
  if (to.timeout == 0) to.timeout = Extender::kDefaultTimeout;
  return to;
}

void validate_extenders(const std::vector<Extender>& extenders, Places& places, Faults& faults) {
  size_t binders = 0;
  std::set<std::string_view> managed;
  for (size_t i = 0; i < extenders.size(); ++i) {
    const Extender& extender = extenders[i];
    const std::string path = "extenders[" + std::to_string(i) + "]";
    if (!extender.url_prefix.starts_with("http://") && !extender.url_prefix.starts_with("https://"))
      faults.invalid(places.at(path + ".urlPrefix"), quoted(extender.url_prefix),
                     "must be a URL that begins with http:// or https://");
    if (!extender.prioritize_verb.empty() && extender.weight <= 0)
      faults.invalid(places.at(path + ".weight"), std::to_string(extender.weight),
                     "must have a positive weight applied to it");
    binders += !extender.bind_verb.empty();
    for (size_t k = 0; k < extender.managed_resources.size(); ++k) {
      const std::string& name = extender.managed_resources[k].name;
      const Place place = places.at(path + ".managedResources[" + std::to_string(k) + "].name");
      if (!is_extended_resource(name))
        faults.invalid(place, quoted(name), "is an invalid extended resource name");
      if (!managed.insert(name).second)
        faults.invalid(place, quoted(name), "duplicate extender managed resource name");
    }
  }
  if (binders > 1)
    faults.invalid(places.at("extenders"),
                   "found " + std::to_string(binders) + " extenders implementing bind",
                   "only one extender can implement bind");
}

}  // namespace berth::config
