//! The suite: one plain test for each clause, made by a macro in the caller's program.
//!
//! A test for each clause, since the name of the failing one identifies the fault, and a filter runs one area.

use crate::clauses::CLAUSES;
use crate::subject::Backend;

/// Runs the contract on a backend: a name for the module of its tests, and an expression that gives a
/// [`Backend`](crate::Backend) with an empty store. The expression is evaluated once for each clause, in the scope of
/// the macro call.
#[macro_export]
macro_rules! contract {
    ($backend:ident, $open:expr) => {
        $crate::every_clause!($crate::clause_tests; ($backend, $open));
    };
}

/// Makes one test of each clause.
#[doc(hidden)]
#[macro_export]
macro_rules! clause_tests {
    (($backend:ident, $open:expr) $($area:ident { $($name:ident),+ $(,)? })+) => {
        mod $backend {
            #[allow(unused_imports, reason = "whatever the expression names")]
            use super::*;

            $(mod $area {
                #[allow(unused_imports, reason = "whatever the expression names")]
                use super::*;

                $(
                    #[test]
                    fn $name() {
                        let name = concat!(stringify!($area), "::", stringify!($name));
                        $crate::prove(name, || $open);
                    }
                )+
            })+

            /// A macro that lost its list would leave no test, unnoticed.
            #[test]
            fn the_contract_has_its_clauses() {
                let names = [$($(concat!(stringify!($area), "::", stringify!($name))),+),+];
                let all: Vec<&str> = $crate::CLAUSES.iter().map(|clause| clause.name()).collect();
                assert_eq!(names.as_slice(), all);
                assert!(names.len() >= 140, "{} clauses", names.len());
            }
        }
    };
}

/// Proves the clause with a name on the result of `open`, in a runtime of its own.
///
/// # Panics
/// When the store breaks the clause, or there is none of this name.
pub fn prove<B: Backend + 'static>(name: &str, open: impl FnOnce() -> B) {
    let clause = CLAUSES.iter().find(|clause| clause.name() == name).unwrap();
    // Two threads, so that callers at the same time are at the same time.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async { clause.prove(open()).await });
}
