#pragma once

// Answers what a plugin's process asks during a call, from the services of the plugin's instance in
// the engine. The services check their arguments, as they do for any plugin; what they cannot
// check, pointers, never crosses: the process knows objects and what-ifs by numbers.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "berth/abi/bind.h"
#include "berth/abi/config.h"
#include "berth/abi/counts.h"
#include "berth/abi/host.h"
#include "berth/abi/metrics.h"
#include "berth/abi/numbers.h"
#include "berth/abi/overlay.h"
#include "berth/abi/volumes.h"
#include "engine/isolation/parent/columns.h"
#include "engine/isolation/parent/lane_call.h"

namespace berth::isolation {

// The services that an instance looked up in `init`; null: it did not, or the host lacks it.
struct Services {
  const berth_host* host = nullptr;
  const berth_log_service* log = nullptr;
  const berth_strings_service* strings = nullptr;
  const berth_columns_service* columns = nullptr;
  const berth_selectors_service* selectors = nullptr;
  const berth_bindings_service* bindings = nullptr;
  const berth_counts_service* counts = nullptr;
  const berth_waiting_service* waiting = nullptr;
  const berth_volumes_service* volumes = nullptr;
  const berth_what_if_service* what_if = nullptr;
  const berth_preempt_extenders_service* extenders = nullptr;
  const berth_metrics_service* metrics = nullptr;

  // Looks a service up. False: the host does not have it.
  bool look_up(std::string_view id);
};

// Questions and their answers, as bytes.
class Record {
 public:
  void add(Ask kind, std::string_view question, std::span<const std::byte> answer);
  // Null: the question is not in the record.
  const std::string* find(Ask kind, std::string_view question) const;
  // Takes over what `other` has.
  void add(const Record& other);

 private:
  static std::string key(Ask kind, std::string_view question);
  std::unordered_map<std::string, std::string> answers_;
};

// Answers the questions of one call.
class HostAnswers : public Answers {
 public:
  // All of it outlives the object. `arena`: for the columns of what-ifs.
  HostAnswers(Services& services, LaneCall& lane, const MappedArena& arena)
      : services_(services), lane_(lane), arena_(arena) {}
  ~HostAnswers() override;  // ends what-ifs that the plugin has not ended
  HostAnswers(const HostAnswers&) = delete;
  HostAnswers& operator=(const HostAnswers&) = delete;

  void set_config(const berth_config* config) { config_ = config; }
  void set_numbers(const berth_numbers_sink* numbers) { numbers_ = numbers; }
  // Keeps all answers but those about the log.
  void set_record(Record* record) { record_ = record; }

  void answer(Ask kind, Reader& question, Writer& answer) override;

  // The number under which the process knows an object of the volumes service, of the kind of the
  // event (BERTH_ON_).
  template <typename T>
  uint32_t number_of(const T* object);

 private:
  enum class Kind : uint8_t {
    kClaim,
    kVolume,
    kClass,
    kCsiNode,
    kCsiDriver,
    kCapacity,
    kAttachment
  };
  struct Object {
    Kind kind;
    const void* at;
  };
  struct WhatIf {
    berth_what_if* at;  // null: it has ended
    size_t mark;        // of the lane when it began
  };

  void answer_now(Ask kind, Reader& in, Writer& out);
  void answer_config(Ask kind, Reader& in, Writer& out);
  void answer_strings(Ask kind, Reader& in, Writer& out);
  void answer_counts(Ask kind, Reader& in, Writer& out);
  void answer_waiting(Ask kind, Reader& in, Writer& out);
  void answer_volumes(Ask kind, Reader& in, Writer& out);
  void change_volumes(Ask kind, Reader& in, Writer& out);
  void answer_what_if(Ask kind, Reader& in, Writer& out);
  void answer_extenders(Reader& in, Writer& out);
  void answer_metrics(Ask kind, Reader& in, Writer& out);
  void answer_numbers(Ask kind, Reader& in);

  template <typename T>
  static constexpr Kind kind_of();
  template <typename T>
  const T* object(uint32_t number) const;  // null for 0
  template <typename T>
  void put(Writer& out, const T* object);
  template <typename T>
  void put_next(Reader& in, Writer& out, const T* (*next)(const berth_host* host, const T* after));
  WhatIf& what_if(Reader& in);

  Services& services_;
  LaneCall& lane_;
  const MappedArena& arena_;
  const berth_config* config_ = nullptr;
  const berth_numbers_sink* numbers_ = nullptr;
  Record* record_ = nullptr;
  std::vector<Object> objects_;   // number 1 is the first
  std::vector<WhatIf> what_ifs_;  // the same
};

// Answers from records alone: for a call that is made again, when the model has gone on.
class RecordedAnswers : public Answers {
 public:
  // `also`: what other calls asked; both outlive the object. `log` may be null.
  RecordedAnswers(const Record& record, const Record& also, const Services& services)
      : record_(record), also_(also), services_(services) {}
  void answer(Ask kind, Reader& question, Writer& answer) override;

 private:
  const Record& record_;
  const Record& also_;
  const Services& services_;
};

}  // namespace berth::isolation
