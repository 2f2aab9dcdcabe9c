#pragma once

// Objects as they came, for extenders and for plugins that read annotations; and the extenders.

#include <memory>
#include <set>
#include <span>
#include <string>

#include "engine/config/effective.h"
#include "engine/extenders/whole_objects.h"
#include "engine/framework/decision/extenders.h"
#include "engine/ingest/written/whole_object.h"
#include "engine/runtime/assembly.h"

namespace berth::runtime {

class SecondOpinion;

class KeptObjects {
 public:
  // The configuration and the cluster outlive it. From here on the cluster asks it for annotations.
  // `opinion`: reads objects as well; may be null.
  KeptObjects(const config::Configuration& configuration, const Assembly& assembly,
              const SecondOpinion* opinion, model::Cluster& cluster);
  KeptObjects(const KeptObjects&) = delete;
  KeptObjects& operator=(const KeptObjects&) = delete;

  // True if anything reads objects.
  bool are_read() const { return whole_.reads_any(); }
  // Precondition: are_read(). Objects that extenders cannot get as they came are logged.
  void keep(std::span<const ingest::WholeObject> objects);
  // Of the configuration; null: there are none.
  framework::Extenders* extenders() { return extenders_.get(); }
  // Those of another configuration, which outlives them, as this object does; null: it has none.
  std::unique_ptr<framework::Extenders> extenders_of(const config::Configuration& configuration);

 private:
  void ignore(const std::string& message);

  model::Cluster& cluster_;
  extenders::WholeObjects whole_;
  std::unique_ptr<framework::Extenders> extenders_;
  std::set<std::string> ignored_;  // messages that were logged
};

}  // namespace berth::runtime
