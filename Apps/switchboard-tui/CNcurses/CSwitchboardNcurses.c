#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1

#include "CSwitchboardNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>
#include <ncursesw/curses.h>

// Of <term.h>, which makes macros of a hundred common words.
extern int setupterm(const char *term, int descriptor, int *status);
extern int tputs(const char *text, int lines, int (*put)(int));

// What the handler of a crash needs: only written before it is installed, and plain bytes, since a handler may do no more than write.
static char restoring[512];
static volatile sig_atomic_t restoring_length;
static struct termios modes_before;
static volatile sig_atomic_t is_held;

static SCREEN *the_screen;
static int mouse_is_on;
static int signal_pipe[2] = {-1, -1};

enum { PASTE_BEGINS = KEY_MAX + 1, PASTE_ENDS = KEY_MAX + 2 };

// MARK: - Restoring

static int keep(int byte) {
    if (restoring_length < (sig_atomic_t)sizeof restoring) restoring[restoring_length++] = (char)byte;
    return byte;
}

static int has_capability(const char *name) {
    const char *text = tigetstr(name);
    return text != NULL && text != (const char *)-1;
}

static void keep_capability(const char *name) {
    const char *text = tigetstr(name);
    if (has_capability(name)) tputs(text, 1, keep);
}

static void keep_text(const char *text) {
    while (*text != 0) keep(*text++);
}

static void prepare_restoring(int has_colours) {
    restoring_length = 0;
    keep_text("\033[?2004l");
    if (mouse_is_on) keep_text("\033[?1006l\033[?1002l\033[?1000l");
    keep_capability("sgr0");
    if (has_colours) keep_capability("op");
    keep_capability("rmkx");
    keep_capability("cnorm");
    keep_capability("rmcup");
    keep('\r');
}

static void write_all(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

// Async-signal-safe: write, tcsetattr, sigaction and raise alone (POSIX.1-2017, 2.4.3).
static void crashed(int number) {
    if (is_held) {
        is_held = 0;
        write_all(restoring, (size_t)restoring_length);
        tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    }
    // The handler is gone (SA_RESETHAND); the signal ends the process when this returns, or the instruction fails once more.
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

static void noticed(int number) {
    int code = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe has enough to wake the reader.
    (void)!write(signal_pipe[1], &byte, 1);
    errno = code;
}

static void install_handlers(void) {
    // A crash by an overflown stack needs another one.
    static char stack[64 * 1024];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack, .ss_flags = 0};
    sigaltstack(&other, NULL);
    const int crashes[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        set_handler(crashes[i], crashed, (int)SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
    const int notices[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
    for (size_t i = 0; i < sizeof notices / sizeof *notices; i++) set_handler(notices[i], noticed, SA_RESTART);
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
}

sb_terminal_status sb_terminal_open(int wants_colours, int *colours) {
    *colours = 0;
    setlocale(LC_CTYPE, "");
    // Names are in every script: where the locale does not say UTF-8 (LANG=C over ssh), the terminal is taken to understand it.
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
    int status = 0;
    // It would end the process by itself where it cannot.
    if (setupterm(NULL, STDOUT_FILENO, &status) != OK) return SB_TERMINAL_UNKNOWN;
    if (!has_capability("cup") || !has_capability("clear")) return SB_TERMINAL_TOO_SIMPLE;
    if (tcgetattr(STDIN_FILENO, &modes_before) != 0) return SB_TERMINAL_FAILED;
    if (sb_terminal_signals() < 0) return SB_TERMINAL_FAILED;
    // ncurses would handle SIGTERM and SIGINT by ending the process, and SIGTSTP in a handler that draws.
    install_handlers();
    the_screen = newterm(NULL, stdout, stdin);
    if (the_screen == NULL) return SB_TERMINAL_FAILED;
    install_handlers();
    if (wants_colours && has_colors() && start_color() == OK && COLORS >= 8) {
        use_default_colors();
        *colours = COLORS;
    }
    set_escdelay(25);
    mouseinterval(0);
    mouse_is_on = mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL) != 0;
    define_key("\033[200~", PASTE_BEGINS);
    define_key("\033[201~", PASTE_ENDS);
    prepare_restoring(*colours > 0);
    is_held = 1;
    set_modes();
    return SB_TERMINAL_OK;
}

void sb_terminal_close(void) {
    if (!is_held) return;
    write_all("\033[?2004l", 8);
    endwin();
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_before);
    is_held = 0;
}

void sb_terminal_retake(void) {
    is_held = 1;
    // Whoever had the terminal meanwhile may have left it in any mode.
    reset_prog_mode();
    set_modes();
    clearok(stdscr, TRUE);
    refresh();
}

void sb_terminal_suspend(void) {
    write_all("\033[?2004l", 8);
    endwin();
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_before);
    is_held = 0;
    set_handler(SIGTSTP, SIG_DFL, 0);
    kill(0, SIGTSTP);
    // Here it goes on, or at once where nobody could bring it back.
    set_handler(SIGTSTP, noticed, SA_RESTART);
    sb_terminal_retake();
}

void sb_terminal_die(int number) {
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
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
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
        // What the C library knows no width of, ncurses would draw in as many columns as it likes.
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
    // Press and release that come together, as over a slow line, are a click.
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
        case PASTE_BEGINS: key.kind = SB_KEY_PASTE_BEGINS; break;
        case PASTE_ENDS: key.kind = SB_KEY_PASTE_ENDS; break;
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
    struct pollfd files[2] = {{STDIN_FILENO, POLLIN, 0}, {descriptor, POLLIN, 0}};
    if (poll(files, 2, milliseconds) < 0) return 0;
    int result = 0;
    if (files[0].revents & POLLIN) result |= 1;
    if (files[1].revents & POLLIN) result |= 2;
    if (files[0].revents & (POLLHUP | POLLERR | POLLNVAL)) result |= 4;
    return result;
}
