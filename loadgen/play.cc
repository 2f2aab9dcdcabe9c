#include "loadgen/play.h"

namespace berth::loadgen {
namespace {

bool is_scene(const LoadStep& step) {
  return step.events.empty() && step.drained.empty() && step.pods.size() == 0;
}

}  // namespace

void play(Load& load, Part part, LoadOutput& output) {
  LoadStep step;
  bool scene = true;
  bool more = load.next(step);
  output.note(load.note());
  for (; more; more = load.next(step)) {
    scene = scene && is_scene(step);
    if (part == Part::kCluster) {
      if (!scene) break;
      output.write_cluster(step);
    } else if (part == Part::kPods && scene) {
      output.pass(step);
    } else {
      output.write(step);
    }
  }
  output.end();
}

}  // namespace berth::loadgen
