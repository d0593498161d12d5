// Where a recording begins and ends: its files, and what all ranks say together.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>

#include "validation/record/recorder.hpp"

namespace orrery::record {

namespace {

std::string folder_asked() {
  const char* asked = std::getenv("ORRERY_RECORD");
  return asked != nullptr && *asked != '\0' ? asked : "orrery-record";
}

/// 0 where none is given.
double flops_asked() {
  const char* asked = std::getenv("ORRERY_RECORD_FLOPS");
  if (asked == nullptr || *asked == '\0') return 0.0;
  char* end = nullptr;
  const double flops = std::strtod(asked, &end);
  if (*end == '\0' && flops >= 1.0) return flops;
  std::fprintf(
      stderr, "orrery-record: ORRERY_RECORD_FLOPS: '%s' is no speed (flop/s of a host, as 2e9). Seconds are written.\n",
      asked);
  return 0.0;
}

/// The texts of all ranks at rank 0, one after another.
std::string gathered(const std::string& mine, int rank, int ranks) {
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks)), places(lengths.size());
  ORRERY_MPI(Gather)(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
  std::string all(rank == 0 ? static_cast<std::size_t>(places.back() + lengths.back()) : 0, ' ');
  ORRERY_MPI(Gatherv)
  (mine.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  return all;
}

/// "3 a thing\n2 a thing\n" as one line of 5.
std::map<std::string, std::uint64_t> summed(const std::string& notes) {
  std::map<std::string, std::uint64_t> sums;
  for (std::size_t at = 0; at < notes.size();) {
    const std::size_t end = notes.find('\n', at), space = notes.find(' ', at);
    sums[notes.substr(space + 1, end - space - 1)] += std::strtoull(notes.c_str() + at, nullptr, 10);
    at = end + 1;
  }
  return sums;
}

bool write_whole(const std::string& path, const std::string& text) {
  std::FILE* out = std::fopen((path + ".part").c_str(), "w");
  if (out == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  return std::fclose(out) == 0 && written && std::rename((path + ".part").c_str(), path.c_str()) == 0;
}

std::string library() {
  std::vector<char> text(1u << 14);  // MPICH writes 8 KiB
  int length = 0;
  ORRERY_MPI(Get_library_version)(text.data(), &length);
  const std::string all(text.data());
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace

/// The library this one was built with, in the processes that were started first.
bool Recorder::belongs_here() const {
#ifdef OPEN_MPI
  constexpr const char* family = "Open MPI";
#else
  constexpr const char* family = "MPI";
#endif
  if (const std::string found = library(); found.find(family) == std::string::npos) {
    std::fprintf(stderr,
                 "orrery-record: the program uses '%s', but this library was built with %s: nothing is recorded. Build "
                 "Orrery with the program's MPI?\n",
                 found.c_str(), family);
    return false;
  }
  MPI_Comm parent = MPI_COMM_NULL;
  ORRERY_MPI(Comm_get_parent)(&parent);
  if (parent != MPI_COMM_NULL)
    std::fprintf(stderr, "orrery-record: a process that the program started with MPI_Comm_spawn is not recorded\n");
  return parent == MPI_COMM_NULL;
}

/// All ranks or none: the program runs on, unrecorded.
bool Recorder::open_file() {
  ORRERY_MPI(Comm_rank)(MPI_COMM_WORLD, &rank_);
  ORRERY_MPI(Comm_size)(MPI_COMM_WORLD, &ranks_);
  folder_ = folder_asked();
  flops_per_s_ = flops_asked();
  ::mkdir(folder_.c_str(), 0777);
  if (rank_ == 0)
    for (const char* old : {"index.txt", "measured.csv", "calls.csv", "notes.txt"})
      ::unlink((folder_ + "/" + old).c_str());
  part_ = folder_ + "/rank-" + std::to_string(rank_) + ".ti";
  file_ = std::fopen((part_ + ".part").c_str(), "w");
  if (file_ == nullptr)
    std::fprintf(stderr, "orrery-record: %s.part: cannot be written (%s): nothing is recorded. Name another folder?\n",
                 part_.c_str(), std::strerror(errno));
  int good = file_ != nullptr ? 1 : 0, all = 0;
  ORRERY_MPI(Allreduce)(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (all == 0 && file_ != nullptr) {
    std::fclose(file_);
    ::unlink((part_ + ".part").c_str());
  }
  return all != 0;
}

void Recorder::write() {
  const std::string text = lines_->take();
  whole_ = std::fwrite(text.data(), 1, text.size(), file_) == text.size() && whole_;
}

/// Receives that nothing completed: those from a certain rank have most likely taken its message.
void Recorder::settle_the_rest() {
  for (auto& known : communicators_) complete_collectives(known, MPI_REQUEST_NULL);
  for (auto& [request, posted] : open_) abandoned_.insert(abandoned_.end(), posted.begin(), posted.end());
  for (const Posted& posted : abandoned_) {
    if (!posted.receive) continue;
    if (posted.from != MPI_ANY_SOURCE && posted.tag != MPI_ANY_TAG) {
      lines_->settle(*posted.receive, {posted.from, posted.tag, posted.bytes});
      continue;
    }
    lines_->drop(*posted.receive);
    note("receives from any rank or of any tag that nothing completed: left out");
  }
}

/// Lines that are no trace keep the name of those of a program that died.
bool Recorder::close_file(bool is_trace) {
  write();
  whole_ = std::fclose(file_) == 0 && whole_;
  file_ = nullptr;
  if (is_trace) whole_ = whole_ && std::rename((part_ + ".part").c_str(), part_.c_str()) == 0;
  if (!whole_)
    std::fprintf(stderr, "orrery-record: %s: cannot be written (%s). Is the disk full?\n", part_.c_str(),
                 std::strerror(errno));
  return whole_;
}

std::string Recorder::own_notes() const {
  std::string text;
  for (const auto& [what, count] : notes_) text += std::to_string(count) + " " + what + "\n";
  return text;
}

std::string Recorder::own_calls() const {
  char line[160];
  std::string text;
  const auto add = [&](const char* name, std::uint64_t count, double seconds) {
    std::snprintf(line, sizeof line, "%d,%s,%llu,%.9g\n", rank_, name, static_cast<unsigned long long>(count), seconds);
    text += line;
  };
  add("computing", 0, computed_s_);
  for (const CallTime* call : call_times())
    if (call->count > 0) add(call->name, call->count, call->seconds);
  return text;
}

/// "phase,seconds" of each phase: the sum over its occurrences of the longest of any rank. Nothing where the program
/// names none. Collective.
std::string Recorder::longest_phases() {
  std::string own;
  if (phases_.named())
    for (const auto& [word, times] : phases_.times()) {
      const auto name = phase_words_.names().find(word);
      own += word + "\t" + PhaseWords::shown(name == phase_words_.names().end() ? word : name->second) + "\n";
    }
  std::string all = gathered(own, rank_, ranks_);
  int length = static_cast<int>(all.size());
  ORRERY_MPI(Bcast)(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  all.resize(static_cast<std::size_t>(length), ' ');
  ORRERY_MPI(Bcast)(all.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::map<std::string, std::set<std::string>> names;  // by word: those of all ranks
  for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1) {
    const std::size_t tab = all.find('\t', at);
    names[all.substr(at, tab - at)].insert(all.substr(tab + 1, all.find('\n', at) - tab - 1));
  }
  std::string text;
  for (const auto& [name, given] : names) {
    if (rank_ == 0 && given.size() > 1)
      note("phases '" + *given.begin() + "' and '" + *given.rbegin() + "' of different ranks: both written as '" +
           name + "'");
    const auto found = phases_.times().find(name);
    std::vector<double> times = found == phases_.times().end() ? std::vector<double>() : found->second;
    int count = static_cast<int>(times.size()), most = 0;
    ORRERY_MPI(Allreduce)(&count, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    times.resize(static_cast<std::size_t>(most), 0.0);
    std::vector<double> longest(times.size());
    ORRERY_MPI(Reduce)(times.data(), longest.data(), most, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    char line[100];
    std::snprintf(line, sizeof line, "%s,%.9g\n", name.c_str(), std::accumulate(longest.begin(), longest.end(), 0.0));
    text += line;
  }
  return text;
}

void Recorder::write_summary(double longest_s, const std::string& phases, const std::string& notes,
                             const std::string& calls) const {
  std::string index, said, measured;
  for (int r = 0; r < ranks_; ++r) index += "rank-" + std::to_string(r) + ".ti\n";
  for (const auto& [what, count] : summed(notes)) said += std::to_string(count) + " " + what + "\n";
  char text[200];
  std::snprintf(text, sizeof text, "# recorded by orrery-record: %d ranks, %s\n%s", ranks_, library().c_str(),
                phases.empty() ? "time_s\n" : "phase,time_s\n");
  measured = text + phases;
  std::snprintf(text, sizeof text, "%s%.9g\n", phases.empty() ? "" : "run,", longest_s);
  measured += text;
  const bool written = write_whole(folder_ + "/notes.txt", said) &&
                       write_whole(folder_ + "/calls.csv", "rank,call,count,time_s\n" + calls) &&
                       write_whole(folder_ + "/measured.csv", measured) && write_whole(folder_ + "/index.txt", index);
  if (!written)
    std::fprintf(stderr, "orrery-record: %s: cannot be written (%s). Is the disk full?\n", folder_.c_str(),
                 std::strerror(errno));
  else
    std::fprintf(stderr, "orrery-record: %d ranks, %.6g s: %s/index.txt\n", ranks_, longest_s, folder_.c_str());
  for (std::size_t at = 0; at < said.size(); at = said.find('\n', at) + 1)
    std::fprintf(stderr, "orrery-record: %s\n", said.substr(at, said.find('\n', at) - at).c_str());
}

/// What is left of a recording that is none: what was not held, and the calls. Rank 0 says it.
void Recorder::write_no_trace(const std::string& notes, const std::string& calls) const {
  std::string said;
  for (const auto& [what, count] : summed(notes)) said += std::to_string(count) + " " + what + "\n";
  write_whole(folder_ + "/notes.txt", said);
  write_whole(folder_ + "/calls.csv", "rank,call,count,time_s\n" + calls);
  std::fprintf(stderr, "orrery-record: %s: no trace, since threads were in MPI at once\n", folder_.c_str());
}

void Recorder::end() {
  pause(true);
  phases_.end(in_use(), took_s_);
  settle_the_rest();
  lines_->call("finalize");
  int own_at_once = at_once_ ? 1 : 0, at_once = 0;
  ORRERY_MPI(Allreduce)(&own_at_once, &at_once, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  int good = close_file(at_once == 0) ? 1 : 0, all = 0;
  double longest_s = 0.0;
  ORRERY_MPI(Allreduce)(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  ORRERY_MPI(Reduce)(&took_s_, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const std::string phases = longest_phases(), notes = gathered(own_notes(), rank_, ranks_),
                    calls = gathered(own_calls(), rank_, ranks_);
  if (rank_ == 0 && all != 0 && at_once == 0) write_summary(longest_s, phases, notes, calls);
  if (rank_ == 0 && at_once != 0) write_no_trace(notes, calls);
  lines_.reset();
}

void Recorder::died(const std::string& how) {
  if (!on() || process_ != ::getpid()) return;
  write();
  std::fclose(file_);
  std::fprintf(stderr, "orrery-record: rank %d %s: its lines so far, which are no trace, are in %s.part\n", rank_,
               how.c_str(), part_.c_str());
  lines_.reset();
}

}  // namespace orrery::record
