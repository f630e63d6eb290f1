//! The declaration of a document.

/// Declares a document: a struct, and from the same table its reading, writing, JSON Schema and fields by name.
///
/// ```
/// use std::sync::Arc;
///
/// use wf_core::document::Document;
/// use wf_core::value::Value;
///
/// wf_core::document! {
///     /// A parcel.
///     #[derive(Clone, Debug, PartialEq)]
///     pub struct Parcel: "Parcel" {
///         /// Where it goes.
///         pub to: Arc<str>,
///         /// What it weighs, in grams.
///         pub weight: u32 as "grams" = 100,
///     }
///     unknown Forbid;
/// }
///
/// let parcel = Parcel::parse(&Value::parse_json(r#"{"to": "Rome"}"#)?).unwrap();
/// assert_eq!(parcel.dump().to_json(), r#"{"to":"Rome","grams":100}"#);
/// # Ok::<(), wf_core::value::JsonError>(())
/// ```
///
/// A field is `name: Type`, then as needed `as "key"` (its key in JSON), `=> Codec` (stricter rules than the
/// type's) and `= default` (it may be missing). Its doc comment is its description. After the struct, in this order:
///
/// * `tag "key" = "word";` a constant entry, written behind the first field (or first of all with `first`);
/// * `unknown Forbid;` or `unknown Ignore;` what happens to other keys; `extra name;` keeps them in that field;
/// * `computed { name: Type }` fields of the struct that are no fields of the document;
/// * `before f;` `fn(&Value, &mut Reader) -> Option<Cow<Value>>` turns other accepted shapes into the canonical one;
/// * `after f;` `fn(Self, &mut Reader) -> Self` checks fields against each other and fills computed ones;
/// * `compact f;` `fn(&Self, Object) -> Value` shortens what is written; `or Type;` says to what else it may.
#[macro_export]
macro_rules! document {
    (
        $(#[doc = $doc:literal])+
        #[derive($($derive:ident),+ $(,)?)]
        $vis:vis struct $Name:ident : $public:literal {
            $(
                $(#[doc = $field_doc:literal])+
                $field_vis:vis $field:ident : $ty:ty $(as $key:literal)? $(=> $codec:ty)? $(= $default:expr)?
            ),+ $(,)?
        }
        $(tag $tag_key:literal = $tag_word:literal $($tag_place:ident)?;)?
        $(unknown $unknown:ident;)?
        $(extra $extra:ident;)?
        $(computed { $( $(#[doc = $computed_doc:literal])+ $computed_vis:vis $computed:ident : $computed_ty:ty ),+ $(,)? })?
        $(before $before:expr;)?
        $(after $after:expr;)?
        $(compact $compact:expr;)?
        $(or $or:ty;)?
    ) => {
        $(#[doc = $doc])+
        #[derive($($derive),+)]
        $vis struct $Name {
            $( $(#[doc = $field_doc])+ $field_vis $field: $ty, )+
            $(
                /// Further keys, kept as they came.
                pub $extra: Vec<(::std::sync::Arc<str>, $crate::value::Value)>,
            )?
            $( $( $(#[doc = $computed_doc])+ $computed_vis $computed: $computed_ty, )+ )?
        }

        impl $Name {
            const FIELDS: &'static [$crate::document::FieldInfo] = &[
                $( $crate::document::FieldInfo {
                    name: $crate::document!(@key $field $($key)?),
                    required: $crate::document!(@required $($default)?),
                    description: concat!($($field_doc),+).trim_ascii(),
                }, )+
            ];
        }

        impl $crate::document::Part for $Name {
            fn read(value: &$crate::value::Value, reader: &mut $crate::document::Reader) -> Option<Self> {
                $(
                    let shape: ::std::borrow::Cow<'_, $crate::value::Value> = ($before)(value, reader)?;
                    let value: &$crate::value::Value = &shape;
                )?
                let object = reader.object(value, $public)?;
                reader.constant(object, <Self as $crate::document::Document>::TAG);
                $( reader.unknown(object, Self::FIELDS, <Self as $crate::document::Document>::TAG, $crate::document::UnknownKeys::$unknown); )?
                $(
                    let $field: Option<$ty> = reader.field::<$ty, $crate::document!(@codec $($codec)?)>(
                        object,
                        $crate::document!(@key $field $($key)?),
                        $crate::document!(@default $ty $(, $default)?),
                    );
                )+
                let document = Self {
                    $( $field: $field?, )+
                    $( $extra: $crate::document::Reader::extra(object, Self::FIELDS, <Self as $crate::document::Document>::TAG), )?
                    $( $( $computed: Default::default(), )+ )?
                };
                $( let document = ($after)(document, reader); )?
                Some(document)
            }

            fn write(&self) -> $crate::value::Value {
                let object = $crate::document::assemble::<Self>([
                    $( <$crate::document!(@codec $($codec)?) as $crate::document::Codec<$ty>>::write(&self.$field), )+
                ]);
                $(
                    let mut object = object;
                    for (key, value) in &self.$extra {
                        object.insert(key.clone(), value.clone());
                    }
                )?
                $crate::document!(@finish self, object $(, $compact)?)
            }

            fn schema(definitions: &mut $crate::document::Definitions) -> $crate::value::Value {
                definitions.document::<Self>(|definitions| {
                    let fields = vec![
                        $( (
                            <$crate::document!(@codec $($codec)?) as $crate::document::Codec<$ty>>::schema(definitions),
                            $crate::document!(@written $ty, ($crate::document!(@codec $($codec)?)) $(, $default)?),
                        ), )+
                    ];
                    let schema = $crate::document::Definitions::object_schema(
                        $public,
                        concat!($($doc),+).trim_ascii(),
                        <Self as $crate::document::Document>::TAG,
                        Self::FIELDS,
                        fields,
                        $crate::document!(@open $($unknown)?),
                    );
                    $(
                        let other = <$or as $crate::document::Part>::schema(definitions);
                        let schema = $crate::document::Definitions::any_of(vec![other, schema]);
                    )?
                    schema
                })
            }

            fn view(&self) -> $crate::document::View {
                $crate::document::View::document(self)
            }
        }

        impl $crate::document::Document for $Name {
            const NAME: &'static str = $public;

            const TAG: Option<$crate::document::Tag> =
                $crate::document!(@tag $($tag_key, $tag_word $(, $tag_place)?)?);

            fn fields() -> &'static [$crate::document::FieldInfo] {
                Self::FIELDS
            }

            fn field(&self, name: &str) -> Option<$crate::document::View> {
                match name {
                    $(
                        $crate::document!(@key $field $($key)?) => Some(
                            <$crate::document!(@codec $($codec)?) as $crate::document::Codec<$ty>>::view(&self.$field),
                        ),
                    )+
                    _ => None,
                }
            }
        }
    };

    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    (@required) => { true };
    (@required $default:expr) => { false };
    (@codec) => { $crate::document::Plain };
    (@codec $codec:ty) => { $codec };
    (@default $ty:ty) => { None };
    (@default $ty:ty, $default:expr) => { Some(|| $default) };
    (@written $ty:ty, ($codec:ty)) => { None };
    (@written $ty:ty, ($codec:ty), $default:expr) => { Some(<$codec as $crate::document::Codec<$ty>>::write(&$default)) };
    (@tag) => { None };
    (@tag $key:literal, $word:literal) => { Some($crate::document::Tag { key: $key, word: $word, first: false }) };
    (@tag $key:literal, $word:literal, first) => { Some($crate::document::Tag { key: $key, word: $word, first: true }) };
    (@finish $document:expr, $object:expr) => { $crate::value::Value::Object($object) };
    (@finish $document:expr, $object:expr, $compact:expr) => { ($compact)($document, $object) };
    (@open) => { $crate::document::UnknownKeys::Ignore };
    (@open $unknown:ident) => { $crate::document::UnknownKeys::$unknown };
}
