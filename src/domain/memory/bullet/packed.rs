//! One bullet as bytes: the form in which a memory keeps it in process.
//!
//! As a struct, a bullet takes several hundred bytes before its text, most of them for small numbers and empty
//! fields. Packed, a number takes as many bytes as it needs, timestamps and ticks are differences from each
//! other, an absent field takes a bit, and repeated names are interned. The header comes first, so that
//! ranking reads it without the rest.
//!
//! Layout: four bytes of flags; strength, counts, ticks, position, birth, lifetime (the header); tags, topic,
//! section, concept; last access and use; text; rare fields. The content hash is not stored, since it follows
//! from the text, unless the bullet has another one.

mod bytes;

use std::sync::Arc;

use bytes::{Packer, Unpacker};
use hindlore_topk::Text;

use super::header::BulletHeader;
use super::string_interner::StringInterner;
use super::{Bullet, BulletId, Counts, Kind, MemoryType, Source, Status};
use crate::memory::content::{Content, ContentHash};
use hindlore_primitives::timestamp::Timestamp;

/// Flags of the second byte; its lower three bits are the source.
const PINNED: u8 = 1 << 3;
const HOLDS_HASH: u8 = 1 << 4;
const HAS_INDEX: u8 = 1 << 5;
const HAS_ACCESS: u8 = 1 << 6;
const USED_AT_ACCESS: u8 = 1 << 7;
/// Flags of the third byte.
const HAS_LEGACY: u8 = 1;
const HAS_SECTION: u8 = 1 << 1;
const HAS_TOPIC: u8 = 1 << 2;
const HAS_CONCEPT: u8 = 1 << 3;
const HAS_TTL: u8 = 1 << 4;
const HAS_SURVIVOR: u8 = 1 << 5;
const HAS_EMBEDDING: u8 = 1 << 6;
const HAS_USE: u8 = 1 << 7;
/// Flags of the fourth byte.
const WHOLE_STRENGTH: u8 = 1;
const USUAL_IMPORTANCE: u8 = 1 << 1;
const OTHER_HASH: u8 = 1 << 2;

const IMPORTANCE: f64 = 0.5;
/// 2^53: whole numbers below it are exact as floats.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// Packs a bullet, all but its id.
pub(crate) fn pack(bullet: &Bullet, strings: &mut StringInterner) -> Vec<u8> {
    let mut out = Packer(Vec::with_capacity(bullet.content.as_str().len() + 64));
    let flags = flags(bullet);
    out.0.extend(flags);
    pack_header(&mut out, bullet, flags[3]);
    out.interned_list(bullet.tags.iter().map(String::as_str), strings);
    let labels = [&bullet.topic, &bullet.section, &bullet.concept];
    for name in labels.into_iter().flatten() {
        out.interned(name, strings);
    }
    let born = bullet.created_at.millis();
    let access = bullet.last_access.map(Timestamp::millis);
    if let Some(access) = access {
        out.signed(access.wrapping_sub(born));
    }
    // Uses are close to accesses, and accesses to births, so each difference takes few bytes.
    if let (Some(used), true) = (bullet.last_used, flags[2] & HAS_USE != 0) {
        out.signed(used.millis().wrapping_sub(access.unwrap_or(born)));
    }
    out.text(bullet.content.as_str());
    pack_rare(&mut out, bullet, flags);
    out.0
}

fn flags(bullet: &Bullet) -> [u8; 4] {
    let bit = |holds: bool, bit: u8| if holds { bit } else { 0 };
    // An access is nearly always the last use as well, so the second timestamp is usually a bit.
    let same_use = bullet.last_used.is_some() && bullet.last_used == bullet.last_access;
    [
        bullet.memory_type as u8 | (bullet.status as u8) << 2 | (bullet.kind as u8) << 4,
        bullet.source as u8
            | bit(bullet.pinned, PINNED)
            | bit(bullet.holds_hash, HOLDS_HASH)
            | bit(bullet.access_index.is_some(), HAS_INDEX)
            | bit(bullet.last_access.is_some(), HAS_ACCESS)
            | bit(same_use, USED_AT_ACCESS),
        bit(bullet.legacy_id.is_some(), HAS_LEGACY)
            | bit(bullet.section.is_some(), HAS_SECTION)
            | bit(bullet.topic.is_some(), HAS_TOPIC)
            | bit(bullet.concept.is_some(), HAS_CONCEPT)
            | bit(bullet.ttl_days.is_some(), HAS_TTL)
            | bit(bullet.merged_into.is_some(), HAS_SURVIVOR)
            | bit(bullet.embedding.is_some(), HAS_EMBEDDING)
            | bit(bullet.last_used.is_some() && !same_use, HAS_USE),
        bit(whole(bullet.strength).is_some(), WHOLE_STRENGTH)
            | bit(
                bullet.importance.to_bits() == IMPORTANCE.to_bits(),
                USUAL_IMPORTANCE,
            )
            | bit(bullet.other_hash.is_some(), OTHER_HASH),
    ]
}

fn pack_header(out: &mut Packer, bullet: &Bullet, last: u8) {
    match whole(bullet.strength) {
        Some(strength) if last & WHOLE_STRENGTH != 0 => out.number(strength),
        _ => out.0.extend(bullet.strength.to_bits().to_le_bytes()),
    }
    out.number(bullet.counts.helpful);
    out.number(bullet.counts.harmful);
    out.number(bullet.counts.neutral);
    out.number(bullet.created_tick);
    if let Some(index) = bullet.access_index {
        out.difference(index, bullet.created_tick);
    }
    let near = bullet.access_index.unwrap_or(bullet.created_tick);
    // Most changes are touches, so this difference is usually 0.
    out.difference(bullet.changed_tick, near);
    out.number(bullet.position);
    out.signed(bullet.created_at.millis());
    if let Some(days) = bullet.ttl_days {
        out.number(u64::from(days));
    }
}

fn pack_rare(out: &mut Packer, bullet: &Bullet, flags: [u8; 4]) {
    if flags[3] & USUAL_IMPORTANCE == 0 {
        out.0.extend(bullet.importance.to_bits().to_le_bytes());
    }
    if let Some(hash) = bullet.other_hash {
        out.0.extend(hash.0);
    }
    if let Some(legacy) = &bullet.legacy_id {
        out.text(legacy);
    }
    if let Some(survivor) = bullet.merged_into {
        out.0.extend(survivor.0);
    }
    if let Some(embedding) = &bullet.embedding {
        out.number(embedding.len() as u64);
        embedding
            .iter()
            .for_each(|one| out.0.extend(one.to_le_bytes()));
    }
}

/// Returns a strength as a whole number, if it is one to the last bit. −0.0 is not: it would come back as 0.0.
fn whole(strength: f64) -> Option<u64> {
    // The range check first: the cast saturates outside it, and NaN is in no range.
    let is_whole = (0.0..WHOLE_MAX).contains(&strength) && strength.is_sign_positive();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let number = strength as u64;
    #[allow(clippy::cast_precision_loss)]
    let same = (number as f64).to_bits() == strength.to_bits();
    (is_whole && same).then_some(number)
}

/// A packed bullet. Fields have no offsets: they are read in the order in which they were written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'p> {
    bytes: &'p [u8],
    strings: &'p StringInterner,
}

/// The fields of a bullet that filters and look-ups read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Labels<'p> {
    /// In the order of the bullet.
    pub(crate) tags: Vec<&'p str>,
    pub(crate) topic: Option<&'p str>,
    pub(crate) section: Option<&'p str>,
    pub(crate) concept: Option<&'p str>,
}

impl<'p> Packed<'p> {
    /// Wraps the bytes that [`pack`] wrote with these strings.
    pub(crate) fn new(bytes: &'p [u8], strings: &'p StringInterner) -> Self {
        Self { bytes, strings }
    }

    /// Returns the header.
    #[inline]
    pub(crate) fn header(self) -> BulletHeader {
        self.unpack_header().0
    }

    /// Returns the tags, the topic, the section and the concept.
    pub(crate) fn labels(self) -> Labels<'p> {
        let (_, mut rest, _) = self.unpack_header();
        let tags = rest.interned_list(self.strings);
        let third = self.bytes[2];
        let mut name = |bit: u8| (third & bit != 0).then(|| rest.interned(self.strings));
        let (topic, section, concept) = (name(HAS_TOPIC), name(HAS_SECTION), name(HAS_CONCEPT));
        Labels {
            tags,
            topic,
            section,
            concept,
        }
    }

    /// Returns the text.
    pub(crate) fn text(self) -> &'p str {
        let (_, mut rest, _) = self.unpack_header();
        self.skip_to_text(&mut rest);
        rest.text()
    }

    /// Returns the section, as a title, and the text.
    pub(crate) fn titled_text(self) -> Text<'p> {
        let (_, mut rest, _) = self.unpack_header();
        let title = self.skip_labels(&mut rest).unwrap_or_default();
        self.skip_moments(&mut rest);
        let body = rest.text();
        Text { title, body }
    }

    /// Returns the content hash: the stored one, else that of the text.
    pub(crate) fn content_hash(self) -> ContentHash {
        let (_, mut rest, _) = self.unpack_header();
        self.skip_to_text(&mut rest);
        let text = rest.text();
        if self.bytes[3] & OTHER_HASH == 0 {
            return ContentHash::from_text(text);
        }
        if self.bytes[3] & USUAL_IMPORTANCE == 0 {
            rest.take::<8>();
        }
        ContentHash(rest.take())
    }

    /// Unpacks the whole bullet, which gets this id.
    pub(crate) fn bullet(self, id: BulletId) -> Bullet {
        let (header, mut rest, changed_tick) = self.unpack_header();
        let [_, second, third, fourth] = self.flags();
        let own = |name: &str| name.to_owned();
        let tags = rest.interned_list(self.strings).into_iter().map(own);
        let mut name = |bit: u8| (third & bit != 0).then(|| rest.interned(self.strings).to_owned());
        let (topic, section, concept) = (name(HAS_TOPIC), name(HAS_SECTION), name(HAS_CONCEPT));
        let born = header.created_at.millis();
        let moment = |base: i64, rest: &mut Unpacker<'_>| base.wrapping_add(rest.signed());
        let access = (second & HAS_ACCESS != 0).then(|| moment(born, &mut rest));
        let used = match (second & USED_AT_ACCESS != 0, third & HAS_USE != 0) {
            (true, _) => access,
            (_, true) => Some(moment(access.unwrap_or(born), &mut rest)),
            (false, false) => None,
        };
        let content = Content::from_checked(Arc::from(rest.text()));
        let importance = if fourth & USUAL_IMPORTANCE != 0 {
            IMPORTANCE
        } else {
            f64::from_bits(u64::from_le_bytes(rest.take()))
        };
        let other_hash = (fourth & OTHER_HASH != 0).then(|| ContentHash(rest.take()));
        Bullet {
            id,
            other_hash,
            holds_hash: header.holds_hash,
            legacy_id: (third & HAS_LEGACY != 0).then(|| rest.text().to_owned()),
            memory_type: header.memory_type,
            kind: header.kind,
            status: header.status,
            pinned: header.pinned,
            counts: header.counts,
            strength: header.strength,
            access_index: header.access_index,
            last_access: access.map(Timestamp::from_millis),
            last_used: used.map(Timestamp::from_millis),
            created_at: header.created_at,
            created_tick: header.created_tick,
            changed_tick,
            position: header.position,
            tags: tags.collect(),
            section,
            topic,
            concept,
            ttl_days: header.ttl_days,
            importance,
            source: header.source,
            merged_into: (third & HAS_SURVIVOR != 0).then(|| BulletId(rest.take())),
            embedding: (third & HAS_EMBEDDING != 0).then(|| rest.floats()),
            content,
        }
    }

    /// Returns the bytes of the same bullet after a touch. A touch changes the ticks and the timestamps; the
    /// three runs of bytes around them are copied, so the text is never unpacked.
    pub(crate) fn touched(self, tick: u64, at: Timestamp) -> Vec<u8> {
        let (header, behind_header, _) = self.unpack_header();
        let offset = |rest: &Unpacker<'_>| self.bytes.len() - rest.0.len();
        let (_, _, mut rest) = self.unpack_judged();
        // The birth tick stays.
        rest.number();
        let ticks = offset(&rest);
        let [first, second, third, fourth] = self.flags();
        if second & HAS_INDEX != 0 {
            rest.number();
        }
        rest.number();
        let behind_ticks = offset(&rest);
        let mut rest = behind_header;
        self.skip_labels(&mut rest);
        let moments = offset(&rest);
        self.skip_moments(&mut rest);
        let behind_moments = offset(&rest);

        let mut out = Packer(Vec::with_capacity(self.bytes.len() + 16));
        let second = second | HAS_INDEX | HAS_ACCESS | USED_AT_ACCESS;
        out.0.extend([first, second, third & !HAS_USE, fourth]);
        out.0.extend(&self.bytes[4..ticks]);
        out.difference(tick, header.created_tick);
        // The tick of the last change, which is relative to the access.
        out.difference(tick, tick);
        out.0.extend(&self.bytes[behind_ticks..moments]);
        out.signed(at.millis().wrapping_sub(header.created_at.millis()));
        out.0.extend(&self.bytes[behind_moments..]);
        out.0
    }

    fn flags(self) -> [u8; 4] {
        [self.bytes[0], self.bytes[1], self.bytes[2], self.bytes[3]]
    }

    /// Returns the header, the bytes after it, and the tick of the last change.
    #[inline]
    fn unpack_header(self) -> (BulletHeader, Unpacker<'p>, u64) {
        let [first, second, third, _] = self.flags();
        let (strength, counts, mut rest) = self.unpack_judged();
        let created_tick = rest.number();
        let access_index = (second & HAS_INDEX != 0).then(|| rest.difference(created_tick));
        let changed_tick = rest.difference(access_index.unwrap_or(created_tick));
        let position = rest.number();
        let created_at = Timestamp::from_millis(rest.signed());
        #[allow(clippy::cast_possible_truncation)]
        let ttl_days = (third & HAS_TTL != 0).then(|| rest.number() as u32);
        let header = BulletHeader {
            memory_type: MemoryType::ALL[usize::from(first & 3)],
            kind: Kind::ALL[usize::from(first >> 4)],
            source: Source::ALL[usize::from(second & 7)],
            status: Status::ALL[usize::from(first >> 2 & 3)],
            pinned: second & PINNED != 0,
            holds_hash: second & HOLDS_HASH != 0,
            counts,
            strength,
            access_index,
            created_at,
            created_tick,
            position,
            ttl_days,
        };
        (header, rest, changed_tick)
    }

    /// Returns the strength, the counts, and the bytes after them, which start with the birth tick.
    #[inline]
    fn unpack_judged(self) -> (f64, Counts, Unpacker<'p>) {
        let mut rest = Unpacker(&self.bytes[4..]);
        #[allow(clippy::cast_precision_loss)]
        let strength = if self.bytes[3] & WHOLE_STRENGTH != 0 {
            rest.number() as f64
        } else {
            f64::from_bits(u64::from_le_bytes(rest.take()))
        };
        let counts = Counts {
            helpful: rest.number(),
            harmful: rest.number(),
            neutral: rest.number(),
        };
        (strength, counts, rest)
    }

    fn skip_to_text(self, rest: &mut Unpacker<'p>) {
        self.skip_labels(rest);
        self.skip_moments(rest);
    }

    /// Skips tags, topic, section and concept, and returns the section.
    fn skip_labels(self, rest: &mut Unpacker<'p>) -> Option<&'p str> {
        let [_, _, third, _] = self.flags();
        for _ in 0..rest.number() {
            rest.interned(self.strings);
        }
        let mut name = |bit: u8| (third & bit != 0).then(|| rest.interned(self.strings));
        let (_, section, _) = (name(HAS_TOPIC), name(HAS_SECTION), name(HAS_CONCEPT));
        section
    }

    fn skip_moments(self, rest: &mut Unpacker<'p>) {
        let [_, second, third, _] = self.flags();
        for has in [second & HAS_ACCESS, third & HAS_USE] {
            if has != 0 {
                rest.number();
            }
        }
    }
}

#[cfg(test)]
mod tests;
