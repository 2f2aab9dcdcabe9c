// Limits the number of pods of a kind in each domain of a topology, such as two databases per rack:
//
//   {"selector": {"matchLabels": {"app": "db"}}, "topologyKey": "rack", "most": 2}
//
// With "resource" it limits what they request together, such as 64 CPUs, in thousandths, per rack:
//
//   {"selector": {}, "topologyKey": "rack", "resource": "cpu", "most": 64000}
//
// The host counts the pods. Pods that the selector does not match are not limited. A node without
// the label counts 0 pods, so it is refused only if the pod alone is more than "most".

#include <algorithm>
#include <optional>
#include <string>

#include "berth/sdk/sdk.hpp"

namespace sdk = berth::sdk;

struct DomainLimit : sdk::Filter<> {
  int64_t most = 0;
  std::optional<sdk::Input<uint8_t>> limited;  // 1: the selector matches the pod
  std::optional<sdk::Input<int64_t>> counts;   // matching pods in each node's domain
  // With a resource, whose string id it is; else 0.
  uint32_t resource = 0;
  std::optional<sdk::ListInput<uint32_t>> names;
  std::optional<sdk::ListInput<int64_t>> requests;
  sdk::Reason full{*this, "node(s) were in a full domain"};

  void filter(const Call& call, std::span<uint8_t> verdicts) const override {
    const bool limits = call.one(*limited) != 0;
    const int64_t room = most - own(call);
    const auto count = call[*counts];
    for (size_t i = 0; i < verdicts.size(); ++i)
      verdicts[i] = limits && count[i] > room ? BERTH_UNSCHEDULABLE : BERTH_SUCCESS;
  }

 private:
  // The pod itself adds one, or its request.
  int64_t own(const Call& call) const {
    if (resource == 0) return 1;
    const auto all = call.one(*names);
    const auto at = std::find(all.begin(), all.end(), resource);
    return at == all.end() ? 0 : call.one(*requests)[static_cast<size_t>(at - all.begin())];
  }
};

class DomainLimitPlugin : public sdk::Plugin {
 public:
  DomainLimitPlugin() { add(filter_); }

  static void validate(const sdk::Config& config) {
    config["selector"].accept();
    if (config["topologyKey"].text().empty()) config["topologyKey"].error("must be a label key");
    config["resource"].text();
    config["most"].integer(0, 0, INT64_MAX);
  }
  void init(sdk::Host host, const sdk::Config& config) override {
    const sdk::Counts counts(host);
    const sdk::Config selector = config["selector"];
    const std::string key(config["topologyKey"].text());
    const uint32_t term =
        counts.term(sdk::Selectors(host).label_selector(selector.raw(), selector.node()), {});
    const std::string resource(config["resource"].text());
    const uint32_t query = counts.query(
        {.key = sdk::Strings(host).intern(key), .terms = {term}, .resource = resource});
    filter_.most = config["most"].integer();
    filter_.limited.emplace(filter_, sdk::concat("pod.matches:", term));
    filter_.counts.emplace(filter_, sdk::concat("node.count:", query));
    if (resource.empty()) return;
    filter_.resource = sdk::Strings(host).intern(resource);
    filter_.names.emplace(filter_, "pod.running_request_names");
    filter_.requests.emplace(filter_, "pod.running_requests");
  }

 private:
  DomainLimit filter_;
};

BERTH_SDK_PLUGIN(DomainLimitPlugin, "com.example.domain-limit", "DomainLimit", BERTH_FILTER);
