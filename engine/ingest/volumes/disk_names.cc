// Source of the handles: k8s.io/csi-translation-lib.

#include "engine/ingest/volumes/disk_names.h"

#include "engine/model/objects/string_map.h"

namespace berth::ingest {
namespace {

const std::string* zones_of(const model::StringMap& map, std::string_view key) {
  const std::string* zones = model::value_in(map, key);
  return zones == nullptr || zones->empty() ? nullptr : zones;
}

// All of a handle before the name of the disk.
std::string gce_folder(const model::StringMap& labels) {
  const std::string* zones = zones_of(labels, "failure-domain.beta.kubernetes.io/zone");
  if (zones == nullptr) zones = zones_of(labels, "topology.kubernetes.io/zone");
  std::string where = "zones/UNSPECIFIED";
  if (zones != nullptr) {
    const std::string first = zones->substr(0, zones->find("__"));
    const bool regional = zones->find("__") != std::string::npos;
    where = regional ? "regions/" + first.substr(0, first.rfind('-')) : "zones/" + first;
  }
  return "projects/UNSPECIFIED/" + where + "/disks/";
}

}  // namespace

// A line for the kind and one for each field. Line breaks within a field, which no disk has that an
// API server knows, are escaped.
std::string disk_text(std::string_view kind, const std::vector<std::string>& fields) {
  std::string text(kind);
  for (const std::string& field : fields) {
    text += '\n';
    for (const char c : field) {
      if (c == '\\' || c == '\n') text += '\\';
      text += c == '\n' ? 'n' : c;
    }
  }
  return text;
}

std::string_view disk_kind(std::string_view disk) { return disk.substr(0, disk.find('\n')); }

std::vector<std::string> disk_fields(std::string_view disk) {
  std::vector<std::string> fields;
  for (size_t i = disk_kind(disk).size(); i < disk.size(); ++i) {
    if (disk[i] == '\n') {
      fields.emplace_back();
    } else if (disk[i] == '\\' && i + 1 < disk.size()) {
      ++i;
      fields.back() += disk[i] == 'n' ? '\n' : disk[i];
    } else {
      fields.back() += disk[i];
    }
  }
  return fields;
}

std::string ebs_handle(const std::string& id) {
  return id.starts_with("aws://") ? id.substr(id.rfind('/') + 1) : id;
}

std::string gce_handle(const std::string& disk, const model::StringMap& labels) {
  return gce_folder(labels) + disk;
}

std::string gce_disk(const std::string& handle, const model::StringMap& labels) {
  const std::string folder = gce_folder(labels);
  return handle.starts_with(folder) ? handle.substr(folder.size()) : handle;
}

}  // namespace berth::ingest
