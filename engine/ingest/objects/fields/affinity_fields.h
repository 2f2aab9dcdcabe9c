#pragma once

namespace berth::ingest {

// The lists of terms in nodeAffinity, podAffinity and podAntiAffinity.
inline constexpr char kRequiredTerms[] = "requiredDuringSchedulingIgnoredDuringExecution";
inline constexpr char kPreferredTerms[] = "preferredDuringSchedulingIgnoredDuringExecution";

}  // namespace berth::ingest
