#include "sim/show/page/html.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/show/charts/svg.hpp"
#include "sim/show/page/html_assets.hpp"
#include "sim/show/page/html_data.hpp"

namespace orrery::show {

namespace {

/// JSON that may stand inside <script>: no '<' can open a tag or a comment there.
std::string script_json(const nlohmann::ordered_json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

/// Fills {{name}} in one pass over the template, so that nothing filled in is looked at again.
std::string filled(std::string_view form, const std::map<std::string_view, std::string_view>& values) {
  std::string out;
  while (true) {
    const auto open = form.find("{{");
    const auto close = open == std::string_view::npos ? open : form.find("}}", open);
    if (close == std::string_view::npos) return out.append(form);
    out.append(form.substr(0, open)).append(values.at(form.substr(open + 2, close - open - 2)));
    form.remove_prefix(close + 2);
  }
}

}  // namespace

std::string to_html(const ScenarioResult& result, const HtmlLimits& limits) {
  const std::string data = script_json(html_data(result, limits));
  const std::string title = xml_escape(result.title.empty() ? result.name : result.title);
  return filled(assets::report_html,
                {{"title", title}, {"css", assets::report_css}, {"script", assets::script_js}, {"data", data}});
}

}  // namespace orrery::show
