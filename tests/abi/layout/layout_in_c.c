/* The layout of the ABI as a C compiler sees it. */

#include "layout_entries.h"

#define STRUCT(type, minor) {sizeof(type), _Alignof(type)},
#define MEMBER(type, member, minor) {offsetof(type, member), sizeof(((type*)0)->member)},
#define NUMBER(name, minor) {(uint64_t)(name), ((name) - (name)-1) > 0},
#define TEXT(name, minor) {sizeof(name), 0},
#define TYPE(name, minor) {sizeof(name), 0},

const layout_numbers layout_in_c[] = {
#include "berth_layout_entries.inc"
};

const uint64_t layout_in_c_count = sizeof(layout_in_c) / sizeof(layout_in_c[0]);
