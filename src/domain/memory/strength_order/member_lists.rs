//! Who among the members of a tier has a word: lists of numbers, each split by band.
//!
//! All lists lie in one piece, since a search seldom meets one that an earlier search has read: what it
//! waits for is memory, and here a list and its bands are met at once.

/// Lists of members; a member is known by its band and its number there.
#[derive(Debug)]
pub(in crate::memory) struct MemberLists {
    bands: usize,
    /// List by list, each band by band, ascending.
    numbers: Vec<u16>,
    /// Where the first list begins, then where each band of each list ends.
    ends: Vec<u32>,
    /// Room for a list that is being split.
    split: Vec<Vec<u16>>,
}

/// One of the lists.
#[derive(Clone, Copy, Debug)]
pub(in crate::memory) struct MemberList<'l> {
    lists: &'l MemberLists,
    number: u32,
}

impl MemberLists {
    /// No list yet, of a tier with so many bands.
    pub(super) fn new(bands: usize) -> Self {
        Self {
            bands,
            numbers: Vec::new(),
            ends: vec![0],
            split: vec![Vec::new(); bands],
        }
    }

    /// Notes a member of the next list, behind those of its band that are there.
    #[inline]
    pub(super) fn note(&mut self, band: u16, number: u16) {
        self.split[usize::from(band)].push(number);
    }

    /// Ends the list; gives its number.
    pub(super) fn end(&mut self) -> u32 {
        let lists = (self.ends.len() - 1) / self.bands;
        for band in &mut self.split {
            self.numbers.append(band);
            self.ends
                .push(u32::try_from(self.numbers.len()).unwrap_or(u32::MAX));
        }
        u32::try_from(lists).unwrap_or(u32::MAX)
    }

    /// Gives back room that was kept for growth.
    pub(super) fn shrink(&mut self) {
        self.numbers.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.split.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// A list by the number that it was given.
    pub(super) fn list(&self, number: u32) -> MemberList<'_> {
        MemberList {
            lists: self,
            number,
        }
    }
}

impl<'l> MemberList<'l> {
    /// The numbers of one band, ascending.
    #[inline]
    pub(in crate::memory) fn band(self, band: usize) -> &'l [u16] {
        let lists = self.lists;
        let at = self.number as usize * lists.bands + band;
        &lists.numbers[lists.ends[at] as usize..lists.ends[at + 1] as usize]
    }
}
