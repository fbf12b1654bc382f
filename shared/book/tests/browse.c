/*
 * Drives a headless Chromium over its debugging protocol, by way of two pipes: a browser for tests.
 *
 * usage: browse CHROMIUM PROFILE-FOLDER < COMMANDS
 *
 * Commands, one a line; a test's page is the one opened last:
 *
 *   open URL          go there, and wait until it is loaded
 *   eval EXPRESSION   print what the JavaScript expression (or what it promises) is as a string
 *   before CODE       run it in pages opened from now on, before their own scripts
 *   key NAME          press a key: Tab, Shift+Tab, Enter, Escape, ArrowDown, ..., or a character
 *   size WIDTH HEIGHT of the window, in CSS pixels
 *   media NAME        prefer that colour scheme: dark, light; `print` is the medium print
 *   script on|off     whether pages opened from now on run their scripts
 *   shot FILE         a PNG of the window
 *   say TEXT          print it
 *
 * What the page says is wrong (an exception, console.error, a file that cannot be loaded) is printed as
 * "problem: TEXT" as soon as it is known. Exit status: 0 all commands were carried out, 1 one was not,
 * or the browser ended; 2 wrong usage.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

static int to_browser, from_browser;
static pid_t browser;
static char session[128];
static int last_id;
static bool loaded; /* since the last `open` */

static _Noreturn void stop(const char *what)
{
    fprintf(stderr, "browse: %s\n", what);
    if (browser > 0)
        kill(-browser, SIGKILL);
    exit(1);
}

/* ---- text that grows --------------------------------------------------------------------- */

struct text {
    char *at;
    size_t length, capacity;
};

static void put(struct text *text, const char *from, size_t length)
{
    if (text->length + length + 1 > text->capacity) {
        text->capacity = 2 * (text->length + length + 1);
        text->at = realloc(text->at, text->capacity);
        if (!text->at)
            stop("out of memory");
    }
    memcpy(text->at + text->length, from, length);
    text->length += length;
    text->at[text->length] = '\0';
}

static void put_string(struct text *text, const char *from) { put(text, from, strlen(from)); }

/* A JSON string, in quotes. */
static void put_json(struct text *text, const char *from)
{
    put_string(text, "\"");
    for (; *from; ++from) {
        char escape[8];
        if (*from == '"' || *from == '\\')
            snprintf(escape, sizeof escape, "\\%c", *from);
        else if ((unsigned char)*from < ' ')
            snprintf(escape, sizeof escape, "\\u%04x", *from);
        else
            snprintf(escape, sizeof escape, "%c", *from);
        put_string(text, escape);
    }
    put_string(text, "\"");
}

/* The string that follows the first `"key":` of a message, unescaped; NULL if there is none. */
static char *json_value(const char *message, const char *key)
{
    struct text out = {0};
    char pattern[64];
    const char *at;

    snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
    at = strstr(message, pattern);
    if (!at)
        return NULL;
    put_string(&out, "");
    for (at += strlen(pattern); *at && *at != '"'; ++at) {
        unsigned code;
        char utf8[4];
        if (*at != '\\') {
            put(&out, at, 1);
        } else if (*++at == 'u' && sscanf(at + 1, "%4x", &code) == 1) {
            at += 4;
            if (code < 0x80) {
                utf8[0] = (char)code;
                put(&out, utf8, 1);
            } else if (code < 0x800) {
                utf8[0] = (char)(0xc0 | code >> 6);
                utf8[1] = (char)(0x80 | (code & 0x3f));
                put(&out, utf8, 2);
            } else {
                utf8[0] = (char)(0xe0 | code >> 12);
                utf8[1] = (char)(0x80 | (code >> 6 & 0x3f));
                utf8[2] = (char)(0x80 | (code & 0x3f));
                put(&out, utf8, 3);
            }
        } else {
            const char *escaped = strchr("n\nt\tr\rb\bf\f", *at);
            put(&out, escaped ? escaped + 1 : at, 1);
        }
    }
    return out.at;
}

/* ---- messages ---------------------------------------------------------------------------- */

/* The next message of the browser; NULL if none came in time. The caller does not free it. */
static char *receive(int patience)
{
    static struct text buffer;
    static size_t taken; /* of the last message, which is dropped now */
    char piece[65536];

    if (taken) {
        memmove(buffer.at, buffer.at + taken, buffer.length - taken);
        buffer.length -= taken;
        taken = 0;
    }
    for (;;) {
        struct pollfd ready = {from_browser, POLLIN, 0};
        char *end = buffer.length ? memchr(buffer.at, '\0', buffer.length) : NULL;
        ssize_t count;
        if (end) {
            taken = (size_t)(end - buffer.at) + 1;
            return buffer.at;
        }
        count = poll(&ready, 1, patience);
        if (count == 0)
            return NULL;
        if (count < 0 && errno != EINTR)
            stop("cannot wait for the browser");
        count = read(from_browser, piece, sizeof piece);
        if (count <= 0)
            stop("the browser has ended");
        put(&buffer, piece, (size_t)count);
    }
}

static void note(const char *message)
{
    char *why = NULL;

    if (strstr(message, "\"method\":\"Page.loadEventFired\""))
        loaded = true;
    else if (strstr(message, "\"method\":\"Runtime.exceptionThrown\""))
        why = json_value(message, "description");
    else if (strstr(message, "\"method\":\"Runtime.consoleAPICalled\"") &&
             strstr(message, "\"type\":\"error\""))
        why = json_value(message, "value");
    else if (strstr(message, "\"method\":\"Log.entryAdded\"") &&
             strstr(message, "\"level\":\"error\""))
        why = json_value(message, "text");
    else
        return;
    if (why)
        printf("problem: %s\n", why);
    free(why);
}

/* Call METHOD with PARAMS (JSON without braces) and wait for the answer, noting events. */
static char *call(const char *method, const char *params)
{
    struct text out = {0};
    char head[256], id[32];
    char *message;
    size_t sent = 0;

    snprintf(head, sizeof head, "{\"id\":%d,\"method\":\"%s\",", ++last_id, method);
    put_string(&out, head);
    if (session[0]) {
        snprintf(head, sizeof head, "\"sessionId\":\"%s\",", session);
        put_string(&out, head);
    }
    put_string(&out, "\"params\":{");
    put_string(&out, params);
    put_string(&out, "}}");
    while (sent < out.length + 1) {
        ssize_t count = write(to_browser, out.at + sent, out.length + 1 - sent);
        if (count <= 0)
            stop("the browser has ended");
        sent += (size_t)count;
    }
    free(out.at);
    snprintf(id, sizeof id, "{\"id\":%d,", last_id);
    while ((message = receive(PATIENCE_MS))) {
        if (strncmp(message, id, strlen(id)) == 0)
            return message;
        note(message);
    }
    stop("the browser does not answer");
}

static void start(const char *program, const char *profile)
{
    char folder[4096];
    int in[2], out[2];
    char *value;

    snprintf(folder, sizeof folder, "--user-data-dir=%s", profile);
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
        stop("cannot make a pipe");
    browser = fork();
    if (browser < 0)
        stop("cannot start a process");
    if (browser == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        setpgid(0, 0);
        /* Out of the way of 3 and 4, which is where the browser looks. */
        int read_end = fcntl(in[0], F_DUPFD, 10), write_end = fcntl(out[1], F_DUPFD, 10);
        dup2(read_end, 3);
        dup2(write_end, 4);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execlp(program, program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage",
               "--disable-background-networking", "--disable-ipc-flooding-protection",
               "--remote-debugging-pipe", folder, "about:blank", (char *)NULL);
        _exit(127);
    }
    to_browser = in[1];
    from_browser = out[0];
    close(in[0]);
    close(out[1]);
    value = json_value(call("Target.createTarget", "\"url\":\"about:blank\""), "targetId");
    if (!value)
        stop("the browser opens no page");
    snprintf(folder, sizeof folder, "\"flatten\":true,\"targetId\":\"%.100s\"", value);
    free(value);
    value = json_value(call("Target.attachToTarget", folder), "sessionId");
    if (!value)
        stop("the browser's page cannot be driven");
    snprintf(session, sizeof session, "%s", value);
    free(value);
    call("Page.enable", "");
    call("Runtime.enable", "");
    call("Log.enable", "");
}

/* ---- commands ---------------------------------------------------------------------------- */

static bool open_page(const char *url)
{
    struct text params = {0};
    char *message, *why;

    put_string(&params, "\"url\":");
    put_json(&params, url);
    loaded = false;
    why = json_value(call("Page.navigate", params.at), "errorText");
    free(params.at);
    if (why) {
        printf("problem: %s: %s\n", url, why);
        free(why);
        return false;
    }
    while (!loaded && (message = receive(PATIENCE_MS)))
        note(message);
    return loaded;
}

static bool evaluate(const char *expression)
{
    struct text whole = {0}, params = {0};
    char *message, *value;

    put_string(&whole, "(async () => String(await (");
    put_string(&whole, expression);
    put_string(&whole, ")))()");
    put_string(&params, "\"awaitPromise\":true,\"returnByValue\":true,\"expression\":");
    put_json(&params, whole.at);
    message = call("Runtime.evaluate", params.at);
    free(whole.at);
    free(params.at);
    value = json_value(message, strstr(message, "\"exceptionDetails\"") ? "description" : "value");
    if (strstr(message, "\"exceptionDetails\"")) {
        printf("problem: %s\n", value ? value : message);
        free(value);
        return false;
    }
    puts(value ? value : "");
    free(value);
    return true;
}

static bool press(const char *name)
{
    static const struct {
        const char *name;
        int code;
        const char *text;
    } keys[] = {{"Tab", 9, ""},         {"Enter", 13, "\r"},   {"Escape", 27, ""},
                {" ", 32, " "},         {"ArrowLeft", 37, ""}, {"ArrowUp", 38, ""},
                {"ArrowRight", 39, ""}, {"ArrowDown", 40, ""}, {"Home", 36, ""},
                {"End", 35, ""}};
    struct text params = {0};
    const char *typed = name;
    bool shift = strncmp(name, "Shift+", 6) == 0;
    int code = 0;

    if (shift)
        typed = name += 6;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        if (strcmp(keys[i].name, name) == 0) {
            code = keys[i].code;
            typed = keys[i].text;
        }
    for (int up = 0; up < 2; ++up) {
        char numbers[96];
        params.length = 0;
        put_string(&params, up ? "\"type\":\"keyUp\",\"key\":" : "\"type\":\"keyDown\",\"key\":");
        put_json(&params, name);
        snprintf(numbers, sizeof numbers, ",\"windowsVirtualKeyCode\":%d,\"modifiers\":%d", code,
                 shift ? 8 : 0);
        put_string(&params, numbers);
        if (*typed && !up) {
            put_string(&params, ",\"text\":");
            put_json(&params, typed);
        }
        call("Input.dispatchKeyEvent", params.at);
    }
    free(params.at);
    return true;
}

static bool shoot(const char *file)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *data = json_value(call("Page.captureScreenshot", ""), "data");
    FILE *out = data ? fopen(file, "wb") : NULL;
    unsigned bits = 0;
    int count = 0;
    bool ok = out != NULL;

    for (const char *c = data; ok && *c && *c != '='; ++c) {
        bits = bits << 6 | (unsigned)(strchr(digits, *c) - digits);
        count += 6;
        if (count >= 8)
            fputc((int)(bits >> (count -= 8) & 0xff), out);
    }
    ok = out && fclose(out) == 0 && ok;
    free(data);
    return ok;
}

static bool carry_out(char *line)
{
    char params[256];
    char *rest = strchr(line, ' ');
    int width, height;

    if (rest)
        *rest++ = '\0';
    else
        rest = line + strlen(line);
    if (strcmp(line, "open") == 0)
        return open_page(rest);
    if (strcmp(line, "eval") == 0)
        return evaluate(rest);
    if (strcmp(line, "key") == 0)
        return press(rest);
    if (strcmp(line, "before") == 0) {
        struct text source = {0};
        put_string(&source, "\"source\":");
        put_json(&source, rest);
        call("Page.addScriptToEvaluateOnNewDocument", source.at);
        free(source.at);
        return true;
    }
    if (strcmp(line, "shot") == 0)
        return shoot(rest);
    if (strcmp(line, "say") == 0)
        return puts(rest) >= 0;
    if (strcmp(line, "size") == 0 && sscanf(rest, "%d %d", &width, &height) == 2) {
        snprintf(params, sizeof params,
                 "\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":%s", width, height,
                 width < 500 ? "true" : "false");
        call("Emulation.setDeviceMetricsOverride", params);
        return true;
    }
    if (strcmp(line, "media") == 0) {
        bool print = strcmp(rest, "print") == 0;
        snprintf(params, sizeof params,
                 "\"media\":\"%s\",\"features\":[{\"name\":\"prefers-color-scheme\","
                 "\"value\":\"%.8s\"}]",
                 print ? "print" : "", print ? "light" : rest);
        call("Emulation.setEmulatedMedia", params);
        return true;
    }
    if (strcmp(line, "script") == 0) {
        snprintf(params, sizeof params, "\"value\":%s", strcmp(rest, "off") ? "false" : "true");
        call("Emulation.setScriptExecutionDisabled", params);
        return true;
    }
    fprintf(stderr, "browse: no such command: %s\n", line);
    return false;
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    bool ok = true;

    if (argc != 3) {
        fputs("usage: browse CHROMIUM PROFILE-FOLDER < COMMANDS\n", stderr);
        return 2;
    }
    start(argv[1], argv[2]);
    while ((length = getline(&line, &capacity, stdin)) > 0) {
        char *message;
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (line[0] == '\0' || line[0] == '#')
            continue;
        ok = carry_out(line) && ok;
        while ((message = receive(0)))
            note(message);
        fflush(stdout);
    }
    free(line);
    session[0] = '\0';
    call("Browser.close", "");
    waitpid(browser, NULL, 0);
    return ok ? 0 : 1;
}
