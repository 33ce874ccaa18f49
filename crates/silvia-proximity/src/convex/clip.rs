//! Clipping an edge against planes of a Voronoi region (paper 4, algorithm 1).

/// What is left of an edge, as fractions of its length from its tail, and the neighbours whose planes cut it
/// there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clip<N> {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) enters_at: Option<N>,
    pub(crate) leaves_at: Option<N>,
}

impl<N: Copy> Clip<N> {
    /// All of the edge.
    pub(crate) const WHOLE: Clip<N> = Clip { from: 0.0, to: 1.0, enters_at: None, leaves_at: None };

    /// Nothing is left.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.from > self.to
    }

    /// Cuts off what is beyond a plane, given how far the edge's ends are inside of it. False if all of the
    /// edge is beyond this one plane.
    #[inline(always)]
    pub(crate) fn cut(&mut self, [tail, head]: [f64; 2], neighbour: N) -> bool {
        if tail < 0.0 {
            if head < 0.0 {
                return false;
            }
            let at = tail / (tail - head);
            if at > self.from {
                self.from = at;
                self.enters_at = Some(neighbour);
            }
        } else if head < 0.0 {
            let at = tail / (tail - head);
            if at < self.to {
                self.to = at;
                self.leaves_at = Some(neighbour);
            }
        }
        true
    }
}
