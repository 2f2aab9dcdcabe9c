#pragma once

// The first pass over a payload: checks that it is memory-safe according to its schema, and that
// reading all of it is cheap.
//
// Why flatbuffers' verifier is not enough: a small flatbuffer can refer to the same part many
// times, and parts can nest. The verifier follows every reference, and so does code that copies the
// content, so time and memory could be quadratic in the size. This pass walks the tables by the
// schema, counts the bytes that each reference leads to, and stops at a multiple of the size that
// no legitimate writer needs.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace flatbuffers {
struct TypeTable;
}

namespace berth::ingest {

// A fault and its place in the payload.
struct StreamFault {
  std::string path;     // for example templates[3].spec.containers; empty: the whole payload
  std::string message;  // the fault, without the path
};

// Limits of a payload.
inline constexpr size_t kMaxVectorLength =
    65'536;  // elements; bytes are bounded by the payload alone
inline constexpr uint64_t kMaxVisitsPerByte = 8;
// For payloads that are too small for a multiple to be meaningful.
inline constexpr uint64_t kMinVisits = 4096;

// Checks the payload as a flatbuffer whose root table is `root`.
// Returns the fault, or nullopt if it can be read. Requires: the payload is 8-byte aligned and does
// not change.
[[nodiscard]] std::optional<StreamFault> check_payload(std::span<const uint8_t> payload,
                                                       const flatbuffers::TypeTable* root);

}  // namespace berth::ingest
