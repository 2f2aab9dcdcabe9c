#include "engine/config/versions/version.h"

#include <array>

namespace berth::config {
namespace {

// By Version. The name of each begins behind the slash.
constexpr std::array<std::string_view, 3> kApiVersions = {"kubescheduler.config.k8s.io/v1beta2",
                                                          "kubescheduler.config.k8s.io/v1beta3",
                                                          "kubescheduler.config.k8s.io/v1"};

}  // namespace

std::string_view api_version(Version version) { return kApiVersions[static_cast<size_t>(version)]; }

std::string_view version_name(Version version) {
  return api_version(version).substr(kConfigGroup.size());
}

std::optional<Version> version_named(std::string_view name) {
  for (const Version version : {Version::kV1Beta2, Version::kV1Beta3, Version::kV1})
    if (version_name(version) == name) return version;
  return std::nullopt;
}

std::optional<Version> version_of(std::string_view api_version) {
  if (!api_version.starts_with(kConfigGroup)) return std::nullopt;
  return version_named(api_version.substr(kConfigGroup.size()));
}

}  // namespace berth::config
