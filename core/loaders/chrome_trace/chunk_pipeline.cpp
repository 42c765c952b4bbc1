// SPDX-License-Identifier: MIT
#include "core/loaders/chrome_trace/chunk_pipeline.h"

#include <span>
#include <system_error>
#include <utility>

#include "core/loaders/chrome_trace/chunk_parser.h"

namespace warpline::loaders::chrome_trace {

namespace {

bool readPiece(const StoredBytes& bytes, TextPiece& piece) {
    if (piece.buffer.size() < piece.end) {
        piece.buffer.resize(piece.end);
    }
    const auto count = bytes.readAt(piece.offset, std::span(piece.buffer).first(piece.end));
    return count && count.value() == piece.end;
}

/// False if the chunk is anything but whole events.
bool parse(ChunkParser& parser, const TextPiece& piece, EventBatch& batch) {
    const std::string_view text = piece.text();
    const size_t first = text.find('{');
    batch.clear();
    if (first != std::string_view::npos && parser.parseStrict(text.substr(first), piece.offset + first, batch)) {
        return true;
    }
    const ListScan scan = parser.parseLenient(text, piece.offset, false, ListPlace(), text.size(), batch);
    return scan.state == ListState::NeedMore && scan.consumed == text.size() && !scan.inEvent &&
           !scan.place.inGarbage && !scan.hasStrayBracket;
}

}  // namespace

ChunkPipeline::ChunkPipeline(const LoadOptions& options, unsigned workers, const JobControl& job)
    : m_options(options), m_job(job), m_limit(size_t{workers} + 2) {
    m_threads.reserve(workers);
    try {
        for (unsigned i = 0; i < workers; ++i) {
            m_threads.emplace_back([this] { work(); });
        }
    } catch (const std::system_error&) {
        // No more threads are to be had; those that there are do the work.
    }
}

ChunkPipeline::~ChunkPipeline() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        m_waiting.clear();
    }
    m_hasWork.notify_all();
    for (std::thread& thread : m_threads) {
        thread.join();
    }
}

std::vector<char> ChunkPipeline::spareBuffer() {
    return m_spare.empty() ? std::vector<char>() : std::move(m_spare.back()->piece.buffer);
}

std::unique_ptr<ChunkPipeline::Chunk> ChunkPipeline::spareChunk() {
    if (m_spare.empty()) {
        return std::make_unique<Chunk>();
    }
    std::unique_ptr<Chunk> chunk = std::move(m_spare.back());
    m_spare.pop_back();
    return chunk;
}

void ChunkPipeline::submit(TextPiece piece, const ListLook& list) {
    std::unique_ptr<Chunk> chunk = spareChunk();
    chunk->piece = std::move(piece);
    chunk->unread.reset();
    chunk->list = list;
    submit(std::move(chunk));
}

void ChunkPipeline::submitUnread(std::shared_ptr<const StoredBytes> bytes, uint64_t offset, size_t length,
                                 const ListLook& list) {
    std::unique_ptr<Chunk> chunk = spareChunk();
    chunk->piece.begin = 0;
    chunk->piece.end = length;
    chunk->piece.offset = offset;
    chunk->unread = std::move(bytes);
    chunk->list = list;
    submit(std::move(chunk));
}

void ChunkPipeline::submit(std::unique_ptr<Chunk> chunk) {
    chunk->isDone = false;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back(chunk.get());
    }
    m_chunks.push_back(std::move(chunk));
    m_hasWork.notify_one();
}

void ChunkPipeline::waitFor(const Chunk& chunk) {
    std::unique_lock lock(m_mutex);
    m_hasResult.wait(lock, [&chunk] { return chunk.isDone; });
}

const EventBatch* ChunkPipeline::oldest() {
    const Chunk& chunk = *m_chunks.front();
    waitFor(chunk);
    if (chunk.failure) {
        std::rethrow_exception(chunk.failure);
    }
    return chunk.fits ? &chunk.batch : nullptr;
}

void ChunkPipeline::dropOldest() {
    m_spare.push_back(std::move(m_chunks.front()));
    m_chunks.pop_front();
}

std::vector<TextPiece> ChunkPipeline::takeBack() {
    {
        // What no thread has begun need not be done.
        const std::lock_guard lock(m_mutex);
        for (Chunk* chunk : m_waiting) {
            chunk->isDone = true;
        }
        m_waiting.clear();
        ++m_generation;
    }
    std::vector<TextPiece> pieces;
    while (!m_chunks.empty()) {
        waitFor(*m_chunks.front());
        pieces.push_back(std::move(m_chunks.front()->piece));
        dropOldest();
    }
    return pieces;
}

void ChunkPipeline::work() {
    ChunkParser parser(m_options, &m_job);
    uint32_t generation = 0;
    for (;;) {
        Chunk* chunk = nullptr;
        {
            std::unique_lock lock(m_mutex);
            m_hasWork.wait(lock, [this] { return m_stop || !m_waiting.empty(); });
            if (m_waiting.empty()) {
                return;
            }
            chunk = m_waiting.front();
            m_waiting.pop_front();
            if (std::exchange(generation, m_generation) != m_generation) {
                parser.startOver();
            }
        }
        bool fits = false;
        std::exception_ptr failure;
        try {
            parser.beginList(chunk->list);
            fits = (chunk->unread == nullptr || readPiece(*chunk->unread, chunk->piece)) &&
                   parse(parser, chunk->piece, chunk->batch);
        } catch (...) {
            failure = std::current_exception();
        }
        {
            const std::lock_guard lock(m_mutex);
            chunk->fits = fits;
            chunk->failure = failure;
            chunk->isDone = true;
        }
        m_hasResult.notify_one();
    }
}

}  // namespace warpline::loaders::chrome_trace
