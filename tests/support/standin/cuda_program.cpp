// SPDX-License-Identifier: MIT
// A program that does what its arguments say, one after the other, as a CUDA program would: it loads the injected
// libraries as the driver and NVTX do, and works through the stand-in for CUPTI that WARPLINE_CUPTI names.
//   init                  cuInit()
//   nvtx                  the first call of NVTX
//   launch=N[:NAME[:DEVICE]], untimed=N, running=NAME, ended, graph=KERNELS, copy=N, set=N, allocate=N, pool, sync,
//   compile, overhead, name=THREAD, unknown=N, module=BYTES[:SEED], push=RANGE, pop, mark=NAME
//   threads=T:N           T threads launch N each
//   launch-beside=T:N, join   the same while this thread goes on; waits for them
//   forever               launches until it is ended
//   until-stopped         launches until it is no longer recorded
//   until-paused, until-recorded  waits for that
//   drop=N, foreign, taken, given-back
//   stop-reading, read-on who reads the recorder's buffers is held up meanwhile
//   flushes=N, clocks=N   waits until the recorder has flushed, or read the clocks, so often
//   catch=SIGNAL:FILE     a byte more in FILE each time, instead of its end
//   no-limit              files may grow as far as the hard limit says
//   sleep=MS, say=TEXT, wait-for=FILE, touch=FILE
//   fork=DO+DO, spawn=DO+DO   a child does that, and this one waits; a spawned one is a new program
//   leave=DO+DO           a spawned child that nobody waits for
//   exec=DO+DO            becomes a new program
//   descriptors=FILE      the paths of its open files
//   close-all=FILE        closes all descriptors but the standard ones, then opens FILE and keeps it open
//   memory=FILE           the most memory that it has had since init, less that at init, in kB
//   exit=N, _exit=N, kill=SIGNAL
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/standin/standin.h"

namespace {

namespace fs = std::filesystem;
using warpline::test::Standin;

constexpr const char* kKernel = "_Z6kernelPf";

const Standin& gpu() {
    static const Standin* const standin = [] {
        const char* path = std::getenv("WARPLINE_CUPTI");
        void* library = path != nullptr ? dlopen(path, RTLD_LAZY) : nullptr;
        auto* get =
            library != nullptr ? reinterpret_cast<const Standin* (*)()>(dlsym(library, "warplineStandin")) : nullptr;
        if (get == nullptr) {
            std::fprintf(stderr, "cuda_program: WARPLINE_CUPTI names no stand-in\n");
            std::_Exit(99);
        }
        return get();
    }();
    return *standin;
}

/// Calls an entry of the library that a variable names, as the driver and NVTX do.
template <class... Arguments>
void inject(const char* variable, const char* entry, Arguments... arguments) {
    const char* path = std::getenv(variable);
    void* library = path != nullptr ? dlopen(path, RTLD_NOW) : nullptr;
    if (library == nullptr) {
        if (path != nullptr) {
            std::fprintf(stderr, "cuda_program: %s\n", dlerror());
        }
        return;
    }
    if (auto* call = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, entry))) {
        call(arguments...);
    }
}

long memoryKb(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(key + ":")) {
            return std::atol(line.c_str() + key.size() + 1);
        }
    }
    return 0;
}

long g_memoryAtInit = 0;
int g_caught[65] = {};

void initialise() {
    gpu();
    g_memoryAtInit = memoryKb("VmRSS");
    // Not all of these have a parameter; a caller may give one all the same.
    inject("CUDA_INJECTION64_PATH", "InitializeInjection");
    gpu().announce();
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    for (;;) {
        const size_t end = text.find(separator);
        pieces.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return pieces;
        }
        text.remove_prefix(end + 1);
    }
}

void sleepMs(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void say(const std::string& text) {
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
}

[[noreturn]] void become(const std::string& todo) {
    std::vector<std::string> arguments{"cuda_program"};
    for (const std::string& piece : split(todo, '+')) {
        arguments.push_back(piece);
    }
    std::vector<char*> pointers;
    for (std::string& argument : arguments) {
        pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    execv("/proc/self/exe", pointers.data());
    std::_Exit(98);
}

/// Never destroyed: a forked child has these objects, but not their threads.
std::vector<std::thread>& threads() {
    static auto* const all = new std::vector<std::thread>;
    return *all;
}

void joinThreads() {
    for (std::thread& thread : threads()) {
        thread.join();
    }
    threads().clear();
}

int run(const std::vector<std::string>& todo);

void awaitChild(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) {
        std::fprintf(stderr, "cuda_program: a child ended with %d\n", status);
        std::_Exit(97);
    }
}

void listDescriptors(const std::string& file) {
    std::string text;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
        std::error_code ignored;
        text += entry.path().filename().string() + " " + fs::read_symlink(entry.path(), ignored).string() + "\n";
    }
    std::ofstream(file) << text;
}

void closeAll(const std::string& file) {
    constexpr int kMost = 4096;
    for (int descriptor = 3; descriptor < kMost; ++descriptor) {
        close(descriptor);
    }
    // It takes every number that has become free, so that none of ours is left unnoticed.
    const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int copy = opened; copy >= 0 && copy < 1100;) {
        copy = dup(opened);
    }
}

/// Does one thing. The program's exit code, once it has one.
int act(const std::string& what) {
    const size_t equals = what.find('=');
    const std::string verb = what.substr(0, equals);
    const std::string value = equals == std::string::npos ? std::string() : what.substr(equals + 1);
    const std::vector<std::string> parts = split(value, ':');
    const int count = std::atoi(value.c_str());
    const auto times = [&](auto work) {
        for (int i = 0; i < count; ++i) {
            work();
        }
    };
    if (verb == "init") {
        initialise();
    } else if (verb == "nvtx") {
        inject("NVTX_INJECTION64_PATH", "InitializeInjectionNvtx2", static_cast<void*>(nullptr));
    } else if (verb == "launch") {
        // CUPTI keeps the names of kernels for good.
        const char* name = parts.size() > 1 ? (new std::string(parts[1]))->c_str() : kKernel;
        const uint32_t device = parts.size() > 2 ? static_cast<uint32_t>(std::atoi(parts[2].c_str())) : 0;
        times([&] { gpu().launchKernel(name, device, 7); });
    } else if (verb == "untimed") {
        times([] { gpu().launchUntimed(kKernel); });
    } else if (verb == "running") {
        gpu().beginKernel((new std::string(value))->c_str());
    } else if (verb == "ended") {
        gpu().endKernel();
    } else if (verb == "graph") {
        gpu().launchGraph(kKernel, static_cast<uint32_t>(count));
    } else if (verb == "copy") {
        times([] { gpu().copy(4096); });
    } else if (verb == "set") {
        times([] { gpu().set(4096); });
    } else if (verb == "allocate") {
        times([] { gpu().allocate(1U << 20); });
    } else if (verb == "pool") {
        gpu().changePool();
    } else if (verb == "sync") {
        gpu().synchronise();
    } else if (verb == "compile") {
        gpu().compile();
    } else if (verb == "overhead") {
        gpu().overhead();
    } else if (verb == "name") {
        gpu().nameThread((new std::string(value))->c_str());
    } else if (verb == "unknown") {
        times([] { gpu().writeUnknown(); });
    } else if (verb == "module") {
        gpu().loadModule(std::strtoull(value.c_str(), nullptr, 10),
                         parts.size() > 1 ? static_cast<uint32_t>(std::atoi(parts[1].c_str())) : 1);
    } else if (verb == "push") {
        gpu().pushRange((new std::string(value))->c_str());
    } else if (verb == "pop") {
        gpu().popRange();
    } else if (verb == "mark") {
        gpu().mark((new std::string(value))->c_str());
    } else if (verb == "threads" || verb == "launch-beside") {
        for (int i = 0; i < count; ++i) {
            threads().emplace_back([launches = std::atoi(parts.at(1).c_str())] {
                for (int n = 0; n < launches; ++n) {
                    gpu().launchKernel(kKernel, 0, 7);
                }
            });
        }
        if (verb == "threads") {
            joinThreads();
        }
    } else if (verb == "join") {
        joinThreads();
    } else if (verb == "forever") {
        for (;;) {
            gpu().launchKernel(kKernel, 0, 7);
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    } else if (verb == "until-stopped") {
        while (gpu().isSubscribed()) {
            gpu().launchKernel(kKernel, 0, 7);
            sleepMs(1);
        }
    } else if (verb == "until-paused" || verb == "until-recorded") {
        while (gpu().isRecording() != (verb == "until-recorded")) {
            sleepMs(1);
        }
    } else if (verb == "drop") {
        gpu().drop(std::strtoull(value.c_str(), nullptr, 10));
    } else if (verb == "foreign") {
        gpu().giveForeignBuffer();
    } else if (verb == "taken") {
        gpu().takeOver(true);
    } else if (verb == "given-back") {
        gpu().takeOver(false);
    } else if (verb == "stop-reading" || verb == "read-on") {
        gpu().holdReading(verb == "stop-reading");
    } else if (verb == "flushes" || verb == "clocks") {
        const auto wait = verb == "flushes" ? gpu().awaitFlushes : gpu().awaitClocks;
        return wait(static_cast<uint64_t>(count)) ? 0 : 95;
    } else if (verb == "catch") {
        g_caught[count] = open(parts.at(1).c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        std::signal(count,
                    [](int number) { [[maybe_unused]] const ssize_t written = write(g_caught[number], "!", 1); });
    } else if (verb == "no-limit") {
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
    } else if (verb == "sleep") {
        sleepMs(count);
    } else if (verb == "say") {
        say(value);
    } else if (verb == "touch") {
        std::ofstream(value) << getpid();
    } else if (verb == "wait-for") {
        while (!fs::exists(value)) {
            sleepMs(2);
        }
    } else if (verb == "fork") {
        const pid_t child = fork();
        if (child == 0) {
            std::exit(run(split(value, '+')));
        }
        awaitChild(child);
    } else if (verb == "spawn" || verb == "leave") {
        const pid_t child = fork();
        if (child == 0) {
            become(value);
        }
        if (verb == "spawn") {
            awaitChild(child);
        }
    } else if (verb == "exec") {
        become(value);
    } else if (verb == "descriptors") {
        listDescriptors(value);
    } else if (verb == "close-all") {
        closeAll(value);
    } else if (verb == "memory") {
        std::ofstream(value) << memoryKb("VmHWM") - g_memoryAtInit;
    } else if (verb == "exit") {
        std::exit(count);
    } else if (verb == "_exit") {
        _exit(count);
    } else if (verb == "kill") {
        raise(count);
    } else {
        std::fprintf(stderr, "cuda_program: \"%s\" is nothing it can do\n", what.c_str());
        return 96;
    }
    return 0;
}

int run(const std::vector<std::string>& todo) {
    for (const std::string& what : todo) {
        if (const int code = act(what); code != 0) {
            return code;
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return run({argv + 1, argv + argc});
}
