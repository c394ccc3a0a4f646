// Log lines on stderr.
#include "log.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace paddock::log {

namespace {

std::atomic<bool> verbose_now{false};

}  // namespace

void set_verbose(bool verbose) { verbose_now = verbose; }
bool is_verbose() { return verbose_now; }

std::string time_text(long long seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return text;
}

void write(std::string_view level, const std::string& line) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const long long ms = std::chrono::duration_cast<milliseconds>(now).count();
  char fraction[8];
  std::snprintf(fraction, sizeof fraction, ",%03d ", static_cast<int>(ms % 1000));
  const std::string all = time_text(ms / 1000) + fraction + std::string(level) + " " + line + "\n";
  std::fwrite(all.data(), 1, all.size(), stderr);
}

}  // namespace paddock::log
