#pragma once

// What pods say about other pods, and what they say it by: spread constraints, pod affinity,
// namespaces, services and controllers, from a few keys and labels so that they meet.

#include "engine/model/objects/objects.h"
#include "tests/properties/dice.h"

namespace berth::tests {

// `plain`: only what never keeps a pod out.
void add_relations(Dice& dice, model::Pod& pod, bool plain);
model::Namespace random_namespace(Dice& dice);
model::SelectorOwner random_selector_owner(Dice& dice);

}  // namespace berth::tests
