#pragma once

// Answers what a plugin's process asks during a call, from the services of the plugin's instance in
// the engine. The services check their arguments, as they do for any plugin; what they cannot
// check, pointers, never crosses: the process knows objects and what-ifs by numbers.

#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/isolation/parent/columns.h"
#include "engine/isolation/parent/lane_call.h"
#include "engine/isolation/services/services.h"

namespace berth::isolation {

// The services that an instance looked up in `init`; null: it did not, or the host lacks it.
struct Services {
  template <typename... T>
  static std::tuple<const T*...> tables_of(Types<T...>);

  const berth_host* host = nullptr;
  decltype(tables_of(AskedServices())) tables = {};

  // Looks a service up. False: the host does not have it.
  bool look_up(std::string_view id);
  // Throws BadMessage: a service that the plugin uses must be one that it looked up.
  template <typename T>
  const T& used() const {
    return used(std::get<const T*>(tables));
  }
  template <typename T>
  static const T& used(const T* table) {
    if (table == nullptr) throw BadMessage("a service is used that was not looked up");
    return *table;
  }
};

// Answers by their questions, as bytes.
using Record = std::unordered_map<std::string, std::string>;

// Answers the questions of one call.
class HostAnswers : public Answers {
 public:
  // Services and lane outlive the object. `arena`: for the columns of what-ifs.
  HostAnswers(Services& services, LaneCall& lane, const MappedArena& arena)
      : services_(services), lane_(lane), arena_(arena) {}
  ~HostAnswers() override;  // ends what-ifs that the plugin has not ended
  HostAnswers(const HostAnswers&) = delete;
  HostAnswers& operator=(const HostAnswers&) = delete;

  const MappedArena& arena() const { return arena_; }
  void set_config(const berth_config* config) { config_ = config; }
  void set_numbers(const berth_numbers_sink* numbers) { numbers_ = numbers; }
  // Keeps all answers but those about the log.
  void set_record(Record* record) { record_ = record; }

  void answer(Ask kind, Reader& question, Writer& answer) override;

  // The number under which the process knows an object of the volumes service from now on; 0: null.
  template <typename T>
  uint32_t number_of(const T* object) {
    if (object == nullptr) return 0;
    objects_.push_back({kObjectKind<T>, object});
    return static_cast<uint32_t>(objects_.size());
  }

  // For the functions that answer (function.h). They throw BadMessage.
  const berth_host* host() const { return services_.host; }
  template <typename T>
  const T& table() const {
    if constexpr (std::is_same_v<T, berth_config>)
      return Services::used(config_);
    else if constexpr (std::is_same_v<T, berth_numbers_sink>)
      return Services::used(numbers_);
    else
      return services_.used<T>();
  }
  template <typename T>
  const T* object(uint32_t number) const {
    if (number == 0) return nullptr;
    if (number > objects_.size() || objects_[number - 1].kind != kObjectKind<T>)
      throw BadMessage("an object of the volumes service is not known");
    return static_cast<const T*>(objects_[number - 1].at);
  }
  struct WhatIf {
    berth_what_if* at;  // null: it has ended
    size_t mark;        // of the lane when it began
  };
  WhatIf& what_if(Reader& question);
  void end_what_if(Reader& question);
  template <typename T>
  void put_result(Writer& answer, const T& result) {
    put_value(answer, result);
  }
  template <typename T>
  void put_result(Writer& answer, const T* object) {
    answer.put(number_of(object));
    if (object != nullptr) put_value(answer, *object);
  }
  void put_result(Writer&, Done) {}
  void put_result(Writer& answer, berth_what_if* begun);
  void put_result(Writer& answer, const berth_call* pods);

 private:
  struct Object {
    uint32_t kind;  // kObjectKind
    const void* at;
  };

  void answer_now(Ask kind, Reader& question, Writer& answer);
  void put_texts(Reader& question, Writer& answer) const;

  Services& services_;
  LaneCall& lane_;
  const MappedArena arena_;
  const berth_config* config_ = nullptr;
  const berth_numbers_sink* numbers_ = nullptr;
  Record* record_ = nullptr;
  std::vector<Object> objects_;   // number 1 is the first
  std::vector<WhatIf> what_ifs_;  // the same
};

// Answers from records alone: for a call that is made again, when the model has gone on.
class RecordedAnswers : public Answers {
 public:
  // `also`: what other calls asked. All of it outlives the object.
  RecordedAnswers(const Record& record, const Record& also, const Services& services)
      : record_(record), also_(also), services_(services) {}
  void answer(Ask kind, Reader& question, Writer& answer) override;

 private:
  const Record& record_;
  const Record& also_;
  const Services& services_;
};

}  // namespace berth::isolation
