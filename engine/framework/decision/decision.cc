#include "engine/framework/decision/decision.h"

namespace berth::framework {

std::string PostFilterResult::joined_texts() const {
  std::string joined;
  for (const Text& text : texts) joined += (joined.empty() ? "" : ", ") + text.text;
  return joined;
}

std::string Decision::event() const {
  const std::string added = post_filter ? post_filter->joined_texts() : std::string();
  return added.empty() ? message : message + " " + added;
}

}  // namespace berth::framework
