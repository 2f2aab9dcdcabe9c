#pragma once

// PostFilter: each plugin in order is asked about a pod that no row can run, until one nominates a
// row, ends the matter, or fails. What was nominated becomes part of the decision; nothing is
// carried out here.
//
// Source: kube-scheduler runtime/framework.go RunPostFilterPlugins.

#include "engine/framework/decision/open_decision.h"
#include "engine/framework/decision/what_ifs.h"

namespace berth::framework {

class PostFilterStep {
 public:
  // `trials` is where the services of the plugins look; null: they have none.
  PostFilterStep(model::Cluster& cluster, Workers* workers, host::Trials* trials,
                 const DecideOptions& options)
      : options_(options), trials_(trials), what_ifs_(cluster, workers, options.extenders) {}

  // Returns the BERTH_ code of the last plugin that was asked; UNSCHEDULABLE if there is none.
  // Precondition: the decision is kUnschedulable and PreFilter was run.
  uint8_t run(OpenDecision& open);

  const WhatIfs& what_ifs() const { return what_ifs_; }

 private:
  enum class Answer : uint8_t { kNext, kOver };

  Answer ask(OpenDecision& open, HookAt<host::PostFilter>& hook, PostFilterResult& result);
  Answer take(OpenDecision& open, const HookAt<host::PostFilter>& hook,
              const host::NominationAnswer& answer, PostFilterResult& result);
  std::string nominate(OpenDecision& open, const host::NominationAnswer& answer,
                       PostFilterResult& result);
  void find_codes(const OpenDecision& open);
  void order_by_name(const model::Cluster& cluster);
  uint32_t ran(const OpenDecision& open, const HookAt<host::PostFilter>& hook) const;

  const DecideOptions& options_;
  host::Trials* trials_;
  WhatIfs what_ifs_;
  uint8_t code_ = BERTH_UNSCHEDULABLE;  // of the last plugin
  // The code with which each row was refused, by row and by position of the calls. Positions are
  // rows, unless ties are broken by name.
  std::span<const uint8_t> by_row_, codes_;
  std::vector<uint8_t> found_codes_,
      ordered_codes_;             // back the spans where they are not the search's
  std::vector<model::Row> rows_;  // by position, if ties are broken by name
  CallColumns columns_;
};

}  // namespace berth::framework
