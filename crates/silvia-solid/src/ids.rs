//! Typed indices.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A vertex of a solid.
    VertexId
);
id!(
    /// An edge of a solid: a straight piece of the border between two faces.
    EdgeId
);
id!(
    /// A polygonal face of a solid.
    FaceId
);
id!(
    /// A triangle of a solid or soup.
    TriangleId
);
id!(
    /// A directed side of a triangle: number `3 t + k` runs from corner `k` of triangle `t` to the next
    /// corner.
    SideId
);

impl SideId {
    /// The triangle that the side belongs to.
    pub fn triangle(self) -> TriangleId {
        TriangleId(self.0 / 3)
    }

    /// The following side of the same triangle.
    #[must_use]
    pub fn next(self) -> SideId {
        SideId(crate::topology::next(self.0))
    }

    /// The preceding side of the same triangle.
    #[must_use]
    pub fn previous(self) -> SideId {
        SideId(crate::topology::previous(self.0))
    }
}

impl TriangleId {
    /// The three sides, in order.
    pub fn sides(self) -> [SideId; 3] {
        [0, 1, 2].map(|k| SideId(3 * self.0 + k))
    }
}
