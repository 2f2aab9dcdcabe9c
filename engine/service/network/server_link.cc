#include "engine/service/network/server_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/text/printable.h"
#include "engine/kube/kinds.h"

namespace berth::service {
namespace {

binding::BindAnswer answer_of(const kube::BindResult& result) {
  using From = kube::BindResult::Kind;
  using To = binding::BindAnswer::Kind;
  switch (result.kind) {
    case From::kBound:
      return {};
    case From::kConflict:
      return {.kind = To::kConflict, .message = result.message};
    case From::kFailed:
      break;
  }
  return {.kind = To::kFailed, .message = result.message};
}

std::string path_of(const kube::ServedKind& kind, const model::VolumeObject& object) {
  if (const auto* claim = std::get_if<model::PersistentVolumeClaim>(&object))
    return kube::object_path(kind, claim->namespace_name, claim->name);
  return kube::object_path(kind, {}, std::get<model::PersistentVolume>(object).name);
}

}  // namespace

ServerLink::ServerLink(kube::Http& http, kube::Loop& loop, Post post, Say say, Inbox& inbox,
                       const LinkOptions& options)
    : http_(options.metrics == nullptr
                ? http
                : metered_.emplace(http, loop, *options.metrics, options.host)),
      loop_(loop),
      post_(std::move(post)),
      say_(std::move(say)),
      inbox_(inbox),
      options_(options),
      limited_(http_, loop, options.qps, options.burst, on_turn()),
      limited_events_(http_, loop, options.qps, options.burst, on_turn()),
      lists_(limited_, loop, [this](Listed came) { inbox_.put(std::move(came)); }),
      reads_(limited_, loop, say_,
             [this](std::vector<kube::Watched> changes) { inbox_.put(std::move(changes)); }),
      writes_(limited_, limited_events_, loop, options.writes, calls()) {
  set_leads(false);
  if (!options_.lease) return;
  elector_.emplace(
      http_, loop_, *options_.lease,
      kube::ElectionCallbacks{.on_leading = [this] { lead(); },
                              .on_lost =
                                  [this](const Error& why) {
                                    set_leads(false);
                                    say_(why.what());
                                    inbox_.put(Word::kLost);
                                  },
                              .on_new_leader =
                                  [this](const std::string& identity) {
                                    if (!identity.empty())
                                      say_("the leader is " + printable(identity));
                                  },
                              .on_fault = [this](const Error& fault) { say_(fault.what()); }});
}

kube::LimitedHttp::OnTurn ServerLink::on_turn() {
  if (options_.metrics == nullptr) return nullptr;
  return [this](kube::Method method, Time waited) {
    options_.metrics->waited(method, options_.host, waited);
  };
}

kube::WritesCalls ServerLink::calls() {
  return {.may_write = [this] { return may_write(); },
          .bound =
              [this](uint64_t number, const kube::BindResult& result) {
                inbox_.put(runtime::BindingAnswer{number, answer_of(result)});
              },
          .status_written = [this](uint64_t number,
                                   const std::string& error) { status_written(number, error); },
          .evicted = [this](uint64_t number,
                            const kube::EvictionResult& result) { evicted(number, result); },
          .volume_written = [this](uint64_t number,
                                   const std::string& error) { volume_written(number, error); }};
}

void ServerLink::keep(Write write) {
  const MutexLock lock(mutex_);
  kept_.push_back(std::move(write));
}

void ServerLink::bind(uint64_t number, kube::PodName pod, std::string node) {
  keep(Binding{number, std::move(pod), std::move(node)});
}

void ServerLink::write(uint64_t number, kube::PodName pod, kube::StatusChange change) {
  keep(Status{number, std::move(pod), std::move(change)});
}

void ServerLink::evict(kube::Eviction victim, events::Event told) {
  keep(Evicting{std::move(victim), std::move(told)});
}

void ServerLink::put(model::VolumeObject object, std::string version) {
  keep(VolumeWrite{std::move(object), std::move(version)});
}

void ServerLink::record(events::Event event) { keep(std::move(event)); }

void ServerLink::send() {
  std::vector<Write> writes;
  {
    const MutexLock lock(mutex_);
    std::swap(writes, kept_);
  }
  if (writes.empty()) return;
  post_([this, writes = std::make_shared<std::vector<Write>>(std::move(writes))] {
    for (Write& write : *writes) std::visit([this](auto& one) { take(one); }, write);
  });
}

void ServerLink::take(const Binding& binding) {
  writes_.bindings().bind(binding.number, binding.pod, binding.node);
}

void ServerLink::take(Status& status) {
  writes_.statuses().write(status.number, status.pod, std::move(status.change));
}

void ServerLink::status_written(uint64_t number, const std::string& error) {
  if (error.empty() || !may_write()) return;
  say_("a pod's status was not written: " + error);
  if (number != 0) inbox_.put(StatusFailed{number});
}

// The versions are those of now: the watch may tell of the victim's end before the answer comes.
void ServerLink::take(Evicting& evicting) {
  BERTH_ASSERT(evicting.told.related);
  ++preemptions_[evicting.told.related->uid].under_way;
  evicting.victim.number = ++numbers_;
  fill_versions(evicting.told);
  evictions_.emplace(numbers_, std::move(evicting.told));
  writes_.evictions().evict(evicting.victim);
}

void ServerLink::evicted(uint64_t number, const kube::EvictionResult& result) {
  using Kind = kube::EvictionResult::Kind;
  auto told = evictions_.extract(number);
  BERTH_ASSERT(!told.empty());
  const bool failed = result.kind == Kind::kFailed && may_write();
  if (failed) say_("a pod was not evicted: " + result.message);
  evictions_end(*told.mapped().related, failed);
  if (result.kind == Kind::kDeleted) writes_.events().record(std::move(told.mapped()));
}

// The pod is tried again when nothing is done for it any more, once for all of them.
void ServerLink::evictions_end(const events::EventObject& preemptor, bool failed) {
  const auto all = preemptions_.find(preemptor.uid);
  BERTH_ASSERT(all != preemptions_.end());
  all->second.failed |= failed;
  if (--all->second.under_way != 0) return;
  if (all->second.failed)
    inbox_.put(PreemptionFailed{{preemptor.namespace_name, preemptor.name, preemptor.uid}});
  preemptions_.erase(all);
}

void ServerLink::take(VolumeWrite& write) {
  const uint64_t number = ++numbers_;
  if (const auto* claim = std::get_if<model::PersistentVolumeClaim>(&write.object)) {
    writes_.volumes().write(number, kube::SelectedNode{.claim_namespace = claim->namespace_name,
                                                       .claim = claim->name,
                                                       .node = claim->selected_node,
                                                       .version = write.version});
  } else {
    const auto& volume = std::get<model::PersistentVolume>(write.object);
    writes_.volumes().write(number, kube::ChosenClaim{.volume = volume.name,
                                                      .claim_namespace = volume.claim_namespace,
                                                      .claim = volume.claim_name,
                                                      .claim_uid = volume.claim_uid,
                                                      .version = write.version});
  }
  volumes_.emplace(number, std::move(write.object));
}

void ServerLink::take(events::Event& event) {
  fill_versions(event);
  writes_.events().record(std::move(event));
}

void ServerLink::fill_versions(events::Event& event) const {
  fill_version(event.regarding);
  if (event.related) fill_version(*event.related);
}

void ServerLink::fill_version(events::EventObject& object) const {
  const kube::ObjectVersion* known =
      reflectors_->find(object.kind, object.namespace_name, object.name);
  if (known != nullptr && known->uid == object.uid)
    object.resource_version = known->resource_version;
}

// The owner counts on what it wrote. If that was not written, it is told what is there.
void ServerLink::volume_written(uint64_t number, const std::string& error) {
  const auto node = volumes_.extract(number);
  if (!node || error.empty() || !may_write()) return;
  say_(fmt::format("{} {} was not written: {}", model::kind_of(node.mapped()),
                   model::full_name(model::Object(node.mapped())), error));
  const kube::ServedKind& kind = *kube::find_served(model::kind_of(node.mapped()));
  reads_.read(kind, path_of(kind, node.mapped()));
}

void ServerLink::start(bool keep_whole) {
  reflectors_.emplace(kube::served_kinds(), limited_, loop_, static_cast<kube::Sink&>(*this),
                      kube::Reflector::Options{.keep_whole = keep_whole, .seed = options_.seed});
  reflectors_->start();
}

void ServerLink::take(const kube::ServedKind&, std::vector<kube::Watched> changes) {
  inbox_.put(std::move(changes));
}

void ServerLink::synced(const kube::ServedKind&) {
  if (!synced_ && reflectors_->synced()) all_came();
}

void ServerLink::all_came() {
  synced_ = true;
  inbox_.put(Word::kSynced);
  if (elector_)
    elector_->start();
  else
    lead();
}

void ServerLink::lead() {
  set_leads(true);
  inbox_.put(Word::kLeading);
}

void ServerLink::set_leads(bool leads) {
  leads_ = leads;
  if (options_.metrics != nullptr && options_.lease)
    options_.metrics->leads(options_.lease->name, leads);
}

void ServerLink::note(const kube::ServedKind& kind, std::string text) {
  say_(fmt::format("{}: {}", kind.resource, text));
}

void ServerLink::finish(Time limit, std::function<void()> done) {
  const Time until = loop_.now() + limit;
  writes_.finish(limit, [this, until, done = std::move(done)]() mutable {
    set_leads(false);
    if (!elector_) return done();
    elector_->release(std::max(until - loop_.now(), Time(std::chrono::seconds(1))),
                      std::move(done));
  });
}

}  // namespace berth::service
