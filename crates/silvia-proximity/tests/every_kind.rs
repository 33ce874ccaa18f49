//! A new kind of shape must be a compile error wherever the code tells kinds apart. The compiler sees to
//! that, unless a `match` over kinds has an arm that takes all the rest. So no `match` in the sources of this
//! repository that names a kind may have one.
//!
//! Bodies of macros are not parsed: `matches!` is for a question about one kind whose answer is no for all
//! others, those to come included.

#![allow(clippy::expect_used)]

use silvia_proximity::ShapeKind;
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::Visit;
use syn::{ExprMatch, Item, Pat, UsePath, spanned::Spanned};

/// The enums that stand for kinds of shapes: the public ones, and how the queries group them.
const KINDS: [&str; 5] = ["Shape", "ShapeKind", "Class", "Core", "ContactGeometry"];

#[test]
fn no_match_over_kinds_of_shapes_has_an_arm_for_all_the_rest() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "bench"] {
        find_sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 300, "sources of the repository: only {} found", files.len());
    let mut matches = 0;
    let mut open = Vec::new();
    for file in files {
        let looked = Looked::at(&fs::read_to_string(&file).expect("a readable source"));
        matches += looked.matches;
        let name = file.strip_prefix(&root).expect("a file of the repository").display().to_string();
        open.extend(looked.open.into_iter().map(|line| format!("{name}:{line}")));
    }
    assert!(matches > 30, "matches over kinds: only {matches} found");
    assert!(
        open.is_empty(),
        "these arms (or imports) take kinds unseen, name the kinds as `Shape::Kind` instead:\n{}",
        open.join("\n")
    );
}

#[test]
fn all_kinds_are_listed_in_their_order() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shape/mod.rs");
    let file = syn::parse_file(&fs::read_to_string(source).expect("a readable source")).expect("valid Rust");
    let kinds = ShapeKind::ALL.map(|kind| format!("{kind:?}"));
    for name in ["Shape", "ShapeKind"] {
        let variants = file.items.iter().find_map(|item| match item {
            Item::Enum(item) if item.ident == name => Some(&item.variants),
            _ => None,
        });
        let variants = variants.expect("the enum").iter().map(|variant| variant.ident.to_string());
        assert_eq!(variants.collect::<Vec<String>>(), kinds, "ShapeKind::ALL and {name}");
    }
}

#[test]
fn arms_for_all_the_rest_are_found_in_all_their_forms() {
    let arms_found = |arms: &str| Looked::at(&format!("fn f() {{ match x {{ {arms} }} }}")).open.len();
    for open in [
        "Shape::Point(_) => 1, _ => 2",
        "Shape::Point(_) => 1, rest => 2",
        "Shape::Point(_) => 1, rest @ _ => 2",
        "shape::ShapeKind::Point | _ => 1",
        "&Shape::Point(_) => 1, &_ => 2",
        "(Shape::Point(_), Shape::Box(_)) => 1, _ => 2",
        "(Shape::Point(_), Shape::Box(_)) => 1, (_, _) => 2",
        "(Shape::Point(_), Shape::Box(_)) => 1, (..) => 2",
        "(Shape::Point(_), true) => 1, (_, false) => 2, (_, true) => 3",
        "[Shape::Point(_), Shape::Box(_)] => 1, [a, b] => 2",
        "Some(Shape::Point(_)) => 1, Some(_) => 2, None => 3",
        "Ok((Shape::Point(_), 1)) => 1, Ok((_, n)) => 2, Err(_) => 3",
        "Self::Mesh(Shape::Solid(mesh)) => 1, Self::Mesh(rest) => 2",
    ] {
        assert!(arms_found(open) > 0, "{open}");
    }
    assert_eq!(Looked::at("use silvia_proximity::Shape::{Box, Cone};").open, [1]);
    assert_eq!(Looked::at("use silvia_proximity::{Ray, Shape::*};").open, [1]);
    assert_eq!(Looked::at("use silvia_proximity::{Shape, shape::Cone};").open, [] as [usize; 0]);
    for closed in [
        "1 => 1, _ => 2",
        "Feature::Vertex(_) => 1, _ => 2",
        "Shape::Point(_) => 1, Shape::Box(_) | Shape::Cone(_) => 2",
        "Shape::Point(_) => 1, _ if is_small => 2, Shape::Box(_) => 3",
        "(Shape::Point(_), Shape::Box(_)) => 1, (Shape::Box(_), _) => 2, (_, Shape::Box(_)) => 3",
        "(Shape::Point(_), true) => 1, (Shape::Point(_), _) => 2",
        "Some(Shape::Point(_)) => 1, None => 2",
        "Ok(Shape::Point(_)) => 1, Err(_) => 2",
    ] {
        assert_eq!(arms_found(closed), 0, "{closed}");
    }
}

fn find_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            find_sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// What a source has of matches over kinds of shapes.
#[derive(Default)]
struct Looked {
    matches: usize,
    /// The lines of the arms that take all the rest.
    open: Vec<usize>,
}

impl Looked {
    fn at(source: &str) -> Looked {
        let mut looked = Looked::default();
        looked.visit_file(&syn::parse_file(source).expect("a source that compiles"));
        looked
    }
}

impl<'ast> Visit<'ast> for Looked {
    /// Kinds that are imported would stand in patterns without their enum, unseen.
    fn visit_use_path(&mut self, path: &'ast UsePath) {
        if KINDS.iter().any(|kind| path.ident == kind) {
            self.open.push(path.ident.span().start().line);
        }
        syn::visit::visit_use_path(self, path);
    }

    fn visit_expr_match(&mut self, expression: &'ast ExprMatch) {
        let arms = expression.arms.iter().map(|arm| &arm.pat);
        let all: Vec<&Pat> = arms.clone().flat_map(|pattern| alternatives(without_guard(pattern))).collect();
        if all.iter().any(|pattern| names_a_kind(pattern)) {
            self.matches += 1;
            // The compiler does not count on an arm with a guard.
            let unguarded = arms.filter(|pattern| !matches!(pattern, Pat::Guard(_))).flat_map(alternatives);
            let open = unguarded.filter(|pattern| takes_all_the_rest(pattern, &all));
            self.open.extend(open.map(|pattern| pattern.span().start().line));
        }
        syn::visit::visit_expr_match(self, expression);
    }
}

/// Whether one of the patterns of a match takes a kind that none of them names.
fn takes_all_the_rest(pattern: &Pat, all: &[&Pat]) -> bool {
    if !all.iter().any(|p| names_a_kind(p)) {
        return false;
    }
    let Some((constructor, fields)) = taken_apart(pattern) else { return true };
    // Against those of the same form: where they tell kinds apart, this one must, too.
    let same: Vec<Vec<&Pat>> = all
        .iter()
        .filter_map(|p| taken_apart(p))
        .filter(|(other, f)| *other == constructor && f.len() == fields.len())
        .map(|(_, f)| f)
        .collect();
    if fields.iter().any(|p| matches!(p, Pat::Rest(_))) {
        return same.iter().chain([&fields]).flatten().all(|p| !names_a_kind(p));
    }
    let column = |i: usize| same.iter().flat_map(move |f| alternatives(f[i])).collect::<Vec<&Pat>>();
    let mut telling = (0..fields.len()).filter(|&i| column(i).iter().any(|p| names_a_kind(p))).peekable();
    telling.peek().is_some()
        && telling.all(|i| alternatives(fields[i]).iter().any(|p| takes_all_the_rest(p, &column(i))))
}

/// The name of what a pattern takes apart, and the patterns within; `None` if it takes whatever comes.
fn taken_apart(pattern: &Pat) -> Option<(String, Vec<&Pat>)> {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => None,
        Pat::Ident(name) => match &name.subpat {
            Some((_, within)) => taken_apart(within),
            // A constant or a unit variant begins with a capital.
            None => {
                let name = name.ident.to_string();
                name.starts_with(char::is_uppercase).then_some((name, Vec::new()))
            }
        },
        Pat::Paren(p) => taken_apart(&p.pat),
        Pat::Reference(p) => taken_apart(&p.pat),
        Pat::Type(p) => taken_apart(&p.pat),
        Pat::Tuple(p) => Some(("(".into(), p.elems.iter().collect())),
        Pat::Slice(p) => Some(("[".into(), p.elems.iter().collect())),
        // What is within a kind is told apart where it is matched.
        Pat::TupleStruct(p) if is_kind(&p.path) => Some((last(&p.path), Vec::new())),
        Pat::TupleStruct(p) => Some((last(&p.path), p.elems.iter().collect())),
        Pat::Struct(p) => Some((last(&p.path), p.fields.iter().map(|f| &*f.pat).collect())),
        Pat::Path(p) => Some((last(&p.path), Vec::new())),
        // Numbers, texts, ranges.
        _ => Some(("=".into(), Vec::new())),
    }
}

fn without_guard(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Guard(guarded) => &guarded.pat,
        pattern => pattern,
    }
}

/// The patterns of which any may match.
fn alternatives(pattern: &Pat) -> Vec<&Pat> {
    match pattern {
        Pat::Or(p) => p.cases.iter().flat_map(alternatives).collect(),
        Pat::Paren(p) => alternatives(&p.pat),
        pattern => vec![pattern],
    }
}

fn names_a_kind(pattern: &Pat) -> bool {
    struct Names(bool);
    impl<'ast> Visit<'ast> for Names {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            self.0 |= is_kind(path);
        }
    }
    let mut names = Names(false);
    names.visit_pat(pattern);
    names.0
}

fn is_kind(path: &syn::Path) -> bool {
    let mut from_end = path.segments.iter().rev().skip(1);
    from_end.next().is_some_and(|segment| KINDS.iter().any(|kind| segment.ident == kind))
}

fn last(path: &syn::Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}
