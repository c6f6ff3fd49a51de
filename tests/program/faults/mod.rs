//! Survival: killed processes, several processes on one file, lost answers and full disks.

mod crash;
mod disk;
mod grouped;
mod processes;
mod program;
mod resend;
mod trajectories;
