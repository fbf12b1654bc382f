/* Sends and receives messages in the device and the launcher. */
#include "protocol.h"
#include <errno.h>
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
