//! The strongest bullets as an index of their own, for searches that strength decides.
//!
//! A tiered index (Manning, Raghavan and Schütze 2008, §7.2.1), kept exact: no level outside is above a
//! known one. Members lie in bands, the strongest first, and are numbered by slot within a band. Which
//! members have a word is found out ahead for words that many bullets have; for the others each search
//! asks their slots.
//! Bullets that become too strong to be outside, and members whose text changed, are told apart, to be
//! looked at one by one; when they are many, or much time has passed, the tier is made anew.
//!
//! What strength and type add to scores is kept for one clock, as bytes above what it is outside, and
//! holds at every later clock. It is made anew every few ticks, which leaves members and lists alone.

use std::sync::OnceLock;

use super::ceilings::{Ceilings, Fading, Table, steps};
use super::member_lists::{MemberList, MemberLists};
use super::{GROUPS, NO_GROUP};
use crate::memory::word_index::WordIndex;
use crate::slot_set::{Numbered, SlotSet, WINDOW};

/// One bullet in so many is a member.
const SHARE: usize = 5;
/// Bands of a tier that has no more members than so many times a band holds.
const BANDS: usize = 16;
/// Many bullets have a word that one in so many has. At a million these are 27,000 lists, 0.16 s once in
/// `TICKS`; 0.07 s for words of one in 1,024, where a search takes a fifth longer for the others.
const OFTEN: u64 = 16_384;
/// A bullet that is told apart costs about so many times what a member costs.
const APART_COST: usize = 32;
/// Bullets told apart that are always few.
const FEW_APART: usize = 16;
/// Ticks after which a tier is made anew, and its heights.
const TICKS: u64 = 512;
const HEIGHT_TICKS: u64 = 8;
/// Relevance that heights leave room for in a byte.
const RELEVANCE: f64 = 0.6;
const STEPS: f64 = 250.0;
/// Levels are looked up in so many steps for each factor of e, so far down.
const PER_E: f64 = 2_048.0;
const ENTRIES: usize = 4_096;
/// In place of the number of a list that is not there.
const NONE: u32 = u32::MAX;

/// The strongest bullets.
#[derive(Debug)]
pub(in crate::memory) struct Tier {
    /// Members that are about as strong, by number; the strongest first.
    pub(in crate::memory) bands: Vec<Vec<Member>>,
    /// Bullets that neither members nor levels outside hold for.
    pub(in crate::memory) apart: SlotSet,
    numbered: Numbered,
    /// Where each member is, by its number among all.
    places: Vec<Place>,
    /// Who has, or repeats, the words that many bullets have.
    often: MemberLists,
    /// By word: the lists of who has it, and of who repeats it.
    often_of: Vec<[u32; 2]>,
    /// The highest level outside by group; absent where all are members.
    outside: [Option<f32>; GROUPS],
    heights: OnceLock<Heights>,
}

/// A band, and the number of a member there.
#[derive(Clone, Copy, Debug)]
struct Place {
    band: u16,
    number: u16,
}

/// What is known of a member as long as it is not told apart.
#[derive(Clone, Copy, Debug)]
pub(in crate::memory) struct Member {
    pub(in crate::memory) slot: u32,
    /// Number of its words.
    pub(in crate::memory) length: u32,
}

/// What strength and type add to the score of each member at most.
#[derive(Debug)]
pub(in crate::memory) struct Heights {
    pub(super) fading: Fading,
    /// The same for every bullet outside.
    pub(in crate::memory) base: f64,
    /// What one step above the base stands for.
    pub(in crate::memory) step: f64,
    /// By band.
    pub(in crate::memory) bands: Vec<BandHeights>,
}

/// Heights of a band.
#[derive(Debug)]
pub(in crate::memory) struct BandHeights {
    /// In steps above the base, by number.
    pub(in crate::memory) steps: Vec<u8>,
    /// The greatest of these.
    pub(in crate::memory) most: u8,
    /// By number.
    pub(in crate::memory) closer: Vec<Closer>,
}

/// What tells whether a member can matter, where its sum says so. It lies together: whoever reads it reads
/// little else of the member.
#[derive(Clone, Copy, Debug)]
pub(in crate::memory) struct Closer {
    /// What the steps stand for, which are rounded up by more than many members differ.
    pub(in crate::memory) score: f32,
    /// Number of its words.
    pub(in crate::memory) length: u32,
}

/// Groups and levels by slot.
pub(super) type Standing<'m> = (&'m [u8], &'m [f32]);

impl Tier {
    /// The strongest by their ceilings, where these differ by `spread` or more: otherwise nobody is told
    /// apart by strength. `index` is what lists are taken from.
    pub(super) fn build(
        ceilings: Ceilings<'_>,
        spread: f64,
        index: &WordIndex,
        (groups, levels): Standing<'_>,
    ) -> Option<Self> {
        let bytes = ceilings.bytes;
        let mut counts = [0_usize; 256];
        bytes
            .iter()
            .for_each(|byte| counts[usize::from(*byte)] += 1);
        counts[0] = 0;
        let members = (bytes.len() / SHARE).min(counts.iter().sum());
        // How many are stronger than each byte says.
        let mut ranks = [0; 256];
        for byte in (0..255).rev() {
            ranks[byte] = ranks[byte + 1] + counts[byte + 1];
        }
        let at_rank = |rank: usize| {
            (0..=255_u8).rfind(|byte| rank < ranks[usize::from(*byte)] + counts[usize::from(*byte)])
        };
        let score_at = |rank: usize| f64::from(at_rank(rank).unwrap_or(0)) * ceilings.step;
        if members == 0 || score_at(0) - score_at(members) < spread {
            return None;
        }
        let size = members.div_ceil(BANDS).clamp(1, WINDOW);
        let mut bands = vec![Vec::new(); members.div_ceil(size)];
        let often = MemberLists::new(bands.len());
        let (mut slots, mut places) = (Vec::with_capacity(members), Vec::with_capacity(members));
        let mut outside: [Option<f32>; GROUPS] = [None; GROUPS];
        for ((slot, byte), (group, level)) in (0..).zip(bytes).zip(groups.iter().zip(levels)) {
            let rank = &mut ranks[usize::from(*byte)];
            if *byte > 0 && *rank < members {
                let band = *rank / size;
                slots.push(slot);
                places.push(Place {
                    band: u16::try_from(band).unwrap_or(u16::MAX),
                    number: u16::try_from(bands[band].len()).unwrap_or(u16::MAX),
                });
                let length = index.length(slot);
                bands[band].push(Member { slot, length });
            } else if let Some(outside) = outside.get_mut(usize::from(*group)) {
                *outside = Some(outside.map_or(*level, |highest| highest.max(*level)));
            }
            *rank += 1;
        }
        let mut tier = Self {
            bands,
            apart: SlotSet::default(),
            numbered: Numbered::of_ascending(slots.into_iter()),
            places,
            often,
            often_of: Vec::new(),
            outside,
            heights: OnceLock::new(),
        };
        tier.look_ahead(index);
        Some(tier)
    }

    /// Finds who has, or repeats, the words that many bullets have.
    fn look_ahead(&mut self, index: &WordIndex) {
        let least = index.documents().div_ceil(OFTEN);
        let mut often = self.room();
        let mut of_set = |slots: &SlotSet| {
            if slots.len() as u64 >= least {
                self.split(slots, &mut often)
            } else {
                NONE
            }
        };
        let lists = index.lists().map(|list| {
            let repeated = list.repeated();
            [of_set(list.slots()), repeated.map_or(NONE, &mut of_set)]
        });
        self.often_of = lists.collect();
        often.shrink();
        self.often = often;
    }

    /// The numbers of the members that have each of some words, or repeat it, by band; of members told
    /// apart they may be wrong. With each word comes where it occurs; `room` is for lists that are not
    /// known ahead.
    pub(in crate::memory) fn lists<'t>(
        &'t self,
        words: impl Iterator<Item = ((u32, bool), &'t SlotSet)>,
        room: &'t mut MemberLists,
    ) -> Vec<MemberList<'t>> {
        let known = |(word, is_repeat): (u32, bool)| {
            let of_word = self.often_of.get(word as usize)?;
            Some(of_word[usize::from(is_repeat)]).filter(|number| *number != NONE)
        };
        let numbers = words.map(|(word, slots)| match known(word) {
            Some(number) => (number, true),
            None => (self.split(slots, room), false),
        });
        let numbers: Vec<(u32, bool)> = numbers.collect();
        let room = &*room;
        let list = |(number, is_known)| {
            if is_known {
                self.often.list(number)
            } else {
                room.list(number)
            }
        };
        numbers.into_iter().map(list).collect()
    }

    /// Room for lists of members.
    pub(in crate::memory) fn room(&self) -> MemberLists {
        MemberLists::new(self.bands.len())
    }

    /// Splits slots by band; gives the number of the list.
    fn split(&self, slots: &SlotSet, lists: &mut MemberLists) -> u32 {
        slots.for_each_numbered(&self.numbered, |number| {
            let Place { band, number } = self.places[number as usize];
            lists.note(band, number);
        });
        lists.end()
    }

    /// What strength and type add to scores at a clock, where those at hand do not serve.
    pub(super) fn heights(
        &self,
        table: &Table,
        fading: Fading,
        (groups, levels): Standing<'_>,
        weight: f64,
    ) -> &Heights {
        self.heights.get_or_init(|| {
            let most_of = |levels: [Option<f32>; GROUPS]| {
                let of_group = |group: usize| Some(table.most(&fading, group, levels[group]?));
                (0..GROUPS).filter_map(of_group).fold(0.0, f64::max)
            };
            let mut tops = [f32::NEG_INFINITY; GROUPS];
            for member in self.bands.iter().flatten() {
                let at = member.slot as usize;
                if let Some(top) = tops.get_mut(usize::from(groups[at])) {
                    *top = top.max(levels[at]);
                }
            }
            let (base, top) = (most_of(self.outside), most_of(tops.map(Some)));
            let step = ((top - base).max(0.0) + weight * RELEVANCE) / STEPS;
            // Heights by how far a level is below the top of its group.
            let mut entries = Vec::with_capacity(GROUPS * ENTRIES);
            for (group, top) in tops.iter().enumerate() {
                entries.extend((0..ENTRIES).map(|below| {
                    #[allow(clippy::cast_possible_truncation)]
                    let level = (f64::from(*top) - below as f64 / PER_E) as f32;
                    let most = table.most(&fading, group, level.next_up());
                    (above(base, step, most), rounded_up(most))
                }));
            }
            let height = |member: &Member| {
                let (group, level) = (
                    usize::from(groups[member.slot as usize]),
                    levels[member.slot as usize],
                );
                let Some(top) = tops.get(group) else {
                    return (0, 0.0);
                };
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let below = (f64::from(top - level) * PER_E * (1.0 - 1e-6)) as usize;
                entries[group * ENTRIES + below.min(ENTRIES - 1)]
            };
            let bands = self.bands.iter().map(|band| {
                let mut steps = Vec::with_capacity(band.len());
                let mut closer = Vec::with_capacity(band.len());
                for member in band {
                    let (step, score) = height(member);
                    let length = member.length;
                    steps.push(step);
                    closer.push(Closer { score, length });
                }
                let most = steps.iter().copied().fold(0, u8::max);
                BandHeights {
                    steps,
                    most,
                    closer,
                }
            });
            Heights {
                fading,
                base,
                step,
                bands: bands.collect(),
            }
        })
    }

    /// Notes the group and level of a bullet.
    pub(super) fn note(&mut self, slot: u32, (group, level): (u8, f32), table: &Table) {
        match self.place(slot) {
            Some((band, number)) => {
                let Some(heights) = self.heights.get_mut() else {
                    return;
                };
                let most = match group {
                    NO_GROUP => 0.0,
                    group => table.most(&heights.fading, usize::from(group), level),
                };
                let height = above(heights.base, heights.step, most);
                let band = &mut heights.bands[band];
                band.steps[number] = height;
                band.closer[number].score = rounded_up(most);
                band.most = band.most.max(height);
            }
            None => {
                let outside = self.outside.get(usize::from(group));
                if outside.is_some_and(|highest| highest.is_none_or(|highest| level > highest)) {
                    self.apart.insert(slot);
                }
            }
        }
    }

    /// Notes that a bullet has other words now.
    pub(super) fn note_text(&mut self, slot: u32) {
        if self.place(slot).is_some() {
            self.apart.insert(slot);
        }
    }

    /// Drops heights of long ago, and of a clock that has not come yet.
    pub(super) fn follow_clock(&mut self, clock: u64) {
        let made = self.heights.get().map(|heights| heights.fading.clock);
        if made.is_some_and(|made| made > clock || clock - made > HEIGHT_TICKS) {
            self.heights.take();
        }
    }

    /// True when the tier tells few bullets apart.
    pub(super) fn is_whole(&self) -> bool {
        self.apart.len() <= self.places.len() / APART_COST + FEW_APART
    }

    /// The band of a member and its number there.
    fn place(&self, slot: u32) -> Option<(usize, usize)> {
        let number = self.numbered.number(slot)?;
        let Place { band, number } = self.places[number as usize];
        Some((usize::from(band), usize::from(number)))
    }
}

/// True when so much time has passed since a clock that a tier of then is of little use.
pub(super) fn is_old(then: u64, now: u64) -> bool {
    now.abs_diff(then) > TICKS
}

/// A score with fewer digits, never less.
fn rounded_up(score: f64) -> f32 {
    #[allow(clippy::cast_possible_truncation)]
    let near = score as f32;
    near.next_up()
}

fn above(base: f64, step: f64, score: f64) -> u8 {
    steps((score - base).max(0.0), step)
}
