//! The runtime of a trial.

use libtest_mimic::Failed;

/// Bytes of a thread's stack, as in the program: futures that are not optimised are large.
const STACK_BYTES: usize = 16 << 20;

/// Runs a trial to its end.
pub(crate) fn run_on_runtime<F>(test: impl FnOnce() -> F + Send) -> Result<(), Failed>
where
    F: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(STACK_BYTES)
        .enable_all()
        .build()?;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let run = thread.spawn_scoped(scope, || runtime.block_on(test()))?;
        // The trial fails with what the test said.
        run.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}
