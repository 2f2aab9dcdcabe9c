#include "engine/model/objects/pod_requests.h"

#include <algorithm>

namespace berth::model {
namespace {

using Statuses = std::vector<ContainerStatus>;

ResourceList::iterator entry(ResourceList& list, const std::string& name) {
  auto at =
      std::lower_bound(list.begin(), list.end(), name,
                       [](const auto& pair, const std::string& key) { return pair.first < key; });
  if (at == list.end() || at->first != name) at = list.insert(at, {name, Quantity()});
  return at;
}

bool has(const ResourceList& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(),
                     [&](const auto& pair) { return pair.first == name; });
}

void add(ResourceList& list, const ResourceList& more) {
  for (const auto& [name, quantity] : more) entry(list, name)->second += quantity;
}

void raise(ResourceList& list, const ResourceList& other) {
  for (const auto& [name, quantity] : other) {
    bool known = has(list, name);
    Quantity& mine = entry(list, name)->second;
    if (!known || mine < quantity) mine = quantity;
  }
}

struct Options {
  bool use_statuses = false;
  bool use_pod_level = true;
  ResourceList defaults;  // for containers without requests of these resources
};

// After a resize a container holds the maximum of its requests and its allocated resources. If the
// resize is infeasible, the new requests do not count.
ResourceList container_requests(const PodSpec& spec, const Container& container,
                                const Options& options) {
  ResourceList requests = container.requests;
  if (!options.use_statuses) return requests;
  auto status = std::find_if(spec.container_statuses.begin(), spec.container_statuses.end(),
                             [&](const auto& s) { return s.name == container.name; });
  if (status == spec.container_statuses.end() || !status->has_resources) return requests;
  if (spec.resize_infeasible) requests.clear();
  raise(requests, status->requests);
  raise(requests, status->allocated_resources);
  return requests;
}

ResourceList with_defaults(ResourceList requests, const ResourceList& defaults) {
  for (const auto& [name, quantity] : defaults)
    if (!has(requests, name)) entry(requests, name)->second = quantity;
  return requests;
}

ResourceList container_level(const PodSpec& spec, const Options& options) {
  ResourceList sum;
  for (const Container& container : spec.containers)
    add(sum, with_defaults(container_requests(spec, container, options), options.defaults));

  ResourceList sidecars;  // sidecars started so far
  ResourceList init_peak;
  for (const Container& container : spec.init_containers) {
    Options own = options;
    own.use_statuses = options.use_statuses && container.restart_always;
    ResourceList running =
        with_defaults(container_requests(spec, container, own), options.defaults);
    if (container.restart_always) {
      add(sum, running);
      add(sidecars, running);
      running = sidecars;
    } else {
      add(running, sidecars);
    }
    raise(init_peak, running);
  }
  raise(sum, init_peak);
  return sum;
}

bool pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

bool names_pod_level(const PodSpec& spec) {
  return std::any_of(spec.pod_requests.begin(), spec.pod_requests.end(),
                     [](const auto& pair) { return pod_level_resource(pair.first); });
}

ResourceList total(const PodSpec& spec, const Options& options) {
  ResourceList sum = container_level(spec, options);
  if (options.use_pod_level)
    for (const auto& [name, quantity] : spec.pod_requests)
      if (pod_level_resource(name)) entry(sum, name)->second = quantity;
  add(sum, spec.overhead);
  return sum;
}

// These defaults are the framework's and not one plugin's: kube-scheduler's node info holds the
// sums for all plugins (NodeInfo.NonZeroRequested), so the model follows them as pods come and go.
// Source: kube-scheduler util/pod_resources.go.
ResourceList nonzero_defaults() {
  return {{"cpu", Quantity::from_milli(kDefaultMilliCpu)},
          {"memory", Quantity::from_units(kDefaultMemory)}};
}

int64_t amount_in(const ResourceList& list, std::string_view name) {
  for (const auto& [key, quantity] : list)
    if (key == name) return resource_amount(name, quantity);
  return 0;
}

}  // namespace

int64_t resource_amount(std::string_view resource, const Quantity& quantity) {
  return resource == "cpu" ? quantity.milli_value() : quantity.value();
}

PodRequests pod_requests(const PodSpec& spec) {
  PodRequests result;
  result.requests = total(spec, {});
  result.running = total(spec, {.use_statuses = true, .use_pod_level = true, .defaults = {}});
  result.scoring =
      total(spec, {.use_statuses = false, .use_pod_level = false, .defaults = nonzero_defaults()});

  // With pod-level requests, defaults apply only to resources that neither level names.
  Options nonzero{.use_statuses = true, .use_pod_level = true, .defaults = nonzero_defaults()};
  if (names_pod_level(spec))
    std::erase_if(nonzero.defaults,
                  [&](const auto& pair) { return has(result.running, pair.first); });
  ResourceList sums = total(spec, nonzero);
  result.nonzero_milli_cpu = amount_in(sums, "cpu");
  result.nonzero_memory = amount_in(sums, "memory");
  return result;
}

}  // namespace berth::model
