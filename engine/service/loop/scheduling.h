#pragma once

// The owner of the core: changes of the cluster and answers of the server in, writes out.
//
//   before all lists came   what comes is taken, no pod is tried
//   without the lease       the same: this process knows the cluster when it gets the lease
//   with the lease          pods are tried between one input and the next
//   ended, or lost          no pod is tried any more
//
// A caller gives it turns by a clock of its own: the service by the machine's, a simulation by a
// virtual one.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/drive/driver.h"
#include "engine/service/loop/inbox.h"
#include "engine/service/loop/outbox.h"
#include "engine/service/loop/server_port.h"

namespace berth::service {

struct SchedulingOptions {
  runtime::CoreOptions core;  // but for `server`
  // Pods whose bindings are not answered: with so many, no more are tried. Their order is that of
  // the queue when an answer comes, and not earlier.
  size_t most_under_way = 5000;
};

// One thread.
class Scheduling final : private drive::Program {
 public:
  // `now`: since the beginning of the core's clock; never goes back. `wall`: since 1970.
  struct Clocks {
    std::function<Time()> now;
    std::function<int64_t()> wall;
  };
  // All but options and configuration outlive it. `report` hears of all that the core reports.
  // Throws Error as runtime::Core does.
  Scheduling(const SchedulingOptions& options, config::Configuration configuration,
             runtime::Plugins& plugins, Outbox& out, Clocks clocks, runtime::OnReport report);
  Scheduling(const Scheduling&) = delete;
  Scheduling& operator=(const Scheduling&) = delete;

  // Takes what came, tries pods until `input_waits`, and sends what follows. Returns when the next
  // turn is due if nothing comes; nothing: only input changes anything.
  std::optional<Time> turn(std::vector<Item> items, const std::function<bool()>& input_waits);
  // Binds what was decided. No pod is tried afterwards.
  void end();

  bool synced() const { return synced_; }
  bool leads() const { return leads_; }
  // The lease is lost, or the service was asked to end.
  bool lost() const { return lost_; }
  bool ended() const { return ended_; }
  // True once after each Word::kDump.
  bool take_dump() { return std::exchange(dumps_, false); }
  // The objects that were listed, once.
  std::optional<Listed> take_listed() { return std::exchange(listed_, std::nullopt); }
  runtime::Core& core() { return core_; }
  const runtime::Core& core() const { return core_; }

 private:
  void take(std::vector<kube::Watched>& changes);
  void take(const runtime::BindingAnswer& answer);
  void take(Word word);
  void take(Listed& listed) { listed_ = std::move(listed); }
  void take(const StatusFailed& failed) { port_.status_failed(failed.number); }
  void take(const PreemptionFailed& failed);
  void report(const runtime::Report& report);
  void tell_users(const runtime::Report& report);

  bool stopped() override { return lost_ || ended_; }
  void decide() override;
  bool may_decide() override;

  const size_t most_under_way_;
  const Clocks clocks_;
  const runtime::OnReport report_;
  ServerPort port_;
  runtime::Core core_;
  Outbox& out_;
  drive::Driver driver_;
  bool synced_ = false, leads_ = false, lost_ = false, ended_ = false, dumps_ = false;
  std::optional<Listed> listed_;
  // The answer that the core takes: the pod is another's, so its binding did not fail for it.
  bool in_conflict_ = false;
};

}  // namespace berth::service
