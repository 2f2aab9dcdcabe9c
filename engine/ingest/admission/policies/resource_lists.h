#pragma once

// Small operations on lists of resources, and amounts in the words of API servers. Internal to this
// module.

#include <string>
#include <string_view>

#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Null: the list does not have the resource.
const model::Quantity* find_amount(const model::ResourceList& list, std::string_view resource);
// Sets an amount; keeps the order.
void set_amount(model::ResourceList& list, std::string_view resource,
                const model::Quantity& amount);
// Adds an amount to that in the list, or to nothing.
void add_amount(model::ResourceList& list, std::string_view resource,
                const model::Quantity& amount);
// Adds the resources of `defaults` that the list does not have. Returns whether there were any.
bool add_missing(model::ResourceList& list, const model::ResourceList& defaults);

// "500m", "2", "1536Mi". An API server repeats the unit that was written; this takes the largest
// that fits: binary for bytes, decimal for all else.
std::string amount_text(std::string_view resource, const model::Quantity& amount);

// True for resources with a domain of their own, such as example.com/gpu.
bool is_extended(std::string_view resource);

}  // namespace berth::ingest
