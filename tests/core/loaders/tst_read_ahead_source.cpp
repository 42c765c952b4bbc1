// SPDX-License-Identifier: MIT
#include <QTest>
#include <atomic>
#include <thread>

#include "core/loaders/read_ahead_source.h"

using namespace warpline;

namespace {

/// Gives `length` bytes that count up; then ends, fails or throws.
class CountingSource final : public TextSource {
public:
    enum class End { Quiet, Error, Exception };
    CountingSource(uint64_t length, End end) : m_length(length), m_end(end) {}

    Result<size_t> readNext(std::span<char> buffer) override {
        const size_t count = std::min<uint64_t>(buffer.size(), m_length - m_position);
        for (size_t i = 0; i < count; ++i) {
            buffer[i] = char((m_position + i) % 251);
        }
        m_position += count;
        ++calls;
        if (count < buffer.size() && m_end == End::Error) {
            return Error::failed("the disk is gone");
        }
        if (count < buffer.size() && m_end == End::Exception) {
            throw std::bad_alloc();
        }
        return count;
    }
    Result<std::string> read(uint64_t, size_t) const override { return std::string("at a place"); }
    Status checkUnchanged() const override { return Status::success(); }
    uint64_t storedBytes() const override { return m_length; }
    uint64_t storedPosition() const override { return m_position; }
    std::string compression() const override { return "gzip"; }
    std::vector<Damage> damage() const override { return {{"truncated", "", m_position, true}}; }

    std::atomic<int> calls{0};

private:
    uint64_t m_length;
    End m_end;
    std::atomic<uint64_t> m_position{0};
};

}  // namespace

class tst_ReadAheadSource : public QObject {
    Q_OBJECT

private slots:
    void givesTheSameText() {
        constexpr uint64_t kLength = 3'500'000;
        for (const size_t step : {size_t(1), size_t(4096), size_t(512) << 10, size_t(1) << 22}) {
            const uint64_t length = step == 1 ? 700'000 : kLength;
            const auto source = readAhead(std::make_shared<CountingSource>(length, CountingSource::End::Quiet));
            std::string buffer(step, '\0');
            uint64_t position = 0;
            for (;;) {
                const auto count = source->readNext(buffer);
                QVERIFY(count.ok());
                bool isRight = true;
                for (size_t i = 0; i < count.value(); ++i) {
                    isRight = isRight && buffer[i] == char((position + i) % 251);
                }
                QVERIFY(isRight);
                position += count.value();
                if (count.value() < step) {
                    break;
                }
            }
            QCOMPARE(position, length);
            QCOMPARE(source->readNext(buffer).value(), size_t(0));
            QCOMPARE(source->damage().size(), size_t(1));
        }
    }
    void damageShowsOnlyAtTheEnd() {
        const auto source = readAhead(std::make_shared<CountingSource>(3'000'000, CountingSource::End::Quiet));
        std::string buffer(1000, '\0');
        QVERIFY(source->readNext(buffer).ok());
        QVERIFY(source->readNext(buffer).ok());
        QVERIFY(source->damage().empty());
    }
    void theFirstLookStartsNoThread() {
        const auto inner = std::make_shared<CountingSource>(3'000'000, CountingSource::End::Quiet);
        const auto source = readAhead(inner);
        std::string buffer(1000, '\0');
        QVERIFY(source->readNext(buffer).ok());
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        QCOMPARE(inner->calls.load(), 1);
    }
    void errorsComeInTheirPlace() {
        const auto source = readAhead(std::make_shared<CountingSource>(1'200'000, CountingSource::End::Error));
        std::string buffer(100'000, '\0');
        QVERIFY(source->readNext(buffer).ok());
        uint64_t got = 100'000;
        for (;;) {
            const auto count = source->readNext(buffer);
            if (!count) {
                QCOMPARE(count.error().message, std::string("the disk is gone"));
                break;
            }
            QVERIFY(count.value() > 0);
            got += count.value();
        }
        // The piece in which reading failed is lost with it, as it is for who reads without help.
        QVERIFY(got >= 1'100'000 - (512 << 10));
    }
    void exceptionsArrive() {
        const auto source = readAhead(std::make_shared<CountingSource>(10, CountingSource::End::Exception));
        std::string buffer(5, '\0');
        QVERIFY(source->readNext(buffer).ok());
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, (source->readNext(buffer).ok(), source->readNext(buffer).ok()));
    }
    void canBeLeftAtAnyTime() {
        for (int i = 0; i < 50; ++i) {
            const auto source = readAhead(std::make_shared<CountingSource>(50'000'000, CountingSource::End::Quiet));
            std::string buffer(1000, '\0');
            for (int k = 0; k < i % 4; ++k) {
                QVERIFY(source->readNext(buffer).ok());
            }
        }
    }
};

QTEST_APPLESS_MAIN(tst_ReadAheadSource)
#include "tst_read_ahead_source.moc"
