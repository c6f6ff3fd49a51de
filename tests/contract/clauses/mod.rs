//! The list of all clauses. A clause is a sentence about every store, and a function that proves it.

mod ahead;
mod commits;
mod concurrency;
mod embeddings;
mod erasing;
mod feedback;
mod grouped;
mod history;
mod keys;
mod lesson_commits;
mod lesson_gathers;
mod lesson_owners;
mod lesson_pages;
mod lesson_reads;
mod maintenance;
mod memories;
mod proposals;
mod record_owners;
mod records;
mod retention;
mod shared_scope;
mod touches;
mod trajectories;
mod values;

use crate::clause::Clause;

/// Defines the list twice: as [`CLAUSES`], and as the macro `every_clause!(then; args)`, which hands all names to the
/// macro `then`, since only a macro can make a test of each.
macro_rules! clauses {
    ($($area:ident { $($name:ident),+ $(,)? })+) => {
        /// All clauses, in the order of the list.
        pub const CLAUSES: &[Clause] = &[$($(Clause {
            name: concat!(stringify!($area), "::", stringify!($name)),
            proof: |subject| Box::pin($area::$name(subject)),
        }),+),+];

        export_list! { $($area { $($name),+ })+ }
    };
}

/// Makes the macro of the list; apart, since only loose tokens may pass through two macros.
macro_rules! export_list {
    ($($all:tt)*) => {
        /// Hands the names of all clauses to a macro.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! every_clause {
            ($then:path; $args:tt) => { $then! { $args $($all)* } };
        }
    };
}

clauses! {
    memories {
        create_then_head_gives_the_same_head,
        create_twice_keeps_the_first,
        a_change_count_tells_of_every_write,
        an_absent_memory_has_nothing,
        load_gives_what_was_planted_bit_for_bit,
        the_parts_of_a_memory_are_the_whole,
        a_creation_that_has_moved_is_refused,
        racing_creations_agree_on_one_memory,
        a_creation_stands_in_history_but_not_among_the_events,
        a_policy_comes_back_as_it_was,
    }
    ahead {
        who_knows_the_head_decides_on_it,
        a_decision_on_an_old_head_is_made_again,
        a_retrieval_makes_a_head_old,
        a_delta_that_is_there_is_shown_to_who_knows_the_head,
        the_head_of_another_incarnation_is_an_old_one,
        an_empty_decision_on_an_old_head_is_made_again,
    }
    values {
        extreme_counts_come_back,
        floats_keep_their_bits,
        embeddings_keep_their_bits,
        texts_of_every_script_come_back,
        a_very_long_text_comes_back,
        absent_and_empty_stay_different,
        every_word_comes_back,
        moments_at_the_ends_of_time_come_back,
    }
    keys {
        shifted_names_never_meet,
        names_at_the_limit_are_kept_apart,
        names_of_every_script_are_plain_names,
        equal_hashes_in_two_memories_never_meet,
        equal_ids_in_two_memories_never_meet,
        a_call_with_another_key_sees_nothing,
    }
    commits {
        load_gives_what_was_committed_bit_for_bit,
        changes_since_gives_only_later_changes,
        changes_since_the_present_are_none,
        a_delta_and_its_receipt_are_written_together,
        a_resent_delta_is_seen_inside_the_transaction,
        a_delta_id_is_written_once,
        a_commit_with_a_gap_is_refused_and_writes_nothing,
        an_empty_commit_writes_nothing,
        changes_without_an_event_are_refused,
        a_text_is_held_by_one_bullet,
        two_bullets_can_swap_their_texts,
        an_archived_bullet_gives_its_text_away,
        links_come_in_order_and_removed_ones_stay,
        a_policy_change_is_kept_with_the_policy_before_it,
        an_origin_clock_moves_an_unused_memory,
        an_origin_clock_is_refused_on_a_used_memory,
        several_events_are_written_in_one_commit,
        what_was_committed_is_there_for_another_handle,
        thousands_of_bullets_are_one_commit,
    }
    touches {
        a_touch_gives_ticks_and_touches_what_was_returned,
        a_touch_is_refused_after_a_delta,
        a_strict_touch_is_refused_after_a_touch,
        a_strict_touch_at_the_present_is_recorded,
        a_touch_goes_on_after_a_touch,
        a_touch_reports_what_others_did,
        a_touch_of_another_incarnation_is_refused,
        a_bullet_returned_twice_has_the_last_tick,
        a_retrieval_id_is_recorded_once,
        a_touch_of_an_unknown_bullet_writes_nothing,
        an_empty_batch_writes_nothing,
    }
    concurrency {
        concurrent_transactions_are_serialised,
        ticks_of_concurrent_touches_have_no_gap,
        a_panicking_decision_writes_nothing,
        a_cancelled_call_leaves_nothing_half_done,
        two_handles_see_each_others_writes,
        a_load_sees_one_moment,
        a_decision_sees_all_that_came_before,
    }
    history {
        deltas_come_in_pages_newest_first,
        a_delta_is_found_by_its_id_with_all_its_fields,
        later_changes_are_those_of_the_named_bullets_above_the_revision,
        events_of_both_kinds_come_in_order_and_in_pages,
        retrievals_come_in_pages_newest_first,
        a_retrieval_is_found_by_its_id_with_all_its_fields,
        marks_are_only_ever_set,
        a_mark_on_an_unknown_retrieval_changes_nothing,
        marks_and_events_are_written_together,
    }
    feedback {
        a_vote_counts_once_beside_others_too,
        the_opposite_of_a_vote_is_refused_beside_it,
        votes_of_many_at_once_count_once,
    }
    shared_scope {
        each_memory_that_gives_something_takes_a_tick,
        two_memories_are_recorded_where_they_were_ranked,
    }
    grouped {
        a_grouped_answer_is_recorded_within_its_window,
        what_is_owed_is_written_before_a_later_delta,
        feedback_finds_a_record_that_is_still_owed,
        a_lost_window_leaves_no_gap,
        what_was_owed_before_an_erase_is_not_written_after_it,
    }
    retention {
        usage_counts_what_became_of_each_bullet,
        usage_counts_folded_and_live_records,
        compacting_removes_the_records_up_to_its_clock,
        the_newest_checkpoint_at_or_below_a_clock_is_found,
        only_the_newest_checkpoints_stay,
        a_checkpoint_comes_back_bit_for_bit,
        a_checkpoint_of_many_pieces_comes_back_and_goes,
        a_checkpoint_of_another_memory_is_refused,
        folding_takes_the_oldest_deltas_and_keeps_their_marks,
        a_folded_delta_is_not_written_again,
        the_marks_of_folded_deltas_move_and_go_with_their_memory,
    }
    maintenance {
        a_listing_is_bound_to_its_tenant,
        a_listing_counts_bullets_by_status,
        costs_count_what_is_kept_of_one_learner,
        erase_takes_one_learner_only,
        erase_takes_one_scope_only,
        an_erased_memory_comes_back_as_another_incarnation,
        a_copy_of_a_copy_is_equal,
        a_copy_takes_the_place_of_what_is_there,
        a_copy_over_another_state_is_refused,
        a_copy_without_its_creation_is_refused,
        a_sound_store_has_no_findings,
        nothing_is_pending_after_opening,
    }
    erasing {
        held_counts_what_an_erase_takes,
        an_erase_leaves_a_receipt_that_names_nobody,
        a_struck_record_takes_its_rows_and_counts_along,
        a_strike_of_everything_leaves_no_learner,
        a_strike_that_decides_nothing_writes_nothing,
    }
    lesson_commits {
        rows_of_lessons_come_back_bit_for_bit,
        an_event_counts_once_however_often_it_is_sent,
        events_and_runs_of_a_fingerprint_are_counted_exactly,
        a_fingerprint_has_the_tags_of_all_its_events,
        a_step_stays_as_it_was_first_reported,
        an_activation_and_its_outcome_are_set_once,
        a_revised_outcome_takes_the_place_of_the_one_that_is_there,
        a_conflict_is_one_row_whoever_finds_it,
        a_settled_conflict_stays_settled_whoever_finds_it_again,
        a_receipt_is_found_and_never_written_over,
        old_receipts_go_some_with_each_commit_the_oldest_first,
        a_row_of_another_owner_refuses_the_whole,
        an_error_of_an_unknown_run_is_refused,
        an_empty_lesson_commit_makes_no_learner,
    }
    lesson_gathers {
        unknown_names_are_left_out,
        runs_and_what_they_raised_come_by_name,
        steps_come_by_run_and_number,
        lessons_come_by_name_and_by_any_trigger_in_any_status,
        the_last_activations_of_a_lesson_come_oldest_first,
        history_is_the_union_of_its_lists,
        history_is_cut_to_the_newest,
        a_history_shows_runs_as_they_ended,
        too_many_names_are_refused,
    }
    lesson_reads {
        an_exact_hit_gives_live_lessons_newest_first,
        a_lesson_out_of_use_is_found_in_no_way_until_it_is_restored,
        newer_evidence_moves_a_lesson_to_the_front,
        a_wrong_form_gives_watched_lessons_the_surest_first,
        the_rarest_tags_are_followed,
        the_neighbourhood_stops_at_every_limit,
        a_place_is_task_domain_or_tool,
        a_neighbourhood_is_that_of_a_plain_model,
    }
    lesson_pages {
        lessons_come_in_pages,
        runs_come_in_pages,
        idle_runs_come_longest_idle_first,
        errors_come_in_pages_by_what_is_asked,
        activations_of_a_lesson_come_in_pages,
        conflicts_come_in_pages,
        decisions_come_newest_first,
        totals_count_what_there_is,
    }
    trajectories {
        what_a_run_is_as_a_trajectory_comes_back_bit_for_bit,
        runs_are_listed_by_what_they_are_about,
        a_run_leaves_the_lists_it_no_longer_belongs_to,
        the_relearning_queue_has_the_most_urgent_first,
        runs_come_when_their_steps_are_due,
        a_step_is_found_by_its_id,
        equal_bodies_of_steps_are_kept_once,
        stripped_runs_keep_everything_but_their_steps,
        emptied_errors_keep_everything_but_their_texts,
        a_copy_keeps_trajectories_as_they_are,
    }
    lesson_owners {
        learners_and_tenants_never_meet,
        a_copy_of_lessons_is_equal_and_works_like_the_first,
        erasing_a_learner_takes_its_lessons,
        learners_with_lessons_are_listed,
        decisions_about_lessons_come_one_after_the_other,
        a_panicking_decision_about_lessons_writes_nothing,
    }
    records {
        a_record_comes_back_bit_for_bit,
        unknown_records_are_left_out,
        a_put_takes_the_place_of_what_is_there,
        records_come_in_order_and_in_pages,
        parts_come_in_the_order_of_their_numbers,
        a_deleted_record_is_found_in_no_way,
        what_no_kind_declares_is_refused_as_a_whole,
        too_many_records_by_name_are_refused,
        an_operation_on_records_counts_once,
    }
    embeddings {
        vectors_come_back_in_order_by_scope,
    }
    proposals {
        proposals_wait_by_scope_the_newest_first,
    }
    record_owners {
        an_empty_commit_of_records_leaves_no_trace,
        records_of_two_owners_never_meet,
        owners_of_records_are_listed,
        an_import_is_equal_to_its_export,
        erasing_a_learner_takes_its_records,
        decisions_about_records_come_one_after_the_other,
        a_panicking_decision_about_records_writes_nothing,
        a_history_of_records_is_that_of_a_plain_model,
    }
}
