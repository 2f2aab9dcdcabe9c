#include "cli/what_if/watch_source.h"

#include <algorithm>
#include <utility>

namespace berth::cli {
namespace {

MemorySource bytes_of(const std::string& file, const std::string& text) {
  return MemorySource({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, file);
}

}  // namespace

WatchSource::WatchSource(std::unique_ptr<drive::WorkSource> input, const WatchedChanges& changes,
                         Time standstill, ingest::Creation& creation, runtime::Core& core,
                         OnBatch on_batch)
    : input_(std::move(input)),
      file_(changes.file),
      text_(changes.text),
      validation_(changes.validation),
      standstill_(standstill),
      creation_(creation),
      core_(core),
      on_batch_(std::move(on_batch)) {}

bool WatchSource::next(drive::Work& work) {
  if (!watch_ && input_->next(work)) return true;
  if (!input_->finished()) return false;  // interrupted, and a thread reads on
  work = {};
  work.stream = &batch_;
  work.from = file_;
  if (!watch_) {
    begin();
    batch_.at = standstill_.count();
    batch_.kind = ingest::BatchKind::kTime;
    return true;
  }
  if (!read()) return false;
  on_batch_(batch_);
  work.whole = whole_;
  return true;
}

void WatchSource::begin() {
  bytes_ = std::make_unique<MemorySource>(bytes_of(file_, text_));
  creation_.follow_nodes();
  watch_ = std::make_unique<ingest::WatchStream>(*bytes_, faults_, false, false, &creation_,
                                                 validation_);
  if (core_.door().reads_whole()) watch_->keep_whole();
}

// The next batch that says what happens, or when. False: there is none.
bool WatchSource::read() {
  using Kind = ingest::BatchKind;
  whole_.clear();
  while (!ended_ && watch_->next(batch_)) {
    if (faults_.count() != 0) throw Error(faults_.kept().front());
    if (batch_.kind == Kind::kTemplates) templates_.define(batch_.templates);
    if (batch_.kind == Kind::kTime) return true;
    if (batch_.kind != Kind::kCluster && batch_.kind != Kind::kEvents && batch_.kind != Kind::kPods)
      continue;
    happen();
    return true;
  }
  if (faults_.count() != 0) throw Error(faults_.kept().front());
  end();
  return false;
}

// The cluster is there, so what a watch begins with happens, too. Pods come by themselves: the
// templates of the run are those of its input.
void WatchSource::happen() {
  if (batch_.kind == ingest::BatchKind::kPods) {
    std::vector<model::Change> changes;
    for (size_t i = 0; i < batch_.pods.size(); ++i)
      changes.push_back(model::added(model::TemplatePod::of(templates_.pod(batch_.pods, i))));
    batch_.changes = std::move(changes);
  }
  batch_.kind = ingest::BatchKind::kEvents;
  if (core_.door().reads_whole() && !batch_.lines.empty())
    whole_ = watch_->take_whole(*std::ranges::max_element(batch_.lines));
}

void WatchSource::end() {
  if (std::exchange(ended_, true)) return;
  remarks_ = input_->remarks();
  remarks_.add(watch_->remarks());
}

void check_watch(const std::string& file, const std::string& text) {
  MemorySource bytes = bytes_of(file, text);
  Diagnostics faults;
  ingest::WatchStream watch(bytes, faults, false);
  ingest::Batch batch;
  while (watch.next(batch)) {
  }
  if (faults.count() == 0) return;
  if (faults.count() == 1) throw Error(faults.kept().front());
  std::vector<std::string> details;
  for (const Error& fault : faults.kept()) details.emplace_back(fault.what());
  throw Error(Place{.file = file, .field = {}}, "the watch has several faults:", details);
}

}  // namespace berth::cli
