//! Dates as people write them in a question.

use super::*;

/// Friday, 17 November 2023.
const TODAY: i64 = 19_678;

fn labels(text: &str) -> Vec<u32> {
    let times = named_times(text, TODAY);
    times.into_iter().flat_map(|time| time.labels).collect()
}

#[test]
fn a_day_is_read_in_words_and_digits() {
    for text in [
        "What did Sam share on 19 August 2023?",
        "on August 19th, 2023",
        "the 19th of August 2023",
        "August 19, 2023: what happened?",
        "log of 2023-08-19",
        "2023-08-19T10:00:00",
        "am 19. August 2023",
        "am 19.8.2023",
        "8/19/2023",
        "le 19 août 2023",
        "el 19 de agosto de 2023",
        "il 19 agosto 2023",
        "em 19 de agosto de 2023",
        "op 19 augustus 2023",
        "on the 19th of August",
    ] {
        assert_eq!(labels(text), [20_230_819], "{text}");
    }
}

#[test]
fn months_years_and_their_parts_are_read() {
    for (text, expected) in [
        ("in August 2023", vec![202_308]),
        ("last August", vec![202_308]),
        ("in December", vec![202_212]),
        ("what changed in 2022?", vec![2022]),
        ("2023-08", vec![202_308]),
        (
            "first weekend of October 2023",
            vec![20_231_007, 20_231_008],
        ),
        ("last weekend of October 2023", vec![20_231_028, 20_231_029]),
        ("last month", vec![202_310]),
        ("letztes Jahr", vec![2022]),
    ] {
        assert_eq!(labels(text), expected, "{text}");
    }
    assert_eq!(labels("at the end of August 2023").len(), 10);
}

#[test]
fn relative_days_count_from_the_day_of_the_asker() {
    for (text, expected) in [
        ("what did we do yesterday", 20_231_116),
        ("heute", 20_231_117),
        ("two days ago", 20_231_115),
        ("vor 3 Tagen", 20_231_114),
        ("il y a deux jours", 20_231_115),
        ("hace dos días", 20_231_115),
        ("last Tuesday", 20_231_114),
        ("letzten Freitag", 20_231_110),
    ] {
        assert_eq!(labels(text), [expected], "{text}");
    }
    assert_eq!(labels("last week").first(), Some(&20_231_106));
    assert_eq!(labels("last weekend"), [20_231_111, 20_231_112]);
}

#[test]
fn words_that_only_look_like_dates_are_left_alone() {
    for text in [
        "may I use tabs?",
        "March through the list",
        "version 1.12.3",
        "port 8080",
        "the last test",
        "3 days of work",
        "the second month of the plan",
        "mark the order as sent",
    ] {
        assert_eq!(labels(text), [0_u32; 0], "{text}");
    }
}

#[test]
fn a_day_has_the_labels_of_its_month_and_year() {
    let times = named_times("on 19 August 2023", TODAY);
    assert_eq!(times[0].words, "19 august 2023");
    assert_eq!(times[0].range, 3..17);
    assert_eq!(labels_of(19_588), [20_230_819, 202_308, 2023]);
}
