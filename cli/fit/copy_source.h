#pragma once

// The work of `berth fit`: copies, one after another, until one does not fit. Of several units, one
// copy of each in turn.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cli/fit/copied.h"
#include "cli/fit/copies.h"
#include "engine/drive/work_source.h"
#include "engine/runtime/core.h"

namespace berth::cli {

struct CopyLimits {
  std::optional<uint64_t> count;  // copies of each unit; nothing: as many as fit
  bool replicas = false;          // as many as the manifests ask for; excludes a count
  bool preempt = false;           // a copy waits while pods leave for it
  // Copies of all units together, after which none is made; nothing: any number.
  std::optional<uint64_t> in_all{};
};

// The core's thread. All that is passed outlives the source.
class CopySource final : public drive::WorkSource {
 public:
  // `copied`, `faults`, `remarks`: what was read.
  CopySource(Copied copied, const CopyLimits& limits, ingest::Creation& creation, Copies& copies,
             runtime::Core& core, Diagnostics faults, ingest::Remarks remarks);

  bool next(drive::Work& work) override;
  bool ready() override { return true; }
  bool wait_until(std::chrono::steady_clock::time_point /*until*/) override { return true; }
  bool finished() override { return true; }
  bool holds_whole() const override { return true; }
  const Diagnostics& diagnostics() const override { return faults_; }
  const ingest::Remarks& remarks() const override { return remarks_; }
  uint64_t rejected_pods() const override { return 0; }
  const std::vector<ingest::RejectedPod>& rejected() const override { return rejected_; }

  const std::vector<CopiedUnit>& units() const { return copied_.units; }
  // The number of copies of the unit that are asked for; nothing: as many as fit.
  std::optional<uint64_t> wanted(const CopiedUnit& unit) const;

 private:
  bool give(drive::Work& work, ingest::BatchKind kind);
  bool give_objects(drive::Work& work);
  bool settled(drive::Work& work, bool& waits);
  bool may_settle();
  std::optional<size_t> next_unit();
  bool is_done(size_t unit) const;
  void write_plain(size_t unit);
  bool write(size_t unit);
  bool write_member(size_t unit, const CopiedPod& member, const std::string& name,
                    const std::string& group);
  std::string write_claims(model::Pod& pod, const CopiedPod& member);
  bool has_claim(const model::PersistentVolumeClaim& claim) const;
  bool admits(size_t unit, const CopiedPod& member, const std::string& name);
  std::string free_name(const model::Pod& pod, const std::string& base, uint64_t& number) const;

  Copied copied_;
  const CopyLimits limits_;
  ingest::Creation& creation_;
  Copies& copies_;
  runtime::Core& core_;
  Diagnostics faults_;
  ingest::Remarks remarks_;
  const std::vector<ingest::RejectedPod> rejected_;
  ingest::Batch batch_;
  std::deque<std::string> names_;      // that the batch refers to
  std::vector<uint64_t> made_, next_;  // by unit: copies so far, and the number of the next name
  size_t turn_ = 0;                    // the unit that is next
  size_t given_ = 0;                   // of the batches before the first copy
  // Of the last copy: how often time passed for it, what it and its victims did, and since when
  // nothing more.
  uint64_t waits_ = 0, changes_ = 0;
  Time changed_{};
};

}  // namespace berth::cli
