// Threads, and Ctrl-C.
//
// Work is cut into tasks; whoever is free takes the next one. No task may depend on which thread runs it or
// on how many there are: that is what makes every answer bit-identical for any number of threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace rocsteady {

// Asks Python whether the user pressed Ctrl-C; throws if so. Set by the module, called on the calling thread
// only.
using SignalCheck = void (*)();
inline SignalCheck check_signals = nullptr;

// What a running task needs to know about the others.
class Worker {
public:
    Worker(std::atomic<bool> &cancelled, bool is_caller) : cancelled_(cancelled), is_caller_(is_caller) {}

    // Called every fraction of a millisecond or so. Throws when the work should stop.
    void pulse() {
        if (cancelled_.load(std::memory_order_relaxed)) throw Stopped{};
        if (!is_caller_ || !check_signals) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_check_ < std::chrono::milliseconds(50)) return;
        last_check_ = now;
        check_signals();
    }

    bool is_caller() const { return is_caller_; }

    struct Stopped {};  // some other thread failed; that one knows why

private:
    std::atomic<bool> &cancelled_;
    bool is_caller_;
    std::chrono::steady_clock::time_point last_check_ = std::chrono::steady_clock::now();
};

// How far the work is: told on the calling thread, at most ten times a second, and once at the end.
class Report {
public:
    using Tell = std::function<void(std::size_t done, std::size_t total)>;

    Report(Tell tell, std::size_t total) : tell_(std::move(tell)), total_(total) {}

    void add(std::size_t n, const Worker &worker) {
        const std::size_t done = done_.fetch_add(n, std::memory_order_relaxed) + n;
        if (!tell_ || !worker.is_caller() || done == total_) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        tell_(done, total_);
    }
    void finish() const {
        if (tell_) tell_(total_, total_);
    }

private:
    Tell tell_;
    std::size_t total_;
    std::atomic<std::size_t> done_{0};
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Runs body(task, worker) for every task in [0, n_tasks), on up to `threads` threads including the caller's.
template <class Body>
void parallel_for(std::size_t n_tasks, int threads, Body body) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> cancelled{false};
    std::exception_ptr failure;
    std::mutex failure_lock;

    auto run = [&](bool is_caller) {
        Worker worker(cancelled, is_caller);
        try {
            for (std::size_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < n_tasks;) {
                worker.pulse();
                body(task, worker);
            }
        } catch (const Worker::Stopped &) {
        } catch (...) {
            cancelled = true;
            std::lock_guard<std::mutex> guard(failure_lock);
            if (!failure) failure = std::current_exception();
        }
    };

    const std::size_t wanted = threads > 1 ? std::size_t(threads) : 1;
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < wanted && i < n_tasks; ++i) {
        try {
            helpers.emplace_back(run, false);
        } catch (const std::system_error &) {
            break;  // the machine gives no more threads: fewer give the same answer
        }
    }
    run(true);
    for (auto &helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rocsteady
