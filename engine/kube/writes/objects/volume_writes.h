#pragma once

// Writes what a scheduler chose for the volumes of a pod before it binds the pod: the node where a
// claim is to be provisioned, and the claim that gets a volume. The rest is done by the controllers
// of volumes.
//
// kube-scheduler puts whole objects in the version that it read, so that of two schedulers which
// choose one volume one fails. A patch has the chosen fields alone and that version. After a lost
// answer the next try may fail because the first was taken: only the object itself tells.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/kube/writes/sender.h"

namespace berth::kube {

// The claim's annotation volume.kubernetes.io/selected-node.
struct SelectedNode {
  std::string claim_namespace, claim;
  std::string node;
  std::string version{};  // the claim's that was read; any other one fails. Empty: any is right
};

// The volume's spec.claimRef.
struct ChosenClaim {
  std::string volume;
  std::string claim_namespace, claim, claim_uid;
  std::string version{};  // as of SelectedNode, the volume's
  // The annotation pv.kubernetes.io/bound-by-controller: nobody but the scheduler chose the claim.
  bool by_controller = true;
};

// One thread, that of the loop.
class VolumeWrites {
 public:
  // Called once for each write, from the loop. `error`: empty if it was written, else why not, any
  // text.
  using Written = std::function<void(uint64_t number, const std::string& error)>;

  // `sender` outlives it.
  VolumeWrites(Sender& sender, Written written) : sender_(sender), written_(std::move(written)) {}

  // `number` is the caller's, for the answer.
  void write(uint64_t number, const SelectedNode& selected);
  void write(uint64_t number, const ChosenClaim& chosen);

 private:
  struct One {
    uint64_t number;
    std::string_view resource;
    std::string name, path, body;
    uint32_t tries = 0;  // that failed
  };
  using Shared = std::shared_ptr<One>;

  Job job(const Shared& one);
  void answered(const Shared& one, const Outcome& outcome);

  Sender& sender_;
  Written written_;
};

}  // namespace berth::kube
