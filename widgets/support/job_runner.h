// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs one computation at a time off the GUI thread for one owner. Starting another one stops the one before; a result
// is handed over on the GUI thread, and only if nothing newer was started and nothing was cancelled meanwhile.
// All members belong to the GUI thread. The destructor asks running work to stop and waits for it.

#include <QObject>

#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <utility>

#include "core/base/job_control.h"
#include "core/base/result.h"

namespace warpline {

class JobRunner : public QObject {
    Q_OBJECT

public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    /// `work` runs on a thread of its own and must not touch what the GUI thread may change; `done` runs on the GUI
    /// thread later, never from within start(). What `work` throws arrives as an Error. Work that was cancelled is
    /// not reported.
    template <class T>
    void start(std::function<Result<T>(JobControl&)> work, std::function<void(Result<T>)> done) {
        startErased([work = std::move(work), done = std::move(done)](JobControl& job) -> Delivery {
            auto result = std::make_shared<Result<T>>(guarded<T>(work, job));
            Result<T>* raw = result.get();
            return {std::move(result), [raw, done] { done(std::move(*raw)); }};
        });
    }
    /// Its result, if it still comes, is dropped.
    void cancel();
    bool busy() const { return m_current != nullptr; }
    /// Progress of what runs now; null if nothing does.
    const JobControl* control() const { return m_current.get(); }

    /// Jobs of all runners that have not delivered yet. For who waits until the window is at rest.
    static int activeJobs();

signals:
    void busyChanged(bool busy);

private:
    /// `hand` passes `result` on; a result that nobody wants any more is freed off the GUI thread.
    struct Delivery {
        std::shared_ptr<const void> result;
        std::function<void()> hand;
    };
    using Work = std::function<Delivery(JobControl&)>;
    struct Job;

    template <class T>
    static Result<T> guarded(const std::function<Result<T>(JobControl&)>& work, JobControl& job) {
        try {
            return work(job);
        } catch (const std::bad_alloc&) {
            return Error::failed("there is not enough memory for this");
        } catch (const std::exception& e) {
            return Error::failed(e.what());
        }
    }
    void startErased(Work work);
    bool event(QEvent* event) override;
    void setCurrent(std::shared_ptr<JobControl> control);

    std::shared_ptr<JobControl> m_current;
    std::list<std::unique_ptr<Job>> m_jobs;
};

}  // namespace warpline
