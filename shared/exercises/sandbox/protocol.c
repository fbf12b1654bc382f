/* Sends and receives messages in the device and the launcher; alter() is the judge's too. */
#include "protocol.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

int receive_all(int from, void *p, size_t bytes)
{
    char *at = p;
    while (bytes) {
        ssize_t n = read(from, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n, bytes -= (size_t)n;
    }
    return 1;
}

int send_all(int to, const void *p, size_t bytes)
{
    const char *at = p;
    while (bytes) {
        ssize_t n = write(to, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n, bytes -= (size_t)n;
    }
    return 1;
}

int send_message(int to, enum message_kind kind, const void *p, size_t bytes)
{
    struct header h = {(uint32_t)kind, (uint32_t)bytes};
    return send_all(to, &h, sizeof h) && send_all(to, p, bytes);
}

void alter(void *unit, uint32_t bytes, uint64_t key, int back)
{
    enum { ROUNDS = 4 };
    uint32_t value = 0, half = 4 * bytes, mask = (1u << half) - 1;
    memcpy(&value, unit, bytes);
    uint32_t a = value >> half, b = value & mask;
    for (uint32_t i = 0; i < ROUNDS; i++) { /* a Feistel network; back, the halves are exchanged */
        uint64_t h =
            ((back ? a : b) + key) * (0x9e3779b97f4a7c15ull + 2 * (back ? ROUNDS - 1 - i : i));
        h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
        uint32_t next = (back ? b : a) ^ ((uint32_t)(h >> 32) & mask);
        if (back)
            b = a, a = next;
        else
            a = b, b = next;
    }
    value = a << half | b;
    memcpy(unit, &value, bytes);
}
