#include "sim/cli/pages/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::cli {

namespace {

/// Words of two-word commands by their first: "show" -> "kernel", "model" ...
std::map<std::string, std::vector<std::string>> groups_of(const std::vector<CommandOutline>& commands) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const auto& command : commands)
    if (const auto space = command.name.find(' '); space != std::string::npos)
      groups[command.name.substr(0, space)].push_back(command.name.substr(space + 1));
  return groups;
}

/// First words of all commands, each once.
std::vector<std::string> first_words(const std::vector<CommandOutline>& commands) {
  std::vector<std::string> words;
  for (const auto& command : commands) {
    const std::string word = command.name.substr(0, command.name.find(' '));
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  return words;
}

std::string summary_of(const std::string& word, const std::vector<CommandOutline>& commands) {
  for (const auto& command : commands)
    if (command.name == word) return command.summary;
  return group_summary(word, groups_of(commands).at(word));
}

/// In single quotes of a shell.
std::string shell_quoted(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + result + "'";
}

/// What a shell offers for a value, as it is written after "words=" of bash.
std::string bash_values(const CommandOutline& command, const ArgumentOutline& argument) {
  if (!argument.choices.empty()) return shell_quoted(fmt::format("{}", fmt::join(argument.choices, " ")));
  const std::string listed = listed_for(command, argument);
  if (listed.starts_with('=')) return shell_quoted(listed.substr(1));
  return listed.empty() ? "" : fmt::format("\"$(\"$program\" list {} --names 2>/dev/null)\"", listed);
}

std::string bash_script(const std::vector<CommandOutline>& commands) {
  std::string groups, options, values, positionals;
  for (const auto& [group, words] : groups_of(commands))
    groups += fmt::format("    {}) words='{}' ;;\n", group, fmt::join(words, " "));
  for (const auto& command : commands) {
    std::string names;
    for (const auto& argument : command.arguments) {
      const std::string offered = bash_values(command, argument);
      if (argument.positional) {
        if (!offered.empty()) positionals += fmt::format("    '{}') words={} ;;\n", command.name, offered);
        continue;
      }
      for (const auto& name : names_of(argument)) {
        names += name + " ";
        if (!argument.flag())
          values += fmt::format("    '{} {}') words={} ;;\n", command.name, name, offered.empty() ? "''" : offered);
      }
    }
    options += fmt::format("    '{}') words='{}--help' ;;\n", command.name, names);
  }
  return fmt::format(R"script(# bash completion for orrery, made by 'orrery show completion bash'
_orrery() {{
  local program=${{COMP_WORDS[0]}} current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words= command table=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$current"))
    return
  fi
  command=${{COMP_WORDS[1]}}
  # Readline takes TABLE:ROW for three words; the table is cut off again from what is offered.
  if [[ $current == : ]] && ((COMP_CWORD > 3)); then
    table=$before: current=$before: before=${{COMP_WORDS[COMP_CWORD-2]}}
  elif [[ $before == : ]] && ((COMP_CWORD > 4)); then
    table=${{COMP_WORDS[COMP_CWORD-2]}}: before=${{COMP_WORDS[COMP_CWORD-3]}}
    current=$table$current
  fi
  case $command in
{}  esac
  if [[ $words ]]; then
    if ((COMP_CWORD == 2)); then
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
    fi
    command="$command ${{COMP_WORDS[2]}}"
    words=
  fi
  case "$command $before" in
{}    *) words=none ;;
  esac
  if [[ $words == none ]]; then
    words=
    if [[ $current == -* ]]; then
      case $command in
{}      esac
    else
      case $command in
{}      esac
    fi
  fi
  [[ $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
  COMPREPLY=("${{COMPREPLY[@]#"$table"}}")
}}
complete -o default -F _orrery orrery
)script",
                     fmt::join(first_words(commands), " "), groups, values, options, positionals);
}

/// In a specification of zsh's _arguments, where brackets and colons mean something.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

std::string zsh_values(const CommandOutline& command, const ArgumentOutline& argument) {
  if (!argument.choices.empty()) return fmt::format("({})", fmt::join(argument.choices, " "));
  const std::string listed = listed_for(command, argument);
  if (listed.starts_with('=')) return fmt::format("({})", listed.substr(1));
  return listed.empty() ? "_files" : fmt::format("_orrery_names {}", listed);
}

std::string zsh_argument(const CommandOutline& command, const ArgumentOutline& argument) {
  std::string lines;
  if (argument.positional)
    return fmt::format("      '{}:{}:{}' \\\n",
                       argument.repeated   ? "*"
                       : argument.required ? ""
                                           : ":",
                       zsh_text(argument.names), zsh_values(command, argument));
  for (const auto& name : names_of(argument)) {
    lines += fmt::format("      '{}{}[{}]", argument.repeated ? "*" : "", name, zsh_text(argument.help));
    lines += argument.flag() ? "' \\\n"
                             : fmt::format(":{}:{}' \\\n", zsh_text(names_of(argument).back().substr(2)),
                                           zsh_values(command, argument));
  }
  return lines;
}

std::string zsh_described(const std::vector<std::pair<std::string, std::string>>& words) {
  std::string text;
  for (const auto& [word, summary] : words) text += fmt::format(" '{}:{}'", word, zsh_text(summary));
  return text;
}

std::string zsh_script(const std::vector<CommandOutline>& commands) {
  std::vector<std::pair<std::string, std::string>> first;
  for (const auto& word : first_words(commands)) first.emplace_back(word, summary_of(word, commands));
  std::string groups, cases;
  for (const auto& [group, words] : groups_of(commands)) {
    std::vector<std::pair<std::string, std::string>> second;
    for (const auto& word : words) second.emplace_back(word, summary_of(fmt::format("{} {}", group, word), commands));
    groups += fmt::format(
        "    {0})\n      if ((CURRENT == 3)); then\n        words_of=({1})\n        _describe -t words word words_of\n"
        "        return\n      fi\n      command=\"{0} $words[3]\"\n      shift words\n      ((CURRENT--)) ;;\n",
        group, zsh_described(second));
  }
  for (const auto& command : commands) {
    cases += fmt::format("    '{}')\n      _arguments -S \\\n", command.name);
    for (const auto& argument : command.arguments) cases += zsh_argument(command, argument);
    cases += "      '--help[print help and exit]' ;;\n";
  }
  return fmt::format(R"script(#compdef orrery
# zsh completion for orrery, made by 'orrery show completion zsh'
_orrery_names() {{
  local -a names
  names=(${{(f)"$(_call_program names $orrery_program list $1 --names 2>/dev/null)"}})
  compadd -a names
  _files
}}
_orrery() {{
  local orrery_program=$words[1] command=$words[2]
  local -a words_of
  if ((CURRENT == 2)); then
    words_of=({} '--help:print help and exit' '--version:print the version and exit')
    _describe -t commands command words_of
    return
  fi
  case $command in
{}  esac
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
_orrery "$@"
)script",
                     zsh_described(first), groups, cases);
}

std::string fish_values(const CommandOutline& command, const ArgumentOutline& argument) {
  if (!argument.choices.empty()) return shell_quoted(fmt::format("{}", fmt::join(argument.choices, " ")));
  const std::string listed = listed_for(command, argument);
  if (listed.starts_with('=')) return shell_quoted(listed.substr(1));
  return listed.empty() ? "" : fmt::format("'(orrery list {} --names 2>/dev/null)'", listed);
}

/// When a line of fish's script applies: after the words of the command.
std::string fish_after(const std::string& command) {
  const auto space = command.find(' ');
  if (space == std::string::npos) return fmt::format("'__fish_seen_subcommand_from {}'", command);
  return fmt::format("'__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}'", command.substr(0, space),
                     command.substr(space + 1));
}

std::string fish_script(const std::vector<CommandOutline>& commands) {
  std::string text = "# fish completion for orrery, made by 'orrery show completion fish'\n";
  for (const auto& word : first_words(commands))
    text += fmt::format("complete -c orrery -n __fish_use_subcommand -f -a {} -d {}\n", word,
                        shell_quoted(summary_of(word, commands)));
  for (const auto& [group, words] : groups_of(commands))
    for (const auto& word : words)
      text += fmt::format(
          "complete -c orrery -n '__fish_seen_subcommand_from {}; and not __fish_seen_subcommand_from {}' -f -a {} -d "
          "{}\n",
          group, fmt::join(words, " "), word, shell_quoted(summary_of(fmt::format("{} {}", group, word), commands)));
  for (const auto& command : commands) {
    const std::string after = fish_after(command.name);
    for (const auto& argument : command.arguments) {
      const std::string values = fish_values(command, argument);
      if (argument.positional) {
        if (!values.empty()) text += fmt::format("complete -c orrery -n {} -a {}\n", after, values);
        continue;
      }
      text += fmt::format("complete -c orrery -n {}", after);
      for (const auto& name : names_of(argument))
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!argument.flag())
        text += values.empty() ? " -r" : (argument.choices.empty() ? " -r -a " : " -x -a ") + values;
      text += fmt::format(" -d {}\n", shell_quoted(argument.help));
    }
  }
  return text;
}

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells{"bash", "fish", "zsh"};
  return shells;
}

std::string completion_script(const std::string& shell, const std::vector<CommandOutline>& commands) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "fish") return fish_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  throw InputError("show completion: unknown shell '{}'{}", shell, known_names(shell, completion_shells()));
}

std::string listed_for(const CommandOutline& command, const ArgumentOutline& argument) {
  static const std::map<std::string, std::string> by_option{
      {"--platform", "platforms"},     {"--kernel", "kernels"},         {"--model", "models"},
      {"--compute", "compute-models"}, {"--partition", "partitioners"}, {"--algorithm", "partitioners"},
      {"--layout", "layout-rows"},     {"--network", "networks"}};
  static const std::map<std::string, std::string> by_command{
      {"list",
       "=collectives compute-models kernels layout-rows layouts models networks partitioners platforms scenarios"},
      {"run", "scenarios"},
      {"compare", "scenarios"},
      {"show platform", "platforms"},
      {"show kernel", "kernels"},
      {"show model", "models"},
      {"show compute-model", "compute-models"},
      {"show reference", "=platform layout scenario"},
      {"show completion", "=bash fish zsh"}};
  const auto& table = argument.positional ? by_command : by_option;
  const auto found = table.find(argument.positional ? command.name : names_of(argument).back());
  return found == table.end() ? "" : found->second;
}

}  // namespace orrery::cli
