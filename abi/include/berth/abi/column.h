#ifndef BERTH_ABI_COLUMN_H_
#define BERTH_ABI_COLUMN_H_

#include "berth/abi/base.h"

/*
 * The data plane. This descriptor is frozen for ever: a new attribute is a new column id.
 *
 * A column belongs to a table (nodes, pods, taint sets, images, cluster). Values stand densely, one
 * a position, in Arrow's bit layout. The first value of a table is 64-byte aligned and 64 bytes
 * behind the last are readable; a call over part of a table begins at a multiple of 64 positions or
 * is gathered into such memory, so both hold for every call.
 *
 * A flat column has `starts` null: data[i] is the value of position i. A list column has for
 * position i the elements data[starts[i]] .. data[starts[i] + sizes[i] - 1]; lists may stand in any
 * order in `data`.
 *
 * A column whose data is null was not declared by the hook (or not for this pod's template):
 * reading it is an error of the plugin.
 */

/* Element types. */
#define BERTH_U8 1
#define BERTH_U32 2 /* also string ids, dictionary codes, selector handles; 0 is absent */
#define BERTH_I32 3
#define BERTH_I64 4
#define BERTH_U64 5
#define BERTH_F64 6

typedef struct berth_column {
  const void* data;         /* call */
  const uint32_t* starts;   /* call; null: flat */
  const uint32_t* sizes;    /* call; null: flat */
  const uint64_t* validity; /* call; bit i (lowest first) of position i; null: all valid */
  uint64_t count;           /* positions */
  uint64_t generation;      /* another number whenever any value of the table's column changed */
  uint32_t type;            /* one of the element types */
  uint32_t dictionary_size; /* codes are 0 .. dictionary_size - 1; 0: not a dictionary column */
} berth_column;

#endif /* BERTH_ABI_COLUMN_H_ */
