"""The quick selection, ``pytest -m quick``: what answers in under a minute whether a change is sound.

It lints and fixes every fixture and compares what is said, and runs the unit tests. It starts no Python process and runs
nothing under JAX. A test of one of these modules that takes a second, or starts a process of its own, is excepted.
"""

from __future__ import annotations

QUICK: dict[str, set[str]] = {
    "test_add_noqa": {"test_a_change_is_looked_at"},
    "test_api": {"test_nothing_is_loaded_before_it_is_asked_for", "test_the_page_lists_every_name_and_its_example_runs"},
    "test_bad_input": {"test_huge_file", "test_process_survives_what_would_crash_the_parser"},
    "test_baseline": set(),
    "test_bindings": set(),
    "test_cache": {
        "test_runs_at_the_same_time_do_no_harm", "test_a_run_without_news_loads_no_parser_and_no_rules",
        "test_what_a_plugin_imports_counts", "test_a_notebook_without_news_loads_no_parser",
    },
    "test_cells": set(),
    "test_changes": set(),
    "test_cli": {
        "test_a_pipe_is_not_waited_for", "test_standard_input_is_fixed_to_standard_output",
        "test_standard_input_that_is_not_fixed_comes_out_unchanged", "test_output_does_not_depend_on_the_number_of_workers",
        "test_reader_may_leave_early", "test_exit_code_needs_no_output", "test_a_terminal_gets_colours_and_a_pipe_does_not",
        "test_output_file_may_be_a_device", "test_mistake_in_a_rule_costs_that_rule_alone",
        "test_worker_that_dies_costs_its_file_alone",
    },
    "test_config": set(),
    "test_config_command": set(),
    "test_containment": {
        "test_a_fault_costs_little", "test_importers_keep_their_findings", "test_endless_recursion_is_contained",
    },
    "test_conventions": {"test_command_line_and_flake8_say_the_same"},
    "test_fix_command": {
        "test_result_does_not_depend_on_the_number_of_workers", "test_each_fix_is_asked_about",
        "test_interrupt_leaves_every_file", "test_fix_that_another_file_finds_is_asked_about", "test_nobody_to_ask",
    },
    "test_fix_engine": {
        "test_fixes_come_to_rest", "test_fixed_files_are_formatted_no_worse_than_before",
        "test_length_of_lines_is_that_of_the_project",
    },
    "test_fixing": set(),
    "test_guards": set(),
    "test_history": {"test_safe_replacements_are_the_same_in_the_installed_jax"},
    "test_init": {"test_pre_commit_takes_the_hook"},
    "test_lowering": {"test_files"},
    "test_modules": {
        "test_flake8_reports_at_the_call", "test_flake8_reads_a_file_whose_imports_use_jax",
    },
    "test_mutation": set(),
    "test_notebook": {
        "test_a_finding_names_its_cell", "test_a_cell_that_does_not_parse_is_named", "test_fixing_leaves_outputs_and_metadata_alone",
        "test_nbqa_runs_the_flake8_plugin", "test_an_import_stays_in_its_cell",
    },
    "test_programs": {"test_marked_lines_fail_under_jax"},
    "test_offers": set(),
    "test_plugin_files": set(),
    "test_project": set(),
    "test_registry": {"test_order_does_not_depend_on_the_hash_seed"},
    "test_report": set(),
    "test_reported": set(),
    "test_results": set(),
    "test_reveal": set(),
    "test_rewriting": set(),
    "test_single_findings": set(),
    "test_suppress": {"test_same_rows_as_flake8"},
    "test_trial": {"test_what_other_programs_apply_has_been_tried"},
    "test_unused_suppressions": {"test_flake8_looks_after_its_own_comments"},
    "test_widths": set(),
}  # fmt: skip


def is_quick(module: str, test: str) -> bool:
    return module in QUICK and test not in QUICK[module]
