#pragma once

// The options of `kubectl drain`, as text. Source: k8s.io/kubectl pkg/cmd/drain.

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/time.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers {

struct DrainOptions {
  bool force = false;                      // evict pods that declare no controller
  bool ignore_daemon_sets = false;         // leave their pods, rather than refuse
  bool delete_empty_dir_data = false;      // evict pods that have an emptyDir
  bool disable_eviction = false;           // delete pods, whatever their budgets say
  std::optional<int64_t> grace_seconds{};  // of the deletions; nothing: each pod's own
  Time timeout{};                          // 0: it waits for ever
  model::LabelSelector pod_selector{};     // the drain is about these pods alone; empty: all

  bool operator==(const DrainOptions&) const = default;
};

// Reads what stands behind `kubectl drain NODE` on a command line: words with blanks between them;
// in quotes (' or ") a word may have blanks. Throws Error that names the option, for those that are
// not known and those that a run does not play, too.
DrainOptions parse_drain_options(std::string_view text);

}  // namespace berth::controllers
