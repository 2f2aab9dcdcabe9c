#include "engine/base/rules/kube_version.h"

#include <array>

namespace berth {
namespace {

struct Names {
  std::string_view text, release;
};
constexpr std::array kNames = {Names{"1.34", "v1.34.1"}, Names{"1.36", "v1.36.2"}};
constexpr std::array kVersions = {KubeVersion::k1_34, KubeVersion::k1_36};

const Names& names_of(KubeVersion version) { return kNames[static_cast<size_t>(version)]; }

}  // namespace

std::span<const KubeVersion> kube_versions() { return kVersions; }

std::string_view version_text(KubeVersion version) { return names_of(version).text; }

std::string_view release_of(KubeVersion version) { return names_of(version).release; }

std::optional<KubeVersion> kube_version_named(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  for (const KubeVersion version : kVersions) {
    const std::string_view name = version_text(version);
    if (text == name || (text.starts_with(name) && text[name.size()] == '.')) return version;
  }
  return std::nullopt;
}

}  // namespace berth
