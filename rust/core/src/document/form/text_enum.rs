//! Fields that hold one of a few words.

/// Declares an enum whose variants are words in JSON.
#[macro_export]
macro_rules! text_enum {
    (
        $(#[$meta:meta])+
        $vis:vis enum $Name:ident {
            $( $(#[$variant_meta:meta])+ $Variant:ident = $word:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis enum $Name {
            $( $(#[$variant_meta])+ $Variant ),+
        }

        impl $Name {
            /// Every variant, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),+];

            /// The word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$Variant => $word),+ }
            }

            /// The variant of that word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$Variant),)+
                    _ => None,
                }
            }
        }

        impl ::std::fmt::Display for $Name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl $crate::document::Part for $Name {
            fn read(value: &$crate::value::Value, reader: &mut $crate::document::Reader) -> Option<Self> {
                let found = value.as_str().and_then(Self::from_word);
                if found.is_none() {
                    reader.unknown_word(value, &[$($word),+]);
                }
                found
            }

            fn write(&self) -> $crate::value::Value {
                $crate::value::Value::from(self.as_str())
            }

            fn schema(_: &mut $crate::document::Definitions) -> $crate::value::Value {
                $crate::document::Definitions::words(&[$($word),+])
            }
        }
    };
}
