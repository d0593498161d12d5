/* How much equal steps on one core differ: a five-point stencil on 512 x 512 doubles, COUNT times. Prints the mean, the standard
 * deviation over it, and the mean of the greatest of P drawn steps, sum over i of t_i ((i/n)^P - ((i-1)/n)^P) with t in order: steps [COUNT] */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { side = 512, warm_up = 200, between_rests = 1000 };
static double one[side + 2][side + 2], two[side + 2][side + 2];

static void step(double (*restrict from)[side + 2], double (*restrict to)[side + 2]) {
  for (int i = 1; i <= side; i++)
    for (int j = 1; j <= side; j++) to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void* a, const void* b) {
  const double difference = *(const double*)a - *(const double*)b;
  return (difference > 0) - (difference < 0);
}

int main(int words, char** word) {
  const int n = words > 1 ? atoi(word[1]) : 20000;
  double* took = malloc(sizeof(double) * (size_t)(n > 0 ? n : 1));
  if (took == NULL || n < 1) return 2;
  for (int j = 0; j < side + 2; j++) one[0][j] = two[0][j] = 1.0; /* a warm edge */
  for (int i = -warm_up; i < n; i++) {
    const double begin = now();
    if (i % 2 == 0)
      step(one, two);
    else
      step(two, one);
    if (i >= 0) took[i] = now() - begin;
    if (i % between_rests == 0) usleep(20000); /* Linux stops a program of real-time priority that never rests */
  }
  qsort(took, (size_t)n, sizeof(double), by_size);
  double mean = 0, squares = 0;
  for (int i = 0; i < n; i++) mean += took[i] / n;
  for (int i = 0; i < n; i++) squares += (took[i] - mean) * (took[i] - mean) / n;
  printf("# %d steps, mean %.4g s, standard deviation %.3f of it, greatest %.4g s\n", n, mean, sqrt(squares) / mean, took[n - 1]);
  for (int p = 1; p <= 256; p *= 4) {
    double greatest = 0;
    for (int i = 0; i < n; i++) greatest += took[i] * (pow((i + 1.0) / n, p) - pow((double)i / n, p));
    printf("%d,%.6g\n", p, greatest);
  }
  return two[side / 2][side / 2] < 0.0; /* the steps are used */
}
