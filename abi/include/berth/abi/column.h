#ifndef BERTH_ABI_COLUMN_H_
#define BERTH_ABI_COLUMN_H_

#include "berth/abi/base.h"

/*
 * The data plane. This descriptor is frozen: a new attribute is a new column id, not a new member.
 *
 * A column belongs to a table (nodes, pods, taint sets, images, cluster). Its values are dense, one
 * per position, in Arrow's memory layout. The first value of a table is aligned to 64 bytes, and
 * the 64 bytes behind the last value are readable. A call over part of a table begins at a multiple
 * of 64 positions or gets values gathered into such memory, so both properties hold in every call.
 *
 * Flat column: `starts` is null and data[i] is the value of position i. List column: the elements
 * of position i are data[starts[i]] to data[starts[i] + sizes[i] - 1]; the lists may be stored in
 * any order.
 *
 * A column with null data was not declared by the hook, or `prepare` left it out for this template.
 * A plugin must not read it.
 */

/* Element types. */
#define BERTH_U8 1
/* Also string ids, dictionary codes and selector handles, where 0 is "absent". */
#define BERTH_U32 2
#define BERTH_I32 3
#define BERTH_I64 4
#define BERTH_U64 5
#define BERTH_F64 6

typedef struct berth_column {
  const void* data;       /* call */
  const uint32_t* starts; /* call; null: flat */
  const uint32_t* sizes;  /* call; null: flat */
  /* Always null: every position has a value, and an absent one is the 0 that the column's page
     gives it. A column with positions that are not valid would be another id. */
  const uint64_t* validity;
  uint64_t count; /* positions */
  /* Of the whole column, also where the call has a part of it: as long as it is the same, no value
     of the column changed. 0: the values were gathered or computed for this call, and may differ
     from those of any other. */
  uint64_t generation;
  uint32_t type; /* one of the element types */
  /* Codes are 0 to dictionary_size - 1. 0: not a dictionary column. */
  uint32_t dictionary_size;
} berth_column;

#endif /* BERTH_ABI_COLUMN_H_ */
