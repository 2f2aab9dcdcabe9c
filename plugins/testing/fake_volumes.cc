#include "plugins/testing/fake_volumes.h"

#include "plugins/testing/fake_host.h"

namespace berth::plugins::testing {
namespace {

FakeVolumes& of(const berth_host* host) { return FakeHost::of(host).volumes; }

template <class Object>
const Object* named(const std::deque<Object>& all, uint32_t name) {
  for (const Object& one : all)
    if (one.name == name) return &one;
  return nullptr;
}

template <class Object>
const Object* after(const std::deque<Object>& all, const Object* last) {
  bool found = last == nullptr;
  for (const Object& one : all) {
    if (found) return &one;
    found = &one == last;
  }
  return nullptr;
}

const berth_claim* claim(const berth_host* host, uint32_t in, uint32_t name) {
  for (const berth_claim& one : of(host).claims)
    if (one.namespace_name == in && one.name == name) return &one;
  return nullptr;
}

const berth_volumes_service kService = {
    sizeof kService,
    0,
    [](const berth_host*) { return uint64_t{1}; },
    claim,
    [](const berth_host* host, uint32_t name) { return named(of(host).volumes, name); },
    [](const berth_host* host, uint32_t name) { return named(of(host).classes, name); },
    [](const berth_host* host, uint32_t name) { return named(of(host).csi_drivers, name); },
    [](const berth_host* host, const berth_claim* last) { return after(of(host).claims, last); },
    [](const berth_host* host, const berth_volume* last) { return after(of(host).volumes, last); },
    [](const berth_host* host, const berth_csi_node* last) {
      return after(of(host).csi_nodes, last);
    },
    [](const berth_host* host, const berth_csi_capacity* last) {
      return after(of(host).capacities, last);
    },
    [](const berth_host* host, const berth_volume_attachment* last) {
      return after(of(host).attachments, last);
    },
    [](const berth_host* host, const berth_claim* claim, const berth_volume* volume) {
      return of(host).not_selected.contains({claim->name, volume->name}) ? 0u : 1u;
    },
    [](const berth_host* host, uint32_t selector, uint32_t node) {
      return of(host).node_matches.contains({selector, node}) ? 1u : 0u;
    },
    [](const berth_host* host, uint64_t, uint32_t volume, const berth_claim* claim) -> berth_code {
      of(host).assumed_volumes[volume] = claim->name;
      return BERTH_SUCCESS;
    },
    [](const berth_host* host, uint64_t, uint32_t, uint32_t name, uint32_t node) -> berth_code {
      of(host).assumed_claims[name] = node;
      return BERTH_SUCCESS;
    },
    [](const berth_host* host, uint64_t, uint32_t volume) {
      of(host).assumed_volumes.erase(volume);
    },
    [](const berth_host* host, uint64_t, uint32_t, uint32_t name) {
      of(host).assumed_claims.erase(name);
    },
    [](const berth_host* host, uint64_t, uint32_t volume, const berth_claim* claim) -> berth_code {
      if (of(host).refuses_writes) return BERTH_ERROR;
      of(host).sent_volumes[volume] = claim->name;
      return BERTH_SUCCESS;
    },
    [](const berth_host* host, uint64_t, uint32_t, uint32_t name, uint32_t node) -> berth_code {
      if (of(host).refuses_writes) return BERTH_ERROR;
      of(host).sent_claims[name] = node;
      return BERTH_SUCCESS;
    },
    claim,
    [](const berth_host* host, uint32_t name) { return named(of(host).volumes, name); }};

}  // namespace

const berth_volumes_service& FakeVolumes::service() { return kService; }

}  // namespace berth::plugins::testing
