/* All structs, members and numbers that plug-ins see (models/plugin.h). Written by tests/structure/plugin_symbols.py --write, which tests
 * run without --write: it must be equal to what the headers say. */
#ifndef GRT_MODELS_PLUGIN_LAYOUT_H
#define GRT_MODELS_PLUGIN_LAYOUT_H

/* Of all that is compiled into plug-ins, as it is written in the headers: types, order and names of members, constants, inline functions, and
 * not functions that programs have. */
#define GRT_PLUGIN_FINGERPRINT INT64_C(0x0e48690cf7cb9702)

/* clang-format off */
#define GRT_PLUGIN_LAYOUT(STRUCT, MEMBER, NUMBER) \
    STRUCT(grt_path) MEMBER(grt_path, parent) MEMBER(grt_path, key) MEMBER(grt_path, index) \
    STRUCT(grt_errors) MEMBER(grt_errors, messages) MEMBER(grt_errors, count) STRUCT(grt_field_list) \
    MEMBER(grt_field_list, items) MEMBER(grt_field_list, count) STRUCT(grt_field) \
    MEMBER(grt_field, name) MEMBER(grt_field, type) MEMBER(grt_field, offset) \
    MEMBER(grt_field, fallback) MEMBER(grt_field, min) MEMBER(grt_field, max) MEMBER(grt_field, choices) \
    MEMBER(grt_field, record) MEMBER(grt_field, help) MEMBER(grt_field, custom) STRUCT(grt_record) \
    MEMBER(grt_record, name) MEMBER(grt_record, size) MEMBER(grt_record, fields) \
    MEMBER(grt_record, field_count) MEMBER(grt_record, help) STRUCT(grt_resource_numbers) \
    MEMBER(grt_resource_numbers, sm) MEMBER(grt_resource_numbers, l2) MEMBER(grt_resource_numbers, dram) \
    MEMBER(grt_resource_numbers, shared_memory) MEMBER(grt_resource_numbers, texture) \
    STRUCT(grt_slowdown) MEMBER(grt_slowdown, class_name) MEMBER(grt_slowdown, beside) \
    MEMBER(grt_slowdown, factor) MEMBER(grt_slowdown, same_sm) STRUCT(grt_device) \
    MEMBER(grt_device, version) MEMBER(grt_device, name) MEMBER(grt_device, description) \
    MEMBER(grt_device, compute_capability) MEMBER(grt_device, sm_count) MEMBER(grt_device, sms_per_tpc) \
    MEMBER(grt_device, sm_order) MEMBER(grt_device, placement) MEMBER(grt_device, warp_size) \
    MEMBER(grt_device, max_threads_per_block) MEMBER(grt_device, max_threads_per_sm) \
    MEMBER(grt_device, max_blocks_per_sm) MEMBER(grt_device, registers_per_sm) \
    MEMBER(grt_device, registers_per_block) MEMBER(grt_device, max_registers_per_thread) \
    MEMBER(grt_device, register_unit) MEMBER(grt_device, warp_unit) MEMBER(grt_device, sm_partitions) \
    MEMBER(grt_device, shared_memory_per_sm) MEMBER(grt_device, shared_memory_per_block) \
    MEMBER(grt_device, shared_memory_per_block_opt_in) MEMBER(grt_device, shared_memory_reserved) \
    MEMBER(grt_device, shared_memory_unit) MEMBER(grt_device, max_resident_grids) \
    MEMBER(grt_device, task_slots) MEMBER(grt_device, cores_per_sm) MEMBER(grt_device, copy_engines) \
    MEMBER(grt_device, h2d_bytes_per_second) MEMBER(grt_device, d2h_bytes_per_second) \
    MEMBER(grt_device, copy_latency) MEMBER(grt_device, kernel_launch) MEMBER(grt_device, device_launch) \
    MEMBER(grt_device, max_pending_launches) MEMBER(grt_device, max_sync_depth) \
    MEMBER(grt_device, priority_levels) MEMBER(grt_device, core_hertz) MEMBER(grt_device, memory_hertz) \
    MEMBER(grt_device, memory_bus_bits) MEMBER(grt_device, memory_bytes_per_second) \
    MEMBER(grt_device, l2_bytes) MEMBER(grt_device, hardware_queues) \
    MEMBER(grt_device, max_hardware_queues) MEMBER(grt_device, queue_model) \
    MEMBER(grt_device, queue_order) MEMBER(grt_device, dependency_check) \
    MEMBER(grt_device, pageable_percent) MEMBER(grt_device, early_return_bytes) \
    MEMBER(grt_device, implicit_sync) MEMBER(grt_device, max_contexts) \
    MEMBER(grt_device, runlist_update) MEMBER(grt_device, time_slice) MEMBER(grt_device, context_switch) \
    MEMBER(grt_device, context_preemption) MEMBER(grt_device, context_save) \
    MEMBER(grt_device, copy_runlist) MEMBER(grt_device, copy_time_slice) MEMBER(grt_device, copy_chunk) \
    MEMBER(grt_device, integrated) MEMBER(grt_device, bandwidth_sharing) \
    MEMBER(grt_device, threads_per_core) MEMBER(grt_device, slowdowns) MEMBER(grt_device, mps) \
    MEMBER(grt_device, mps_clients) MEMBER(grt_device, mps_priorities) MEMBER(grt_device, mps_rounding) \
    MEMBER(grt_device, group_minimum_sms) MEMBER(grt_device, group_multiple_sms) \
    MEMBER(grt_device, granularity) MEMBER(grt_device, share_mode) MEMBER(grt_device, contention) \
    MEMBER(grt_device, contention_latency) MEMBER(grt_device, contention_exponent) \
    MEMBER(grt_device, share_interval) MEMBER(grt_device, share_launch) STRUCT(grt_block_needs) \
    MEMBER(grt_block_needs, threads) MEMBER(grt_block_needs, registers_per_thread) \
    MEMBER(grt_block_needs, shared_memory) MEMBER(grt_block_needs, shared_memory_opt_in) \
    STRUCT(grt_occupancy) MEMBER(grt_occupancy, blocks_per_sm) MEMBER(grt_occupancy, limit) \
    MEMBER(grt_occupancy, refusal) MEMBER(grt_occupancy, warps) MEMBER(grt_occupancy, registers) \
    MEMBER(grt_occupancy, shared_memory) STRUCT(grt_share_factor) MEMBER(grt_share_factor, share) \
    MEMBER(grt_share_factor, factor) STRUCT(grt_usage) MEMBER(grt_usage, name) \
    MEMBER(grt_usage, host_fraction) MEMBER(grt_usage, sm_utilisation) MEMBER(grt_usage, demand) \
    MEMBER(grt_usage, bound) MEMBER(grt_usage, counters) MEMBER(grt_usage, share_factors) \
    STRUCT(grt_random) MEMBER(grt_random, a) MEMBER(grt_random, b) MEMBER(grt_random, c) \
    MEMBER(grt_random, counter) STRUCT(grt_measured) MEMBER(grt_measured, values) \
    MEMBER(grt_measured, count) STRUCT(grt_tail) MEMBER(grt_tail, threshold) MEMBER(grt_tail, scale) \
    MEMBER(grt_tail, shape) MEMBER(grt_tail, ratio) STRUCT(grt_distribution) \
    MEMBER(grt_distribution, kind) MEMBER(grt_distribution, min) MEMBER(grt_distribution, max) \
    MEMBER(grt_distribution, declared) MEMBER(grt_distribution, location) \
    MEMBER(grt_distribution, scale) MEMBER(grt_distribution, shape) MEMBER(grt_distribution, measured) \
    MEMBER(grt_distribution, tail) MEMBER(grt_distribution, evidence) STRUCT(grt_number_list) \
    MEMBER(grt_number_list, items) MEMBER(grt_number_list, count) STRUCT(grt_kernel) \
    MEMBER(grt_kernel, name) MEMBER(grt_kernel, whole_device) MEMBER(grt_kernel, from_device) \
    MEMBER(grt_kernel, blocks) MEMBER(grt_kernel, needs) MEMBER(grt_kernel, block_time) \
    MEMBER(grt_kernel, draw_per) MEMBER(grt_kernel, bandwidth) MEMBER(grt_kernel, class_name) \
    MEMBER(grt_kernel, tpcs) MEMBER(grt_kernel, launches) MEMBER(grt_kernel, sms) \
    MEMBER(grt_kernel, items) MEMBER(grt_kernel, exit_time) MEMBER(grt_kernel, usage) \
    STRUCT(grt_launch_spec) MEMBER(grt_launch_spec, kernel) MEMBER(grt_launch_spec, at) \
    MEMBER(grt_launch_spec, from) MEMBER(grt_launch_spec, stream) MEMBER(grt_launch_spec, wait) \
    STRUCT(grt_command_spec) MEMBER(grt_command_spec, kind) MEMBER(grt_command_spec, kernel) \
    MEMBER(grt_command_spec, bytes) MEMBER(grt_command_spec, sync) MEMBER(grt_command_spec, pageable) \
    MEMBER(grt_command_spec, event) MEMBER(grt_command_spec, callback_time) STRUCT(grt_segment) \
    MEMBER(grt_segment, kind) MEMBER(grt_segment, cpu_time) MEMBER(grt_segment, cpu_bandwidth) \
    MEMBER(grt_segment, commands) MEMBER(grt_segment, command_count) MEMBER(grt_segment, host_part) \
    MEMBER(grt_segment, host_mode) STRUCT(grt_task) MEMBER(grt_task, name) MEMBER(grt_task, arrival) \
    MEMBER(grt_task, period) MEMBER(grt_task, offset) MEMBER(grt_task, jitter) MEMBER(grt_task, clock) \
    MEMBER(grt_task, extra_gap) MEMBER(grt_task, times) MEMBER(grt_task, time_count) \
    MEMBER(grt_task, delays) MEMBER(grt_task, after) MEMBER(grt_task, after_count) \
    MEMBER(grt_task, deadline) MEMBER(grt_task, deadline_from) MEMBER(grt_task, on_miss) \
    MEMBER(grt_task, separation) MEMBER(grt_task, priority) MEMBER(grt_task, cpu) \
    MEMBER(grt_task, stream) MEMBER(grt_task, stream_priority) MEMBER(grt_task, gpu) \
    MEMBER(grt_task, split_overhead) MEMBER(grt_task, process) MEMBER(grt_task, tpcs) \
    MEMBER(grt_task, segments) MEMBER(grt_task, segment_count) STRUCT(grt_process_spec) \
    MEMBER(grt_process_spec, time_slice) MEMBER(grt_process_spec, interleave) \
    MEMBER(grt_process_spec, priority) MEMBER(grt_process_spec, active_thread_percentage) \
    STRUCT(grt_process) MEMBER(grt_process, name) MEMBER(grt_process, spec) STRUCT(grt_scenario) \
    MEMBER(grt_scenario, name) MEMBER(grt_scenario, seed) MEMBER(grt_scenario, horizon_kind) \
    MEMBER(grt_scenario, horizon) MEMBER(grt_scenario, ties) MEMBER(grt_scenario, core_count) \
    MEMBER(grt_scenario, context_switch) MEMBER(grt_scenario, wake_up) MEMBER(grt_scenario, gpus) \
    MEMBER(grt_scenario, gpu_count) MEMBER(grt_scenario, processes) MEMBER(grt_scenario, process_count) \
    MEMBER(grt_scenario, tasks) MEMBER(grt_scenario, task_count) MEMBER(grt_scenario, networks) \
    MEMBER(grt_scenario, adapted_for) STRUCT(grt_arena_store) MEMBER(grt_arena_store, chunks) \
    MEMBER(grt_arena_store, count) STRUCT(grt_arena) MEMBER(grt_arena, chunks) MEMBER(grt_arena, used) \
    MEMBER(grt_arena, size) MEMBER(grt_arena, store) STRUCT(grt_promise) MEMBER(grt_promise, gpu) \
    MEMBER(grt_promise, order) MEMBER(grt_promise, overlap) MEMBER(grt_promise, copies_follow) \
    MEMBER(grt_promise, co_run) MEMBER(grt_promise, whole) MEMBER(grt_promise, never_idle) \
    MEMBER(grt_promise, aborts_nothing) STRUCT(grt_step) MEMBER(grt_step, once) MEMBER(grt_step, each) \
    MEMBER(grt_step, units) MEMBER(grt_step, blocks) MEMBER(grt_step, block) \
    MEMBER(grt_step, new_segment) STRUCT(grt_step_cursor) MEMBER(grt_step_cursor, step) \
    MEMBER(grt_step_cursor, unit) STRUCT(grt_analysis_segment) MEMBER(grt_analysis_segment, on_gpu) \
    MEMBER(grt_analysis_segment, asynchronous) MEMBER(grt_analysis_segment, shortest) \
    MEMBER(grt_analysis_segment, longest) MEMBER(grt_analysis_segment, device_longest) \
    MEMBER(grt_analysis_segment, host_before) MEMBER(grt_analysis_segment, host_after) \
    MEMBER(grt_analysis_segment, steps) MEMBER(grt_analysis_segment, step_count) \
    STRUCT(grt_analysis_task) MEMBER(grt_analysis_task, name) MEMBER(grt_analysis_task, number) \
    MEMBER(grt_analysis_task, period) MEMBER(grt_analysis_task, deadline) \
    MEMBER(grt_analysis_task, jitter) MEMBER(grt_analysis_task, overhead) \
    MEMBER(grt_analysis_task, priority) MEMBER(grt_analysis_task, core) MEMBER(grt_analysis_task, gpu) \
    MEMBER(grt_analysis_task, shares_core) MEMBER(grt_analysis_task, shares_core_outside) \
    MEMBER(grt_analysis_task, deadline_from_release) MEMBER(grt_analysis_task, after_others) \
    MEMBER(grt_analysis_task, aborts) MEMBER(grt_analysis_task, segments) \
    MEMBER(grt_analysis_task, segment_count) STRUCT(grt_analysis_platform) \
    MEMBER(grt_analysis_platform, core_count) MEMBER(grt_analysis_platform, gpu_count) \
    MEMBER(grt_analysis_platform, context_switch) MEMBER(grt_analysis_platform, wake_up) \
    STRUCT(grt_analysis_set) MEMBER(grt_analysis_set, platform) MEMBER(grt_analysis_set, gpu) \
    MEMBER(grt_analysis_set, tasks) MEMBER(grt_analysis_set, count) MEMBER(grt_analysis_set, parameters) \
    MEMBER(grt_analysis_set, options) MEMBER(grt_analysis_set, most_steps) \
    MEMBER(grt_analysis_set, interference) MEMBER(grt_analysis_set, coupling) \
    MEMBER(grt_analysis_set, longest_is_bound) STRUCT(grt_analysis_value) \
    MEMBER(grt_analysis_value, name) MEMBER(grt_analysis_value, task) \
    MEMBER(grt_analysis_value, is_time) MEMBER(grt_analysis_value, time) \
    MEMBER(grt_analysis_value, number) STRUCT(grt_analysis_result) MEMBER(grt_analysis_result, verdict) \
    MEMBER(grt_analysis_result, reason) MEMBER(grt_analysis_result, unsound) \
    MEMBER(grt_analysis_result, failing) MEMBER(grt_analysis_result, response) \
    MEMBER(grt_analysis_result, steps) MEMBER(grt_analysis_result, has_witness) \
    MEMBER(grt_analysis_result, first_release) MEMBER(grt_analysis_result, values) \
    MEMBER(grt_analysis_result, value_count) MEMBER(grt_analysis_result, value_capacity) \
    STRUCT(grt_analysis_ops) MEMBER(grt_analysis_ops, name) MEMBER(grt_analysis_ops, summary) \
    MEMBER(grt_analysis_ops, source) MEMBER(grt_analysis_ops, deviation) \
    MEMBER(grt_analysis_ops, policies) MEMBER(grt_analysis_ops, order) MEMBER(grt_analysis_ops, exact) \
    MEMBER(grt_analysis_ops, bounds) MEMBER(grt_analysis_ops, scope) MEMBER(grt_analysis_ops, covers) \
    MEMBER(grt_analysis_ops, options) MEMBER(grt_analysis_ops, suits_audsley) \
    MEMBER(grt_analysis_ops, audsley_options) MEMBER(grt_analysis_ops, audsley_objection) \
    MEMBER(grt_analysis_ops, values) MEMBER(grt_analysis_ops, run) STRUCT(grt_ready_entry) \
    MEMBER(grt_ready_entry, key) MEMBER(grt_ready_entry, tie) MEMBER(grt_ready_entry, item) \
    STRUCT(grt_ready_queue) MEMBER(grt_ready_queue, entries) MEMBER(grt_ready_queue, count) \
    MEMBER(grt_ready_queue, capacity) STRUCT(grt_job_view) MEMBER(grt_job_view, task) \
    MEMBER(grt_job_view, number) MEMBER(grt_job_view, arrival) MEMBER(grt_job_view, release) \
    MEMBER(grt_job_view, deadline) MEMBER(grt_job_view, priority) MEMBER(grt_job_view, segment) \
    MEMBER(grt_job_view, requested) MEMBER(grt_job_view, tie) STRUCT(grt_policy_ops) \
    MEMBER(grt_policy_ops, name) MEMBER(grt_policy_ops, summary) MEMBER(grt_policy_ops, state_size) \
    MEMBER(grt_policy_ops, parameters_size) MEMBER(grt_policy_ops, parameters) \
    MEMBER(grt_policy_ops, permissive) MEMBER(grt_policy_ops, prepare) MEMBER(grt_policy_ops, trains) \
    MEMBER(grt_policy_ops, memoryless) MEMBER(grt_policy_ops, many_processes) \
    MEMBER(grt_policy_ops, host) MEMBER(grt_policy_ops, analyses) MEMBER(grt_policy_ops, promise) \
    MEMBER(grt_policy_ops, promised) MEMBER(grt_policy_ops, adapt) MEMBER(grt_policy_ops, sets_shares) \
    MEMBER(grt_policy_ops, needs_blocks) MEMBER(grt_policy_ops, start) MEMBER(grt_policy_ops, describe) \
    MEMBER(grt_policy_ops, conclude) MEMBER(grt_policy_ops, job_released) \
    MEMBER(grt_policy_ops, gpu_request) MEMBER(grt_policy_ops, gpu_begun) \
    MEMBER(grt_policy_ops, gpu_withdrawn) MEMBER(grt_policy_ops, gpu_piece_done) \
    MEMBER(grt_policy_ops, gpu_submission_done) MEMBER(grt_policy_ops, gpu_call_done) \
    MEMBER(grt_policy_ops, gpu_done) MEMBER(grt_policy_ops, job_ended) \
    MEMBER(grt_policy_ops, deadline_missed) MEMBER(grt_policy_ops, timer) \
    MEMBER(grt_policy_ops, thread_done) MEMBER(grt_policy_ops, outranks) MEMBER(grt_policy_ops, decide) \
    MEMBER(grt_policy_ops, plugin) STRUCT(grt_piece) MEMBER(grt_piece, commands) \
    MEMBER(grt_piece, units) STRUCT(grt_plugin) MEMBER(grt_plugin, abi) MEMBER(grt_plugin, layout_count) \
    MEMBER(grt_plugin, layout) MEMBER(grt_plugin, policy) NUMBER(GRT_FIELD_TIME) NUMBER(GRT_FIELD_SIZE) \
    NUMBER(GRT_FIELD_RATE) NUMBER(GRT_FIELD_FREQUENCY) NUMBER(GRT_FIELD_INTEGER) \
    NUMBER(GRT_FIELD_NUMBER) NUMBER(GRT_FIELD_BOOLEAN) NUMBER(GRT_FIELD_CHOICE) NUMBER(GRT_FIELD_NAME) \
    NUMBER(GRT_FIELD_OBJECT) NUMBER(GRT_FIELD_LIST) NUMBER(GRT_FIELD_CUSTOM) \
    NUMBER(GRT_SM_ORDER_ASCENDING) NUMBER(GRT_SM_ORDER_TPC_FIRST) NUMBER(GRT_PLACEMENT_MOST_ROOM) \
    NUMBER(GRT_PLACEMENT_ROUND_ROBIN) NUMBER(GRT_PLACEMENT_FIRST_FIT) NUMBER(GRT_PLACEMENT_LEAST_LOADED) \
    NUMBER(GRT_PLACEMENT_RANDOM) NUMBER(GRT_QUEUE_MODEL_DYNAMIC) NUMBER(GRT_QUEUE_MODEL_STATIC) \
    NUMBER(GRT_QUEUE_MODEL_SINGLE) NUMBER(GRT_QUEUE_ORDER_LIFO) NUMBER(GRT_QUEUE_ORDER_FIFO) \
    NUMBER(GRT_QUEUE_ORDER_RANDOM) NUMBER(GRT_CONTEXT_PREEMPTION_BLOCK) \
    NUMBER(GRT_CONTEXT_PREEMPTION_INSTRUCTION) NUMBER(GRT_CONTEXT_PREEMPTION_NONE) \
    NUMBER(GRT_CONTEXT_PREEMPTION_RESET) NUMBER(GRT_CONTEXT_SAVE_FIXED) NUMBER(GRT_CONTEXT_SAVE_STATE) \
    NUMBER(GRT_COPY_RUNLIST_OWN) NUMBER(GRT_COPY_RUNLIST_SHARED) NUMBER(GRT_BANDWIDTH_SHARING_NONE) \
    NUMBER(GRT_BANDWIDTH_SHARING_PROPORTIONAL) NUMBER(GRT_BANDWIDTH_SHARING_MAX_MIN) \
    NUMBER(GRT_GRANULARITY_BLOCKS) NUMBER(GRT_GRANULARITY_SHARES) NUMBER(GRT_SHARE_MODE_CONCURRENT) \
    NUMBER(GRT_SHARE_MODE_LEFT_OVER) NUMBER(GRT_SHARE_MODE_TIME_SLICING) NUMBER(GRT_CONTENTION_NONE) \
    NUMBER(GRT_CONTENTION_SATURATION) NUMBER(GRT_CONTENTION_MAX_MIN) NUMBER(GRT_CONTENTION_SLOWDOWNS) \
    NUMBER(GRT_MPS_PRIORITIES_CLIENT) NUMBER(GRT_MPS_PRIORITIES_DEVICE) NUMBER(GRT_MPS_ROUNDING_DOWN) \
    NUMBER(GRT_MPS_ROUNDING_UP) NUMBER(GRT_IMPLICIT_SYNC_NONE) NUMBER(GRT_IMPLICIT_SYNC_GUIDE) \
    NUMBER(GRT_IMPLICIT_SYNC_MEASURED) NUMBER(GRT_DEVICE_CUSTOM_COMPUTE_CAPABILITY) \
    NUMBER(GRT_DEVICE_CUSTOM_SOURCES) NUMBER(GRT_DEVICE_CUSTOM_ALIASES) NUMBER(GRT_LIMIT_WARPS) \
    NUMBER(GRT_LIMIT_BLOCKS) NUMBER(GRT_LIMIT_REGISTERS) NUMBER(GRT_LIMIT_SHARED_MEMORY) \
    NUMBER(GRT_RESOURCE_SM) NUMBER(GRT_RESOURCE_L2) NUMBER(GRT_RESOURCE_DRAM) \
    NUMBER(GRT_RESOURCE_SHARED_MEMORY) NUMBER(GRT_RESOURCE_TEXTURE) NUMBER(GRT_RESOURCES) \
    NUMBER(GRT_INDICATOR_INSTRUCTIONS) NUMBER(GRT_INDICATOR_WARPS) NUMBER(GRT_INDICATOR_L2_READ) \
    NUMBER(GRT_INDICATOR_L2_WRITE) NUMBER(GRT_INDICATOR_GLOBAL_LOAD) NUMBER(GRT_INDICATOR_GLOBAL_STORE) \
    NUMBER(GRT_INDICATOR_SHARED_LOAD) NUMBER(GRT_INDICATOR_SHARED_STORE) \
    NUMBER(GRT_INDICATOR_SHARED_LOAD_CONFLICTS) NUMBER(GRT_INDICATOR_SHARED_STORE_CONFLICTS) \
    NUMBER(GRT_INDICATOR_TEXTURE_LOAD) NUMBER(GRT_INDICATORS) NUMBER(GRT_CONSTANT) NUMBER(GRT_UNIFORM) \
    NUMBER(GRT_NORMAL) NUMBER(GRT_LOGNORMAL) NUMBER(GRT_EXPONENTIAL) NUMBER(GRT_GAMMA) \
    NUMBER(GRT_WEIBULL) NUMBER(GRT_GUMBEL) NUMBER(GRT_PARETO) NUMBER(GRT_EMPIRICAL) NUMBER(GRT_GEV) \
    NUMBER(GRT_GPD) NUMBER(GRT_DISTRIBUTION_KINDS) NUMBER(GRT_MOST_MEASURED) NUMBER(GRT_STEEPEST_SHAPE) \
    NUMBER(GRT_EVIDENCE_ASSUMED) NUMBER(GRT_EVIDENCE_MODEL) NUMBER(GRT_EVIDENCE_CONSTANT) \
    NUMBER(GRT_EVIDENCE_NO_MODEL) NUMBER(GRT_EVIDENCE_REFUSED) NUMBER(GRT_MAX_TASKS) \
    NUMBER(GRT_MAX_SEGMENTS) NUMBER(GRT_MAX_COMMANDS) NUMBER(GRT_MAX_LAUNCHES) \
    NUMBER(GRT_MAX_SEGMENT_LAUNCHES) NUMBER(GRT_MAX_LAUNCH_DEPTH) NUMBER(GRT_MAX_CORES) \
    NUMBER(GRT_MAX_GPUS) NUMBER(GRT_MAX_PROCESSES) NUMBER(GRT_MAX_GROUPS) \
    NUMBER(GRT_LAUNCH_FROM_EVERY_BLOCK) NUMBER(GRT_LAUNCH_FROM_FIRST_BLOCK) \
    NUMBER(GRT_LAUNCH_STREAM_BLOCK) NUMBER(GRT_LAUNCH_STREAM_FIRE_AND_FORGET) \
    NUMBER(GRT_LAUNCH_STREAM_TAIL) NUMBER(GRT_DRAW_PER_BLOCK) NUMBER(GRT_DRAW_PER_KERNEL) \
    NUMBER(GRT_COMMAND_KERNEL) NUMBER(GRT_COMMAND_H2D) NUMBER(GRT_COMMAND_D2H) \
    NUMBER(GRT_COMMAND_RECORD) NUMBER(GRT_COMMAND_WAIT) NUMBER(GRT_COMMAND_QUERY) \
    NUMBER(GRT_COMMAND_CALLBACK) NUMBER(GRT_COMMAND_SYNCHRONIZE) NUMBER(GRT_COMMAND_SYNCHRONIZE_DEVICE) \
    NUMBER(GRT_COMMAND_MALLOC) NUMBER(GRT_COMMAND_MALLOC_HOST) NUMBER(GRT_COMMAND_FREE) \
    NUMBER(GRT_COMMAND_MEMSET) NUMBER(GRT_COMMAND_D2D) NUMBER(GRT_COMMAND_KINDS) NUMBER(GRT_SEGMENT_CPU) \
    NUMBER(GRT_SEGMENT_GPU) NUMBER(GRT_HOST_SYNCHRONOUS) NUMBER(GRT_HOST_ASYNCHRONOUS) \
    NUMBER(GRT_HOST_BEFORE) NUMBER(GRT_HOST_AFTER) NUMBER(GRT_ARRIVAL_PERIODIC) \
    NUMBER(GRT_ARRIVAL_SPORADIC) NUMBER(GRT_ARRIVAL_POISSON) NUMBER(GRT_ARRIVAL_TIMES) \
    NUMBER(GRT_ARRIVAL_AFTER) NUMBER(GRT_CLOCK_ABSOLUTE) NUMBER(GRT_CLOCK_RELATIVE) \
    NUMBER(GRT_MISS_CONTINUE) NUMBER(GRT_MISS_ABORT) NUMBER(GRT_MISS_SKIP_NEXT) NUMBER(GRT_MISS_STOP) \
    NUMBER(GRT_DEADLINE_FROM_ARRIVAL) NUMBER(GRT_DEADLINE_FROM_RELEASE) NUMBER(GRT_TIES_TASK) \
    NUMBER(GRT_TIES_ARRIVAL) NUMBER(GRT_TIES_SHUFFLE) NUMBER(GRT_HORIZON_FIXED) \
    NUMBER(GRT_HORIZON_HYPERPERIOD) NUMBER(GRT_HORIZON_AUTO) NUMBER(GRT_INTERLEAVE_LOW) \
    NUMBER(GRT_INTERLEAVE_MEDIUM) NUMBER(GRT_INTERLEAVE_HIGH) NUMBER(GRT_PROMISE_UNSTATED) \
    NUMBER(GRT_PROMISE_ANYHOW) NUMBER(GRT_PROMISE_AT_ONCE) NUMBER(GRT_PROMISE_ONE) \
    NUMBER(GRT_PROMISE_LOCK) NUMBER(GRT_PROMISE_SERVER) NUMBER(GRT_PROMISE_SLOTS) \
    NUMBER(GRT_PROMISE_BATCHES) NUMBER(GRT_PROMISE_TWO_LEVELS) NUMBER(GRT_PROMISE_SHARES) \
    NUMBER(GRT_PROMISE_PLACES) NUMBER(GRT_ORDER_NONE) NUMBER(GRT_ORDER_REQUEST) \
    NUMBER(GRT_ORDER_DEADLINE) NUMBER(GRT_ORDER_PERIOD) NUMBER(GRT_ORDER_PRIORITY) \
    NUMBER(GRT_ORDER_LATENESS) NUMBER(GRT_OVERLAP_NONE) NUMBER(GRT_OVERLAP_COPIES) \
    NUMBER(GRT_OVERLAP_ALL) NUMBER(GRT_VERDICT_INAPPLICABLE) NUMBER(GRT_VERDICT_SCHEDULABLE) \
    NUMBER(GRT_VERDICT_UNSCHEDULABLE) NUMBER(GRT_VERDICT_UNKNOWN) NUMBER(GRT_ANALYSIS_REASON_SIZE) \
    NUMBER(GRT_SCOPE_GPU) NUMBER(GRT_SCOPE_PLATFORM) NUMBER(GRT_COVERS_AFTER_OTHERS) \
    NUMBER(GRT_COVERS_NO_PERIOD) NUMBER(GRT_COVERS_NO_DEADLINE) NUMBER(GRT_COVERS_SEVERAL_SEGMENTS) \
    NUMBER(GRT_COVERS_SHARED_CORES) NUMBER(GRT_COVERS_OUTSIDE_CORES) NUMBER(GRT_COVERS_HOST_PARTS) \
    NUMBER(GRT_COVERS_UNKNOWN_TIMES) NUMBER(GRT_COVERS_JITTER) NUMBER(GRT_COVERS_CPU_SEGMENTS) \
    NUMBER(GRT_COVERS_LATE_DEADLINES) NUMBER(GRT_COVERS_DEADLINES_FROM_RELEASES) \
    NUMBER(GRT_COVERS_INTERFERENCE) NUMBER(GRT_COVERS_SEVERAL_GPUS) NUMBER(GRT_COVERS_HOST_COSTS) \
    NUMBER(GRT_COVERS_CPU_ONLY) NUMBER(GRT_ANALYSIS_OPTIONS_SIZE) NUMBER(GRT_HOST_BY_JOB) \
    NUMBER(GRT_HOST_BY_THREAD) NUMBER(GRT_HOST_BY_POLICY) NUMBER(GRT_ANALYSIS_NEVER) \
    NUMBER(GRT_ANALYSIS_STEPS) NUMBER(GRT_ANALYSIS_NO_TASK) NUMBER(GRT_ANALYSIS_ALL_GPUS) \
    NUMBER(GRT_ANALYSIS_NO_GPU) NUMBER(GRT_DEVICE_MAX_SMS) NUMBER(GRT_DEVICE_MAX_BLOCKS_PER_SM) \
    NUMBER(GRT_DEVICE_MAX_LAUNCHES) NUMBER(GRT_NO_CLASS) NUMBER(GRT_PLUGIN_ABI) \
    NUMBER(GRT_NO_SUBMISSION) NUMBER(GRT_NO_JOB) NUMBER(GRT_SPAN_NEVER) NUMBER(GRT_STEP_NEVER) \
    NUMBER(GRT_MAX_JOBS) NUMBER(GRT_NUMBER_OF_NONE) NUMBER(GRT_FULL_SHARE) NUMBER(GRT_ERRORS_KEPT) \
    NUMBER(GRT_TIME_NEVER) NUMBER(GRT_TIME_LIMIT) NUMBER(GRT_NANOSECOND) NUMBER(GRT_MICROSECOND) \
    NUMBER(GRT_MILLISECOND) NUMBER(GRT_SECOND) NUMBER(GRT_TIME_TEXT_SIZE)
/* clang-format on */

#endif
