// berth-loadgen: synthetic clusters and pods. The same seed and options give the same bytes on any
// machine.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>

#include "engine/base/error.h"
#include "engine/base/io.h"
#include "engine/base/whole_number.h"
#include "engine/ingest/stream.h"
#include "engine/ingest/stream_writer.h"
#include "loadgen/generate.h"
#include "loadgen/object_json.h"

namespace berth::loadgen {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;
constexpr uint64_t kNodesPerWrite = 1024;

struct ClusterOptions {
  uint64_t nodes = 0;
  uint32_t zones = 3;
  std::vector<std::string> shapes;
  uint64_t seed = 0;
  std::string output = "-";
};

struct PodOptions {
  uint64_t count = 0;
  uint32_t zones = 3;
  std::vector<std::string> templates;
  uint32_t frame_size = 4096;
  uint64_t seed = 0;
  std::string output = "-";
};

// Names that end in .json hold Kubernetes JSON, all others a stream.
bool wants_json(const std::string& output) { return output.ends_with(".json"); }

template <typename Shape>
std::string named(const std::vector<Shape>& shapes) {
  std::string text;
  for (const Shape& shape : shapes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", shape.name, shape.weight);
  return text;
}

void write_if_full(FileSink& sink, std::string& buffer, size_t limit) {
  if (buffer.size() < limit) return;
  sink.write(std::string_view(buffer));
  buffer.clear();
}

void cluster_json(const ClusterOptions& options, const std::vector<NodeShape>& shapes,
                  const std::string& note) {
  FileSink sink(options.output);
  std::string buffer;
  begin_list(note, buffer);
  for (uint64_t i = 0; i < options.nodes; ++i) {
    append_node(make_node(shapes, options.seed, i, options.zones), i == 0, buffer);
    write_if_full(sink, buffer, kBufferBytes);
  }
  end_list(buffer);
  write_if_full(sink, buffer, 0);
}

void cluster_stream(const ClusterOptions& options, const std::vector<NodeShape>& shapes,
                    const std::string& note) {
  FileSink sink(options.output);
  ingest::StreamWriter stream(sink);
  stream.note(note);
  std::vector<model::Node> nodes;
  for (uint64_t i = 0; i < options.nodes; ++i) {
    nodes.push_back(make_node(shapes, options.seed, i, options.zones));
    if (nodes.size() < kNodesPerWrite && i + 1 < options.nodes) continue;
    stream.cluster(nodes, {}, {});
    nodes.clear();
  }
  stream.end();
}

void cluster(const ClusterOptions& options) {
  std::vector<NodeShape> shapes;
  for (const std::string& text : options.shapes) shapes.push_back(parse_node_shape(text));
  if (shapes.empty()) shapes = builtin_node_shapes();
  std::string note = fmt::format("berth-loadgen cluster nodes={} zones={} seed={} shapes={}",
                                 options.nodes, options.zones, options.seed, named(shapes));
  wants_json(options.output) ? cluster_json(options, shapes, note)
                             : cluster_stream(options, shapes, note);
  fmt::print(stderr, "{}\n", note);
}

void pods_json(const PodOptions& options, const std::vector<PodShape>& shapes,
               const std::string& note) {
  FileSink sink(options.output);
  std::string buffer;
  begin_list(note, buffer);
  for (uint64_t i = 0; i < options.count; ++i) {
    const PodShape& shape = shapes[pod_shape(shapes, options.seed, i)];
    model::Pod pod = shape.pod;
    pod.name = pod.uid = pod_name(shape, i);
    append_pod(pod, i == 0, buffer);
    write_if_full(sink, buffer, kBufferBytes);
  }
  end_list(buffer);
  write_if_full(sink, buffer, 0);
}

void pods_stream(const PodOptions& options, const std::vector<PodShape>& shapes,
                 const std::string& note) {
  FileSink sink(options.output);
  ingest::StreamWriter stream(sink);
  stream.note(note);
  std::vector<uint32_t> ids;
  for (const PodShape& shape : shapes) ids.push_back(stream.template_id(shape.pod.spec));
  for (uint64_t i = 0; i < options.count; ++i) {
    size_t shape = pod_shape(shapes, options.seed, i);
    std::string name = pod_name(shapes[shape], i);
    ingest::StreamPod pod;
    pod.template_id = ids[shape];
    pod.namespace_name = shapes[shape].pod.namespace_name;
    pod.name = name;
    if (!stream.add_pod(pod)) {
      stream.write_pods();
      stream.add_pod(pod);
    }
    if ((i + 1) % options.frame_size == 0) stream.write_pods();
  }
  stream.end();
}

void pods(const PodOptions& options) {
  std::vector<PodShape> shapes;
  for (const std::string& text : options.templates) shapes.push_back(read_pod_shape(text));
  if (!shapes.empty() && wants_json(options.output))
    throw Error(
        "manifests of your own go to a stream, which carries all of them: choose another "
        "--output than " +
        options.output);
  if (shapes.empty()) shapes = builtin_pod_shapes(options.zones);
  std::string note = fmt::format("berth-loadgen pods count={} seed={} templates={}", options.count,
                                 options.seed, named(shapes));
  wants_json(options.output) ? pods_json(options, shapes, note)
                             : pods_stream(options, shapes, note);
  fmt::print(stderr, "{}\n", note);
}

CLI::Option* number(CLI::Option* option, uint64_t low, uint64_t high) {
  const auto check = [=](std::string& text) { return whole_number_problem(text, low, high); };
  return option->check(CLI::Validator(check, ""))->option_text("N");
}

// More are not made in a lifetime.
constexpr uint64_t kMost = uint64_t{1} << 40;

void add_cluster(CLI::App& app) {
  auto options = std::make_shared<ClusterOptions>();
  CLI::App* command = app.add_subcommand("cluster", "nodes, in zones that take turns");
  number(command->add_option("--nodes", options->nodes, "how many"), 1, UINT32_MAX)->required();
  number(command->add_option("--zones", options->zones, "how many (3)"), 1, UINT32_MAX);
  command
      ->add_option("--node-shape", options->shapes,
                   "NAME[=WEIGHT]:cpu=4,memory=16Gi,pods=110; several times; in place of the "
                   "built-in ones")
      ->option_text("SHAPE");
  number(command->add_option("--seed", options->seed, "(0)"), 0, UINT64_MAX);
  command
      ->add_option(
          "--output", options->output,
          "*.json: as kubectl prints it; else a stream; - is standard output (the default)")
      ->option_text("FILE");
  command->callback([options] { cluster(*options); });
}

void add_pods(CLI::App& app) {
  auto options = std::make_shared<PodOptions>();
  CLI::App* command = app.add_subcommand("pods", "pods that wait to be scheduled");
  number(command->add_option("--count", options->count, "how many"), 1, kMost)->required();
  command
      ->add_option(
          "--template", options->templates,
          "a manifest with one pod, FILE[=WEIGHT]; several times; in place of the built-in "
          "ones")
      ->option_text("FILE");
  number(command->add_option("--zones", options->zones, "of the cluster that they are for (3)"), 1,
         UINT32_MAX);
  number(command->add_option("--frame-size", options->frame_size,
                             "of a stream: how many arrive together (4096)"),
         1, ingest::kMaxPodsPerFrame);
  number(command->add_option("--seed", options->seed, "(0)"), 0, UINT64_MAX);
  command
      ->add_option(
          "--output", options->output,
          "*.json: as kubectl prints them; else a stream; - is standard output (the default)")
      ->option_text("FILE");
  command->callback([options] { pods(*options); });
}

}  // namespace
}  // namespace berth::loadgen

int main(int argc, char** argv) {
  CLI::App app("Makes synthetic clusters and pods for Berth.", "berth-loadgen");
  app.require_subcommand(1);
  berth::loadgen::add_cluster(app);
  berth::loadgen::add_pods(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "berth-loadgen: %s\n", error.what());
    return 1;
  }
  return 0;
}
