#include "loadgen/generate/changes/namespace_changes.h"

#include <fmt/format.h>

namespace berth::loadgen {
namespace {

std::string passing_name(const Planned& change) {
  return fmt::format("churn-{}-{}", change.of, change.number);
}

}  // namespace

void NamespaceChanges::come(const Planned& change, LoadStep& step) {
  step.events.push_back(model::added(Namespaces::other(passing_name(change))));
  const ChurnSpec& churn = cluster_.spec.namespaces_come[change.of];
  const uint64_t bits = drawn_for(cluster_.seed, For::kChurnLasting, change);
  planned_.add({.at = change.at + churn.lasting->draw(bits),
                .what = What::kNamespaceGo,
                .of = change.of,
                .number = change.number});
}

void NamespaceChanges::go(const Planned& change, LoadStep& step) {
  step.events.push_back(model::deleted(model::Namespace{passing_name(change), {}}));
}

void NamespaceChanges::label(const Planned& change, LoadStep& step) {
  const ChurnSpec& churn = cluster_.spec.namespace_labels[change.of];
  const uint64_t number =
      below(drawn_for(cluster_.seed, For::kChurnNode, change), cluster_.namespaces.count());
  const uint64_t value =
      below(drawn_for(cluster_.seed, For::kChurnValue, change), churn.values.size());
  cluster_.namespaces.set_label(number, churn.key, churn.values[value]);
  step.events.push_back(model::modified(cluster_.namespaces.now(number)));
}

}  // namespace berth::loadgen
