#include "engine/ingest/objects/fields/toleration_field.h"

#include <cstdint>

namespace berth::ingest {

model::Toleration read_toleration(const FieldReader& in) {
  return {in.text("key"), in.text("operator"), in.text("value"), in.text("effect"),
          in.integer("tolerationSeconds", INT64_MIN, INT64_MAX)};
}

std::vector<model::Toleration> read_tolerations(const FieldReader& in, std::string_view name) {
  std::vector<model::Toleration> list;
  in.each(name, [&](const FieldReader& one) { list.push_back(read_toleration(one)); });
  return list;
}

}  // namespace berth::ingest
