/// A named set of self-registered entries: every kernel, model and partitioner enters one from its own file.
///
///   const bool entered = kernels().add({.name = "summa", .summary = "...", ...});
///
/// `Entry` is any struct with a `std::string name`. Looking up an unknown name throws InputError with a suggestion. So
/// does adding a name twice. `elsewhere` gets an unknown name and may return where to find its meaning.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

template <class Entry>
class Catalogue {
 public:
  using Elsewhere = std::string (*)(std::string_view name);
  explicit Catalogue(std::string kind, Elsewhere elsewhere = nullptr) : kind_(std::move(kind)), elsewhere_(elsewhere) {}

  /// A second entry with the same name ends the program with a message: entries are added before main.
  bool add(Entry entry) {
    std::string name = entry.name;
    if (contains(name))
      throw InputError(
          "catalogue: two entries are called {} '{}' (a name is the name of one file). Rename one of them?", kind_,
          name);
    entries_.emplace(std::move(name), std::move(entry));
    return true;
  }

  /// The entry of this name; `where` opens the error message ("file:line:column" or a flag).
  const Entry& at(std::string_view name, std::string_view where) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
      const auto known = names();
      if (const std::string hint = elsewhere_ == nullptr ? "" : elsewhere_(name); !hint.empty())
        throw InputError("{}: unknown {} '{}' ({}", where, kind_, name, hint);
      throw InputError("{}: unknown {} '{}'{}", where, kind_, name, known_names(name, known));
    }
    return found->second;
  }

  bool contains(std::string_view name) const { return entries_.find(name) != entries_.end(); }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& [name, entry] : entries_) result.push_back(name);
    return result;
  }

  /// In alphabetical order.
  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }

 private:
  std::string kind_;
  Elsewhere elsewhere_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace orrery
