#include "sim/study/lab/lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/lab/lab_keys.hpp"

namespace orrery::lab {

namespace fs = std::filesystem;

using config::Section;
using config::Value;

namespace {

constexpr std::size_t name_most = 200;

std::string prose_file(const std::string& path) { return fs::path(path).replace_extension(".md").string(); }

std::map<std::string, std::string> read_row(const Value& item) {
  std::map<std::string, std::string> row;
  if (!item.is_section()) return {{"", item.written()}};
  for (const auto& [key, value] : item.section().items()) row[key] = value.written();
  return row;
}

std::vector<Draw> read_draws(const Section& root) {
  std::vector<Draw> draws;
  const auto section = root.optional_section("draw");
  if (!section) return draws;
  for (const auto& [name, value] : section->items()) {
    Draw draw{.name = name};
    for (const Value& item : value.list()) draw.rows.push_back(read_row(item));
    if (draw.rows.empty()) value.refuse("an empty list (each student gets one of it). Write a value?");
    for (const auto& row : draw.rows)
      for (const auto& [key, text] : draw.rows.front())
        if (!row.contains(key)) value.refuse(Refusal("a list whose rows do not all have '{}'. Add it to each?", key));
    draws.push_back(std::move(draw));
  }
  return draws;
}

std::vector<std::string> read_other(const Section& root, const std::vector<Draw>& draws) {
  std::vector<std::string> other, known;
  for (const Draw& draw : draws) known.push_back(draw.name);
  for (const Value& item : root.optional_list("other")) {
    other.push_back(item.text());
    const auto draw = std::ranges::find(draws, other.back(), &Draw::name);
    if (draw == draws.end())
      throw InputError("{}: '{}' is not drawn{}", item.where(), other.back(), known_names(other.back(), known));
    if (draw->rows.size() < 2)
      throw InputError(
          "{}: of '{}' there is only one (another is drawn for the transfer question). Add a row "
          "to 'draw'?",
          item.where(), other.back());
  }
  return other;
}

/// The text with what was drawn in place of "$(name)".
std::string filled(const std::string& text, const std::map<std::string, std::string>& drawn, const std::string& file) {
  std::string made;
  std::size_t at = 0;
  for (auto begin = text.find("$("); begin != std::string::npos; begin = text.find("$(", at)) {
    const auto end = text.find(')', begin);
    const std::string name =
        end == std::string::npos ? text.substr(begin + 2, 20) : text.substr(begin + 2, end - begin - 2);
    const auto value = drawn.find(name);
    if (end == std::string::npos || value == drawn.end()) {
      std::vector<std::string> known;
      for (const auto& [one, its] : drawn) known.push_back(one);
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
      throw InputError("{}:{}: '$({})' is not drawn{}", file, line, shown(name), known_names(name, known));
    }
    made.append(text, at, begin - at).append(value->second);
    at = end + 1;
  }
  return made.append(text, at);
}

/// "## Question" and what lies below it.
std::map<std::string, std::string> sections_of(const std::string& prose, const std::string& file) {
  std::map<std::string, std::string> sections;
  const std::vector<std::string> known(std::begin(prose_sections), std::end(prose_sections));
  std::string* into = nullptr;
  std::size_t line = 0, at = 0;
  while (at < prose.size()) {
    const auto end = std::min(prose.find('\n', at), prose.size());
    const std::string text = prose.substr(at, end - at);
    at = end + 1;
    ++line;
    if (text.starts_with("## ")) {
      const std::string heading = text.substr(3);
      if (std::ranges::find(known, heading) == known.end())
        throw InputError("{}:{}: unknown heading '{}'{}", file, line, shown(heading), known_names(heading, known));
      into = &sections[heading];
    } else if (into != nullptr) {
      *into += text + "\n";
    }
  }
  return sections;
}

std::uint64_t number_drawn(const std::string& lab, const std::string& draw, const std::string& student) {
  const std::uint64_t hash = Fingerprint().add(lab).add(0).add(draw).add(0).add(student).value();
  return (hash >> 32) ^ hash;  // the low bits of such a hash alone depend on the last letters most
}

}  // namespace

std::string student_key(const std::string& student) {
  std::string key;
  bool blank = false, any = false;
  for (const char letter : student) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte <= ' ') {
      blank = !key.empty();
      continue;
    }
    if (blank) key += ' ';
    blank = false;
    any = any || byte >= 0x80 || std::isalnum(byte) != 0;
    key += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
  }
  if (!any || student.size() > name_most)
    throw InputError(
        "student: '{}' is no name (a letter or digit at least, up to {} bytes). Write \"Ada "
        "Lovelace\"?",
        shown(student), name_most);
  return key;
}

std::string Lab::folder() const {
  const auto parent = fs::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

LabFile LabFile::read(const std::string& path) {
  const std::string beside = prose_file(path);
  const std::string text = config::read_file(path);
  config::refuse_other_format(text, path, "a lab", {"lab", "yaml"});
  return parse(text, config::read_file(beside), path);
}

LabFile LabFile::parse(const std::string& text, const std::string& prose, const std::string& path) {
  LabFile file;
  file.path_ = path;
  file.text_ = text;
  file.prose_ = prose;
  const Section root = config::parse_yaml(text, path).root(lab_keys());
  file.draws_ = read_draws(root);
  file.other_ = read_other(root, file.draws_);
  return file;
}

LabFile::Drawn LabFile::drawn_for(const std::string& student) const {
  const std::string key = student_key(student), name = fs::path(path_).stem().string();
  Drawn drawn;
  for (const Draw& draw : draws_) drawn.push_back(number_drawn(name, draw.name, key) % draw.rows.size());
  return drawn;
}

LabFile::Drawn LabFile::drawn_anew(const std::string& student) const {
  const std::string key = student_key(student), name = fs::path(path_).stem().string();
  Drawn drawn = drawn_for(student);
  for (std::size_t i = 0; i < draws_.size(); ++i) {
    if (std::ranges::find(other_, draws_[i].name) == other_.end()) continue;
    const std::size_t rows = draws_[i].rows.size();
    drawn[i] = (drawn[i] + 1 + number_drawn(name, "other " + draws_[i].name, key) % (rows - 1)) % rows;
  }
  return drawn;
}

std::vector<LabFile::Drawn> LabFile::all(std::size_t most) const {
  std::vector<Drawn> all{Drawn(draws_.size(), 0)};
  for (std::size_t i = 0; i < draws_.size(); ++i) {
    const auto so_far = all;
    for (std::size_t row = 1; row < draws_[i].rows.size(); ++row)
      for (Drawn one : so_far) {
        one[i] = row;
        if (all.size() < most) all.push_back(std::move(one));
      }
  }
  return all;
}

Lab LabFile::lab(const Drawn& drawn) const {
  Lab lab{.name = fs::path(path_).stem().string(), .file = path_};
  for (std::size_t i = 0; i < draws_.size(); ++i)
    for (const auto& [key, value] : draws_[i].rows[drawn[i]])
      lab.drawn[key.empty() ? draws_[i].name : draws_[i].name + "." + key] = value;
  const Section root = config::parse_yaml(filled(text_, lab.drawn, path_), path_).root(lab_keys());
  config::read_fields(root, lab_fields(), lab);
  root.finish();
  if (root.has("knob") && !root.has("moment"))
    root.refuse("knob", "'knob' without 'moment' (which it turns). Add 'moment: {kernel.message: 64KiB}'?");
  if (!other_.empty() && !lab.transfer)
    root.refuse("other", "'other' without 'transfer' (the question it is drawn for). Add one?");
  lab.prose = sections_of(filled(prose_, lab.drawn, prose_file(path_)), prose_file(path_));
  if (!lab.prose.contains("Question"))
    throw InputError("{}: has no heading '## Question' (what the student reads first). Add it?", prose_file(path_));
  return lab;
}

std::string LabFile::fingerprint() const {
  return fmt::format("{:016x}", Fingerprint().add(text_).add(0).add(prose(false)).value());
}

std::string LabFile::prose(bool teacher) const {
  const std::string until = std::string("## ") + prose_sections[prose_of_students];
  const auto end = prose_.find("\n" + until);
  return teacher || end == std::string::npos ? prose_ : prose_.substr(0, end + 1);
}

}  // namespace orrery::lab
