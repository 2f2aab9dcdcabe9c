#pragma once

// The base class of plugins: it holds the hooks. The host's opaque berth_plugin points to it.

#include <array>

#include "berth/abi/plugin.h"
#include "berth/sdk/config.hpp"
#include "berth/sdk/hook.hpp"

namespace berth::sdk {

// A derived class may also have
//
//   static void validate(Config)        reports every error in the arguments
//   static constexpr char kVersion[]    the plugin's own version, shown to people; without it the
//                                       one that the build gives (BERTH_PLUGIN_VERSION)
//   static constexpr uint16_t kNeedsMinor  the minor version of the ABI that its code needs, beside
//                                       points, columns and services: 3 for a WideQueueSort
class Plugin {
 public:
  Plugin() = default;
  virtual ~Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  // [init] Looks up services and reads the arguments, which `validate` has accepted. Throws
  // Failure. The init functions of the hooks are called afterwards.
  virtual void init(Host, const Config&) {}

  Hook* hook(Point point) const { return hooks_[static_cast<size_t>(point)]; }
  // [init] The C table of an extension point; null if no hook was added for it.
  const void* extension(std::string_view id) const {
    const size_t i = point_index(id);
    return i < hooks_.size() && hooks_[i] != nullptr ? hooks_[i]->table() : nullptr;
  }
  // [init] Called by BERTH_SDK_PLUGIN: initialises the plugin and then its hooks.
  void start(Host host, const Config& config) {
    init(host, config);
    for (Hook* hook : hooks_)
      if (hook != nullptr) hook->start(host);
  }
  // True if `points` names exactly the hooks that were added.
  bool has_exactly(std::string_view points) const {
    size_t named = 0;
    bool all = true;
    for_each_point(points, [&](std::string_view id) {
      const size_t i = point_index(id);
      all = all && i < hooks_.size() && hooks_[i] != nullptr;
      ++named;
    });
    for (const Hook* hook : hooks_) named -= hook != nullptr ? 1 : 0;
    return all && named == 0;
  }

  berth_plugin* to_abi() { return reinterpret_cast<berth_plugin*>(this); }
  static Plugin& from_abi(berth_plugin* plugin) { return *reinterpret_cast<Plugin*>(plugin); }

 protected:
  // Registers hooks. Call it in the constructor.
  template <class... Hooks>
  void add(Hooks&... hooks) {
    ((hooks_[static_cast<size_t>(hooks.point())] = &hooks), ...);
  }

 private:
  std::array<Hook*, kPoints.size()> hooks_{};
};

}  // namespace berth::sdk
