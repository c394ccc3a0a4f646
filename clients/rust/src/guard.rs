//! The guard around a bot's methods: a panic in one of them is caught, with its stack.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static STACK: RefCell<Option<Stack>> = const { RefCell::new(None) };
}

/// A panic that was caught.
pub(crate) struct Caught {
    /// Such as "panic: attempt to divide by zero".
    pub(crate) reason: String,
    /// Where it happened; to show it takes a while.
    pub(crate) stack: Option<Stack>,
}

/// Where a panic happened, and the stack.
pub(crate) struct Stack {
    place: String,
    frames: Backtrace,
}

impl fmt::Display for Stack {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at {}\n{}", self.place, self.frames)
    }
}

/// The value of a function, or its panic.
pub(crate) fn guarded<T>(function: impl FnOnce() -> T) -> Result<T, Caught> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if GUARDED.get() {
                let place = panic.location().map(ToString::to_string).unwrap_or_default();
                let frames = Backtrace::force_capture();
                STACK.set(Some(Stack { place, frames }));
            } else {
                usual(panic);
            }
        }));
    });
    GUARDED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(function));
    GUARDED.set(false);
    outcome.map_err(|payload| Caught {
        reason: format!("panic: {}", words_of(payload.as_ref())),
        stack: STACK.take(),
    })
}

fn words_of(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no words")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_with_its_place() {
        let Err(caught) = guarded(|| -> usize { panic!("no {}", "idea") }) else {
            panic!("it was not caught");
        };
        assert_eq!(caught.reason, "panic: no idea");
        let stack = caught.stack.map(|stack| stack.to_string()).unwrap_or_default();
        assert!(stack.starts_with("at src/guard.rs"), "{stack}");
        assert_eq!(guarded(|| 7).ok(), Some(7));
    }
}
