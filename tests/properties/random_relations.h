#pragma once

// Random rules about other pods, and the objects they refer to: spread constraints, pod affinity,
// namespaces, services and controllers. Keys and labels come from a small set, so that they often
// match.

#include "engine/model/objects/objects.h"
#include "tests/properties/dice.h"

namespace berth::tests {

// `plain`: adds only rules that never refuse a node.
void add_relations(Dice& dice, model::Pod& pod, bool plain);
model::Namespace random_namespace(Dice& dice);
model::SelectorOwner random_selector_owner(Dice& dice);

}  // namespace berth::tests
