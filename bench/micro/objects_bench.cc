// Measures reading a cluster of 5,000 nodes as kubectl prints it: JSON with four spaces of
// indentation, 20 images per node, and all the fields that are not used; and the same as YAML.
//
//   BM_ParseJson: text to tree. BM_ReadJson: text to nodes. BM_ParseYaml: 250 nodes, text to tree.

#include <benchmark/benchmark.h>

#include <string>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/objects.h"

namespace {

using namespace berth;

std::string image(int i) {
  std::string team = std::to_string(i % 7);
  std::string app = std::to_string(i);
  return R"(
                    {
                        "names": [
                            "registry.example.com/team-)" +
         team + "/app-" + app +
         R"(@sha256:2b1a9c7d5e8f00112233445566778899aabbccddeeff00112233445566778899",
                            "registry.example.com/team-)" +
         team + "/app-" + app + R"(:v1.27.3"
                        ],
                        "sizeBytes": )" +
         std::to_string(12345678 + i) + R"(
                    })";
}

std::string condition(const std::string& type) {
  return R"(
                    {
                        "lastHeartbeatTime": "2024-05-01T12:00:00Z",
                        "lastTransitionTime": "2024-04-01T12:00:00Z",
                        "message": "kubelet has sufficient memory available",
                        "reason": "KubeletHasSufficientMemory",
                        "status": "False",
                        "type": ")" +
         type + R"("
                    })";
}

std::string node(int i) {
  const std::string name = "node-" + std::to_string(i);
  std::string text = R"(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "annotations": {
                    "node.alpha.kubernetes.io/ttl": "0",
                    "volumes.kubernetes.io/controller-managed-attach-detach": "true"
                },
                "creationTimestamp": "2024-04-01T12:00:00Z",
                "labels": {
                    "kubernetes.io/arch": "amd64",
                    "kubernetes.io/hostname": ")" +
                     name + R"(",
                    "node.kubernetes.io/instance-type": "m5.xlarge",
                    "topology.kubernetes.io/zone": "zone-)" +
                     std::to_string(i % 3) + R"("
                },
                "name": ")" +
                     name + R"(",
                "resourceVersion": "123456789",
                "uid": "0f8d3d6e-95b4-4b3c-9a65-2f6f7f0a8c11"
            },
            "spec": {
                "podCIDR": "10.0.0.0/24"
            },
            "status": {
                "allocatable": {
                    "cpu": "3920m",
                    "ephemeral-storage": "95551679124",
                    "hugepages-2Mi": "0",
                    "memory": "15038740Ki",
                    "pods": "110"
                },
                "conditions": [)" +
                     condition("MemoryPressure") + "," + condition("DiskPressure") + "," +
                     condition("Ready") + R"(
                ],
                "images": [)";
  for (int j = 0; j < 20; ++j) text += (j == 0 ? "" : ",") + image(j);
  return text + R"(
                ]
            }
        })";
}

std::string cluster(int nodes) {
  std::string text = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [";
  for (int i = 0; i < nodes; ++i) text += (i == 0 ? "" : ",") + node(i);
  return text + "\n    ],\n    \"kind\": \"List\"\n}\n";
}

document::Document parse(const std::string& text) {
  Diagnostics diagnostics;
  document::Document document = document::Document::parse(text, "cluster", diagnostics);
  if (diagnostics.count() != 0) throw diagnostics.kept()[0];
  return document;
}

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(int64_t(state.iterations()) * int64_t(text.size()));
}

void BM_ParseJson(benchmark::State& state) {
  const std::string text = cluster(5000);
  for (auto _ : state) benchmark::DoNotOptimize(parse(text));
  count_bytes(state, text);
}
BENCHMARK(BM_ParseJson)->Unit(benchmark::kMillisecond);

void BM_ReadJson(benchmark::State& state) {
  const std::string text = cluster(5000);
  for (auto _ : state) {
    Diagnostics diagnostics;
    ingest::ObjectReader reader(diagnostics);
    document::Document document = parse(text);
    reader.add(document.roots()[0]);
    benchmark::DoNotOptimize(reader.take());
  }
  count_bytes(state, text);
}
BENCHMARK(BM_ReadJson)->Unit(benchmark::kMillisecond);

// The comment makes the parser read the JSON as YAML.
void BM_ParseYaml(benchmark::State& state) {
  const std::string text = "# as YAML\n" + cluster(250);
  for (auto _ : state) benchmark::DoNotOptimize(parse(text));
  count_bytes(state, text);
}
BENCHMARK(BM_ParseYaml)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
