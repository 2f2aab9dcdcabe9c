#include "engine/extenders/http_extenders.h"

#include <algorithm>
#include <future>

#include "engine/extenders/http_extender.h"

namespace berth::extenders {
namespace {

using All = std::vector<std::unique_ptr<HttpExtender>>;

class HttpExtenders final : public framework::Extenders {
 public:
  HttpExtenders(const config::Configuration& configuration, model::Cluster& cluster,
                const WholeObjects& whole, OnIgnored on_ignored)
      : answered_(cluster), on_ignored_(std::move(on_ignored)) {
    for (const bool ignorable : {false, true})
      for (const config::Extender& extender : configuration.extenders)
        if (extender.ignorable == ignorable)
          all_.push_back(std::make_unique<HttpExtender>(extender, cluster, whole, answered_));
  }

  bool filters() const override { return any(&config::Extender::filter_verb); }
  bool prioritizes() const override { return any(&config::Extender::prioritize_verb); }
  bool preempts() const override { return any(&config::Extender::preempt_verb); }
  bool binds() const override { return any(&config::Extender::bind_verb); }
  bool scores_all(const model::PodRecord& pod) const override {
    return std::any_of(all_.begin(), all_.end(), [&](const auto& extender) {
      return extender->config().prioritize_verb.empty() && extender->is_interested(pod);
    });
  }

  framework::ExtenderFilter filter(const model::PodRecord& pod,
                                   std::vector<model::Row> rows) override {
    answered_.begin();
    framework::ExtenderFilter result = filtered(pod, std::move(rows));
    answered_.settle(result.rows);
    return result;
  }

  void end_decision() override { answered_.end(); }

  std::vector<framework::ExtenderScores> prioritize(const model::PodRecord& pod,
                                                    const std::vector<model::Row>& rows) override {
    std::vector<HttpExtender*> asked;
    for (const auto& extender : all_)
      if (!extender->config().prioritize_verb.empty() && extender->is_interested(pod))
        asked.push_back(extender.get());
    // The first is asked on this thread, the others beside it. All only read the model.
    std::vector<std::future<framework::ExtenderScores>> others;
    for (size_t i = 1; i < asked.size(); ++i)
      others.push_back(std::async(std::launch::async,
                                  [&, one = asked[i]] { return one->prioritize(pod, rows); }));
    std::vector<framework::ExtenderScores> scores;
    for (size_t i = 0; i < asked.size(); ++i) {
      try {
        scores.push_back(i == 0 ? asked[0]->prioritize(pod, rows) : others[i - 1].get());
      } catch (const Error& error) {
        on_ignored_(error.message());
      }
    }
    return scores;
  }

  framework::ExtenderPreemption preempt(
      const model::PodRecord& pod, std::vector<framework::ExtenderVictims> candidates) override {
    framework::ExtenderPreemption result;
    result.candidates = std::move(candidates);
    for (const auto& extender : all_) {
      if (result.candidates.empty()) break;
      if (extender->config().preempt_verb.empty() || !extender->is_interested(pod)) continue;
      try {
        result.candidates = with_victims(*extender, extender->preempt(pod, result.candidates));
      } catch (const Error& error) {
        if (!ignored(*extender, error)) {
          result.error = error.message();
          return result;
        }
      }
    }
    return result;
  }

  framework::ExtenderBinding bind(const model::PodRecord& pod, std::string_view node) override {
    for (const auto& extender : all_) {
      if (extender->config().bind_verb.empty() || !extender->is_interested(pod)) continue;
      try {
        extender->bind(pod, node);
        return {extender->name(), {}};
      } catch (const Error& error) {
        if (!ignored(*extender, error)) return {extender->name(), error.message()};
      }
    }
    return {};
  }

 private:
  framework::ExtenderFilter filtered(const model::PodRecord& pod, std::vector<model::Row> rows) {
    framework::ExtenderFilter result;
    result.rows = std::move(rows);
    for (const auto& extender : all_) {
      if (result.rows.empty()) break;
      if (extender->config().filter_verb.empty() || !extender->is_interested(pod)) continue;
      try {
        framework::ExtenderFilter answer = extender->filter(pod, result.rows);
        result.rows = std::move(answer.rows);
        result.objects_alone |= answer.objects_alone;
        for (auto& refused : answer.refused) result.refused.push_back(std::move(refused));
      } catch (const Error& error) {
        if (!ignored(*extender, error)) {
          result.rows.clear();
          result.error = error.message();
          return result;
        }
      }
    }
    return result;
  }

  bool any(std::string config::Extender::*verb) const {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const auto& extender) { return !(extender->config().*verb).empty(); });
  }

  bool ignored(const HttpExtender& extender, const Error& error) const {
    if (!extender.config().ignorable) return false;
    on_ignored_(error.message());
    return true;
  }

  // A node without victims is no candidate: an ignorable extender loses it, another one fails.
  std::vector<framework::ExtenderVictims> with_victims(
      const HttpExtender& extender, std::vector<framework::ExtenderVictims> answered) const {
    std::erase_if(answered, [&](const framework::ExtenderVictims& one) {
      if (!one.victims.empty()) return false;
      if (extender.config().ignorable) return true;
      throw Error("expected at least one victim pod on node \"" + extender.node_name(one.row) +
                  "\"");
    });
    return answered;
  }

  AnsweredNodes answered_;
  All all_;
  OnIgnored on_ignored_;
};

}  // namespace

std::unique_ptr<framework::Extenders> make_extenders(const config::Configuration& configuration,
                                                     model::Cluster& cluster,
                                                     const WholeObjects& whole,
                                                     OnIgnored on_ignored) {
  if (configuration.extenders.empty()) return nullptr;
  return std::make_unique<HttpExtenders>(configuration, cluster, whole, std::move(on_ignored));
}

}  // namespace berth::extenders
