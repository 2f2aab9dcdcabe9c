#include "engine/isolation/child/lockdown.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/sanitized.h"

namespace berth::isolation {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
#error "the system calls of this machine are not known: see lockdown.cc"
#endif

// Code that computes needs these: memory, threads, time, signals, and descriptors that it has.
constexpr int kAlways[] = {
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_mincore,
    SYS_membarrier,
    SYS_futex,
    SYS_rseq,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_set_tid_address,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getcpu,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrusage,
    SYS_times,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
    SYS_read,
    SYS_readv,
    SYS_write,
    SYS_writev,
    SYS_close,
    SYS_fstat,
    SYS_lseek,
    SYS_fcntl,
    SYS_recvmsg,
    SYS_sendmsg,
    SYS_ppoll,
#if defined(__x86_64__)
    SYS_time,
    SYS_poll,
    SYS_arch_prctl,
#endif
};

// To read files, for the loader.
constexpr int kReading[] = {
    SYS_pread64, SYS_newfstatat, SYS_readlinkat, SYS_faccessat, SYS_getcwd, SYS_statx,
#if defined(__x86_64__)
    SYS_access,  SYS_readlink,   SYS_stat,       SYS_lstat,
#endif
};

constexpr int kFiles[] = {
    SYS_openat,   SYS_pread64,   SYS_pwrite64, SYS_newfstatat, SYS_readlinkat, SYS_faccessat,
    SYS_getcwd,   SYS_statx,     SYS_statfs,   SYS_fstatfs,    SYS_getdents64, SYS_mkdirat,
    SYS_unlinkat, SYS_renameat2, SYS_fsync,    SYS_fdatasync,  SYS_ftruncate,  SYS_fallocate,
    SYS_flock,    SYS_dup,       SYS_dup3,     SYS_pipe2,      SYS_umask,      SYS_fchmod,
    SYS_fchmodat, SYS_utimensat, SYS_chdir,
#if defined(__x86_64__)
    SYS_open,     SYS_access,    SYS_readlink, SYS_stat,       SYS_lstat,      SYS_mkdir,
    SYS_unlink,   SYS_rename,    SYS_rmdir,    SYS_creat,      SYS_dup2,       SYS_pipe,
#endif
};

constexpr int kNetwork[] = {
    SYS_socket,      SYS_connect,    SYS_bind,       SYS_listen,        SYS_accept4,
    SYS_sendto,      SYS_recvfrom,   SYS_setsockopt, SYS_getsockopt,    SYS_getsockname,
    SYS_getpeername, SYS_shutdown,   SYS_socketpair, SYS_epoll_create1, SYS_epoll_ctl,
    SYS_epoll_pwait, SYS_eventfd2,   SYS_sendmmsg,   SYS_recvmmsg,
#if defined(__x86_64__)
    SYS_accept,      SYS_epoll_wait, SYS_select,
#endif
};

// A classic BPF program that looks at the number of a system call.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0));
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
  }

  template <size_t kCount>
  void allow(const int (&calls)[kCount]) {
    for (const int call : calls) {
      add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
      answer(SECCOMP_RET_ALLOW);
    }
  }

  // Allows a call if `mask` of one of its arguments has the value; the upper half is not looked at,
  // since these arguments are ints.
  void allow_if(int call, size_t argument, uint32_t mask, uint32_t value) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 5));
    load(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));
    add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    answer(SECCOMP_RET_ALLOW);
    answer(SECCOMP_RET_ERRNO | EPERM);
  }

  // Refuses a call if one of its arguments has all of these bits.
  void refuse_if(int call, size_t argument, uint32_t bits) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 5));
    load(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));
    add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1));
    answer(SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(seccomp_data, nr));
  }

  void refuse(int call, uint32_t error) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    answer(SECCOMP_RET_ERRNO | error);
  }

  // Refuses all other calls and puts the filter into force, for all threads.
  void install() {
    answer(SECCOMP_RET_ERRNO | EPERM);
    const sock_fprog program = {static_cast<unsigned short>(code_.size()), code_.data()};
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
      throw Error(std::string("the system does not restrict the plugin's process (seccomp): ") +
                  std::strerror(errno));
  }

 private:
  void add(sock_filter instruction) { code_.push_back(instruction); }
  void load(size_t offset) {
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)));
  }
  void answer(uint32_t value) { add(BPF_STMT(BPF_RET | BPF_K, value)); }

  std::vector<sock_filter> code_;
};

// Sanitizers' runtimes open files and start helpers.
constexpr bool kRestricts = !kSanitized;

Filter common(const Allowed& allowed) {
  Filter filter;
  // Threads, and no processes. The flags of clone3 are in memory, which a filter cannot read; the C
  // library then uses clone.
  filter.refuse(SYS_clone3, ENOSYS);
  filter.allow_if(SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
  // A signal for this process alone, as abort() sends it.
  filter.allow_if(SYS_tgkill, 0, UINT32_MAX, static_cast<uint32_t>(getpid()));
  // The limits of the process as it reads them; pid 0 is the process, and a new limit is a pointer.
  filter.allow_if(SYS_prlimit64, 2, UINT32_MAX, 0);
  // Memory that the limit does not count: shared without a file, and such that grows like a stack.
  filter.refuse_if(SYS_mmap, 3, MAP_SHARED | MAP_ANONYMOUS);
  filter.refuse_if(SYS_mmap, 3, MAP_GROWSDOWN);
  filter.allow(kAlways);
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
  filter.allow(kReading);
  constexpr uint32_t kWrites = O_ACCMODE | O_CREAT | O_TRUNC;
  if (!allowed.files) {
    filter.allow_if(SYS_openat, 2, kWrites, O_RDONLY);
#if defined(__x86_64__)
    filter.allow_if(SYS_open, 1, kWrites, O_RDONLY);
#endif
  }
  const int again[] = {SYS_seccomp};  // for the second filter
  filter.allow(again);
  filter.install();
}

void lock_for_calls(const Allowed& allowed) {
  if constexpr (!kRestricts) return;
  common(allowed).install();
}

}  // namespace berth::isolation
