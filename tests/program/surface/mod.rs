//! The command line from outside: the real program, its documents, its exit codes, its refusals.

mod auditing;
mod batching;
mod chatting;
mod columns;
mod config;
mod consolidating;
#[cfg(target_os = "linux")]
mod crowd;
mod delta_refusals;
mod erasing;
mod exporting;
mod feeding;
mod files;
#[cfg(target_os = "linux")]
mod flooding;
mod forged;
mod grants;
mod hook_faults;
mod hook_places;
mod hooks;
mod importing;
mod installing;
mod isolation;
mod keys;
mod lesson_refusals;
mod linked;
mod markers;
mod paging;
mod parity;
mod parity_agents;
mod parity_graph;
mod parity_playbooks;
mod parity_sharing;
mod parity_trajectories;
mod paste;
mod permissions;
mod places;
mod playbook_refusals;
mod playbook_steps;
mod playbook_story;
mod readme;
mod refusals;
#[cfg(unix)]
mod resident;
mod served;
mod serving;
mod shapes;
mod sharing;
mod spans;
mod stories;
mod terminal;
mod tokens;
mod trajectory_refusals;
mod transferring;
mod truth;
mod whereabouts;
