//! Words of the contract: enums without the value that stands for nothing, each with its name.

use crate::errors::Unreadable;

/// A word that numbers of the contract stand for.
pub(crate) trait Word: Sized {
    /// The word of a number; 0 stands for none.
    fn optional(number: i32) -> Result<Option<Self>, Unreadable>;

    /// The word of a number, which must stand for one.
    fn read(number: i32) -> Result<Self, Unreadable> {
        Self::optional(number)?.ok_or_else(|| Unreadable::new("word", number))
    }
}

/// Defines an enum with the numbers and the names that the contract gives its values.
macro_rules! words {
    ($(#[$about:meta])* $name:ident {
        $($(#[$note:meta])* $word:ident = $number:literal, $text:literal;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$note])* $word = $number),+
        }

        impl $name {
            /// All of them, in the order of the rules.
            pub const ALL: &'static [Self] = &[$(Self::$word),+];

            /// The name, as in the rules and the records.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$word => $text),+
                }
            }

            /// The index in `ALL`.
            pub fn index(self) -> usize {
                self as usize - 1
            }
        }

        impl $crate::words::Word for $name {
            fn optional(number: i32) -> Result<Option<Self>, $crate::errors::Unreadable> {
                match number {
                    0 => Ok(None),
                    $($number => Ok(Some(Self::$word)),)+
                    _ => Err($crate::errors::Unreadable::new(stringify!($name), number)),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.name())
            }
        }
    };
}

pub(crate) use words;
