#pragma once

// The versions of Kubernetes whose rules Berth has.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace berth {

// In their order. The numbers are indices of tables in this program.
enum class KubeVersion : uint8_t { k1_34, k1_36 };

// Of every program that is not told another.
inline constexpr KubeVersion kDefaultKubeVersion = KubeVersion::k1_36;

std::span<const KubeVersion> kube_versions();  // all, in order

std::string_view version_text(KubeVersion version);  // "1.34"
// The release of kube-scheduler whose answers are the measure: "v1.34.1".
std::string_view release_of(KubeVersion version);

// Reads "1.36", "v1.36" and releases of it, "1.36.2", "v1.36.2-gke.1". Nothing: another version.
std::optional<KubeVersion> kube_version_named(std::string_view text);

}  // namespace berth
