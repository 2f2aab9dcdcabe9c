#include "plugins/coscheduling/groups.h"

#include <algorithm>

namespace berth::plugins {

void Groups::allow(const Group& group, uint64_t pod) {
  for (const uint64_t other : waiting(group, pod)) waiting_.allow(other);
  pods_.erase(group);
}

void Groups::wait(const Group& group, uint64_t pod) {
  pods_[group].push_back(pod);
  // It was refused before, maybe; it is not to be tried again while it waits.
  if (const auto known = refused_.find(group); known != refused_.end()) known->second.erase(pod);
  activate(group);
}

void Groups::fail(const Group& group, uint64_t pod, std::string_view why) {
  refused_[group].insert(pod);
  const std::vector<uint64_t> others = waiting(group, pod);
  pods_.erase(group);
  for (const uint64_t other : others) waiting_.reject(other, why);
}

void Groups::give_up(const Group& group, uint64_t pod, std::string_view why) {
  refused_.erase(group);
  const std::vector<uint64_t> others = waiting(group, pod);
  pods_.erase(group);
  given_up_.insert(others.begin(), others.end());
  for (const uint64_t other : others) waiting_.reject(other, why);
}

void Groups::activate(const Group& group) {
  const auto refused = refused_.extract(group);
  if (!refused) return;
  waiting_.activate(std::vector<uint64_t>(refused.mapped().begin(), refused.mapped().end()));
}

std::vector<uint64_t> Groups::waiting(const Group& group, uint64_t pod) const {
  std::vector<uint64_t> pods;
  const auto known = pods_.find(group);
  if (known == pods_.end()) return pods;
  for (const sdk::WaitingPods::Waiting& one : waiting_.all())
    if (one.pod != pod && std::count(known->second.begin(), known->second.end(), one.pod) != 0)
      pods.push_back(one.pod);
  return pods;
}

}  // namespace berth::plugins
