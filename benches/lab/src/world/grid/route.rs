//! Cells, directions and shortest ways on a map of signs.

use std::collections::{BTreeMap, VecDeque};

/// A place on the map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Cell {
    pub(super) row: usize,
    pub(super) column: usize,
}

/// Where to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Direction {
    North,
    East,
    South,
    West,
}

impl Direction {
    pub(super) const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Name in definitions and data.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|direction| direction.name() == name)
    }

    pub(super) fn back(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }
}

/// A map of signs.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Map {
    rows: Vec<Vec<char>>,
}

impl Map {
    /// Reads one row from each line.
    pub(super) fn read(text: &str) -> Self {
        Self {
            rows: text
                .lines()
                .map(|line| line.trim_end().chars().collect())
                .collect(),
        }
    }

    /// The sign of a cell; a wall outside of the map.
    pub(super) fn sign(&self, cell: Cell) -> char {
        self.rows
            .get(cell.row)
            .and_then(|row| row.get(cell.column))
            .copied()
            .unwrap_or('#')
    }

    /// The first place of a sign.
    pub(super) fn find(&self, sign: char) -> Option<Cell> {
        self.rows.iter().enumerate().find_map(|(row, signs)| {
            let column = signs.iter().position(|other| *other == sign)?;
            Some(Cell { row, column })
        })
    }

    /// The cell marked `S`, else the first.
    pub(super) fn start(&self) -> Cell {
        self.find('S').unwrap_or(Cell { row: 0, column: 0 })
    }

    pub(super) fn neighbour(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let Cell { row, column } = cell;
        Some(match direction {
            Direction::North => Cell {
                row: row.checked_sub(1)?,
                column,
            },
            Direction::East => Cell {
                row,
                column: column + 1,
            },
            Direction::South => Cell {
                row: row + 1,
                column,
            },
            Direction::West => Cell {
                row,
                column: column.checked_sub(1)?,
            },
        })
    }

    /// Returns true if two cells are the same or next to each other.
    pub(super) fn touches(&self, a: Cell, b: Cell) -> bool {
        a.row.abs_diff(b.row) + a.column.abs_diff(b.column) <= 1
    }

    /// Length of the shortest way.
    pub(super) fn distance(
        &self,
        from: Cell,
        to: Cell,
        is_open: &dyn Fn(Cell) -> bool,
    ) -> Option<usize> {
        self.distances(to, is_open).get(&from).copied()
    }

    /// The direction of the first step of a shortest way; of several the first clockwise from north.
    pub(super) fn first_step(
        &self,
        from: Cell,
        to: Cell,
        is_open: &dyn Fn(Cell) -> bool,
    ) -> Option<Direction> {
        let distances = self.distances(to, is_open);
        let of = |direction: &Direction| {
            let cell = self.neighbour(from, *direction)?;
            distances.get(&cell).copied()
        };
        let reached = Direction::ALL
            .into_iter()
            .filter(|direction| of(direction).is_some());
        reached.min_by_key(|direction| of(direction))
    }

    fn distances(&self, to: Cell, is_open: &dyn Fn(Cell) -> bool) -> BTreeMap<Cell, usize> {
        let mut distances = BTreeMap::from([(to, 0)]);
        let mut queue = VecDeque::from([to]);
        while let Some(cell) = queue.pop_front() {
            let next = distances.get(&cell).map_or(1, |distance| distance + 1);
            for direction in Direction::ALL {
                let Some(neighbour) = self.neighbour(cell, direction) else {
                    continue;
                };
                if is_open(neighbour) && !distances.contains_key(&neighbour) {
                    distances.insert(neighbour, next);
                    queue.push_back(neighbour);
                }
            }
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_around_walls() {
        let map = Map::read("S#G\n...");
        let is_open = |cell: Cell| map.sign(cell) != '#';
        let goal = map.find('G').unwrap();
        assert_eq!(map.distance(map.start(), goal, &is_open), Some(4));
        assert_eq!(
            map.first_step(map.start(), goal, &is_open),
            Some(Direction::South)
        );
        assert_eq!(map.distance(map.start(), goal, &|_| false), None);
    }
}
