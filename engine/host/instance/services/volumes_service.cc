#include "engine/host/instance/services/volumes_service.h"

#include <exception>

#include "engine/host/instance/services/service_thread.h"
#include "engine/host/instance/services/services.h"

namespace berth::host {
namespace {

// Exceptions must not pass through the plugin: they are logged under the plugin's name.
template <typename Answer, typename Function>
Answer guarded(const berth_host* host, Answer no, Function&& function) noexcept {
  if (refuses_thread(host, "a function of the volumes service")) return no;
  const HostServices& of = HostServices::of(host);
  try {
    return function(of.environment().model.cluster().volumes());
  } catch (const std::exception& failure) {
    of.environment().log.write(BERTH_LOG_ERROR, of.plugin(),
                               std::string("volumes: ") + failure.what());
    return no;
  }
}

uint64_t version(const berth_host* host) {
  return guarded(host, uint64_t{0}, [](model::Volumes& all) { return all.version(); });
}

const berth_claim* claim(const berth_host* host, uint32_t namespace_name, uint32_t name) {
  const berth_claim* none = nullptr;
  return guarded(host, none, [&](model::Volumes& all) { return all.claim(namespace_name, name); });
}

const berth_volume* volume(const berth_host* host, uint32_t name) {
  const berth_volume* none = nullptr;
  return guarded(host, none, [&](model::Volumes& all) { return all.volume(name); });
}

const berth_storage_class* storage_class(const berth_host* host, uint32_t name) {
  const berth_storage_class* none = nullptr;
  return guarded(host, none, [&](model::Volumes& all) { return all.storage_class(name); });
}

const berth_csi_driver* csi_driver(const berth_host* host, uint32_t name) {
  const berth_csi_driver* none = nullptr;
  return guarded(host, none, [&](model::Volumes& all) { return all.csi_driver(name); });
}

template <typename Object>
const Object* next(const berth_host* host, const Object* after) {
  const Object* none = nullptr;
  return guarded(host, none, [&](model::Volumes& all) { return all.next(after); });
}

uint32_t selects(const berth_host* host, const berth_claim* claim, const berth_volume* volume) {
  return guarded(host, 0u,
                 [&](model::Volumes& all) { return all.selects(*claim, *volume) ? 1u : 0u; });
}

uint32_t node_matches(const berth_host* host, uint32_t selector, uint32_t node_name) {
  return guarded(host, 0u, [&](model::Volumes&) {
    model::Cluster& cluster = HostServices::of(host).environment().model.cluster();
    const model::Slot slot = cluster.nodes().find(node_name);
    if (!cluster.selectors().contains(selector) || slot == model::kNoSlot) return 0u;
    const auto& node = cluster.nodes().node(slot);
    return cluster.selectors().matches(selector, node.labels, node.name) ? 1u : 0u;
  });
}

// SUCCESS if `function` returns true.
template <typename Function>
berth_code done(const berth_host* host, Function&& function) noexcept {
  return guarded(host, berth_code{BERTH_ERROR}, [&](model::Volumes& all) -> berth_code {
    return function(all) ? BERTH_SUCCESS : BERTH_ERROR;
  });
}

berth_code assume_volume(const berth_host* host, uint64_t pod, uint32_t volume,
                         const berth_claim* claim) {
  return done(host, [&](auto& all) { return all.assume_volume(pod, volume, *claim); });
}

berth_code assume_claim(const berth_host* host, uint64_t pod, uint32_t namespace_name,
                        uint32_t name, uint32_t node_name) {
  return done(host,
              [&](auto& all) { return all.assume_claim(pod, namespace_name, name, node_name); });
}

void forget_volume(const berth_host* host, uint64_t pod, uint32_t volume) {
  guarded(host, 0, [&](model::Volumes& all) { return all.forget_volume(pod, volume), 0; });
}

void forget_claim(const berth_host* host, uint64_t pod, uint32_t namespace_name, uint32_t name) {
  guarded(host, 0,
          [&](model::Volumes& all) { return all.forget_claim(pod, namespace_name, name), 0; });
}

berth_code write_volume(const berth_host* host, uint64_t pod, uint32_t volume,
                        const berth_claim* claim) {
  return done(host, [&](auto& all) { return all.write_volume(pod, volume, *claim); });
}

berth_code write_claim(const berth_host* host, uint64_t pod, uint32_t namespace_name, uint32_t name,
                       uint32_t node_name) {
  return done(host,
              [&](auto& all) { return all.write_claim(pod, namespace_name, name, node_name); });
}

const berth_claim* written_claim(const berth_host* host, uint32_t namespace_name, uint32_t name) {
  const berth_claim* none = nullptr;
  return guarded(host, none,
                 [&](model::Volumes& all) { return all.written_claim(namespace_name, name); });
}

const berth_volume* written_volume(const berth_host* host, uint32_t name) {
  const berth_volume* none = nullptr;
  return guarded(host, none, [&](model::Volumes& all) { return all.written_volume(name); });
}

constexpr berth_volumes_service kVolumes = {sizeof kVolumes,
                                            0,
                                            version,
                                            claim,
                                            volume,
                                            storage_class,
                                            csi_driver,
                                            next<berth_claim>,
                                            next<berth_volume>,
                                            next<berth_csi_node>,
                                            next<berth_csi_capacity>,
                                            next<berth_volume_attachment>,
                                            selects,
                                            node_matches,
                                            assume_volume,
                                            assume_claim,
                                            forget_volume,
                                            forget_claim,
                                            write_volume,
                                            write_claim,
                                            written_claim,
                                            written_volume};

}  // namespace

const berth_volumes_service& volumes_service() { return kVolumes; }

}  // namespace berth::host
