// SPDX-License-Identifier: MIT
#include "core/loaders/nsys_sqlite/nsys_sqlite_loader.h"

#include <string_view>
#include <utility>

#include "core/loaders/damage_report.h"
#include "core/loaders/nsys_sqlite/export_reader.h"
#include "core/loaders/nsys_sqlite/write_ahead_log.h"

namespace warpline::loaders::nsys_sqlite {

namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Says what a log beside the database has that is not read. Fails when stopped.
Status reportLog(const FileInfo& info, FileId file, Database& database, const JobControl& job, ImportReport& report) {
    if (!database.mayHaveLog()) {
        return Status::success();
    }
    if (info.compression != "none" || info.path == "-") {
        report.add(file, "sqlite_log", Severity::Info, std::nullopt, info.offsetSpace);
        return Status::success();
    }
    const std::string path = info.path + "-wal";
    const Result<uint64_t> pages = pagesOnlyInLog(path, database.bytes(), job);
    if (!pages) {
        if (pages.error().isCancelled()) {
            return pages.error();
        }
        report.add(file, "sqlite_log", Severity::Warning, std::nullopt, info.offsetSpace, pages.error().message);
    } else if (pages.value() > 0) {
        report.add(file, "sqlite_log", Severity::DataLoss, 0, info.offsetSpace, path, pages.value());
        report.setIncomplete();
    }
    return Status::success();
}

}  // namespace

const LoaderInfo& NsysSqliteLoader::info() const {
    static const LoaderInfo kInfo{"nsys_sqlite", "Nsight Systems export (SQLite)", {".sqlite"}};
    return kInfo;
}

int NsysSqliteLoader::sniff(const SniffData& data) const {
    if (!data.head.starts_with(kMagic)) {
        return 0;
    }
    // The names stand in the first page while the schema is short; load() looks in all of it.
    const bool isExport = contains(data.head, "CUPTI_ACTIVITY_KIND_") || contains(data.head, "NVTX_EVENTS") ||
                          contains(data.head, "StringIds");
    return isExport ? 95 : 30;
}

Status NsysSqliteLoader::load(const std::shared_ptr<TextSource>& source, FileId file, TraceBuilder& builder,
                              const LoadOptions& options, JobControl& job) const {
    job.setPhase("Reading tables");
    if (job.stopRequested()) {
        return Error::cancelled();
    }
    auto bytes = bytesForLoading(source, options.maxPipedBytes, job);
    if (!bytes) {
        return bytes.error();
    }
    const uint64_t textBytes = bytes.value()->size();
    auto database = Database::open(std::move(bytes.value()), options.maxEventBytes, &job);
    if (!database) {
        return database.error();
    }
    FileInfo& info = builder.file(file);
    info.compression = source->compression();
    info.bytes = source->storedBytes();
    info.offsetSpace = source->offsetSpace();
    info.format = "nsys-sqlite";

    ExportReader reader(*database.value(), file, builder, job, source->storedBytes());
    if (Status status = reader.read(); !status) {
        return status;
    }
    reportDamage(*source, false, file, builder.report());
    if (Status status = reportLog(builder.file(file), file, *database.value(), job, builder.report()); !status) {
        return status;
    }
    const bool isExport = database.value()->hasTable("StringIds") &&
                          (reader.foundEvents() || database.value()->hasTable("TARGET_INFO_SESSION_START_TIME"));
    if (!isExport && !reader.foundEvents()) {
        return database.value()->isCut()
                   ? Error::failed("the SQLite database ends before its first table of events", "truncated")
                   : Error::failed(
                         "this is an SQLite database, but no export of Nsight Systems: it has no table of "
                         "CUDA or NVTX events",
                         "unsupported");
    }
    builder.file(file).source =
        makeRowSource(source, textBytes, options.maxEventBytes, reader.identities(), !database.value()->mayHaveLog());
    return Status::success();
}

Result<std::shared_ptr<const EventSource>> NsysSqliteLoader::reopen(const std::shared_ptr<const TextSource>& source,
                                                                    std::string_view facts,
                                                                    const LoadOptions& options) const {
    return reopenRowSource(source, facts, options.maxEventBytes);
}

std::unique_ptr<Loader> make() {
    return std::make_unique<NsysSqliteLoader>();
}

}  // namespace warpline::loaders::nsys_sqlite
