// A terminal based on ncursesw: draws cells, reads keys and restores the terminal, even after a crash.
//
// A process has one terminal and uses it on one thread. Only the signal handlers run on other threads.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
    SB_TERMINAL_OK = 0,
    SB_TERMINAL_UNKNOWN = 1,   // terminfo does not know TERM
    SB_TERMINAL_NO_CURSOR = 2, // the terminal cannot position its cursor
    SB_TERMINAL_FAILED = 3     // out of memory, or the terminal was disconnected
} sb_terminal_status;

// Opens the terminal: alternate screen, unbuffered keys, mouse, bracketed paste. If `wants_colours` is 0, color codes
// are never written. Sets `colours` to the number of colors, 0 for none. `device` is a terminal to use instead of
// standard input and output, or NULL.
sb_terminal_status sb_terminal_open(int wants_colours, const char *device, int *colours);

// Restores the terminal. Does nothing if it is not open.
void sb_terminal_close(void);

// Restores the terminal, stops the process group as Ctrl-Z does, and reopens the terminal when it continues.
void sb_terminal_suspend(void);

// Reopens the terminal after another process stopped this one; the next drawing is complete.
void sb_terminal_reopen(void);

// Returns the current size, and adapts the drawing to it.
void sb_terminal_size(int *columns, int *rows);

// Defines a color pair, numbered from 1; -1 is the default color of the terminal.
void sb_terminal_pair(int pair, int foreground, int background);

enum { SB_BOLD = 1, SB_DIM = 2, SB_REVERSE = 4, SB_UNDERLINE = 8 };

// Draws one character of `count` scalars: the first takes `width` columns (1 or 2), the others take none.
void sb_terminal_put(int row, int column, const uint32_t *scalars, int count, int width, int attributes, int pair);

// Moves the cursor and writes all changes to the terminal. If `is_visible` is 0, the cursor is hidden.
void sb_terminal_show(int row, int column, int is_visible);

// Makes the next sb_terminal_show redraw everything.
void sb_terminal_redraw(void);

typedef enum {
    SB_KEY_NONE = 0, // no key is pending
    SB_KEY_SCALAR,   // `value` is a Unicode scalar or a control character
    SB_KEY_UP, SB_KEY_DOWN, SB_KEY_LEFT, SB_KEY_RIGHT, SB_KEY_HOME, SB_KEY_END, SB_KEY_PAGE_UP, SB_KEY_PAGE_DOWN,
    SB_KEY_BACK_TAB, SB_KEY_BACKSPACE, SB_KEY_DELETE, SB_KEY_ENTER, SB_KEY_WORD_LEFT, SB_KEY_WORD_RIGHT,
    SB_KEY_FUNCTION, // `value` is the number
    SB_KEY_PASTE_BEGIN, SB_KEY_PASTE_END,
    SB_KEY_MOUSE,    // `row`, `column`, and `value`: one of SB_MOUSE_…
    SB_KEY_OTHER     // an unsupported key
} sb_key_kind;

enum { SB_MOUSE_OTHER = 0, SB_MOUSE_PRESS = 1, SB_MOUSE_DOUBLE = 2, SB_MOUSE_WHEEL_UP = 3, SB_MOUSE_WHEEL_DOWN = 4 };

typedef struct {
    sb_key_kind kind;
    uint32_t value;
    int row, column;
} sb_key;

// Returns the next key without blocking, except for up to 25 ms after ESC, which may begin a longer sequence.
sb_key sb_terminal_key(void);

// Returns a descriptor that delivers the number of each SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP and SIGCONT
// as a byte. Writing a 0 to sb_terminal_waker wakes the reader. Both return -1 on failure.
int sb_terminal_signals(void);
int sb_terminal_waker(void);

// Waits up to `milliseconds` (-1: without a limit) for standard input or `descriptor`. Returns a bit set: 1 for
// standard input, 2 for the descriptor, 4 if standard input was disconnected.
int sb_terminal_wait(int descriptor, int milliseconds);

// Ends the process with the default action of a signal.
void sb_terminal_raise(int number);
