//! A zip archive in its simplest form: uncompressed files one after the other, then their directory.
//!
//! The Browser keeps folders only of a dropped archive. Every file has the earliest date of the format, so
//! that the same files always make the same archive.

/// Names are UTF-8.
const FLAGS: u16 = 0x0800;
const VERSION: u16 = 20;
/// 1 January 1980.
const DATE: u16 = 0x0021;

/// Makes an archive of names and texts.
pub(super) fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut list = Vec::new();
    for (name, text) in files {
        let offset = length(bytes.len());
        let about = about(name, text);
        put(&mut bytes, 0x0403_4b50_u32.to_le_bytes());
        bytes.extend_from_slice(&about);
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(text.as_bytes());
        put(&mut list, 0x0201_4b50_u32.to_le_bytes());
        put(&mut list, VERSION.to_le_bytes());
        list.extend_from_slice(&about);
        // No comment, disk 0, no attributes.
        list.extend_from_slice(&[0; 10]);
        put(&mut list, offset.to_le_bytes());
        list.extend_from_slice(name.as_bytes());
    }
    let count = u16::try_from(files.len()).unwrap_or(u16::MAX);
    let start = length(bytes.len());
    bytes.extend_from_slice(&list);
    put(&mut bytes, 0x0605_4b50_u32.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    put(&mut bytes, count.to_le_bytes());
    put(&mut bytes, count.to_le_bytes());
    put(&mut bytes, length(list.len()).to_le_bytes());
    put(&mut bytes, start.to_le_bytes());
    bytes.extend_from_slice(&[0; 2]);
    bytes
}

/// Header fields that both places repeat.
fn about(name: &str, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let size = length(text.len()).to_le_bytes();
    // Stored uncompressed, at midnight.
    for number in [VERSION, FLAGS, 0, 0, DATE] {
        put(&mut bytes, number.to_le_bytes());
    }
    put(&mut bytes, checksum(text.as_bytes()).to_le_bytes());
    put(&mut bytes, size);
    put(&mut bytes, size);
    let name = u16::try_from(name.len()).unwrap_or(u16::MAX);
    put(&mut bytes, name.to_le_bytes());
    bytes.extend_from_slice(&[0; 2]);
    bytes
}

fn put<const N: usize>(bytes: &mut Vec<u8>, number: [u8; N]) {
    bytes.extend_from_slice(&number);
}

fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// CRC-32 as in zip and Ethernet.
fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            let is_odd = sum & 1 == 1;
            sum >>= 1;
            if is_odd {
                sum ^= 0xedb8_8320;
            }
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn checksums_are_those_of_the_standard() {
        assert_eq!(checksum(b""), 0);
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }
}
