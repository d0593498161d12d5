#include "sim/config/xml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

constexpr std::size_t elements_depth_max = 64;

constexpr bool is_xml_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == ':' || c == '.';
}

class XmlParser {
 public:
  XmlParser(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  XmlElement parse() {
    skip_between();
    if (at_ == text_.size()) refuse("no root element (an XML file has one). Is the file empty?");
    XmlElement root = element(0);
    skip_between();
    if (at_ < text_.size()) refuse("content after the root element (a file has one root). Remove it?");
    return root;
  }

 private:
  [[noreturn]] void refuse(const Refusal& problem) const {
    const auto read = text_.substr(0, std::min(at_, text_.size()));
    throw InputError("{}:{}: {}", file_, 1 + std::ranges::count(read, '\n'), problem);
  }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void skip_blanks() {
    while (at_ < text_.size() && is_xml_blank(text_[at_])) ++at_;
  }
  void skip_past(std::string_view end, const char* what) {
    const auto found = text_.find(end, at_);
    if (found == std::string_view::npos)
      refuse(Refusal("a {} is not closed ('{}' ends it). Is the file cut off?", what, end));
    at_ = found + end.size();
  }
  /// Text, comments, declarations, the document type: everything but elements and closing tags.
  void skip_between() {
    while (at_ < text_.size()) {
      if (starts("<!--")) {
        skip_past("-->", "comment");
      } else if (starts("<?")) {
        skip_past("?>", "declaration");
      } else if (starts("<!")) {
        skip_past(">", "declaration");
      } else if (text_[at_] == '<') {
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string name(const char* what) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == begin)
      refuse(Refusal("no name where {} begins (letters, digits, '_', '-', ':' and '.'). Is the file cut off?", what));
    return std::string(text_.substr(begin, at_ - begin));
  }

  static void append_entity(std::string_view entity, std::string& into) {
    constexpr std::pair<std::string_view, char> known[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [word, character] : known)
      if (entity == word) {
        into += character;
        return;
      }
    into += '?';  // characters beyond ASCII appear in names only for people
  }

  std::string value(const std::string& attribute) {
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '"' && quote != '\'')
      refuse(Refusal("attribute '{}' has no quotes around its value. Write {}=\"...\"?", attribute, attribute));
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos)
      refuse(Refusal("the value of attribute '{}' is not closed. Is the file cut off?", attribute));
    const std::string_view raw = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    std::string result;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const auto close = raw[i] == '&' ? raw.find(';', i) : std::string_view::npos;
      if (close == std::string_view::npos) {
        result += raw[i];
        continue;
      }
      append_entity(raw.substr(i + 1, close - i - 1), result);
      i = close;
    }
    return result;
  }

  XmlElement element(std::size_t depth) {
    if (depth == elements_depth_max)
      refuse(Refusal("elements are nested deeper than {} (the limit). Flatten them?", elements_depth_max));
    XmlElement result;
    result.line =
        static_cast<std::uint32_t>(1 + std::ranges::count(text_.substr(line_at_, at_ - line_at_), '\n')) + line_ - 1;
    line_ = result.line;
    line_at_ = at_;
    ++at_;
    result.name = name("an element");
    while (true) {
      skip_blanks();
      if (starts("/>")) return at_ += 2, result;
      if (starts(">")) break;
      const std::string attribute = name("an attribute");
      if (result.find(attribute) != nullptr)
        refuse(Refusal("attribute '{}' appears twice (names are unique). Remove one?", attribute));
      skip_blanks();
      if (!starts("=")) refuse(Refusal("attribute '{}' has no value. Write {}=\"...\"?", attribute, attribute));
      ++at_;
      skip_blanks();
      std::string text = value(attribute);
      result.attributes.emplace_back(attribute, std::move(text));
    }
    ++at_;
    children(result, depth);
    return result;
  }

  void children(XmlElement& parent, std::size_t depth) {
    while (true) {
      skip_between();
      if (at_ >= text_.size())
        refuse(Refusal("element '{}' of line {} is not closed ('</{}>' ends it). Is the file cut off?", parent.name,
                       parent.line, parent.name));
      if (!starts("</")) {
        parent.children.push_back(element(depth + 1));
        continue;
      }
      at_ += 2;
      const std::string closed = name("a closing tag");
      if (closed != parent.name)
        refuse(Refusal("'</{}>' closes element '{}' of line {} ('</{}>' does). Correct it?", closed, parent.name,
                       parent.line, parent.name));
      skip_blanks();
      if (!starts(">")) refuse(Refusal("'</{}' has no '>'. Is the file cut off?", closed));
      ++at_;
      return;
    }
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, line_at_ = 0;  ///< lines are counted up to line_at_
  std::uint32_t line_ = 1;
};

}  // namespace

const std::string* XmlElement::find(std::string_view attribute) const {
  for (const auto& [name_of, value] : attributes)
    if (name_of == attribute) return &value;
  return nullptr;
}

std::string XmlElement::text(std::string_view attribute, const std::string& fallback) const {
  const std::string* found = find(attribute);
  return found != nullptr ? *found : fallback;
}

XmlElement parse_xml(const std::string& text, const std::string& file) { return XmlParser(text, file).parse(); }

}  // namespace orrery::config
