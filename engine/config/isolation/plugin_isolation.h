#pragma once

// PluginIsolation (apiVersion berth/v1): the plugins that run in processes of their own, and how.
// It is a document of its own beside the KubeSchedulerConfiguration of a file:
//
//   apiVersion: berth/v1
//   kind: PluginIsolation
//   plugins:
//   - name: Rack
//     onFailure: Skip
//     allow: [Files]
//     deadline: 2s
//     memory: 512Mi
//   - name: "*"
//
// The options of a command line make the same object (engine/startup/isolation_options.h).

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"

namespace berth::config {

inline constexpr std::string_view kIsolationApiVersion = "berth/v1";
inline constexpr std::string_view kIsolationKind = "PluginIsolation";
// The name of the entry for all plugins that have no entry of their own.
inline constexpr std::string_view kAllPlugins = "*";

enum class OnFailure : uint8_t {
  kFail,  // the pod that the call is about fails
  kSkip,  // the decision goes on as if the plugin were not enabled, where that is possible
};

// One entry of `plugins`. What an entry does not set has the default, also where "*" sets it.
struct IsolatedPlugin {
  static constexpr std::chrono::milliseconds kDeadline = std::chrono::seconds(5);
  static constexpr int64_t kMemory = int64_t{4} << 30;

  std::string name;  // of a plugin, or kAllPlugins
  OnFailure on_failure = OnFailure::kFail;
  bool files = false;                              // it may open files
  bool network = false;                            // it may use sockets
  std::chrono::milliseconds deadline = kDeadline;  // of a call; at least 1
  int64_t memory = kMemory;                        // bytes; 0: no limit
  Place place = {};  // of the name in the file, plugins[0].name, or of the option
};

struct PluginIsolation {
  std::vector<IsolatedPlugin> plugins;  // each name once

  bool empty() const { return plugins.empty(); }
  // The entry that holds for a plugin; nullptr: it is not isolated.
  const IsolatedPlugin* of(std::string_view plugin) const;
  // The plugin's own entry, which is made from that for all plugins if there is none; nullptr: the
  // plugin is not isolated.
  IsolatedPlugin* own(std::string_view plugin);
};

// The plugins in the order of their names, each with what differs from the default:
// "*, Rack (onFailure Skip, deadline 2s)". Empty if none is isolated.
std::string to_text(const PluginIsolation& isolation);

// True if the document is a PluginIsolation, or is meant to be one: by its kind, or by an
// apiVersion of Berth with no other kind of Berth's.
bool is_plugin_isolation(document::Value root);

struct CheckedIsolation {
  PluginIsolation isolation;  // with faults, what could be read and is valid
  std::vector<Error> faults;  // in the order of the file
};

// Reads a document as strictly as the configuration is read: unknown fields, values of the wrong
// type, unknown words and names that occur twice are faults.
CheckedIsolation check_plugin_isolation(document::Value root);

// The PluginIsolation among the documents of a file. A second one is a fault.
CheckedIsolation plugin_isolation_in(const document::Document& document);

}  // namespace berth::config
