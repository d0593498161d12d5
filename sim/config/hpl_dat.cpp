#include "sim/config/hpl_dat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <sstream>
#include <string_view>

#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

constexpr long values_max = 20;  // HPL_MAX_PARAM

/// One line of the file. `count_line`: where the number of its values stands (0: it has one value).
struct DatField {
  std::size_t line, count_line;
  unsigned loop;
  const char* hpl_name;
  const char* setting;             ///< "": checked and left out
  std::vector<const char*> words;  ///< of the numbers 0, 1, ...; empty: the number itself
  long most = 1000000000;
};

const std::vector<DatField>& fields() {
  static const std::vector<const char*> factorisations{"left", "crout", "right"};
  static const std::vector<DatField> all{
      {6, 5, 2, "Ns", "order", {}},
      {8, 7, 3, "NBs", "block", {}},
      {9, 0, 0, "PMAP", "mapping", {"row", "column"}},
      {11, 10, 1, "Ps", "p", {}},
      {12, 10, 1, "Qs", "q", {}},
      {15, 14, 7, "PFACTs", "pfact", factorisations},
      {17, 16, 8, "NBMINs", "nbmin", {}},
      {19, 18, 9, "NDIVs", "ndiv", {}},
      {21, 20, 6, "RFACTs", "rfact", factorisations},
      {23, 22, 5, "BCASTs", "bcast", {"1ring", "1ringM", "2ring", "2ringM", "long", "longM"}},
      {25, 24, 4, "DEPTHs", "depth", {}},
      {26, 0, 0, "SWAP", "swap", {"bin-exch", "long", "mix"}},
      {27, 0, 0, "swapping threshold", "threshold", {}},
      {28, 0, 0, "L1 in", "", {"transposed", "no-transposed"}},
      {29, 0, 0, "U in", "", {"transposed", "no-transposed"}},
      {30, 0, 0, "Equilibration", "", {"no", "yes"}},
      {31, 0, 0, "memory alignment", "", {}},
  };
  return all;
}

class Lines {
 public:
  Lines(const std::string& text, std::string path) : path_(std::move(path)) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
  }

  std::string where(std::size_t line) const { return fmt::format("{}:{}", path_, line); }

  /// A whole number of a line, the first being number 0.
  long number(std::size_t line, const char* name, std::size_t which = 0) const {
    const std::string text = word(line, name, which);
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
      if (which == 0)
        throw InputError("{}: '{}' is '{}' (a whole number). Is a line missing above?", where(line), name, text);
      throw InputError("{}: value {} of '{}' is '{}' (a whole number, as many as line {} says). Correct it?",
                       where(line), which + 1, name, text, line - 1);
    }
    return value;
  }

 private:
  std::string word(std::size_t line, const char* name, std::size_t which) const {
    if (line > lines_.size())
      throw InputError("{}: the file ends before '{}' (line {} of 31). Use a complete HPL.dat?", where(lines_.size()),
                       name, line);
    std::istringstream in(lines_[line - 1]);
    std::string found;
    for (std::size_t i = 0; i <= which; ++i) {
      found.clear();
      in >> found;
    }
    return found;
  }

  std::string path_;
  std::vector<std::string> lines_;
};

std::size_t values_of(const Lines& lines, const DatField& field) {
  if (field.count_line == 0) return 1;
  const std::string name = fmt::format("# of {}", field.count_line == 10 ? "process grids" : field.hpl_name);
  const long count = lines.number(field.count_line, name.c_str());
  if (count < 1 || count > values_max)
    throw InputError("{}: '{}' is {}, outside 1..{}. Choose a value in that range?", lines.where(field.count_line),
                     name, count, values_max);
  return static_cast<std::size_t>(count);
}

std::string value_of(const Lines& lines, const DatField& field, std::size_t which) {
  const long value = lines.number(field.line, field.hpl_name, which);
  const long most = field.words.empty() ? field.most : static_cast<long>(field.words.size()) - 1;
  if (value < 0 || value > most)
    throw InputError("{}: '{}' is {}, outside 0..{}. Choose a value in that range?", lines.where(field.line),
                     field.hpl_name, value, most);
  return field.words.empty() ? std::to_string(value) : field.words[static_cast<std::size_t>(value)];
}

/// A row of HPL's output: "WR11C2R4 81920 224 16 20 72.10 5.0838e+03". The variant is order of the grid, depth,
/// broadcast, recursive factorisation and its divisor, factorisation of panels and their least width.
/// Source   HPL 2.3, testing/ptest/HPL_pdtest.c, "W%c%1d%c%c%1d%c%1d"
std::string settings_of_row(const std::vector<std::string>& row) {
  constexpr std::string_view letters = "LCR";
  const std::string& variant = row[0];
  std::string text = fmt::format("--param order={} --param block={} --param p={} --param q={}", row[1], row[2], row[3], row[4]);
  const auto word_of = [](const char* setting, std::size_t number) {
    const auto field = std::ranges::find_if(fields(), [&](const DatField& one) { return one.setting == std::string_view(setting); });
    return fmt::format(" --param {}={}", setting, number < field->words.size() ? field->words[number] : "?");
  };
  const auto digit = [&](std::size_t at) { return static_cast<std::size_t>(variant[at] - '0'); };
  text += word_of("mapping", variant[1] == 'R' ? 0 : 1) + fmt::format(" --param depth={}", variant[2]);
  text += word_of("bcast", digit(3)) + word_of("rfact", letters.find(variant[4])) + fmt::format(" --param ndiv={}", variant[5]);
  return text + word_of("pfact", letters.find(variant[6])) + fmt::format(" --param nbmin={}", variant.substr(7));
}

bool is_result_row(const std::vector<std::string>& row) {
  if (row.size() < 7 || row[0].size() < 8 || row[0][0] != 'W') return false;
  constexpr std::array<std::string_view, 7> forms{"RC", "0123456789", "012345", "LCR", "0123456789", "LCR", "0123456789"};
  for (std::size_t i = 0; i < forms.size(); ++i)
    if (forms[i].find(row[0][i + 1]) == std::string_view::npos) return false;
  return std::all_of(row.begin() + 1, row.begin() + 5, [](const std::string& cell) {
    return cell.find_first_not_of("0123456789") == std::string::npos;
  });
}

/// Its output, with the parameters of its first row as the kernel takes them.
void refuse_output(const std::string& text, const std::string& path) {
  const SeenFormat seen = format_of(text);
  if (seen.format == nullptr || seen.format->name != "hpl-output") return;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    const std::vector<std::string> row{std::istream_iterator<std::string>(words), {}};
    if (is_result_row(row))
      throw InputError(
          "{}:{}: is the output of HPL, not its input (HPL.dat). Its first run is N = {}, NB = {}, P = "
          "{}, Q = {}, variant {}. Write '{}'?",
          path, number, row[1], row[2], row[3], row[4], row[0], settings_of_row(row));
  }
}

}  // namespace

std::vector<HplDatSetting> parse_hpl_dat(const std::string& text, const std::string& path) {
  const Lines lines(text, path);
  std::vector<HplDatSetting> settings;
  for (const DatField& field : fields()) {
    HplDatSetting setting{.name = field.setting,
                          .values = {},
                          .where = lines.where(field.line),
                          .count_where = lines.where(field.count_line > 0 ? field.count_line : field.line),
                          .hpl_name = field.hpl_name,
                          .loop = field.loop};
    const std::size_t count = values_of(lines, field);
    for (std::size_t i = 0; i < count; ++i) setting.values.push_back(value_of(lines, field, i));
    if (!setting.name.empty()) settings.push_back(std::move(setting));
  }
  return settings;
}

std::vector<HplDatSetting> read_hpl_dat(const std::string& path) {
  const std::string text = read_file(path);
  refuse_output(text, path);
  try {
    return parse_hpl_dat(text, path);
  } catch (const InputError&) {  // the texts of an HPL.dat are free, so it looks like anything
    refuse_other_format(text, path, "the input of HPL (HPL.dat)", {"hpl-dat"});
    throw;
  }
}

}  // namespace orrery::config
