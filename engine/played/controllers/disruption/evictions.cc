#include "engine/played/controllers/disruption/evictions.h"

#include <optional>
#include <string>
#include <vector>

namespace berth::played {
namespace {

using controllers::Budget;
using controllers::Condition;
using controllers::EvictablePod;

class Target final : public controllers::EvictionTarget {
 public:
  Target(const model::EvictionRequest& request, runtime::Core& core, BudgetKeeper& budgets,
         Evictor& evictor, std::string_view cause)
      : request_(request), core_(core), budgets_(budgets), evictor_(evictor), cause_(cause) {}

  std::optional<EvictablePod> read() const override {
    const model::PodId id = find();
    if (!id) return std::nullopt;
    const model::PodRecord& pod = core_.cluster().pod(id);
    const bool bound = pod.state == model::PodState::kBound;
    return EvictablePod{.uid = std::string(core_.cluster().text(pod.uid)),
                        .resource_version = request_.resource_version.value_or(""),
                        .phase = bound ? model::PodPhase::kRunning : model::PodPhase::kPending,
                        .ready = budgets_.is_ready(pod),
                        .terminating = pod.terminating};
  }
  std::vector<const Budget*> budgets() const override {
    return budgets_.budgets_of(core_.cluster().pod(find()));
  }
  void write_status(const Budget& budget) override { budgets_.status_written(budget); }
  void put_condition(Condition condition) override { condition_ = std::move(condition); }
  void remove(std::optional<int64_t> grace_seconds) override {
    EvictionCause cause;
    if (condition_) cause = {condition_->reason, condition_->message, cause_};
    evictor_.delete_within(find(), grace_seconds, cause);
  }

 private:
  model::PodId find() const {
    return core_.cluster().find_pod(request_.namespace_name, request_.name);
  }

  const model::EvictionRequest& request_;
  runtime::Core& core_;
  BudgetKeeper& budgets_;
  Evictor& evictor_;
  const std::string_view cause_;
  std::optional<Condition> condition_;
};

}  // namespace

controllers::ApiStatus answer_eviction(const model::EvictionRequest& request, runtime::Core& core,
                                       BudgetKeeper& budgets, Evictor& evictor,
                                       std::string_view cause) {
  Target target(request, core, budgets, evictor, cause);
  return controllers::evict({.pod = request.name,
                             .dry_run = request.dry_run,
                             .grace_seconds = request.grace_seconds,
                             .uid = request.uid,
                             .resource_version = request.resource_version},
                            target, core.now());
}

}  // namespace berth::played
