#pragma once

// The plugin `Faulty` in a process of its own.

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/isolation/parent/isolation.h"
#include "tests/host/faulty_instance.h"

namespace berth::host {

inline const std::filesystem::path& program() {
  static const std::filesystem::path path = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host";
  return path;
}

// An instance of the plugin `Faulty` in a process of its own, and a call over some positions.
class Isolated {
 public:
  explicit Isolated(const std::string& fault, isolation::Options options = {})
      : arguments_("{\"fault\": \"" + fault + "\"}"),
        instance_(std::in_place, load(std::move(options)), fake_.environment, fake_.calls,
                  arguments_.get()) {
    call_.count = codes.size();
  }

  CallError filter(const void* state = nullptr) {
    call_.state = state;
    return instance_->hook<Filter>()->call(fake_.calls, call_, codes);
  }
  CallError score() { return instance_->hook<Score>()->call(fake_.calls, call_, raw); }

  // The filter and the score in one round.
  void post(Together& together) {
    call_.state = nullptr;
    posted_filter_ = instance_->hook<Filter>()->post(together, call_);
    posted_score_ = instance_->hook<Score>()->post(together, call_);
  }
  // The texts of their errors, or "no error"; "not begun" if it would have to be made by itself.
  std::string take_filter(Together& together) {
    return taken(together, posted_filter_, [&] {
      return instance_->hook<Filter>()->take(fake_.calls, together, posted_filter_, codes);
    });
  }
  std::string take_score(Together& together) {
    return taken(together, posted_score_, [&] {
      return instance_->hook<Score>()->take(fake_.calls, together, posted_score_, raw);
    });
  }
  CallError prepare(Prepared& prepared) {
    return instance_->hook<Filter>()->prepare(fake_.calls, {}, prepared);
  }

  const std::vector<std::string>& log() const { return fake_.log.lines; }
  Moment& moment() { return fake_.moment; }
  void destroy() { instance_.reset(); }  // no call may follow

  std::array<uint8_t, 64> codes{};
  std::array<int64_t, 64> raw{};

 private:
  template <typename Take>
  std::string taken(Together& together, const Posted& posted, Take&& take) {
    if (!together.has(posted, codes.size())) return "not begun";
    const CallError error = take();
    return error ? error.text() : "no error";
  }
  static std::shared_ptr<const Library> load(isolation::Options options) {
    if (options.program.empty()) options.program = program();
    return isolation::load_isolated(SealedFile(ScratchFolder::built("faulty")), options);
  }

  FakeEnvironment fake_;
  TextArguments arguments_;
  std::optional<Instance> instance_;
  berth_call call_{};
  Posted posted_filter_, posted_score_;
};

inline std::string text_of(const CallError& error) { return error ? error.text() : "no error"; }

}  // namespace berth::host
