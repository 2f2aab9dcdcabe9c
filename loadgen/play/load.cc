#include "loadgen/play/load.h"

namespace berth::loadgen {

bool LoadStep::is_scene() const { return events.empty() && drained.empty() && pods.size() == 0; }

void LoadStep::clear() {
  at = Nanoseconds{0};
  measured = closed_loop = timed = awaits_pods = false;
  retired_templates.clear();
  templates.clear();
  cluster.clear();
  events.clear();
  drained.clear();
  pods.clear();
  planned.clear();
  texts.clear();
}

}  // namespace berth::loadgen
