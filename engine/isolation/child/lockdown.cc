#include "engine/isolation/child/lockdown.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "engine/base/error.h"
#include "engine/base/sanitized.h"

namespace berth::isolation {
namespace {

// Code that computes needs these, up to kDescriptors, which are for descriptors that it has. A call
// that this machine lacks counts for nothing.
constexpr int kMemory[] = {
    SCMP_SYS(brk),      SCMP_SYS(munmap),  SCMP_SYS(mremap),
    SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(mincore),
};

constexpr int kThreads[] = {
    SCMP_SYS(membarrier),
    SCMP_SYS(futex),
    SCMP_SYS(rseq),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(arch_prctl),
};

constexpr int kTime[] = {
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),  SCMP_SYS(time),         SCMP_SYS(times),
};

constexpr int kFacts[] = {
    SCMP_SYS(getpid),  SCMP_SYS(gettid),    SCMP_SYS(getppid),   SCMP_SYS(getuid),
    SCMP_SYS(geteuid), SCMP_SYS(getgid),    SCMP_SYS(getegid),   SCMP_SYS(uname),
    SCMP_SYS(sysinfo), SCMP_SYS(getrusage), SCMP_SYS(getrandom),
};

constexpr int kSignals[] = {
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),  SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),  SCMP_SYS(restart_syscall),
};

constexpr int kDescriptors[] = {
    SCMP_SYS(read),    SCMP_SYS(readv),   SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(close),   SCMP_SYS(fstat),   SCMP_SYS(lseek), SCMP_SYS(fcntl),
    SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(ppoll), SCMP_SYS(poll),
};

// To read files, for the loader, and to put the second filter into force.
constexpr int kLoading[] = {
    SCMP_SYS(seccomp),   SCMP_SYS(pread64), SCMP_SYS(newfstatat), SCMP_SYS(readlinkat),
    SCMP_SYS(faccessat), SCMP_SYS(getcwd),  SCMP_SYS(statx),      SCMP_SYS(access),
    SCMP_SYS(readlink),  SCMP_SYS(stat),    SCMP_SYS(lstat),
};

constexpr int kFiles[] = {
    SCMP_SYS(openat),     SCMP_SYS(pread64),   SCMP_SYS(pwrite64),   SCMP_SYS(newfstatat),
    SCMP_SYS(readlinkat), SCMP_SYS(faccessat), SCMP_SYS(getcwd),     SCMP_SYS(statx),
    SCMP_SYS(statfs),     SCMP_SYS(fstatfs),   SCMP_SYS(getdents64), SCMP_SYS(mkdirat),
    SCMP_SYS(unlinkat),   SCMP_SYS(renameat2), SCMP_SYS(fsync),      SCMP_SYS(fdatasync),
    SCMP_SYS(ftruncate),  SCMP_SYS(fallocate), SCMP_SYS(flock),      SCMP_SYS(dup),
    SCMP_SYS(dup3),       SCMP_SYS(pipe2),     SCMP_SYS(umask),      SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),   SCMP_SYS(utimensat), SCMP_SYS(chdir),      SCMP_SYS(open),
    SCMP_SYS(access),     SCMP_SYS(readlink),  SCMP_SYS(stat),       SCMP_SYS(lstat),
    SCMP_SYS(mkdir),      SCMP_SYS(unlink),    SCMP_SYS(rename),     SCMP_SYS(rmdir),
    SCMP_SYS(creat),      SCMP_SYS(dup2),      SCMP_SYS(pipe),
};

constexpr int kNetwork[] = {
    SCMP_SYS(socket),     SCMP_SYS(connect),       SCMP_SYS(bind),        SCMP_SYS(listen),
    SCMP_SYS(accept4),    SCMP_SYS(sendto),        SCMP_SYS(recvfrom),    SCMP_SYS(setsockopt),
    SCMP_SYS(getsockopt), SCMP_SYS(getsockname),   SCMP_SYS(getpeername), SCMP_SYS(shutdown),
    SCMP_SYS(socketpair), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl),   SCMP_SYS(epoll_pwait),
    SCMP_SYS(eventfd2),   SCMP_SYS(sendmmsg),      SCMP_SYS(recvmmsg),    SCMP_SYS(accept),
    SCMP_SYS(epoll_wait), SCMP_SYS(select),
};

// The system calls that are allowed; all others fail with EPERM.
class Filter {
 public:
  Filter() {
    if (context_ == nullptr) fail(ENOMEM);
    set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    set(SCMP_FLTATR_CTL_NNP, 0);  // lock_for_loading() has done so
    set(SCMP_FLTATR_CTL_TSYNC, 1);
  }

  void allow(std::span<const int> calls) {
    for (const int call : calls)
      check(seccomp_rule_add_array(context_.get(), SCMP_ACT_ALLOW, call, 0, nullptr));
  }

  // Allows a call if `mask` of one of its arguments has the value. The upper half of an argument
  // that is an int is not to be looked at.
  void allow_if(int call, unsigned int argument, uint32_t mask, uint32_t value) {
    const scmp_arg_cmp condition{argument, SCMP_CMP_MASKED_EQ, mask, value};
    check(seccomp_rule_add_array(context_.get(), SCMP_ACT_ALLOW, call, 1, &condition));
  }

  void refuse(int call, uint32_t error) {
    check(seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(error), call, 0, nullptr));
  }

  // Puts the filter into force, for all threads.
  void install() {
    if (seccomp_load(context_.get()) != 0) fail(errno);  // it returns ECANCELED for all of them
  }

 private:
  struct Release {
    void operator()(void* context) const { seccomp_release(context); }
  };

  [[noreturn]] static void fail(int error) {
    throw Error(std::string("the system does not restrict the plugin's process (seccomp): ") +
                std::strerror(error));
  }
  static void check(int result) {
    if (result != 0) fail(-result);
  }
  void set(scmp_filter_attr attribute, uint32_t value) {
    check(seccomp_attr_set(context_.get(), attribute, value));
  }

  std::unique_ptr<void, Release> context_{seccomp_init(SCMP_ACT_ERRNO(EPERM))};
};

// Sanitizers' runtimes open files and start helpers.
constexpr bool kRestricts = !kSanitized;

Filter common(const Allowed& allowed) {
  Filter filter;
  // Threads, and no processes. The flags of clone3 are in memory, which a filter cannot read; the C
  // library then uses clone.
  filter.refuse(SCMP_SYS(clone3), ENOSYS);
  filter.allow_if(SCMP_SYS(clone), 0, CLONE_THREAD, CLONE_THREAD);
  // A signal for this process alone, as abort() sends it.
  filter.allow_if(SCMP_SYS(tgkill), 0, UINT32_MAX, static_cast<uint32_t>(getpid()));
  // The limits of the process as it reads them; pid 0 is the process, and a new limit is a pointer.
  filter.allow_if(SCMP_SYS(prlimit64), 2, UINT32_MAX, 0);
  // Not memory that the limit does not count: shared without a file, and such that grows like a
  // stack.
  constexpr uint32_t kKinds = MAP_SHARED | MAP_ANONYMOUS | MAP_GROWSDOWN;
  for (const uint32_t kind : {0u, uint32_t{MAP_SHARED}, uint32_t{MAP_ANONYMOUS}})
    filter.allow_if(SCMP_SYS(mmap), 3, kKinds, kind);
  for (const std::span<const int> calls : std::initializer_list<std::span<const int>>{
           kMemory, kThreads, kTime, kFacts, kSignals, kDescriptors})
    filter.allow(calls);
  if (allowed.files) filter.allow(kFiles);
  if (allowed.network) filter.allow(kNetwork);
  return filter;
}

void limit(__rlimit_resource_t resource, rlim_t most) {
  const rlimit limits = {most, most};
  if (setrlimit(resource, &limits) != 0)
    throw Error(std::string("cannot limit the plugin's process: ") + std::strerror(errno));
}

}  // namespace

void lock_for_loading(const Allowed& allowed) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    throw Error(std::string("cannot give up privileges: ") + std::strerror(errno));
  limit(RLIMIT_CORE, 0);
  if constexpr (!kRestricts) return;
  if (allowed.memory != 0) limit(RLIMIT_DATA, allowed.memory);
  Filter filter = common(allowed);
  filter.allow(kLoading);
  constexpr uint32_t kWrites = O_ACCMODE | O_CREAT | O_TRUNC;
  if (!allowed.files) {
    filter.allow_if(SCMP_SYS(openat), 2, kWrites, O_RDONLY);
    filter.allow_if(SCMP_SYS(open), 1, kWrites, O_RDONLY);
  }
  filter.install();
}

void lock_for_calls(const Allowed& allowed) {
  if constexpr (!kRestricts) return;
  common(allowed).install();
}

}  // namespace berth::isolation
