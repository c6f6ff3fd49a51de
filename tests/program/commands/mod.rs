//! The commands that report, compare, examine and move: the real program on stores of its own.

#[cfg(unix)]
mod adapt;
#[cfg(unix)]
mod agent;
#[cfg(unix)]
mod agent_tools;
mod analyze;
#[cfg(unix)]
mod as_it_is;
#[cfg(unix)]
mod beside;
mod browser;
mod clbench;
mod compare;
mod demo;
mod doctor;
mod learn;
mod learn_playbook;
mod learn_traces;
mod lessons;
mod migrate;
#[cfg(unix)]
mod sessions;
mod terminal;
#[cfg(unix)]
mod waiting;
