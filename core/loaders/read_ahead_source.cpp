// SPDX-License-Identifier: MIT
#include "core/loaders/read_ahead_source.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr size_t kPieceBytes = size_t{512} << 10;
constexpr size_t kPieces = 4;

class ReadAheadSource final : public TextSource {
public:
    explicit ReadAheadSource(std::shared_ptr<TextSource> source) : m_source(std::move(source)) {}
    ~ReadAheadSource() override { endThread(); }
    ReadAheadSource(const ReadAheadSource&) = delete;
    ReadAheadSource& operator=(const ReadAheadSource&) = delete;

    Result<size_t> readNext(std::span<char> buffer) override {
        if (!std::exchange(m_isLookedAt, true)) {
            return m_source->readNext(buffer);
        }
        if (!m_thread.joinable()) {
            try {
                m_thread = std::thread([this] { fill(); });
            } catch (const std::system_error&) {
                return m_source->readNext(buffer);  // no thread is to be had, so reading waits for decompressing
            }
        }
        size_t got = 0;
        while (got < buffer.size()) {
            if (m_taken == m_current.size() && !takePiece()) {
                break;
            }
            const size_t count = std::min(buffer.size() - got, m_current.size() - m_taken);
            std::memcpy(buffer.data() + got, m_current.data() + m_taken, count);
            got += count;
            m_taken += count;
        }
        const std::lock_guard lock(m_mutex);
        if (m_exception) {
            std::rethrow_exception(m_exception);
        }
        if (m_error && m_ready.empty() && m_taken == m_current.size()) {
            return *m_error;
        }
        return got;
    }
    void stopWith(const JobControl* job) override {
        if (job == nullptr) {
            endThread();
        }
        m_source->stopWith(job);
    }
    Result<std::string> read(uint64_t offset, size_t length) const override { return m_source->read(offset, length); }
    Status checkUnchanged() const override { return m_source->checkUnchanged(); }
    uint64_t storedBytes() const override { return m_source->storedBytes(); }
    uint64_t storedPosition() const override { return m_source->storedPosition(); }
    std::string compression() const override { return m_source->compression(); }
    std::vector<Damage> damage() const override {
        if (m_thread.joinable()) {
            // What is found ahead of the reader is not for it to know yet; and the source is in use.
            const std::lock_guard lock(m_mutex);
            if (!m_isDone || !m_ready.empty()) {
                return {};
            }
        }
        return m_source->damage();
    }

private:
    void endThread() {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
        }
        m_changed.notify_all();
        if (m_thread.joinable()) {
            m_thread.join();
        }
    }

    /// Waits for the next piece; false if there is none.
    bool takePiece() {
        std::unique_lock lock(m_mutex);
        m_spare.push_back(std::move(m_current));
        m_current.clear();
        m_taken = 0;
        m_changed.notify_all();
        m_changed.wait(lock, [this] { return m_isDone || !m_ready.empty(); });
        if (m_ready.empty()) {
            return false;
        }
        m_current = std::move(m_ready.front());
        m_ready.pop_front();
        return true;
    }

    void fill() {
        std::unique_lock lock(m_mutex);
        while (!m_isDone) {
            m_changed.wait(lock, [this] { return m_stop || m_ready.size() < kPieces; });
            if (m_stop) {
                break;
            }
            std::vector<char> piece;
            if (!m_spare.empty()) {
                piece = std::move(m_spare.back());
                m_spare.pop_back();
            }
            lock.unlock();
            std::optional<Error> error;
            std::exception_ptr exception;
            try {
                piece.resize(kPieceBytes);
                const auto count = m_source->readNext(piece);
                if (!count) {
                    error = count.error();
                }
                piece.resize(count ? count.value() : 0);
            } catch (...) {
                exception = std::current_exception();
                piece.clear();
            }
            lock.lock();
            m_error = std::move(error);
            m_exception = exception;
            m_isDone = m_error || m_exception || piece.size() < kPieceBytes;
            if (!piece.empty()) {
                m_ready.push_back(std::move(piece));
            }
            m_changed.notify_all();
        }
        m_isDone = true;
        m_changed.notify_all();
    }

    std::shared_ptr<TextSource> m_source;
    bool m_isLookedAt = false;
    std::vector<char> m_current;  ///< the reader's, with how much of it was taken
    size_t m_taken = 0;
    std::thread m_thread;

    mutable std::mutex m_mutex;  ///< guards what follows
    std::condition_variable m_changed;
    std::deque<std::vector<char>> m_ready;
    std::vector<std::vector<char>> m_spare;
    bool m_isDone = false;
    bool m_stop = false;
    std::optional<Error> m_error;
    std::exception_ptr m_exception;
};

}  // namespace

std::shared_ptr<TextSource> readAhead(std::shared_ptr<TextSource> source) {
    return std::make_shared<ReadAheadSource>(std::move(source));
}

}  // namespace warpline
