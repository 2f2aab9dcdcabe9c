// Writes the report for results in a file: make_page RESULTS.json PAGE.html

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

#include "bench/report.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: make_page RESULTS.json PAGE.html\n");
    return 2;
  }
  try {
    std::ifstream in;
    in.exceptions(std::ios::badbit | std::ios::failbit);
    in.open(argv[1], std::ios::binary);
    std::string json(std::istreambuf_iterator<char>(in), {});
    std::ofstream out;
    out.exceptions(std::ios::badbit | std::ios::failbit);
    out.open(argv[2], std::ios::binary);
    out << berth::bench::report_page(json);
    out.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_page: %s\n", error.what());
    return 1;
  }
}
