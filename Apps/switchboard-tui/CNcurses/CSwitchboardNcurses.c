#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1

#include "CSwitchboardNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>
#include <ncursesw/curses.h>

// From <term.h>, which is not included because it defines hundreds of common words as macros.
extern int setupterm(const char *term, int descriptor, int *status);
extern int tputs(const char *text, int lines, int (*put)(int));

// State for the crash handler: set before the handler is installed, and stored as plain bytes, since the handler may
// only call `write`.
static char restore_sequence[512];
static volatile sig_atomic_t restore_length;
static struct termios saved_modes;
static volatile sig_atomic_t is_open;

// The terminal: standard input and output, or a device.
static int input = STDIN_FILENO, output = STDOUT_FILENO;

static SCREEN *screen;
static int is_mouse_enabled;
static int signal_pipe[2] = {-1, -1};

enum { PASTE_BEGIN = KEY_MAX + 1, PASTE_END, WORD_LEFT, WORD_RIGHT };

// The sequences of common terminals (xterm, rxvt, the VT220 and the Linux console), for keys that are missing in the
// terminfo entry of TERM: screen-256color has no End, and vt100 has no Page Down.
static const struct {
    const char *text;
    int code;
} common_keys[] = {
    {"\033[A", KEY_UP}, {"\033OA", KEY_UP}, {"\033[B", KEY_DOWN}, {"\033OB", KEY_DOWN},
    {"\033[C", KEY_RIGHT}, {"\033OC", KEY_RIGHT}, {"\033[D", KEY_LEFT}, {"\033OD", KEY_LEFT},
    {"\033[H", KEY_HOME}, {"\033OH", KEY_HOME}, {"\033[1~", KEY_HOME}, {"\033[7~", KEY_HOME},
    {"\033[F", KEY_END}, {"\033OF", KEY_END}, {"\033[4~", KEY_END}, {"\033[8~", KEY_END},
    {"\033[3~", KEY_DC}, {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE}, {"\033[Z", KEY_BTAB},
    {"\033OP", KEY_F(1)}, {"\033[11~", KEY_F(1)}, {"\033[[A", KEY_F(1)}, {"\033[20~", KEY_F(9)},
    {"\033OM", KEY_ENTER},
};

// Left and Right with Ctrl or Alt.
static const struct {
    const char *text;
    int code;
} word_keys[] = {
    {"\033[1;5D", WORD_LEFT}, {"\033[1;3D", WORD_LEFT}, {"\033Od", WORD_LEFT},
    {"\033[1;5C", WORD_RIGHT}, {"\033[1;3C", WORD_RIGHT}, {"\033Oc", WORD_RIGHT},
};

static void define_keys(void) {
    define_key("\033[200~", PASTE_BEGIN);
    define_key("\033[201~", PASTE_END);
    for (size_t i = 0; i < sizeof word_keys / sizeof *word_keys; i++) define_key(word_keys[i].text, word_keys[i].code);
    for (size_t i = 0; i < sizeof common_keys / sizeof *common_keys; i++)
        if (key_defined(common_keys[i].text) == 0) define_key(common_keys[i].text, common_keys[i].code);
}

// MARK: - Restoring

static int append_byte(int byte) {
    if (restore_length < (sig_atomic_t)sizeof restore_sequence) restore_sequence[restore_length++] = (char)byte;
    return byte;
}

// Nonzero if the terminal has a title that escape sequences of xterm set.
static int has_title = 0;

static int has_capability(const char *name) {
    const char *text = tigetstr(name);
    return text != NULL && text != (const char *)-1;
}

static void append_capability(const char *name) {
    const char *text = tigetstr(name);
    if (has_capability(name)) tputs(text, 1, append_byte);
}

static void append_text(const char *text) {
    while (*text != 0) append_byte(*text++);
}

static void build_restore_sequence(int has_colours) {
    restore_length = 0;
    append_text("\033[?2004l");
    if (has_title) append_text("\033[23;0t");
    if (is_mouse_enabled) append_text("\033[?1006l\033[?1002l\033[?1000l");
    append_capability("sgr0");
    if (has_colours) append_capability("op");
    append_capability("rmkx");
    append_capability("cnorm");
    append_capability("rmcup");
    append_byte('\r');
}

static void write_all(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(output, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

// Calls only write, tcsetattr, sigaction and raise, which are async-signal-safe (POSIX.1-2017, 2.4.3).
static void handle_crash(int number) {
    if (is_open) {
        is_open = 0;
        write_all(restore_sequence, (size_t)restore_length);
        tcsetattr(input, TCSANOW, &saved_modes);
    }
    // SA_RESETHAND removed the handler, so the signal ends the process on return, or the instruction faults again.
    raise(number);
}

static void set_handler(int number, void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, NULL);
}

static void handle_signal(int number) {
    int code = errno;
    unsigned char byte = (unsigned char)number;
    // Ignore a full pipe: it wakes the reader anyway.
    (void)!write(signal_pipe[1], &byte, 1);
    errno = code;
}

static void install_handlers(void) {
    // A stack overflow needs an alternate stack.
    static char stack[64 * 1024];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack, .ss_flags = 0};
    sigaltstack(&other, NULL);
    const int crash_signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++)
        set_handler(crash_signals[i], handle_crash, (int)SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
    const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) set_handler(signals[i], handle_signal, SA_RESTART);
    set_handler(SIGPIPE, SIG_IGN, 0);
}

// MARK: - Opening and closing

static void set_modes(void) {
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    intrflush(stdscr, FALSE);
    write_all("\033[?2004h", 8);
    // Saves the title of the window and sets it (XTWINOPS and OSC 0).
    if (has_title) write_all("\033[22;0t\033]0;switchboard\007", 23);
}

sb_terminal_status sb_terminal_open(int wants_colours, const char *device, int *colours) {
    *colours = 0;
    FILE *reader = stdin, *writer = stdout;
    if (device != NULL) {
        reader = fopen(device, "re");
        writer = fopen(device, "we");
        if (reader == NULL || writer == NULL) return SB_TERMINAL_FAILED;
        input = fileno(reader);
        output = fileno(writer);
    }
    setlocale(LC_CTYPE, "");
    // Names may be in any script: without a UTF-8 locale (LANG=C over ssh), assume that the terminal supports UTF-8.
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
    int status = 0;
    // newterm would exit for an unknown terminal.
    if (setupterm(NULL, output, &status) != OK) return SB_TERMINAL_UNKNOWN;
    if (!has_capability("cup") || !has_capability("clear")) return SB_TERMINAL_NO_CURSOR;
    if (tcgetattr(input, &saved_modes) != 0) return SB_TERMINAL_FAILED;
    if (sb_terminal_signals() < 0) return SB_TERMINAL_FAILED;
    // Without handlers, ncurses exits on SIGTERM and SIGINT, and draws in a handler on SIGTSTP.
    install_handlers();
    screen = newterm(NULL, writer, reader);
    if (screen == NULL) return SB_TERMINAL_FAILED;
    install_handlers();
    if (wants_colours && has_colors() && start_color() == OK && COLORS >= 8) {
        use_default_colors();
        *colours = COLORS;
    }
    const char *status_line = tigetstr("tsl");
    const int is_title = has_capability("tsl") && strncmp(status_line, "\033]", 2) == 0;
    has_title = tigetflag("XT") > 0 || is_title;
    set_escdelay(25);
    mouseinterval(0);
    is_mouse_enabled = mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL) != 0;
    define_keys();
    build_restore_sequence(*colours > 0);
    is_open = 1;
    set_modes();
    return SB_TERMINAL_OK;
}

void sb_terminal_close(void) {
    if (!is_open) return;
    write_all("\033[?2004l", 8);
    if (has_title) write_all("\033[23;0t", 7);
    endwin();
    tcsetattr(input, TCSADRAIN, &saved_modes);
    is_open = 0;
}

void sb_terminal_reopen(void) {
    is_open = 1;
    // Other programs may have changed the modes.
    reset_prog_mode();
    set_modes();
    clearok(stdscr, TRUE);
    refresh();
}

void sb_terminal_suspend(void) {
    write_all("\033[?2004l", 8);
    if (has_title) write_all("\033[23;0t", 7);
    endwin();
    tcsetattr(input, TCSADRAIN, &saved_modes);
    is_open = 0;
    set_handler(SIGTSTP, SIG_DFL, 0);
    kill(0, SIGTSTP);
    // Execution continues here after SIGCONT, or at once if the process group is orphaned.
    set_handler(SIGTSTP, handle_signal, SA_RESTART);
    sb_terminal_reopen();
}

void sb_terminal_raise(int number) {
    set_handler(number, SIG_DFL, 0);
    sigset_t unblocked;
    sigemptyset(&unblocked);
    sigaddset(&unblocked, number);
    pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL);
    raise(number);
    _exit(128 + number);
}

// MARK: - Drawing

void sb_terminal_size(int *columns, int *rows) {
    struct winsize size;
    int width = COLS, height = LINES;
    if (ioctl(output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        width = size.ws_col;
        height = size.ws_row;
    }
    if (width > 1000) width = 1000;
    if (height > 1000) height = 1000;
    if (width != COLS || height != LINES) {
        resizeterm(height, width);
        clearok(stdscr, TRUE);
    }
    *columns = COLS;
    *rows = LINES;
}

void sb_terminal_pair(int pair, int foreground, int background) {
    init_pair((short)pair, (short)foreground, (short)background);
}

void sb_terminal_put(int row, int column, const uint32_t *scalars, int count, int width, int attributes, int pair) {
    attr_t style = A_NORMAL;
    if (attributes & SB_BOLD) style |= A_BOLD;
    if (attributes & SB_DIM) style |= A_DIM;
    if (attributes & SB_REVERSE) style |= A_REVERSE;
    if (attributes & SB_UNDERLINE) style |= A_UNDERLINE;
    wchar_t text[CCHARW_MAX + 1];
    int length = 0;
    for (int i = 0; i < count && length < CCHARW_MAX; i++) {
        // If the C library disagrees about a character's width, ncurses draws it in an unpredictable number of columns.
        int columns = wcwidth((wchar_t)scalars[i]);
        if (i == 0 ? columns != width : columns != 0) {
            if (i > 0) continue;
            text[length++] = 0xFFFD;
        } else {
            text[length++] = (wchar_t)scalars[i];
        }
    }
    text[length] = 0;
    cchar_t cell;
    if (length == 0 || setcchar(&cell, text, style, (short)pair, NULL) != OK) return;
    mvadd_wch(row, column, &cell);
    if (width == 2 && text[0] == 0xFFFD) {
        setcchar(&cell, L" ", style, (short)pair, NULL);
        mvadd_wch(row, column + 1, &cell);
    }
}

void sb_terminal_show(int row, int column, int is_visible) {
    curs_set(is_visible ? 1 : 0);
    move(row, column);
    refresh();
}

void sb_terminal_redraw(void) { clearok(stdscr, TRUE); }

// MARK: - Keys

static sb_key mouse_key(void) {
    sb_key key = {SB_KEY_MOUSE, SB_MOUSE_OTHER, 0, 0};
    MEVENT event;
    if (getmouse(&event) != OK) {
        key.kind = SB_KEY_OTHER;
        return key;
    }
    key.row = event.y;
    key.column = event.x;
    if (event.bstate & BUTTON1_DOUBLE_CLICKED) key.value = SB_MOUSE_DOUBLE;
    // A press and a release in one read, as over a slow line, are reported as a click.
    else if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) key.value = SB_MOUSE_PRESS;
    else if (event.bstate & BUTTON4_PRESSED) key.value = SB_MOUSE_WHEEL_UP;
    else if (event.bstate & BUTTON5_PRESSED) key.value = SB_MOUSE_WHEEL_DOWN;
    return key;
}

sb_key sb_terminal_key(void) {
    sb_key key = {SB_KEY_OTHER, 0, 0, 0};
    wint_t code = 0;
    int status = wget_wch(stdscr, &code);
    if (status == ERR) {
        key.kind = SB_KEY_NONE;
    } else if (status == OK) {
        key.kind = SB_KEY_SCALAR;
        key.value = (uint32_t)code;
    } else {
        switch (code) {
        case KEY_UP: key.kind = SB_KEY_UP; break;
        case KEY_DOWN: key.kind = SB_KEY_DOWN; break;
        case KEY_LEFT: key.kind = SB_KEY_LEFT; break;
        case KEY_RIGHT: key.kind = SB_KEY_RIGHT; break;
        case KEY_HOME: key.kind = SB_KEY_HOME; break;
        case KEY_END: key.kind = SB_KEY_END; break;
        case KEY_PPAGE: key.kind = SB_KEY_PAGE_UP; break;
        case KEY_NPAGE: key.kind = SB_KEY_PAGE_DOWN; break;
        case KEY_BTAB: key.kind = SB_KEY_BACK_TAB; break;
        case KEY_BACKSPACE: key.kind = SB_KEY_BACKSPACE; break;
        case KEY_DC: key.kind = SB_KEY_DELETE; break;
        case KEY_ENTER: key.kind = SB_KEY_ENTER; break;
        case KEY_MOUSE: return mouse_key();
        case PASTE_BEGIN: key.kind = SB_KEY_PASTE_BEGIN; break;
        case PASTE_END: key.kind = SB_KEY_PASTE_END; break;
        case WORD_LEFT: key.kind = SB_KEY_WORD_LEFT; break;
        case WORD_RIGHT: key.kind = SB_KEY_WORD_RIGHT; break;
        default:
            if (code >= KEY_F(1) && code <= KEY_F(12)) {
                key.kind = SB_KEY_FUNCTION;
                key.value = (uint32_t)(code - KEY_F(0));
            }
        }
    }
    return key;
}

// MARK: - Waiting

int sb_terminal_signals(void) {
    if (signal_pipe[0] < 0 && pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    return signal_pipe[0];
}

int sb_terminal_waker(void) { return sb_terminal_signals() < 0 ? -1 : signal_pipe[1]; }

int sb_terminal_wait(int descriptor, int milliseconds) {
    struct pollfd files[2] = {{input, POLLIN, 0}, {descriptor, POLLIN, 0}};
    if (poll(files, 2, milliseconds) < 0) return 0;
    int result = 0;
    if (files[0].revents & POLLIN) result |= 1;
    if (files[1].revents & POLLIN) result |= 2;
    if (files[0].revents & (POLLHUP | POLLERR | POLLNVAL)) result |= 4;
    return result;
}
