// Log lines on stderr, as the other SDKs write them.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

namespace paddock::log {

// Whether every decision is logged.
void set_verbose(bool verbose);
bool is_verbose();

// Write one line, after the time and the level.
void write(std::string_view level, const std::string& line);

// Seconds since 1970 as a date and a time of UTC.
std::string time_text(long long seconds);

template <typename... Parts>
std::string joined(const Parts&... parts) {
  std::ostringstream line;
  (line << ... << parts);
  return line.str();
}

template <typename... Parts>
void debug(const Parts&... parts) {
  if (is_verbose()) write("DEBUG", joined(parts...));
}

template <typename... Parts>
void info(const Parts&... parts) {
  write("INFO", joined(parts...));
}

template <typename... Parts>
void warning(const Parts&... parts) {
  write("WARNING", joined(parts...));
}

template <typename... Parts>
void error(const Parts&... parts) {
  write("ERROR", joined(parts...));
}

}  // namespace paddock::log
