#pragma once

// The first pass over a payload: that it is what its schema says as far as memory is concerned, and
// that looking at all of it is cheap.
//
// A small flatbuffer may refer to one part many times over, and parts within parts. flatbuffers'
// own verifier follows each reference, and so does whoever copies the content, so time and memory
// could be quadratic in the size. This pass walks the tables by the schema, counts the bytes that
// each reference leads to, and gives up at a multiple of the size that no writer needs.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace flatbuffers {
struct TypeTable;
}

namespace berth::ingest {

struct StreamFault {
  std::string path;     // such as templates[3].spec.containers; empty: the payload as a whole
  std::string message;  // what is wrong there
};

// What bounds a payload.
inline constexpr size_t kMaxVectorLength =
    65'536;  // elements; bytes are bounded by the payload alone
inline constexpr uint64_t kMaxVisitsPerByte = 8;
inline constexpr uint64_t kMinVisits = 4096;  // for payloads so small that a multiple says nothing

// What is wrong with the payload as a flatbuffer whose root table is `root`, in a frame of that
// version; nothing if it can be read. Requires: payload is 8-byte aligned, and nobody writes to it.
std::optional<StreamFault> check_payload(std::span<const uint8_t> payload,
                                         const flatbuffers::TypeTable* root, uint8_t version);

}  // namespace berth::ingest
