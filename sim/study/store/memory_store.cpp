/// In the place of result_store.cpp where there is no SQLite (WebAssembly): a store that lives as long as its run.
#include <fmt/format.h>

#include <utility>

#include "sim/core/error.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::study {

ResultStore::ResultStore(std::string file, std::string build, Damaged)
    : file_(std::move(file)), build_(std::move(build)) {
  if (file_ != in_memory)
    throw InputError("{}: cannot be used (this program keeps results in memory only). Save its answer?", file_);
}

ResultStore::~ResultStore() = default;

void ResultStore::keep(const ResultKey& key, const std::string& bytes) { unwritten_[key] = bytes; }

std::optional<std::string> ResultStore::find(const ResultKey& key) {
  const auto found = unwritten_.find(key);
  return found == unwritten_.end() ? std::nullopt : std::optional(found->second);
}

bool ResultStore::contains(const ResultKey& key) { return unwritten_.contains(key); }

void ResultStore::begin() {}

void ResultStore::end(const std::set<std::string>&, const std::function<void()>& swap_in) { swap_in(); }

void ResultStore::take_all_of(const ResultStore& from) {
  for (const auto& [key, bytes] : from.unwritten_) unwritten_[key] = bytes;
}

std::uint64_t ResultStore::of_other_builds() { return 0; }

}  // namespace orrery::study
