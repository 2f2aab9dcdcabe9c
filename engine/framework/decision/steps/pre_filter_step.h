#pragma once

// PreFilter: each plugin is called once for the pod, in order. It may refuse the pod, narrow the
// search to some nodes, or skip its own Filter. Source: kube-scheduler runtime/framework.go
// RunPreFilterPlugins.

#include "engine/framework/decision/open_decision.h"

namespace berth::framework {

class PreFilterStep {
 public:
  // kDecided: a plugin refused the pod or failed, or the plugins left no node. Otherwise the
  // context's filters are resolved.
  Next run(OpenDecision& open);
  // True if answers about a pod hold for later pods of its kind, too: all hooks follow declared
  // columns that pods of one kind have in common.
  static bool answers_hold_for_kinds(const Profile& profile);

 private:
  Next ask_all(OpenDecision& open);
  static bool keeps(const Profile& profile, PodKind& kind);
  std::string ask(OpenDecision& open, const HookAt<host::PreFilter>& hook, TemplateHook& state,
                  uint64_t stamp);
  PreFilterRefusal describe(OpenDecision& open, const HookAt<host::PreFilter>& hook,
                            const TemplateHook& state);

  CallColumns columns_;
};

}  // namespace berth::framework
