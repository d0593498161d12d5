/// orrery-rates: how fast this machine's processor is on a kernel, by iterations and by size of its data.
///
///   orrery-rates list
///   orrery-rates iterations daxpy --size 1024         growing iteration counts, the line through them, its predictions
///   orrery-rates sizes daxpy --to 64MiB -o daxpy.csv  rates by size, cache regimes, sizes held out; a table for orrery
///
/// Memory is locked where the system lets it, the process stays on one core. What stands in the way of a quiet
/// measurement is said: outliers that stay, memory that could not be locked.
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "validation/compute/size_curve.hpp"

namespace orrery::rates {

namespace {

struct Options {
  std::string kernel, out, from = "1KiB", to = "64MiB";
  std::uint64_t size = 1024;
  unsigned per_octave = 2, samples = 30, core = 0;
  double confidence = 95.0, seconds_max = 30.0, noise = 1.0, batch_ms = 1.0;
};

double bytes_from(const std::string& text, const std::string& flag) {
  const ParsedQuantity parsed = parse_quantity(text, Dimension::data);
  if (!parsed.si) throw InputError("{}: '{}' {}", flag, text, parsed.problem);
  return *parsed.si;
}

Sampling sampling_of(const Options& options) {
  if (options.samples < 3)
    throw InputError("--samples: {} are too few (3 or more). Write '--samples 30'?", options.samples);
  if (!(options.confidence > 0.0 && options.confidence < 100.0))
    throw InputError("--confidence: '{:g}' is outside 0..100 percent. Write '--confidence 95'?", options.confidence);
  return {.size = options.samples,
          .confidence = options.confidence / 100.0,
          .again_max = std::size_t{10} * options.samples};
}

/// What keeps others out, and what could not be had of it.
std::vector<std::string> quiet(const Options& options) {
  std::vector<std::string> notes;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(options.core, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    throw InputError("--core: {} is none of this machine's {} cores, or not ours. Write '--core 0'?", options.core,
                     sysconf(_SC_NPROCESSORS_ONLN));
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    notes.push_back("memory is not locked (mlockall refused: raise 'ulimit -l')");
    munlockall();
  }
  double load[1] = {0.0};
  if (getloadavg(load, 1) == 1) notes.push_back(fmt::format("load of the machine at the start: {:.2g}", load[0]));
  return notes;
}

void print_counts(const std::vector<CountedTime>& counts, bool sampled) {
  for (const CountedTime& one : counts)
    fmt::print(
        "{:>10}  {:>12.5g} s{}  line {:>12.5g} s  {:>+7.2f} %{}\n", one.iterations, one.seconds,
        sampled ? fmt::format(" +- {:<9.2g}", one.deviation) : "", one.predicted, 100.0 * one.error(),
        sampled && one.again > 0 ? fmt::format("  {} again{}", one.again, one.settled ? "" : ", outliers stay") : "");
}

std::string iterations_csv(const IterationRate& rate) {
  std::string text = "kind,iterations,measured_s,predicted_s,again\n";
  for (const CountedTime& one : rate.sampled)
    text += fmt::format("sample,{},{:.6g},{:.6g},{}\n", one.iterations, one.seconds, one.predicted, one.again);
  for (const CountedTime& one : rate.predicted)
    text += fmt::format("run,{},{:.6g},{:.6g},0\n", one.iterations, one.seconds, one.predicted);
  return text;
}

int iterations(const Options& options) {
  const RateKernel& kernel = rate_kernel(options.kernel, "iterations");
  IterationWish wish{.sampling = sampling_of(options), .seconds_max = options.seconds_max};
  for (const auto& note : quiet(options)) fmt::print("{}\n", note);
  const auto prepared = kernel.make(options.size);
  prepared->run(1);
  const IterationRate rate = iteration_rate([&](std::uint64_t count) { return seconds_of(*prepared, count); }, wish);
  fmt::print("{}, n = {}: samples of {} at growing iteration counts\n", kernel.name, options.size, options.samples);
  print_counts(rate.sampled, true);
  fmt::print("time = {:.4g} s + iterations x {:.5g} s: {}\n", rate.line.intercept, rate.line.slope,
             to_text(FlopsPerSecond(kernel.flops(options.size) / rate.line.slope)));
  fmt::print("single runs beside the line\n");
  print_counts(rate.predicted, false);
  if (!options.out.empty()) config::write_file(options.out, iterations_csv(rate));
  return 0;
}

void print_held_out(const std::vector<HeldOut>& held) {
  if (held.empty()) return;
  const auto summary = [&](const char* by, auto error) {
    std::vector<double> errors;
    errors.reserve(held.size());
    for (const HeldOut& one : held) errors.push_back(std::abs(error(one)));
    fmt::print("held out, predicted by {}: median error {:.2g} %, largest {:.2g} %\n", by,
               100.0 * stats::median(errors), 100.0 * std::ranges::max(errors));
  };
  fmt::print("{} of the sizes held out, the others known:\n", held.size());
  summary("the table of the others", [](const HeldOut& one) { return one.table_error(); });
  summary("their regimes", [](const HeldOut& one) { return one.regimes_error(); });
}

int sizes(const Options& options) {
  const RateKernel& kernel = rate_kernel(options.kernel, "sizes");
  CurveWish wish{.from = bytes_from(options.from, "--from"),
                 .to = bytes_from(options.to, "--to"),
                 .per_octave = options.per_octave,
                 .batch_s = options.batch_ms * 1e-3,
                 .sampling = sampling_of(options)};
  if (!(wish.from < wish.to) || wish.per_octave == 0)
    throw InputError(
        "--to: '{}' is not above --from '{}', or --per-octave is 0 (a range of sizes). Write "
        "'--from 1KiB --to 64MiB'?",
        options.to, options.from);
  const auto ns = sizes_of(kernel, wish);
  if (ns.size() < 6)
    throw InputError("--per-octave: {} sizes are too few for a curve (6 or more). Widen the range?", ns.size());
  std::vector<std::string> remarks = quiet(options);
  if (kernel.name == "dgemm") remarks.push_back("BLAS: " + blas_name());
  for (const auto& note : remarks) fmt::print("{}\n", note);
  std::vector<SizedRate> curve;
  for (const std::uint64_t n : ns) {
    curve.push_back(rate_at(kernel, n, wish));
    const SizedRate& rate = curve.back();
    fmt::print("n {:>9}  {:>10}  {:>14}  +- {:.2g} %{}\n", n, to_text(Bytes(rate.bytes)),
               to_text(FlopsPerSecond(rate.speed())), 100.0 * rate.half_width / rate.seconds,
               rate.settled ? "" : "  outliers stay");
    std::fflush(stdout);
  }
  const auto regimes = regimes_of_curve(curve, options.noise / 100.0);
  const std::string csv = table_csv(kernel, curve, regimes, remarks);
  for (std::size_t at = csv.find("# regime"); at != std::string::npos; at = csv.find("# regime", at + 1))
    fmt::print("{}\n", csv.substr(at + 2, csv.find('\n', at) - at - 2));
  print_held_out(held_out(curve, options.noise / 100.0));
  if (!options.out.empty()) {
    config::write_file(options.out, csv);
    fmt::print("table: {}\n", options.out);
  }
  return 0;
}

int list() {
  for (const RateKernel& kernel : rate_kernels()) fmt::print("{:<8} {}\n", kernel.name, kernel.summary);
  if (blas_name().empty())
    fmt::print("dgemm    not in this build: no BLAS was found (on Debian: apt-get install libopenblas-dev)\n");
  return 0;
}

void common(CLI::App& command, Options& options) {
  command.add_option("kernel", options.kernel, "a kernel of 'orrery-rates list'")->required();
  command.add_option("--samples", options.samples, "measurements of each sample (30)");
  command.add_option("--confidence", options.confidence, "percent within which a sample must lie (95)");
  command.add_option("--core", options.core, "of this machine, to stay on (0)");
  command.add_option("-o,--output", options.out, "CSV");
}

}  // namespace

int run(int argc, char** argv) {
  Options options;
  CLI::App app("orrery-rates: how fast this processor is on a kernel, by iterations and by size of its data");
  app.require_subcommand(1);
  auto* listed = app.add_subcommand("list", "the kernels of this build");
  auto* counted = app.add_subcommand("iterations", "growing iteration counts, the line through them, its predictions");
  common(*counted, options);
  counted->add_option("--size", options.size, "elements, or order (1024)")->check(CLI::Range(1, 1 << 28));
  counted->add_option("--seconds", options.seconds_max, "no single run longer than that (30)");
  auto* sized = app.add_subcommand("sizes", "rates by size: table, cache regimes, sizes held out");
  common(*sized, options);
  sized->add_option("--from", options.from, "least data (1KiB)");
  sized->add_option("--to", options.to, "most data (64MiB)");
  sized->add_option("--per-octave", options.per_octave, "sizes for each doubling (2)");
  sized->add_option("--batch", options.batch_ms, "milliseconds of one measurement, at least (1)");
  sized->add_option("--noise", options.noise, "percent of deviation that makes no regime (1)");
  CLI11_PARSE(app, argc, argv);
  try {
    if (listed->parsed()) return list();
    return counted->parsed() ? iterations(options) : sizes(options);
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}

}  // namespace orrery::rates

int main(int argc, char** argv) { return orrery::rates::run(argc, argv); }
