#include "engine/ingest/audit/audit_log.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/ingest/audit/audit_state.h"
#include "engine/ingest/watch/event_texts.h"
#include "engine/ingest/watch/watch_stream.h"

namespace berth::ingest {
namespace {

constexpr std::string_view kGroup = "audit.k8s.io/";
constexpr int kDeepestNesting = 128;  // nested objects and lists, as elsewhere in input

bool is_too_deep(std::string_view json) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      deepest = std::max(deepest, ++depth);
    } else if (!in_string && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return deepest > kDeepestNesting;
}

bool is_event(const rapidjson::Document& parsed) {
  if (parsed.HasParseError() || !parsed.IsObject()) return false;
  const auto version = parsed.FindMember("apiVersion");
  return version != parsed.MemberEnd() && version->value.IsString() &&
         std::string_view(version->value.GetString()).starts_with(kGroup);
}

class WatchOfAuditLog final : public ByteSource {
 public:
  WatchOfAuditLog(std::unique_ptr<ByteSource> log, AuditCounts& counts)
      : log_(std::move(log)),
        texts_(*log_, WatchStream::kMaxEvent),
        counts_(counts),
        state_(counts) {}

  size_t read(std::span<uint8_t> out) override {
    while (read_ == line_.size())
      if (!take_next()) return 0;
    const size_t size = std::min(out.size(), line_.size() - read_);
    std::copy_n(line_.begin() + static_cast<std::ptrdiff_t>(read_), size, out.begin());
    read_ += size;
    return size;
  }
  bool ready() override { return read_ != line_.size() || log_->ready(); }
  const std::string& name() const override { return log_->name(); }

 private:
  // False: the log ended.
  bool take_next() {
    if (texts_.next(true) != EventTexts::Next::kText) return false;
    read_ = 0;
    line_.clear();
    const std::string& text = texts_.text();
    rapidjson::Document parsed;
    if (!texts_.too_long() && !is_too_deep(text))
      parsed.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag |
                   rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
    if (is_event(parsed))
      line_ = state_.take(parsed);
    else
      ++counts_.malformed;
    return true;
  }

  std::unique_ptr<ByteSource> log_;
  EventTexts texts_;
  AuditCounts& counts_;
  AuditState state_;
  std::string line_;
  size_t read_ = 0;
};

}  // namespace

bool begins_like_audit_log(std::string_view beginning) {
  const std::string_view line = beginning.substr(0, beginning.find('\n'));
  return line.find("\"audit.k8s.io/") != line.npos && line.find('{') != line.npos;
}

std::unique_ptr<ByteSource> watch_of_audit_log(std::unique_ptr<ByteSource> log,
                                               AuditCounts& counts) {
  return std::make_unique<WatchOfAuditLog>(std::move(log), counts);
}

}  // namespace berth::ingest
