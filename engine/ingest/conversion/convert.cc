#include "engine/ingest/conversion/convert.h"

#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/ingest/conversion/created.h"
#include "engine/ingest/conversion/objects_batches.h"
#include "engine/ingest/objects/folder_files.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/objects/report_all.h"
#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/stream/write/waiting_pod.h"
#include "engine/ingest/watch/input_format.h"
#include "engine/ingest/watch/watch_stream.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/ingest/workloads/decode_workload.h"
#include "engine/ingest/written/object_writer.h"
#include "engine/ingest/written/stream_sink.h"

namespace berth::ingest {
namespace {

using document::Document;
using document::Kind;
using document::Value;

struct NamedInput {
  std::string path;
  Input input;
  FolderFaults* folder = nullptr;  // that it was found in
};

// All inputs, those with objects first.
class Inputs {
 public:
  explicit Inputs(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      if (is_folder(path)) {
        folders_.emplace_back(path);
        for (const std::string& file : files_in(path)) open(file, &folders_.back());
      } else {
        open(path, nullptr);
      }
    }
    for (NamedInput& stream : streams_) objects_.push_back(std::move(stream));
  }

  std::vector<NamedInput>& all() { return objects_; }
  const std::deque<FolderFaults>& folders() const { return folders_; }

 private:
  void open(const std::string& path, FolderFaults* folder) {
    Input input = open_input(path);
    auto& list = input.format == InputFormat::kObjects ? objects_ : streams_;
    list.push_back({path, std::move(input), folder});
  }

  std::deque<FolderFaults> folders_;  // which inputs refer to
  std::vector<NamedInput> objects_, streams_;
};

// Reads objects of files with a reader that reports to `found`, which is empty before and after.
void read_objects(NamedInput& from, ObjectReader& reader, Diagnostics& found, Diagnostics& faults) {
  const uint64_t before = objects_seen(reader.objects());
  const Document document = Document::parse(read_all(*from.input.source), from.path, found);
  for (const Value root : document.roots()) reader.add(root);
  if (from.folder != nullptr) {
    from.folder->add(found, objects_seen(reader.objects()) != before, faults);
  } else {
    report_all(found, faults);
  }
  found = {};
}

// The workloads that expand in the files that are read, as in a run.
Workloads workloads_of(Part part) {
  return part == Part::kCluster ? Workloads::kOwners : Workloads::kManifests;
}

Validation validation_of(const Conversion& conversion) {
  return conversion.admission ? validation_by(conversion.version) : Validation::kNone;
}

void hand_over(const Batch& batch, Conversion& conversion, StreamSink& target) {
  switch (batch.kind) {
    case BatchKind::kNote:
      return target.note(batch.note);
    case BatchKind::kTemplates:
      return target.define(batch.templates);
    case BatchKind::kCluster:
      if (conversion.part != Part::kPods) target.cluster(batch.changes);
      return;
    case BatchKind::kEvents:
      if (conversion.part != Part::kCluster) target.events(batch.changes);
      return;
    case BatchKind::kPods:
      if (conversion.part != Part::kCluster) target.pods(batch.pods);
      return;
    case BatchKind::kBindings:
      return conversion.dropped.add("bindings of a stream", batch.bindings.size());
    case BatchKind::kTime:
      if (conversion.part != Part::kCluster) target.time(batch.at);
      return;
    case BatchKind::kEnd:
      return;
  }
}

void hand_over(BatchSource& batches, Conversion& conversion, StreamSink& target) {
  for (Batch batch; batches.next(batch);) hand_over(batch, conversion, target);
}

void hand_over_frames(ByteSource& source, Conversion& conversion, StreamSink& target) {
  StreamReader frames(source, conversion.faults);
  hand_over(frames, conversion, target);
}

// Objects of files and of lines, to JSON and YAML.
class Texts {
 public:
  Texts(ByteSink& out, Conversion& conversion)
      : conversion_(conversion),
        writer_(
            conversion.format == Format::kYaml ? ObjectWriter::As::kYaml : ObjectWriter::As::kList,
            out),
        target_(writer_, false, conversion),
        reader_(found_, Defaults::kApiServer, Workloads::kOwners) {
    reader_.visit([this](const ObjectReader::Visited& object) {
      if (object.taken && is_of_part(object))
        writer_.add(object.value, object.kind, object.api_version);
    });
  }

  void take(NamedInput& from) {
    ByteSource& source = *from.input.source;
    if (from.input.format == InputFormat::kFrames)
      return hand_over_frames(source, conversion_, target_);
    watch_ = from.input.format == InputFormat::kWatch;
    if (!watch_) return read_objects(from, reader_, found_, conversion_.faults);
    const Document document = Document::parse(read_all(source), from.path, found_);
    for (const Value root : document.roots()) take_event(root);
    report_all(found_, conversion_.faults);
    found_ = {};
  }

  void end() {
    target_.end();
    if (events_ != 0)
      conversion_.faults.report(Error(
          std::to_string(events_) +
          " events change or delete objects and are left out, because files of objects have no "
          "events: --to jsonl and --to frames keep them"));
    if (times_ != 0)
      conversion_.faults.report(
          Error(std::to_string(times_) +
                " times of events are left out, because files of objects have none: --to jsonl "
                "keeps them"));
  }

 private:
  bool is_of_part(const ObjectReader::Visited& object) const {
    const bool pod = object.kind == "Pod" && !reader_.objects().pods.empty();
    const Objects& read = reader_.objects();
    const auto* claim = watch_ && object.kind == "PersistentVolumeClaim" && !read.others.empty()
                            ? std::get_if<model::VolumeObject>(&read.others.back().object)
                            : nullptr;
    if (object.kind == "Eviction" && is_object(object.kind, object.api_version))
      return conversion_.part != Part::kCluster;
    const bool work = pod ? waits(read.pods.back()) : claim != nullptr && waits(*claim);
    // In a stream, a pod without a node is no part of the cluster.
    if (conversion_.part != Part::kPods) return conversion_.part == Part::kAll || !watch_ || !work;
    if (pod || work) return work;
    if (watch_ && object.value.find("metadata").find("uid").present()) return false;
    return workload_kind(object.kind, object.api_version) && !is_controlled(object.value) &&
           object.value.find("spec").find("template").present();
  }

  void take_event(Value event) {
    const std::string_view type = event.find("type").text();
    const Value object = event.find("object");
    if (event.find("time").present()) ++times_;
    if (type == "BOOKMARK") return;
    if (type == "MODIFIED" || type == "DELETED") {
      ++events_;
    } else if (type == "ADDED" && object.is(Kind::kObject)) {
      reader_.add(object);
    } else {
      found_.report(Error(event.place(),
                          "expected an event with its object: ADDED, MODIFIED, DELETED or "
                          "BOOKMARK"));
    }
  }

  Conversion& conversion_;
  ObjectWriter writer_;
  Created target_;     // ends the writer
  Diagnostics found_;  // in the current input
  ObjectReader reader_;
  bool watch_ = false;   // of the current input
  uint64_t events_ = 0;  // of lines
  uint64_t times_ = 0;   // the same
};

// Anything, to a stream.
class Streams {
 public:
  Streams(ByteSink& out, Conversion& conversion)
      : conversion_(conversion),
        sink_(conversion.format == Format::kLines ? line_sink(out)
                                                  : frame_sink(out, &conversion.faults)),
        lines_(*sink_, true, conversion),
        target_(conversion.format == Format::kLines ? lines_ : *sink_),
        reader_(found_, Defaults::kApiServer, workloads_of(conversion.part),
                validation_of(conversion)),
        creation_([this] { return nodes_; }, conversion.admission, conversion.admission_plugins) {
    conversion_.dropped = Dropped(conversion.admission, workloads_of(conversion.part));
    reader_.visit([this](const ObjectReader::Visited& object) {
      if (object.taken) conversion_.dropped.inspect(object.value, object.kind);
    });
  }

  void take(NamedInput& from) {
    ByteSource& source = *from.input.source;
    if (from.input.format == InputFormat::kObjects) {
      read_objects(from, reader_, found_, conversion_.faults);
      if (path_) path_->clear();  // places of several files are names alone
      if (!path_) path_ = from.path;
      return;
    }
    write_objects();
    if (from.input.format == InputFormat::kFrames)
      return hand_over_frames(source, conversion_, target_);
    WatchStream lines(source, conversion_.faults, false, false, &creation_,
                      validation_of(conversion_));
    creation_.follow_nodes();
    conversion_.dropped.expand(Workloads::kMixed);
    lines.visit(
        [this](Value object) { conversion_.dropped.inspect(object, object.find("kind").text()); });
    hand_over(lines, conversion_, target_);
    conversion_.remarks.add_workloads(lines.remarks());
  }

  void end() {
    write_objects();
    target_.end();
  }

 private:
  // Writes what the files of objects had. They come before the streams.
  void write_objects() {
    Objects objects = reader_.take();
    if (objects.size() == 0) return;
    nodes_ = model::objects_of<model::Node>(objects.others);
    if (conversion_.part == Part::kCluster) {
      creation_.add_cluster(objects);
    } else {
      creation_.create(objects, path_.value_or(""), conversion_.faults);
      conversion_.remarks.add_workloads(objects.remarks);
    }
    for (const Batch& batch : batches_of(std::move(objects), conversion_.part))
      hand_over(batch, conversion_, target_);
  }

  Conversion& conversion_;
  std::unique_ptr<StreamSink> sink_;
  Created lines_;  // before the sink, if it writes lines
  StreamSink& target_;
  Diagnostics found_;  // in the current input
  ObjectReader reader_;
  std::vector<model::Node> nodes_;
  Creation creation_;
  std::optional<std::string> path_;
};

template <typename Converter>
void run(std::vector<NamedInput>& inputs, ByteSink& out, Conversion& conversion) {
  Converter converter(out, conversion);
  for (NamedInput& input : inputs) converter.take(input);
  converter.end();
}

}  // namespace

void convert(const std::vector<std::string>& inputs, ByteSink& out, Conversion& conversion) {
  Inputs opened(inputs);
  if (conversion.format == Format::kJson || conversion.format == Format::kYaml) {
    run<Texts>(opened.all(), out, conversion);
  } else {
    run<Streams>(opened.all(), out, conversion);
  }
  for (const FolderFaults& folder : opened.folders()) folder.end(conversion.faults);
}

}  // namespace berth::ingest
