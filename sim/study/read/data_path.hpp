/// Locations of the files that come with Orrery: platforms, scenarios, layouts.
#pragma once

#include <string>
#include <vector>

namespace orrery {

/// Path of `name` as a user gives it: an existing file (relative to `beside` first, then here), else the shipped
/// <folder>/<name>.<extension>. ORRERY_DATA overrides the location of shipped files. Throws InputError that begins with
/// `where`, with the shipped names and a suggestion.
std::string data_path(const std::string& folder, const std::string& name, const std::string& extension,
                      const std::string& where, const std::string& beside = ".");

/// Names (without extension) of the shipped files of a folder, sorted.
std::vector<std::string> data_names(const std::string& folder, const std::string& extension);

/// The path itself, or that of a shipped file or folder if there is no such path: "docs/models/taulop-example",
/// "scenarios/hpl-small.yaml", as the documents name them.
std::string input_path(const std::string& path);

}  // namespace orrery
