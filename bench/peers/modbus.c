/* libmodbus as the peer of the Modbus bench, both ends:
 *   modbus serve-tcp PORT | serve-rtu PATH         answers for unit 1 until its standard input ends
 *   modbus ask-tcp PORT CONNECTIONS MILLISECONDS   prints how many reads of 100 registers were answered
 *   modbus ask-rtu PATH MILLISECONDS
 */
#include <errno.h>
#include <modbus.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000.0 + t.tv_nsec / 1e6;
}

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, modbus_strerror(errno));
  exit(1);
}

static void *end_with_input(void *unused) {
  char byte;
  (void)unused;
  while (read(0, &byte, 1) > 0) {
  }
  exit(0);
}

static void serve_tcp(int port) {
  modbus_t *ctx = modbus_new_tcp("127.0.0.1", port);
  modbus_mapping_t *map = modbus_mapping_new(0, 0, 1000, 1000);
  int listener = modbus_tcp_listen(ctx, 64);
  if (listener < 0) fail("listen");
  printf("ready\n");
  fflush(stdout);
  fd_set all;
  FD_ZERO(&all);
  FD_SET(listener, &all);
  int most = listener;
  for (;;) {
    fd_set ready = all;
    if (select(most + 1, &ready, NULL, NULL, NULL) < 0) fail("select");
    for (int fd = 0; fd <= most; fd++) {
      if (!FD_ISSET(fd, &ready)) continue;
      if (fd == listener) {
        int accepted = modbus_tcp_accept(ctx, &listener);
        if (accepted < 0) continue;
        FD_SET(accepted, &all);
        if (accepted > most) most = accepted;
      } else {
        uint8_t query[MODBUS_TCP_MAX_ADU_LENGTH];
        modbus_set_socket(ctx, fd);
        int length = modbus_receive(ctx, query);
        if (length > 0) modbus_reply(ctx, query, length, map);
        else if (length < 0) {
          close(fd);
          FD_CLR(fd, &all);
        }
      }
    }
  }
}

static void serve_rtu(const char *path) {
  modbus_t *ctx = modbus_new_rtu(path, 115200, 'N', 8, 1);
  modbus_mapping_t *map = modbus_mapping_new(0, 0, 1000, 1000);
  modbus_set_slave(ctx, 1);
  if (modbus_connect(ctx) < 0) fail("open");
  printf("ready\n");
  fflush(stdout);
  for (;;) {
    uint8_t query[MODBUS_RTU_MAX_ADU_LENGTH];
    int length = modbus_receive(ctx, query);
    if (length > 0) modbus_reply(ctx, query, length, map);
  }
}

static double until_ms;

static void *ask(void *context) {
  modbus_t *ctx = context;
  uint16_t registers[100];
  long count = 0;
  while (now_ms() < until_ms) {
    if (modbus_read_input_registers(ctx, 0, 100, registers) != 100) fail("read");
    count++;
  }
  return (void *)count;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *role = argv[1];
  if (strncmp(role, "serve", 5) == 0) {
    pthread_t watcher;
    pthread_create(&watcher, NULL, end_with_input, NULL);
    if (strcmp(role, "serve-tcp") == 0) serve_tcp(atoi(argv[2]));
    else serve_rtu(argv[2]);
  }
  int is_tcp = strcmp(role, "ask-tcp") == 0;
  int connections = is_tcp ? atoi(argv[3]) : 1;
  int milliseconds = atoi(argv[is_tcp ? 4 : 3]);
  pthread_t threads[64];
  modbus_t *contexts[64];
  for (int i = 0; i < connections && i < 64; i++) {
    contexts[i] = is_tcp ? modbus_new_tcp("127.0.0.1", atoi(argv[2])) : modbus_new_rtu(argv[2], 115200, 'N', 8, 1);
    modbus_set_slave(contexts[i], 1);
    if (modbus_connect(contexts[i]) < 0) fail("connect");
  }
  double started = now_ms();
  until_ms = started + milliseconds;
  for (int i = 0; i < connections; i++) pthread_create(&threads[i], NULL, ask, contexts[i]);
  long sum = 0;
  for (int i = 0; i < connections; i++) {
    void *count;
    pthread_join(threads[i], &count);
    sum += (long)count;
  }
  printf("%.0f\n", sum / ((now_ms() - started) / 1000.0));
  return 0;
}
