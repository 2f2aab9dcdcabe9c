/* Exhibits that change the process, which belongs to the host, or copy it, or end parts of it. */

#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "tests/validator/museum/museum.h"

static void* abort_on_a_thread(void* unused) {
  (void)unused;
  abort();
}

static void wait_for_a_thread_that_aborts(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, abort_on_a_thread, NULL) == 0) pthread_join(thread, NULL);
}

static void block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
}

static void limit_files(void) {
  const struct rlimit few = {64, 64};
  setrlimit(RLIMIT_NOFILE, &few);
}

static void set_timer(void) {
  const struct itimerval later = {{0, 0}, {1000, 0}};
  setitimer(ITIMER_PROF, &later, NULL);
}

/* Waits until the copy has ended, and leaves it to the host as a process that nobody has waited
 * for.
 */
static void copy_once(void) {
  static int copied;
  siginfo_t info;
  pid_t copy;
  if (copied) return;
  copied = 1;
  copy = fork();
  if (copy > 0) waitid(P_PID, (id_t)copy, &info, WEXITED | WNOWAIT);
}

/* Each end of the name of an exhibit, and what it does. */
void museum_disturb(const char* how) {
  if (strcmp(how, "forks") == 0) copy_once();
  if (strcmp(how, "starts_a_thread_that_aborts") == 0) wait_for_a_thread_that_aborts();
#if defined(__x86_64__)
  if (strcmp(how, "rounds_up") == 0) _MM_SET_ROUNDING_MODE(_MM_ROUND_UP);
#endif
  if (strcmp(how, "changes_folder") == 0 && chdir("/") != 0) abort();
  if (strcmp(how, "changes_locale") == 0) setlocale(LC_ALL, "C.UTF-8");
  if (strcmp(how, "changes_environment") == 0) setenv("TZ", "Asia/Tokyo", 1);
  if (strcmp(how, "changes_mask") == 0) umask(077);
  if (strcmp(how, "closes_output") == 0) close(STDOUT_FILENO);
  if (strcmp(how, "prints") == 0) puts("hello");
  if (strcmp(how, "blocks_signals") == 0) block_signals();
  if (strcmp(how, "ignores_children") == 0) signal(SIGCHLD, SIG_IGN);
  if (strcmp(how, "removes_handlers") == 0) signal(SIGSEGV, SIG_DFL);
  if (strcmp(how, "lowers_limits") == 0) limit_files();
  if (strcmp(how, "sets_timers") == 0) set_timer();
  if (strcmp(how, "lowers_its_priority") == 0) setpriority(PRIO_PROCESS, 0, 19);
}
