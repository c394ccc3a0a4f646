//! The best of several: the first of equals, as docs/sample-bots.md wants it.

/// The index of the item that is worth most; the first of equals. 0 where there is none.
pub(crate) fn best<T>(items: &[T], worth: impl Fn(&T) -> i64) -> usize {
    let mut best = 0;
    let mut most = None;
    for (index, item) in items.iter().enumerate() {
        let worth = worth(item);
        if most.is_none_or(|most| worth > most) {
            (best, most) = (index, Some(worth));
        }
    }
    best
}
