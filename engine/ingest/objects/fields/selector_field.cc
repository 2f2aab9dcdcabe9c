#include "engine/ingest/objects/fields/selector_field.h"

namespace berth::ingest {

std::vector<model::Requirement> read_requirements(const FieldReader& in, std::string_view name) {
  std::vector<model::Requirement> list;
  in.each(name, [&](const FieldReader& r) {
    list.push_back({r.text("key"), r.text("operator"), r.texts("values")});
  });
  return list;
}

std::optional<model::LabelSelector> read_label_selector(const FieldReader& in,
                                                        std::string_view name) {
  if (!in.has(name)) return std::nullopt;
  FieldReader selector = in.object(name);
  return model::LabelSelector{selector.string_map("matchLabels"),
                              read_requirements(selector, "matchExpressions")};
}

}  // namespace berth::ingest
