//! Which objects are asked about: objects and pairs switched on and off (paper 3 appendix B, V-Collide's
//! activation state), groups and masks.

/// The groups that an object belongs to and the groups that it may touch, one bit per group.
///
/// Two objects may touch if each belongs to a group that the other may touch.
///
/// ```
/// use silvia_proximity::Groups;
/// let wall = Groups { member_of: 0b01, meets: 0b10 };
/// let part = Groups { member_of: 0b10, meets: 0b11 };
/// assert!(wall.admits(part) && part.admits(wall) && part.admits(part));
/// assert!(!wall.admits(wall));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Groups {
    /// Its own groups.
    pub member_of: u32,
    /// Mask of the groups that it may touch.
    pub meets: u32,
}

impl Groups {
    /// In every group, and may touch every group.
    pub const ALL: Groups = Groups { member_of: u32::MAX, meets: u32::MAX };

    /// Whether the two objects may touch.
    pub fn admits(self, other: Groups) -> bool {
        self.member_of & other.meets != 0 && other.member_of & self.meets != 0
    }
}

impl Default for Groups {
    fn default() -> Groups {
        Groups::ALL
    }
}

/// Which pairs of objects to query. Objects are small numbers that the caller chooses.
///
/// A pair is queried if both objects are on, the pair is on, and their groups agree. The three settings are
/// independent: an object that is switched off and on again keeps the settings of its pairs. By default
/// everything is on.
///
/// ```
/// use silvia_proximity::Filter;
/// let mut filter = Filter::new();
/// filter.set_pair(3, 5, false);
/// filter.set_object(3, false);
/// filter.set_object(3, true);
/// assert!(!filter.admits(5, 3) && filter.admits(3, 4));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// By number; beyond the end, everything is on.
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, Default)]
struct Rule {
    is_off: bool,
    groups: Groups,
    /// In order; each is listed with the other.
    off_with: Vec<u32>,
}

impl Filter {
    /// A filter with everything on.
    pub fn new() -> Filter {
        Filter::default()
    }

    /// Whether a pair is queried. An object makes no pair with itself.
    #[inline]
    pub fn admits(&self, a: u32, b: u32) -> bool {
        a != b && self.object(a) && self.object(b) && self.groups(a).admits(self.groups(b)) && self.pair(a, b)
    }

    /// Switches an object on or off; its pairs keep their own state.
    pub fn set_object(&mut self, object: u32, is_on: bool) {
        self.rule(object).is_off = !is_on;
    }

    /// Whether an object is on.
    #[inline]
    pub fn object(&self, object: u32) -> bool {
        self.known(object).is_none_or(|rule| !rule.is_off)
    }

    /// Switches a pair on or off. Its objects keep their own settings.
    pub fn set_pair(&mut self, a: u32, b: u32, is_on: bool) {
        if is_on && self.pair(a, b) {
            return;
        }
        for (one, other) in [(a, b), (b, a)] {
            let off_with = &mut self.rule(one).off_with;
            match (off_with.binary_search(&other), is_on) {
                (Ok(place), true) => drop(off_with.remove(place)),
                (Err(place), false) => off_with.insert(place, other),
                _ => {}
            }
        }
    }

    /// Whether a pair is on. Does not look at its objects.
    #[inline]
    pub fn pair(&self, a: u32, b: u32) -> bool {
        self.known(a).is_none_or(|rule| rule.off_with.is_empty() || rule.off_with.binary_search(&b).is_err())
    }

    /// The objects whose pair with this one is off, in ascending order.
    pub fn off_with(&self, object: u32) -> &[u32] {
        self.known(object).map_or(&[], |rule| &rule.off_with)
    }

    /// Puts an object into groups.
    pub fn set_groups(&mut self, object: u32, groups: Groups) {
        self.rule(object).groups = groups;
    }

    /// The groups of an object.
    #[inline]
    pub fn groups(&self, object: u32) -> Groups {
        self.known(object).map_or(Groups::ALL, |rule| rule.groups)
    }

    /// Resets an object and all its pairs, so that its number can name a new object.
    pub fn forget(&mut self, object: u32) {
        if self.known(object).is_none() {
            return;
        }
        for other in std::mem::take(self.rule(object)).off_with {
            self.rule(other).off_with.retain(|&o| o != object);
        }
    }

    #[inline]
    fn known(&self, object: u32) -> Option<&Rule> {
        self.rules.get(object as usize)
    }

    fn rule(&mut self, object: u32) -> &mut Rule {
        let index = object as usize;
        if index >= self.rules.len() {
            self.rules.resize_with(index + 1, Rule::default);
        }
        &mut self.rules[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn both_groups_must_agree() {
        let one_way = (Groups { member_of: 1, meets: 2 }, Groups { member_of: 2, meets: 4 });
        assert!(!one_way.0.admits(one_way.1) && !one_way.1.admits(one_way.0));
        assert!(!Groups { member_of: 0, meets: u32::MAX }.admits(Groups::ALL));
        assert!(!Groups { member_of: u32::MAX, meets: 0 }.admits(Groups::ALL));
    }

    #[test]
    fn an_object_is_no_pair_with_itself() {
        assert!(!Filter::new().admits(7, 7));
    }

    #[derive(Clone, Debug)]
    enum Change {
        Object(u32, bool),
        Pair(u32, u32, bool),
        Groups(u32, Groups),
        Forget(u32),
    }

    fn change() -> impl Strategy<Value = Change> {
        let groups = (0..4u32, 0..4u32).prop_map(|(member_of, meets)| Groups { member_of, meets });
        prop_oneof![
            1 => (0..6u32, any::<bool>()).prop_map(|(o, on)| Change::Object(o, on)),
            4 => (0..6u32, 0..6u32, any::<bool>()).prop_map(|(a, b, on)| Change::Pair(a, b, on)),
            1 => (0..6u32, groups).prop_map(|(o, g)| Change::Groups(o, g)),
            1 => (0..6u32).prop_map(Change::Forget),
        ]
    }

    proptest! {
        /// The oracle keeps a set of what is off.
        #[test]
        fn a_pair_is_asked_about_if_nothing_forbids_it(changes in prop::collection::vec(change(), 0..40)) {
            let mut filter = Filter::new();
            let mut off: BTreeSet<u32> = BTreeSet::new();
            let mut pairs_off: BTreeSet<[u32; 2]> = BTreeSet::new();
            let mut groups = [Groups::ALL; 6];
            for change in changes {
                match change {
                    Change::Object(o, on) => {
                        filter.set_object(o, on);
                        if on { off.remove(&o); } else { off.insert(o); }
                    }
                    Change::Pair(a, b, on) => {
                        filter.set_pair(a, b, on);
                        let key = [a.min(b), a.max(b)];
                        if on { pairs_off.remove(&key); } else { pairs_off.insert(key); }
                    }
                    Change::Groups(o, g) => {
                        filter.set_groups(o, g);
                        groups[o as usize] = g;
                    }
                    Change::Forget(o) => {
                        filter.forget(o);
                        off.remove(&o);
                        pairs_off.retain(|pair| !pair.contains(&o));
                        groups[o as usize] = Groups::ALL;
                    }
                }
                for a in 0..6 {
                    for b in 0..6 {
                        let (ga, gb) = (groups[a as usize], groups[b as usize]);
                        let expected = a != b
                            && !off.contains(&a)
                            && !off.contains(&b)
                            && !pairs_off.contains(&[a.min(b), a.max(b)])
                            && ga.member_of & gb.meets != 0
                            && gb.member_of & ga.meets != 0;
                        prop_assert_eq!(filter.admits(a, b), expected, "{} {}", a, b);
                    }
                }
            }
        }
    }
}
