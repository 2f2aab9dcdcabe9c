#pragma once

// The versions of KubeSchedulerConfiguration that are read. kube-scheduler v1.34.1 reads v1 alone;
// v1beta2 and v1beta3 are read as the last releases that had them do (v1.27 and v1.28).

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::config {

enum class Version : uint8_t { kV1Beta2, kV1Beta3, kV1 };

// The group of all versions, with the slash behind it: "kubescheduler.config.k8s.io/".
inline constexpr std::string_view kConfigGroup = "kubescheduler.config.k8s.io/";
inline constexpr std::string_view kConfigKind = "KubeSchedulerConfiguration";

// "v1beta2".
std::string_view version_name(Version version);
// "kubescheduler.config.k8s.io/v1beta2".
std::string_view api_version(Version version);

// The version with that name, "v1beta2"; nothing for any other text.
std::optional<Version> version_named(std::string_view name);
// The same from an apiVersion.
std::optional<Version> version_of(std::string_view api_version);

}  // namespace berth::config
