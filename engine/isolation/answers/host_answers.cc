#include "engine/isolation/answers/host_answers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/host/instance/services/service_thread.h"
#include "engine/isolation/answers/used.h"
#include "engine/isolation/parent/failure.h"

namespace berth::isolation {
namespace {

berth_string to_abi(std::string_view text) { return {text.data(), text.size()}; }

std::string_view view(berth_string text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}

std::string_view bytes_of(const Reader& question) {
  return {reinterpret_cast<const char*>(question.rest().data()), question.rest().size()};
}

// Collects texts that a service writes.
struct TextList {
  std::vector<std::string> texts;
  const berth_text_sink sink{sizeof sink, 0, this, write};

  static void write(void* context, berth_string text) {
    static_cast<TextList*>(context)->texts.emplace_back(view(text));
  }
  void put(Writer& out) const {
    out.put(uint64_t{texts.size()});
    for (const std::string& text : texts) out.text(text);
  }
};

// These answers are only logged.
bool tells(Ask kind) { return kind == Ask::kLog || kind == Ask::kRefused; }

void log(const Services& services, Ask kind, Reader& in) {
  if (kind == Ask::kRefused) {
    const auto which = in.get<uint32_t>();
    if (which >= std::size(kRefusedCalls) || services.host == nullptr)
      throw BadMessage("a refusal is not known");
    return host::log_refused(services.host, kRefusedCalls[which].function,
                             kRefusedCalls[which].may);
  }
  const auto level = in.get<uint32_t>();
  const berth_string text = to_abi(in.text());
  used(services.log).write(services.host, level, text);
}

}  // namespace

bool Services::look_up(std::string_view id) {
  if (host == nullptr) throw BadMessage("a service is looked up without a host");
  const void* table = host->service(host, to_abi(id));
  if (table == nullptr) return false;
  const auto take = [&](std::string_view name, auto& service) {
    if (id == name) service = static_cast<std::decay_t<decltype(service)>>(table);
  };
  take(BERTH_LOG_SERVICE, log);
  take(BERTH_STRINGS_SERVICE, strings);
  take(BERTH_COLUMNS_SERVICE, columns);
  take(BERTH_SELECTORS_SERVICE, selectors);
  take(BERTH_BINDINGS_SERVICE, bindings);
  take(BERTH_COUNTS_SERVICE, counts);
  take(BERTH_WAITING_SERVICE, waiting);
  take(BERTH_VOLUMES_SERVICE, volumes);
  take(BERTH_WHAT_IF_SERVICE, what_if);
  take(BERTH_PREEMPT_EXTENDERS_SERVICE, extenders);
  take(BERTH_METRICS_SERVICE, metrics);
  return true;
}

std::string Record::key(Ask kind, std::string_view question) {
  std::string key(reinterpret_cast<const char*>(&kind), sizeof kind);
  return key.append(question);
}

void Record::add(Ask kind, std::string_view question, std::span<const std::byte> answer) {
  answers_.insert_or_assign(
      key(kind, question),
      std::string(reinterpret_cast<const char*>(answer.data()), answer.size()));
}

void Record::add(const Record& other) {
  for (const auto& [question, answer] : other.answers_) answers_.insert_or_assign(question, answer);
}

const std::string* Record::find(Ask kind, std::string_view question) const {
  const auto found = answers_.find(key(kind, question));
  return found == answers_.end() ? nullptr : &found->second;
}

void RecordedAnswers::answer(Ask kind, Reader& question, Writer& answer) {
  if (tells(kind)) return log(services_, kind, question);
  const std::string_view asked = bytes_of(question);
  const std::string* known = record_.find(kind, asked);
  if (known == nullptr) known = also_.find(kind, asked);
  if (known == nullptr)
    throw ProcessFailure("asked something else when it was started again than at first");
  answer.append(known->data(), known->size());
}

HostAnswers::~HostAnswers() {
  for (const WhatIf& what_if : what_ifs_)
    if (what_if.at != nullptr) services_.what_if->end(what_if.at);
}

void HostAnswers::answer(Ask kind, Reader& question, Writer& answer) {
  if (record_ == nullptr || tells(kind)) return answer_now(kind, question, answer);
  const std::string_view asked = bytes_of(question);
  answer_now(kind, question, answer);
  record_->add(kind, asked, answer.bytes());
}

void HostAnswers::answer_now(Ask kind, Reader& in, Writer& out) {
  if (kind == Ask::kService) {
    const bool there = services_.look_up(in.text());
    out.put(uint32_t{there});
    out.put(services_.log != nullptr ? services_.log->level : uint32_t{BERTH_LOG_INFO});
    return;
  }
  if (tells(kind)) return log(services_, kind, in);
  if (kind <= Ask::kConfigError) return answer_config(kind, in, out);
  if (kind <= Ask::kWriteBindings) return answer_strings(kind, in, out);
  if (kind <= Ask::kCarriers) return answer_counts(kind, in, out);
  if (kind <= Ask::kWaitingActivate) return answer_waiting(kind, in, out);
  if (kind <= Ask::kNextAttachment) return answer_volumes(kind, in, out);
  if (kind <= Ask::kWrittenVolume) return change_volumes(kind, in, out);
  if (kind <= Ask::kWhatIfStamps) return answer_what_if(kind, in, out);
  if (kind == Ask::kAskExtenders) return answer_extenders(in, out);
  if (kind == Ask::kExtendersPresent)
    return out.put(used(services_.extenders).present(services_.host));
  if (kind == Ask::kCounter || kind == Ask::kGauge) return answer_metrics(kind, in, out);
  answer_numbers(kind, in);
}

void HostAnswers::answer_metrics(Ask kind, Reader& in, Writer& out) {
  const berth_metrics_service& metrics = used(services_.metrics);
  const berth_string name = to_abi(in.text());
  const auto make = kind == Ask::kCounter ? metrics.counter : metrics.gauge;
  out.put(make(services_.host, name, to_abi(in.text())));
}

void HostAnswers::answer_config(Ask kind, Reader& in, Writer& out) {
  const berth_config& config = used(config_);
  const auto node = in.get<uint32_t>();
  const auto value = [&](auto read, auto empty) {
    const uint32_t there = read(&config, node, &empty);
    out.put(there);
    out.put(empty);
  };
  switch (kind) {
    case Ask::kConfigKind:
      return out.put(config.kind(&config, node));
    case Ask::kConfigLength:
      return out.put(config.length(&config, node));
    case Ask::kConfigElement: {
      const auto i = in.get<uint32_t>();
      return out.put(i < config.length(&config, node) ? config.element(&config, node, i)
                                                      : BERTH_CONFIG_ABSENT);
    }
    case Ask::kConfigMember:
      return out.put(config.member(&config, node, to_abi(in.text())));
    case Ask::kConfigAccept:
      return config.accept(&config, node);
    case Ask::kConfigBoolean:
      return value(config.boolean, uint8_t{});
    case Ask::kConfigInteger:
      return value(config.integer, int64_t{});
    case Ask::kConfigNumber:
      return value(config.number, double{});
    case Ask::kConfigString: {
      berth_string text = {};
      out.put(config.string(&config, node, &text));
      return out.text(text);
    }
    case Ask::kConfigMembers:
      return out.put(config.members(&config, node));
    case Ask::kConfigMemberAt: {
      berth_string name = {};
      out.put(config.member_at(&config, node, in.get<uint32_t>(), &name));
      return out.text(name);
    }
    case Ask::kConfigQuantity: {
      const auto parts = in.get<uint32_t>();
      int64_t quantity = 0;
      out.put(config.quantity(&config, node, parts, &quantity));
      return out.put(quantity);
    }
    case Ask::kConfigDuration:
      return value(config.duration, int64_t{});
    default: {
      if (kind != Ask::kConfigError) throw BadMessage("a question is not known");
      const berth_string below = to_abi(in.text());
      return config.error(&config, node, below, to_abi(in.text()));
    }
  }
}

void HostAnswers::answer_strings(Ask kind, Reader& in, Writer& out) {
  const berth_host* host = services_.host;
  switch (kind) {
    case Ask::kIntern:
      return out.put(used(services_.strings).intern(host, to_abi(in.text())));
    case Ask::kFindString:
      return out.put(used(services_.strings).find(host, to_abi(in.text())));
    case Ask::kText:
      return out.text(used(services_.strings).text(host, in.get<uint32_t>()));
    case Ask::kFindColumn:
      return out.put(used(services_.columns).find(host, to_abi(in.text())));
    case Ask::kMatchColumn:
      return out.put(used(services_.selectors).match_column(host, in.get<uint32_t>()));
    case Ask::kSelectorProblem: {
      TextList list;
      used(services_.selectors).problem(host, in.get<uint32_t>(), &list.sink);
      return list.put(out);
    }
    case Ask::kNodeSelector:
      return out.put(
          used(services_.selectors).node_selector(host, &used(config_), in.get<uint32_t>()));
    case Ask::kNodeSelectorTerm:
      return out.put(
          used(services_.selectors).node_selector_term(host, &used(config_), in.get<uint32_t>()));
    case Ask::kLabelSelector:
      return out.put(
          used(services_.selectors).label_selector(host, &used(config_), in.get<uint32_t>()));
    default: {
      if (kind != Ask::kWriteBindings) throw BadMessage("a question is not known");
      const auto pods = in.list<uint64_t>();
      const auto nodes = in.list<uint32_t>();
      if (pods.size() != nodes.size()) throw BadMessage("bindings without nodes");
      return out.put(used(services_.bindings).write(host, pods.size(), pods.data(), nodes.data()));
    }
  }
}

void HostAnswers::answer_counts(Ask kind, Reader& in, Writer& out) {
  const berth_counts_service& counts = used(services_.counts);
  const berth_host* host = services_.host;
  switch (kind) {
    case Ask::kTerm: {
      auto term = in.get<berth_pod_term>();
      const auto namespaces = in.list<uint32_t>();
      term.namespaces = namespaces.data();
      term.namespace_count = namespaces.size();
      return out.put(counts.term(host, &term));
    }
    case Ask::kQuery: {
      auto query = in.get<berth_count_query>();
      const auto terms = in.list<uint32_t>();
      const auto participants = in.list<uint32_t>();
      query.terms = terms.data();
      query.term_count = terms.size();
      query.participants = participants.data();
      query.participant_count = participants.size();
      return out.put(counts.query(host, &query));
    }
    case Ask::kCarry: {
      auto terms = in.get<berth_carried_terms>();
      terms.terms = to_abi(in.text());
      return out.put(counts.carry(host, &terms));
    }
    default: {
      const auto ask = [&](auto function) { out.put(function(host, in.get<uint32_t>())); };
      if (kind == Ask::kNodeCounts) return ask(counts.node_counts);
      if (kind == Ask::kDomainCounts) return ask(counts.domain_counts);
      if (kind == Ask::kTotal) return ask(counts.total);
      if (kind == Ask::kMinimum) return ask(counts.minimum);
      if (kind == Ask::kDomains) return ask(counts.domains);
      if (kind == Ask::kNodeCarried) return ask(counts.node_carried);
      return ask(counts.carriers);
    }
  }
}

void HostAnswers::answer_waiting(Ask kind, Reader& in, Writer& out) {
  const berth_waiting_service& waiting = used(services_.waiting);
  const berth_host* host = services_.host;
  switch (kind) {
    case Ask::kWaitingEach: {
      struct Pod {
        uint64_t pod, node;
      };
      std::vector<Pod> pods;
      waiting.each(host, &pods, [](void* context, uint64_t pod, uint32_t node) {
        static_cast<std::vector<Pod>*>(context)->push_back({pod, node});
      });
      return out.list(pods.data(), pods.size());
    }
    case Ask::kWaitingAllow:
      return out.put(waiting.allow(host, in.get<uint64_t>()));
    case Ask::kWaitingReject: {
      const auto pod = in.get<uint64_t>();
      return out.put(waiting.reject(host, pod, to_abi(in.text())));
    }
    default: {
      const auto pods = in.list<uint64_t>();
      return waiting.activate(host, pods.size(), pods.data());
    }
  }
}

HostAnswers::WhatIf& HostAnswers::what_if(Reader& in) {
  const auto number = in.get<uint64_t>();
  if (number == 0 || number > what_ifs_.size() || what_ifs_[number - 1].at == nullptr)
    throw BadMessage("a what-if is not known");
  return what_ifs_[number - 1];
}

void HostAnswers::answer_what_if(Ask kind, Reader& in, Writer& out) {
  const berth_what_if_service& service = used(services_.what_if);
  switch (kind) {
    case Ask::kWhatIfBegin: {
      berth_what_if* begun = service.begin(services_.host, in.get<uint32_t>());
      if (begun == nullptr) return out.put(uint64_t{0});
      what_ifs_.push_back({begun, lane_.used()});
      return out.put(uint64_t{what_ifs_.size()});
    }
    case Ask::kWhatIfPods: {
      const berth_call* pods = service.pods(what_if(in).at);
      if (pods == nullptr) return out.put(uint64_t{0});
      auto* call = lane_.make<berth_call>(1);
      put_call(lane_, arena_, *pods, *call);
      return out.put(lane_.address(call));
    }
    case Ask::kWhatIfRemove: {
      berth_what_if* at = what_if(in).at;
      return service.remove_pod(at, in.get<uint64_t>());
    }
    case Ask::kWhatIfAdd: {
      berth_what_if* at = what_if(in).at;
      return service.add_pod(at, in.get<uint64_t>());
    }
    case Ask::kWhatIfReset:
      return service.reset(what_if(in).at);
    case Ask::kWhatIfFilter:
      return out.put(service.filter(what_if(in).at));
    case Ask::kWhatIfReasons: {
      TextList list;
      service.reasons(what_if(in).at, &list.sink);
      return list.put(out);
    }
    case Ask::kWhatIfEnd: {
      WhatIf& ended = what_if(in);
      service.end(std::exchange(ended.at, nullptr));
      const bool all =
          std::ranges::all_of(what_ifs_, [](const WhatIf& other) { return other.at == nullptr; });
      // Its columns are in the lane. Numbers are not used again, so that a wrong one is noticed.
      if (all) lane_.cut(ended.mark);
      return;
    }
    default: {
      berth_what_if_stamps stamps = {};
      const uint32_t there = service.stamps(services_.host, &stamps);
      out.put(there);
      if (there == 0) return;
      out.put(stamps.kind);
      return out.list(stamps.by_row, stamps.rows);
    }
  }
}

void HostAnswers::answer_extenders(Reader& in, Writer& out) {
  const auto count = in.get<uint64_t>();
  std::vector<berth_preempt_candidate> candidates;
  std::vector<std::vector<uint64_t>> victims;
  for (uint64_t i = 0; i < count; ++i) {  // ends with the message, at the latest
    candidates.push_back(in.get<berth_preempt_candidate>());
    victims.push_back(in.list<uint64_t>());
    candidates.back().victims = victims.back().data();
    candidates.back().victim_count = victims.back().size();
  }
  TextList errors;
  Writer left;
  struct Left {
    uint64_t count;
    Writer& out;
  } taken = {0, left};
  const berth_code code = used(services_.extenders)
                              .ask(
                                  services_.host, candidates.data(), count, &taken,
                                  [](void* context, const berth_preempt_candidate* candidate) {
                                    auto& list = *static_cast<Left*>(context);
                                    ++list.count;
                                    list.out.put(*candidate);
                                    list.out.list(candidate->victims, candidate->victim_count);
                                  },
                                  &errors.sink);
  out.put(code);
  errors.put(out);
  out.put(taken.count);
  out.append(left.bytes().data(), left.bytes().size());
}

void HostAnswers::answer_numbers(Ask kind, Reader& in) {
  const berth_numbers_sink& sink = used(numbers_);
  switch (kind) {
    case Ask::kNumbersItem:
      return sink.item(sink.context, to_abi(in.text()));
    case Ask::kNumbersNumber: {
      const auto value = in.get<int64_t>();
      const auto unit = in.get<uint32_t>();
      return sink.number(sink.context, to_abi(in.text()), value, unit);
    }
    case Ask::kNumbersText: {
      const berth_string name = to_abi(in.text());
      return sink.text(sink.context, name, to_abi(in.text()));
    }
    case Ask::kNumbersTerm: {
      const auto term = in.get<uint32_t>();
      return sink.term(sink.context, to_abi(in.text()), term);
    }
    case Ask::kNumbersPods: {
      const auto element = in.get<uint64_t>();
      const auto column = in.get<uint32_t>();
      return sink.pods(sink.context, to_abi(in.text()), column, element);
    }
    default:
      throw BadMessage("a question is not known");
  }
}

}  // namespace berth::isolation
