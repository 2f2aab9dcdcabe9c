#pragma once

// A plugin that stands from Reserve to PostBind. In PreBind it answers by the pod's name:
//   wait-K-*     WAIT K times
//   never-*      WAIT each time
//   fail-*       WAIT once, then ERROR
//   refuse-*     WAIT once, then UNSCHEDULABLE
//   meets-*      waits within the call until Reserve was called for the number of pods in the
//                arguments ("meets"), or fails after 10 s: that needs another thread
//   asks-*       calls a service that only the thread of the model may call
// Arguments: {"again": milliseconds, "limit": seconds, "meets": pods, "parallel": boolean}. With
// "parallel" it may work at the same time as its neighbours.
// Writes a line for each pod of a call, "POINT NAME MILLISECONDS", and one for each PreBind call,
// "batch POSITIONS", to the file that the environment variable BERTH_TEST_PATIENT names.

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {

inline void write_line(const std::string& line) {
  if (const char* path = std::getenv("BERTH_TEST_PATIENT"))
    std::ofstream(path, std::ios::app) << line << '\n';
}

// What hooks of an instance share, on both threads.
struct Shared {
  int64_t again_nanoseconds = 0;
  int64_t meets = 0;
  bool parallel = false;
  std::chrono::nanoseconds limit{};
  std::atomic<int64_t> reserved{0};
};

template <typename Point>
class Patient : public Point {
 public:
  explicit Patient(Shared& shared) : shared_(shared) {}
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }

 protected:
  using Call = typename Point::Call;
  std::string_view name(const Call& call, size_t i) const { return strings_.text(call[name_][i]); }
  size_t count(const Call& call) const { return call[name_].size(); }
  void note(const char* point, const Call& call, size_t i, int64_t milliseconds = 0) const {
    write_line(sdk::concat(point, ' ', name(call, i), ' ', milliseconds));
  }

  Shared& shared_;

 private:
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Strings strings_;
};

class PatientReserve final : public Patient<sdk::Reserve> {
 public:
  using Patient::Patient;
  void reserve(const Call&, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    shared_.reserved += static_cast<int64_t>(codes.size());
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }
  void unreserve(const Call& call) const noexcept override {
    for (size_t i = 0; i < count(call); ++i) note("Unreserve", call, i);
  }
};

class PatientPreBind final : public Patient<sdk::WaitingPreBind> {
 public:
  using Patient::Patient;
  void init(sdk::Host host) override {
    Patient::init(host);
    waiting_ = sdk::WaitingPods(host);
  }
  std::chrono::nanoseconds wait_limit() const override { return shared_.limit; }
  uint32_t flags() const override { return shared_.parallel ? BERTH_PRE_BIND_PARALLEL : 0; }
  void pre_flight(const Call& call, std::span<uint8_t> codes) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = BERTH_SUCCESS;
      if (call.wanted(i)) note("PreFlight", call, i);
    }
  }
  void pre_bind(const Call& call, std::span<const int64_t> waited, std::span<uint8_t> codes,
                std::span<int64_t> again) const override {
    size_t asked = 0;
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = BERTH_SUCCESS;
      if (!call.wanted(i)) continue;
      ++asked;
      note("PreBind", call, i, waited[i] / 1'000'000);
      codes[i] = answer(name(call, i), waited[i]);
      if (codes[i] == BERTH_WAIT) again[i] = shared_.again_nanoseconds;
      if (codes[i] == BERTH_ERROR || codes[i] == BERTH_UNSCHEDULABLE)
        call.error().write("its name says so");
    }
    write_line(sdk::concat("batch ", asked));
  }

 private:
  uint8_t answer(std::string_view name, int64_t waited) const {
    if (name.starts_with("never")) return BERTH_WAIT;
    if (name.starts_with("fail")) return waited == 0 ? BERTH_WAIT : BERTH_ERROR;
    if (name.starts_with("refuse")) return waited == 0 ? BERTH_WAIT : BERTH_UNSCHEDULABLE;
    if (name.starts_with("meets")) return meets() ? BERTH_SUCCESS : BERTH_ERROR;
    if (name.starts_with("asks")) return waiting_.all().empty() ? BERTH_SUCCESS : BERTH_WAIT;
    if (!name.starts_with("wait-")) return BERTH_SUCCESS;
    int64_t calls = 0;
    std::from_chars(name.data() + 5, name.data() + name.size(), calls);
    return waited < calls * shared_.again_nanoseconds ? BERTH_WAIT : BERTH_SUCCESS;
  }
  bool meets() const {
    for (int tries = 0; shared_.reserved.load() < shared_.meets; ++tries) {
      if (tries == 10'000) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  sdk::WaitingPods waiting_;
};

class PatientPostBind final : public Patient<sdk::PostBind> {
 public:
  using Patient::Patient;
  void post_bind(const Call& call) const noexcept override {
    for (size_t i = 0; i < count(call); ++i)
      if (call.wanted(i)) note("PostBind", call, i);
  }
};

class PatientPlugin : public sdk::Plugin {
 public:
  PatientPlugin() { add(reserve_, pre_bind_, post_bind_); }
  static void validate(const sdk::Config& config) {
    for (const char* name : {"again", "limit", "meets"}) config[name].integer();
    config["parallel"].boolean();
  }
  void init(sdk::Host, const sdk::Config& config) override {
    shared_.again_nanoseconds = config["again"].integer() * 1'000'000;
    shared_.limit = std::chrono::seconds(config["limit"].integer());
    shared_.meets = config["meets"].integer();
    shared_.parallel = config["parallel"].boolean();
  }

 private:
  Shared shared_;
  PatientReserve reserve_{shared_};
  PatientPreBind pre_bind_{shared_};
  PatientPostBind post_bind_{shared_};
};

}  // namespace berth::tests
