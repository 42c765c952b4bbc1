// SPDX-License-Identifier: MIT
#pragma once
// Parses chunks of a list of events on several threads, ahead of the one that appends them in order. A chunk is a
// guess: it was cut where events seem to end. One that turns out to be no whole events does not fit, then nothing
// behind it can be trusted either, and its text and theirs is taken back. All members are for one thread, the one that
// reads and appends; only the parsing is elsewhere.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/loaders/chrome_trace/event_batch.h"
#include "core/loaders/chrome_trace/event_look.h"
#include "core/loaders/chrome_trace/text_window.h"
#include "core/loaders/loader.h"
#include "core/loaders/stored_bytes.h"

namespace warpline::loaders::chrome_trace {

class ChunkPipeline {
public:
    /// `job`, which lives as long: see ChunkParser.
    ChunkPipeline(const LoadOptions& options, unsigned workers, const JobControl& job);
    /// Drops what is in flight.
    ~ChunkPipeline();
    ChunkPipeline(const ChunkPipeline&) = delete;
    ChunkPipeline& operator=(const ChunkPipeline&) = delete;

    /// Threads that parse; 0 if none was to be had: then nothing may be submitted.
    size_t workers() const { return m_threads.size(); }
    bool isEmpty() const { return m_chunks.empty(); }
    bool isFull() const { return m_chunks.size() >= m_limit; }
    /// A buffer that was used before, or an empty one.
    std::vector<char> spareBuffer();
    /// `list`: see ChunkParser. REQUIRES: !isFull().
    void submit(TextPiece piece, const ListLook& list);

    /// The same for text that the parsing thread itself is to read: a thread that reads what it parses has it in its
    /// own cache. What cannot be read does not fit.
    void submitUnread(std::shared_ptr<const StoredBytes> bytes, uint64_t offset, size_t length, const ListLook& list);

    /// Waits for the oldest chunk. Returns its events, which stay until dropOldest(), or null if it does not fit.
    /// Throws what its parsing has thrown. REQUIRES: !isEmpty().
    const EventBatch* oldest();
    void dropOldest();
    /// Empties the pipeline and returns the text of all chunks in order; of those unread, the places alone.
    std::vector<TextPiece> takeBack();

private:
    struct Chunk {
        TextPiece piece;
        std::shared_ptr<const StoredBytes> unread;  ///< where the piece is still to be read from
        ListLook list;
        EventBatch batch;
        bool isDone = false;
        bool fits = false;
        std::exception_ptr failure;
    };
    void submit(std::unique_ptr<Chunk> chunk);
    std::unique_ptr<Chunk> spareChunk();
    void work();
    void waitFor(const Chunk& chunk);

    LoadOptions m_options;
    const JobControl& m_job;
    size_t m_limit;
    std::deque<std::unique_ptr<Chunk>> m_chunks;  ///< in order; changed by the owner, under the mutex
    std::vector<std::unique_ptr<Chunk>> m_spare;  ///< for their buffers
    std::mutex m_mutex;                           ///< guards isDone and what follows
    std::condition_variable m_hasWork, m_hasResult;
    std::deque<Chunk*> m_waiting;
    bool m_stop = false;
    uint32_t m_generation = 0;  ///< counts what was taken back: the parsers start over
    std::vector<std::thread> m_threads;
};

}  // namespace warpline::loaders::chrome_trace
