#pragma once

// The messages of a lane (lane.h): calls of the plugin's functions, the questions that the plugin
// asks during a call, and the end of the call.

#include <cstdint>

#include "berth/abi/hook.h"

namespace berth::isolation {

enum class Call : uint32_t {
  kValidate,
  kCreate,
  kInit,
  kTable,
  kDestroy,
  kFunction,  // from here on: a function of a table (tables.h)
};

// All pointers are addresses of the plugin's process.
struct Request {
  Request* next;      // to be made after this one; null: none
  uint64_t instance;  // what kCreate returned
  uint32_t point;     // a Point
  Call kind;
  berth_call call;  // of hooks; `error` is null
  int64_t now;      // the answer of clock.now
  uint64_t random;  // the state of random numbers (host/run/clock_service.h)
  // By parameter of the function; the first is that of the plugin. Numbers, the plugin's own
  // states, and addresses of arrays and structs in the lane.
  uint64_t arguments[6];
  uint32_t objects[2];  // numbers of an event's objects, before and after; 0: there is none
};

// LaneWords::Up::kind: kEnd, or a question. Each question is a flat message, and so is its answer.
enum class Ask : uint32_t {
  // The call has ended. EndOfCall, then MetricChange for each metric that changed, then for each
  // stray call its number and a text (EndOfCall::strays), then the texts
  // that the plugin wrote (their number, and of each
  // the size that the plugin gave, 1 if there is a text at all, and up to kMostPassedText bytes of
  // it), then the result by call.
  kEnd,

  kService,
  kTexts,     // of string ids: their number and the ids; the answer has a text for each
  kRefused,   // a Refused, to log
  kFunction,  // from here on: a function of a service (services/services.h)
};

inline constexpr uint64_t kMostPassedText = 64 * 1024;

// Calls of services that the process offers itself, where they may not be made.
enum class Refused : uint32_t { kNothing, kClock, kRandom, kScratch, kAdd, kSet, kIndex, kRaise };
struct RefusedCall {
  const char* function;
  const char* may;  // what is expected
};
inline constexpr RefusedCall kRefusedCalls[] = {
    {},  // by Refused
    {"clock.now", "only functions of hooks may"},
    {"random.bits", "only functions of hooks may"},
    {"worker.scratch", "only functions of hooks may"},
    {"metrics.add", "the handle must be of a counter"},
    {"metrics.set", "the handle must be of a gauge"},
    {"worker.index", "only threads of the host have a number"},
    {"external.raise", "the epoch must be one of the instance"},
};

// The number of a stray call: one on a thread that runs no function of the plugin. An Ask (kService
// with the service as its text, or the function of a service), or this and a Refused.
inline constexpr uint32_t kOwnStray = 1u << 16;

struct EndOfCall {
  berth_code code;
  uint32_t threw;    // 1: the first text says what
  Refused refused;   // kClock, kRandom: its answers are kept (berth/abi/clock.h)
  uint32_t metrics;  // how many changed since the last call of the instance ended
  uint32_t strays;   // stray calls that the process refused and has not told of
  uint32_t reserved;
};

struct MetricChange {
  uint32_t handle;
  uint32_t reserved;
  uint64_t value;  // what is added to a counter; the value of a gauge
};

// Messages on the socket between the engine and the plugin's process, in both directions.
struct Control {
  enum class Kind : uint32_t {
    kLane,        // serve the lane `number`
    kMapColumns,  // a descriptor comes along; map `size` bytes. The answer's number is the address
    kUnmapColumns,
    kReady,   // from the process: the plugin is loaded; `number` is where the lanes are
    kFailed,  // from the process: a text follows
  };
  Kind kind;
  uint32_t flags;  // kReady: 1: the plugin takes arguments
  uint64_t number;
  uint64_t size;
};

// The process ends itself with this status when it cannot have more memory.
inline constexpr int kOutOfMemoryStatus = 82;
// The same when the plugin writes to a column, which is mapped read-only.
inline constexpr int kWroteToColumnStatus = 83;

// The process's descriptors at its start.
inline constexpr int kPluginDescriptor = 3;  // the sealed copy of the plugin's file
inline constexpr int kLanesDescriptor = 4;
inline constexpr int kSocketDescriptor = 5;

}  // namespace berth::isolation
