#include "engine/ingest/conversion/dropped.h"

#include "engine/ingest/conversion/held_fields.h"

namespace berth::ingest {

using document::Kind;
using document::Value;

bool Dropped::expands(Value object) const {
  if (workloads_ == Workloads::kOwners || !object.find("spec").find("template").present())
    return false;
  return workloads_ == Workloads::kManifests || !object.find("metadata").find("uid").present();
}

void Dropped::inspect(Value object, std::string_view kind) {
  const HeldFields& held = HeldFields::get();
  uint16_t node = HeldFields::kNone;
  if (expands(object)) node = held.kind("+" + std::string(kind));
  if (node == HeldFields::kNone) node = held.kind(kind);
  if (node == HeldFields::kNone) return add("objects of kind " + std::string(kind));
  if (held.whole(node)) return;
  path_.assign(1, {kind});
  walk(object, node);
}

// The depth of the recursion is that of the table.
void Dropped::walk(Value object, uint16_t node) {
  const HeldFields& held = HeldFields::get();
  for (const document::Member member : object.members()) {
    if (member.value.is(Kind::kNull)) continue;
    const uint16_t field = held.child(node, member.key);
    if (field == HeldFields::kNone || (held.of_admission(field) && !admission_)) {
      count(member.key);
      continue;
    }
    if (held.whole(field)) continue;
    path_.push_back({member.key, member.value.is(Kind::kArray)});
    if (member.value.is(Kind::kObject)) walk(member.value, field);
    for (const Value element : member.value.elements()) walk(element, field);
    path_.pop_back();
  }
}

void Dropped::count(std::string_view field) {
  text_.clear();
  for (const Step& step : path_) {
    text_ += step.name;
    text_ += step.array ? "[]." : ".";
  }
  text_ += field;
  ++counts_[text_];
}

}  // namespace berth::ingest
