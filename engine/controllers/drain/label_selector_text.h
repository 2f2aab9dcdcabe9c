#pragma once

// Label selectors as kubectl's options have them: "app=web,tier in (a, b),!old". Source:
// k8s.io/apimachinery pkg/labels.

#include <string_view>

#include "engine/model/objects/objects.h"

namespace berth::controllers {

// Throws Error. Comparisons with > and < are refused: label selectors of objects do not have them.
model::LabelSelector parse_label_selector(std::string_view text);

}  // namespace berth::controllers
