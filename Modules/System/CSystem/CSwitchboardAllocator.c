#include "CSwitchboardAllocator.h"

#include <malloc.h>

void sb_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

void sb_return_free_memory(void) { malloc_trim(0); }
