#include "validation/cluster/switch.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace orrery::cluster {

Switch::Switch(std::vector<Port> ports, std::size_t queue_bytes)
    : ports_(std::move(ports)),
      up_free_s_(ports_.size(), 0.0),
      down_free_s_(ports_.size(), 0.0),
      queued_(ports_.size(), 0),
      queue_bytes_(queue_bytes) {}

double Switch::transmission_s(std::size_t port, const Frame& frame) const {
  return static_cast<double>(frame.size() + frame_overhead) / ports_[port].bytes_per_s;
}

void Switch::push(Event event) {
  heap_.push_back(std::move(event));
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void Switch::enter(std::size_t from, std::size_t to, Frame frame, double now_s) {
  up_free_s_[from] = std::max(now_s, up_free_s_[from]) + transmission_s(from, frame);
  const double at_downlink_s = up_free_s_[from] + (ports_[from].latency_s + ports_[to].latency_s) / 2.0;
  wakes_s_.push(at_downlink_s + transmission_s(to, frame));
  push({at_downlink_s, number_++, to, false, std::move(frame)});
}

double Switch::next_s() const { return wakes_s_.empty() ? std::numeric_limits<double>::infinity() : wakes_s_.top(); }

void Switch::advance(double now_s,
                     const std::function<void(std::size_t to, const Frame& frame, double due_s)>& deliver) {
  while (!heap_.empty() && heap_.front().at_s <= now_s) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    Event event = std::move(heap_.back());
    heap_.pop_back();
    if (event.delivered) {
      queued_[event.to] -= event.frame.size();
      deliver(event.to, event.frame, event.at_s);
    } else if (queued_[event.to] + event.frame.size() > queue_bytes_) {
      ++dropped_;
    } else {
      queued_[event.to] += event.frame.size();
      down_free_s_[event.to] = std::max(event.at_s, down_free_s_[event.to]) + transmission_s(event.to, event.frame);
      event.at_s = down_free_s_[event.to];
      event.delivered = true;
      if (event.at_s > now_s) wakes_s_.push(event.at_s);
      push(std::move(event));
    }
  }
  while (!wakes_s_.empty() && wakes_s_.top() <= now_s) wakes_s_.pop();
}

}  // namespace orrery::cluster
