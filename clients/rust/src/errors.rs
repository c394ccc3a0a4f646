//! Errors: those that end a session for good, and messages that can't be read.

use std::fmt;

/// Why a session can't go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The settings of a server, a token or a bot are invalid.
    BadSettings(String),
    /// The server refuses the bot for good.
    Refused {
        /// Stable, such as auth/bad_token; may be empty.
        reason: String,
        /// What is wrong, and what to do.
        sentence: String,
    },
    /// There was no connection for longer than `Settings::give_up_after`.
    Unreachable(String),
}

impl Error {
    /// What `run` ends the process with.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::BadSettings(_) | Error::Refused { .. } => 2,
            Error::Unreachable(_) => 1,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadSettings(sentence) | Error::Unreachable(sentence) => out.write_str(sentence),
            Error::Refused { reason, sentence } if reason.is_empty() => out.write_str(sentence),
            Error::Refused { reason, sentence } => write!(out, "{reason}: {sentence}"),
        }
    }
}

impl std::error::Error for Error {}

/// A message says something that this client does not know, or that can't be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(String);

impl Unreadable {
    pub(crate) fn new(what: &str, value: impl fmt::Display) -> Self {
        Unreadable(format!("{what} {value}").trim_end().to_string())
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "unreadable: {}", self.0)
    }
}

impl std::error::Error for Unreadable {}
