/*
 * The layout of every struct of the ABI and the value of every number in it, as assertions, because
 * neither changes after a release. Included by layout.c and layout.cc, so that C and C++ agree.
 * check_layouts.cmake checks that no struct is missing.
 */

#pragma once

#include <assert.h>

#include "berth/abi/bind.h"
#include "berth/abi/counts.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/overlay.h"
#include "berth/abi/plugin.h"
#include "berth/abi/score.h"

#define LAYOUT(type, bytes) static_assert(sizeof(type) == (bytes), #type " changed its size")
#define AT(type, member, bytes) \
  static_assert(offsetof(type, member) == (bytes), #type "." #member " moved")
#define NUMBER(name, value) static_assert((name) == (value), #name " changed its value")

/* base.h */
LAYOUT(berth_string, 16);
AT(berth_string, data, 0);
AT(berth_string, size, 8);
LAYOUT(berth_text_sink, 24);
AT(berth_text_sink, size, 0);
AT(berth_text_sink, reserved, 4);
AT(berth_text_sink, context, 8);
AT(berth_text_sink, write, 16);

/* column.h */
LAYOUT(berth_column, 56);
AT(berth_column, data, 0);
AT(berth_column, starts, 8);
AT(berth_column, sizes, 16);
AT(berth_column, validity, 24);
AT(berth_column, count, 32);
AT(berth_column, generation, 40);
AT(berth_column, type, 48);
AT(berth_column, dictionary_size, 52);

/* hook.h */
LAYOUT(berth_call, 56);
AT(berth_call, size, 0);
AT(berth_call, ran, 4);
AT(berth_call, count, 8);
AT(berth_call, mask, 16);
AT(berth_call, columns, 24);
AT(berth_call, column_count, 32);
AT(berth_call, reserved, 36);
AT(berth_call, state, 40);
AT(berth_call, error, 48);
LAYOUT(berth_template, 24);
AT(berth_template, size, 0);
AT(berth_template, column_count, 4);
AT(berth_template, columns, 8);
AT(berth_template, error, 16);
LAYOUT(berth_prepared, 32);
AT(berth_prepared, size, 0);
AT(berth_prepared, flags, 4);
AT(berth_prepared, inputs, 8);
AT(berth_prepared, input_count, 16);
AT(berth_prepared, reserved, 20);
AT(berth_prepared, state, 24);
NUMBER(BERTH_LIST_OF, 0x100u);
LAYOUT(berth_hook, 72);
AT(berth_hook, size, 0);
AT(berth_hook, depends, 4);
AT(berth_hook, space, 8);
AT(berth_hook, inputs, 24);
AT(berth_hook, input_count, 32);
AT(berth_hook, reserved, 36);
AT(berth_hook, prepare, 40);
AT(berth_hook, release, 48);
AT(berth_hook, describe, 56);
AT(berth_hook, input_types, 64);

/* config.h */
LAYOUT(berth_config, 96);
AT(berth_config, size, 0);
AT(berth_config, reserved, 4);
AT(berth_config, context, 8);
AT(berth_config, kind, 16);
AT(berth_config, length, 24);
AT(berth_config, element, 32);
AT(berth_config, member, 40);
AT(berth_config, accept, 48);
AT(berth_config, boolean, 56);
AT(berth_config, integer, 64);
AT(berth_config, number, 72);
AT(berth_config, string, 80);
AT(berth_config, error, 88);

/* host.h */
LAYOUT(berth_host, 24);
AT(berth_host, size, 0);
AT(berth_host, abi_major, 4);
AT(berth_host, abi_minor, 6);
AT(berth_host, context, 8);
AT(berth_host, service, 16);
LAYOUT(berth_log_service, 16);
AT(berth_log_service, size, 0);
AT(berth_log_service, level, 4);
AT(berth_log_service, write, 8);
LAYOUT(berth_strings_service, 32);
AT(berth_strings_service, size, 0);
AT(berth_strings_service, reserved, 4);
AT(berth_strings_service, intern, 8);
AT(berth_strings_service, find, 16);
AT(berth_strings_service, text, 24);
LAYOUT(berth_columns_service, 16);
AT(berth_columns_service, size, 0);
AT(berth_columns_service, reserved, 4);
AT(berth_columns_service, find, 8);
LAYOUT(berth_selectors_service, 48);
AT(berth_selectors_service, size, 0);
AT(berth_selectors_service, reserved, 4);
AT(berth_selectors_service, match_column, 8);
AT(berth_selectors_service, problem, 16);
AT(berth_selectors_service, node_selector, 24);
AT(berth_selectors_service, node_selector_term, 32);
AT(berth_selectors_service, label_selector, 40);
LAYOUT(berth_bindings_service, 16);
AT(berth_bindings_service, size, 0);
AT(berth_bindings_service, reserved, 4);
AT(berth_bindings_service, write, 8);

/* counts.h */
LAYOUT(berth_pod_term, 32);
AT(berth_pod_term, size, 0);
AT(berth_pod_term, selector, 4);
AT(berth_pod_term, namespaces, 8);
AT(berth_pod_term, namespace_count, 16);
AT(berth_pod_term, namespace_selector, 24);
AT(berth_pod_term, reserved, 28);
LAYOUT(berth_count_query, 48);
AT(berth_count_query, size, 0);
AT(berth_count_query, topology_key, 4);
AT(berth_count_query, terms, 8);
AT(berth_count_query, term_count, 16);
AT(berth_count_query, participants, 24);
AT(berth_count_query, participant_count, 32);
AT(berth_count_query, pods, 40);
AT(berth_count_query, flags, 44);
LAYOUT(berth_carried_terms, 32);
AT(berth_carried_terms, size, 0);
AT(berth_carried_terms, flags, 4);
AT(berth_carried_terms, terms, 8);
AT(berth_carried_terms, factor, 24);
LAYOUT(berth_counts_service, 88);
AT(berth_counts_service, size, 0);
AT(berth_counts_service, reserved, 4);
AT(berth_counts_service, term, 8);
AT(berth_counts_service, query, 16);
AT(berth_counts_service, node_counts, 24);
AT(berth_counts_service, domain_counts, 32);
AT(berth_counts_service, total, 40);
AT(berth_counts_service, minimum, 48);
AT(berth_counts_service, domains, 56);
AT(berth_counts_service, carry, 64);
AT(berth_counts_service, node_carried, 72);
AT(berth_counts_service, carriers, 80);
LAYOUT(berth_publish_service, 32);
AT(berth_publish_service, size, 0);
AT(berth_publish_service, reserved, 4);
AT(berth_publish_service, column, 8);
AT(berth_publish_service, write, 16);
AT(berth_publish_service, raise_epoch, 24);

/* plugin.h */
LAYOUT(berth_plugin_descriptor, 120);
AT(berth_plugin_descriptor, size, 0);
AT(berth_plugin_descriptor, abi_major, 4);
AT(berth_plugin_descriptor, abi_minor_needed, 6);
AT(berth_plugin_descriptor, abi_minor_built, 8);
AT(berth_plugin_descriptor, reserved0, 10);
AT(berth_plugin_descriptor, reserved1, 12);
AT(berth_plugin_descriptor, id, 16);
AT(berth_plugin_descriptor, name, 32);
AT(berth_plugin_descriptor, version, 48);
AT(berth_plugin_descriptor, extension_points, 64);
AT(berth_plugin_descriptor, validate, 80);
AT(berth_plugin_descriptor, create, 88);
AT(berth_plugin_descriptor, init, 96);
AT(berth_plugin_descriptor, extension, 104);
AT(berth_plugin_descriptor, destroy, 112);

/* enqueue.h */
LAYOUT(berth_pre_enqueue, 24);
AT(berth_pre_enqueue, size, 0);
AT(berth_pre_enqueue, reserved, 4);
AT(berth_pre_enqueue, hook, 8);
AT(berth_pre_enqueue, check, 16);
LAYOUT(berth_queue_sort, 24);
AT(berth_queue_sort, size, 0);
AT(berth_queue_sort, reserved, 4);
AT(berth_queue_sort, hook, 8);
AT(berth_queue_sort, keys, 16);
LAYOUT(berth_event, 64);
AT(berth_event, size, 0);
AT(berth_event, kind, 4);
AT(berth_event, action, 8);
AT(berth_event, node, 12);
AT(berth_event, nominated_node, 16);
AT(berth_event, self, 20);
AT(berth_event, pod, 24);
AT(berth_event, before, 32);
AT(berth_event, after, 40);
AT(berth_event, object_before, 48);
AT(berth_event, object_after, 56);
LAYOUT(berth_hints, 32);
AT(berth_hints, size, 0);
AT(berth_hints, reserved, 4);
AT(berth_hints, hook, 8);
AT(berth_hints, actions, 16);
AT(berth_hints, hint, 24);

/* filter.h */
LAYOUT(berth_pre_filter_result, 32);
AT(berth_pre_filter_result, size, 0);
AT(berth_pre_filter_result, code, 4);
AT(berth_pre_filter_result, reason, 8);
AT(berth_pre_filter_result, narrows, 12);
AT(berth_pre_filter_result, node_names, 16);
AT(berth_pre_filter_result, node_name_count, 24);
LAYOUT(berth_pre_filter, 24);
AT(berth_pre_filter, size, 0);
AT(berth_pre_filter, reserved, 4);
AT(berth_pre_filter, hook, 8);
AT(berth_pre_filter, pre_filter, 16);
LAYOUT(berth_filter, 40);
AT(berth_filter, size, 0);
AT(berth_filter, reserved, 4);
AT(berth_filter, hook, 8);
AT(berth_filter, filter, 16);
AT(berth_filter, reasons, 24);
AT(berth_filter, numbers, 32);
LAYOUT(berth_nomination, 40);
AT(berth_nomination, size, 0);
AT(berth_nomination, code, 4);
AT(berth_nomination, node, 8);
AT(berth_nomination, reason, 12);
AT(berth_nomination, victims, 16);
AT(berth_nomination, victim_count, 24);
AT(berth_nomination, clears, 32);
AT(berth_nomination, reserved, 36);
LAYOUT(berth_post_filter, 24);
AT(berth_post_filter, size, 0);
AT(berth_post_filter, reserved, 4);
AT(berth_post_filter, hook, 8);
AT(berth_post_filter, post_filter, 16);

/* numbers.h */
NUMBER(BERTH_UNIT_ONE, 0u);
NUMBER(BERTH_UNIT_MILLI_CPU, 1u);
NUMBER(BERTH_UNIT_BYTES, 2u);
LAYOUT(berth_numbers_sink, 56);
AT(berth_numbers_sink, size, 0);
AT(berth_numbers_sink, reserved, 4);
AT(berth_numbers_sink, context, 8);
AT(berth_numbers_sink, item, 16);
AT(berth_numbers_sink, number, 24);
AT(berth_numbers_sink, text, 32);
AT(berth_numbers_sink, term, 40);
AT(berth_numbers_sink, pods, 48);

/* score.h */
LAYOUT(berth_feasible, 40);
AT(berth_feasible, size, 0);
AT(berth_feasible, reserved, 4);
AT(berth_feasible, rows, 8);
AT(berth_feasible, row_count, 16);
AT(berth_feasible, feasible, 24);
AT(berth_feasible, generation, 32);
LAYOUT(berth_pre_score_result, 16);
AT(berth_pre_score_result, size, 0);
AT(berth_pre_score_result, code, 4);
AT(berth_pre_score_result, changed, 8);
AT(berth_pre_score_result, reserved, 12);
LAYOUT(berth_pre_score, 24);
AT(berth_pre_score, size, 0);
AT(berth_pre_score, reserved, 4);
AT(berth_pre_score, hook, 8);
AT(berth_pre_score, pre_score, 16);
LAYOUT(berth_score, 40);
AT(berth_score, size, 0);
AT(berth_score, normalise, 4);
AT(berth_score, hook, 8);
AT(berth_score, score, 16);
AT(berth_score, normalise_own, 24);
AT(berth_score, numbers, 32);

/* bind.h */
LAYOUT(berth_reserve, 32);
AT(berth_reserve, size, 0);
AT(berth_reserve, flags, 4);
AT(berth_reserve, hook, 8);
AT(berth_reserve, reserve, 16);
AT(berth_reserve, unreserve, 24);
LAYOUT(berth_permit, 24);
AT(berth_permit, size, 0);
AT(berth_permit, reserved, 4);
AT(berth_permit, hook, 8);
AT(berth_permit, permit, 16);
LAYOUT(berth_waiting_service, 40);
AT(berth_waiting_service, size, 0);
AT(berth_waiting_service, reserved, 4);
AT(berth_waiting_service, each, 8);
AT(berth_waiting_service, allow, 16);
AT(berth_waiting_service, reject, 24);
AT(berth_waiting_service, activate, 32);
LAYOUT(berth_pre_bind, 48);
AT(berth_pre_bind, size, 0);
AT(berth_pre_bind, flags, 4);
AT(berth_pre_bind, hook, 8);
AT(berth_pre_bind, pre_flight, 16);
AT(berth_pre_bind, pre_bind, 24);
AT(berth_pre_bind, pre_bind_or_wait, 32);
AT(berth_pre_bind, wait_limit_nanoseconds, 40);
LAYOUT(berth_bind, 32);
AT(berth_bind, size, 0);
AT(berth_bind, reserved, 4);
AT(berth_bind, hook, 8);
AT(berth_bind, bind, 16);
AT(berth_bind, flags, 24);
AT(berth_bind, reserved2, 28);
LAYOUT(berth_post_bind, 24);
AT(berth_post_bind, size, 0);
AT(berth_post_bind, reserved, 4);
AT(berth_post_bind, hook, 8);
AT(berth_post_bind, post_bind, 16);

/* overlay.h */
LAYOUT(berth_overlay_state, 56);
AT(berth_overlay_state, size, 0);
AT(berth_overlay_state, reserved, 4);
AT(berth_overlay_state, hook, 8);
AT(berth_overlay_state, begin, 16);
AT(berth_overlay_state, add_pod, 24);
AT(berth_overlay_state, remove_pod, 32);
AT(berth_overlay_state, reset, 40);
AT(berth_overlay_state, end, 48);
LAYOUT(berth_what_if_stamps, 24);
AT(berth_what_if_stamps, kind, 0);
AT(berth_what_if_stamps, by_row, 8);
AT(berth_what_if_stamps, rows, 16);
LAYOUT(berth_what_if_service, 80);
AT(berth_what_if_service, size, 0);
AT(berth_what_if_service, reserved, 4);
AT(berth_what_if_service, begin, 8);
AT(berth_what_if_service, pods, 16);
AT(berth_what_if_service, remove_pod, 24);
AT(berth_what_if_service, add_pod, 32);
AT(berth_what_if_service, reset, 40);
AT(berth_what_if_service, filter, 48);
AT(berth_what_if_service, reasons, 56);
AT(berth_what_if_service, end, 64);
AT(berth_what_if_service, stamps, 72);
LAYOUT(berth_parallel_service, 16);
AT(berth_parallel_service, size, 0);
AT(berth_parallel_service, reserved, 4);
AT(berth_parallel_service, for_each, 8);
LAYOUT(berth_preempt_candidate, 32);
AT(berth_preempt_candidate, row, 0);
AT(berth_preempt_candidate, reserved, 4);
AT(berth_preempt_candidate, victims, 8);
AT(berth_preempt_candidate, victim_count, 16);
AT(berth_preempt_candidate, violations, 24);
LAYOUT(berth_preempt_extenders_service, 24);
AT(berth_preempt_extenders_service, size, 0);
AT(berth_preempt_extenders_service, reserved, 4);
AT(berth_preempt_extenders_service, ask, 8);
AT(berth_preempt_extenders_service, present, 16);

/* Numbers of base.h */
NUMBER(BERTH_ABI_MAJOR, 1);
NUMBER(BERTH_SUCCESS, 0);
NUMBER(BERTH_ERROR, 1);
NUMBER(BERTH_UNSCHEDULABLE, 2);
NUMBER(BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, 3);
NUMBER(BERTH_WAIT, 4);
NUMBER(BERTH_SKIP, 5);
NUMBER(BERTH_PENDING, 6);

/* Numbers of column.h */
NUMBER(BERTH_U8, 1);
NUMBER(BERTH_U32, 2);
NUMBER(BERTH_I32, 3);
NUMBER(BERTH_I64, 4);
NUMBER(BERTH_U64, 5);
NUMBER(BERTH_F64, 6);

/* Numbers of hook.h */
NUMBER(BERTH_DEPENDS_DECLARED, 0);
NUMBER(BERTH_DEPENDS_FEASIBLE, 1);
NUMBER(BERTH_DEPENDS_EXTERNAL, 2);
NUMBER(BERTH_RAN_PRE_FILTER, 1u);
NUMBER(BERTH_RAN_PRE_SCORE, 2u);
NUMBER(BERTH_ASKED_PRE_FILTER, 4u);
NUMBER(BERTH_PREPARED_PASSES, 1u);
NUMBER(BERTH_REASON_OF_POSITION, 0x80000000u);

/* Numbers of config.h */
NUMBER(BERTH_CONFIG_NULL, 0u);
NUMBER(BERTH_CONFIG_BOOL, 1u);
NUMBER(BERTH_CONFIG_NUMBER, 2u);
NUMBER(BERTH_CONFIG_STRING, 3u);
NUMBER(BERTH_CONFIG_ARRAY, 4u);
NUMBER(BERTH_CONFIG_OBJECT, 5u);

/* Numbers of host.h */
NUMBER(BERTH_LOG_ERROR, 1u);
NUMBER(BERTH_LOG_WARNING, 2u);
NUMBER(BERTH_LOG_INFO, 3u);
NUMBER(BERTH_LOG_DEBUG, 4u);

/* Numbers of plugin.h */
NUMBER(BERTH_NOTE_TYPE, 1u);

/* Numbers of enqueue.h */
NUMBER(BERTH_ON_POD_ASSIGNED, 1u);
NUMBER(BERTH_ON_POD_PENDING, 2u);
NUMBER(BERTH_ON_NODE, 4u);
NUMBER(BERTH_PRE_BIND_FOLLOWS_PRE_FILTER, 1u);
NUMBER(BERTH_PRE_BIND_QUICK, 2u);
NUMBER(BERTH_ON_CLAIM, 8u);
NUMBER(BERTH_ON_VOLUME, 16u);
NUMBER(BERTH_ON_STORAGE_CLASS, 32u);
NUMBER(BERTH_ON_CSI_NODE, 64u);
NUMBER(BERTH_ON_CSI_DRIVER, 128u);
NUMBER(BERTH_ON_CSI_CAPACITY, 256u);
NUMBER(BERTH_ON_VOLUME_ATTACHMENT, 512u);
NUMBER(BERTH_ON_STORAGE, 1016u);
NUMBER(BERTH_RESERVE_FOLLOWS_PRE_FILTER, 1u);
NUMBER(BERTH_DID_ADD, 1u);
NUMBER(BERTH_DID_DELETE, 2u);
NUMBER(BERTH_DID_UPDATE_LABEL, 4u);
NUMBER(BERTH_DID_UPDATE_TAINT, 8u);
NUMBER(BERTH_DID_UPDATE_ALLOCATABLE, 16u);
NUMBER(BERTH_DID_UPDATE_TOLERATION, 32u);
NUMBER(BERTH_DID_UPDATE_GATES, 64u);
NUMBER(BERTH_DID_UPDATE_SCALE_DOWN, 128u);
NUMBER(BERTH_DID_UPDATE_ANNOTATION, 256u);
NUMBER(BERTH_DID_UPDATE_OTHER, 512u);
NUMBER(BERTH_DID_ANYTHING, 1023u);

/* Numbers of score.h */
NUMBER(BERTH_COUNTS_PLACED, 1u);
NUMBER(BERTH_COUNTS_PLACED_TERMINATING, 2u);
NUMBER(BERTH_COUNTS_OVERLAID, 4u);
NUMBER(BERTH_COUNTS_OVERLAID_TERMINATING, 8u);
NUMBER(BERTH_COUNTS_EVERY_POD, 15u);
NUMBER(BERTH_COUNTS_UNKNOWN_NAMESPACES, 1u);
NUMBER(BERTH_COUNTS_UNLABELLED, 2u);
NUMBER(BERTH_NORMALISE_NONE, 0u);
NUMBER(BERTH_NORMALISE_MAX, 1u);
NUMBER(BERTH_NORMALISE_MAX_REVERSED, 2u);
NUMBER(BERTH_NORMALISE_MIN_MAX, 3u);
NUMBER(BERTH_NORMALISE_SPREAD, 4u);
NUMBER(BERTH_NORMALISE_OWN, 5u);

/* Numbers of bind.h */
NUMBER(BERTH_PERMIT_MAX_SECONDS, 900u);
NUMBER(BERTH_PRE_BIND_AGAIN_SECONDS, 1u);
NUMBER(BERTH_PRE_BIND_LEAST_NANOSECONDS, 1000000u);
NUMBER(BERTH_PRE_BIND_LIMIT_SECONDS, 900u);
NUMBER(BERTH_PRE_BIND_MAX_SECONDS, 1600000000u);
NUMBER(BERTH_PRE_BIND_ON_CYCLE, 4u);
NUMBER(BERTH_BIND_QUICK, 1u);
NUMBER(BERTH_NOT_SCORED, INT64_MIN);
NUMBER(BERTH_CONFIG_ABSENT, UINT32_MAX);

#include "layout_volumes.h"
