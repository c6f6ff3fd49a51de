//! Pairs of texts whose words differ or changed places.

use super::*;

fn replaced(a: &str, b: &str) -> Option<(String, String)> {
    let (a, b) = (Wording::from_text(a), Wording::from_text(b));
    let there = a.replaced(&b).map(|d| (d.left, d.right));
    let back = b.replaced(&a).map(|d| (d.right, d.left));
    assert_eq!(there, back);
    there
}

fn exchanged(a: &str, b: &str) -> bool {
    let (a, b) = (Wording::from_text(a), Wording::from_text(b));
    assert_eq!(a.exchanged(&b).is_some(), b.exchanged(&a).is_some());
    a.exchanged(&b).is_some()
}

#[test]
fn a_word_that_stands_for_another_is_found() {
    for (a, b, left, right) in [
        (
            "Read the visa rules first",
            "Read the baggage rules first",
            "visa",
            "baggage",
        ),
        (
            "Copy it to the bucket",
            "Copy it from the bucket",
            "to",
            "from",
        ),
        ("We rotate the key", "They rotate the key", "we", "they"),
        ("You may retry it", "You must retry it", "may", "must"),
        (
            "Bring a form and a pass",
            "Bring a form or a pass",
            "and",
            "or",
        ),
        (
            "The code is adopted",
            "The code is adapted",
            "adopted",
            "adapted",
        ),
        (
            "Ask the employer",
            "Ask the employee",
            "employer",
            "employee",
        ),
        (
            "Close the ticket",
            "Close the ticket of paying guests",
            "",
            "paying",
        ),
        ("Cancel it by day", "Cancel it by month", "day", "month"),
        ("Lies die Zeilen", "Lies die Spalten", "zeilen", "spalten"),
        ("检查北仓库", "检查南仓库", "北", "南"),
    ] {
        let expected = Some((left.to_owned(), right.to_owned()));
        assert_eq!(replaced(a, b), expected, "{a:?} {b:?}");
    }
}

#[test]
fn words_with_a_counterpart_and_words_without_weight_are_not() {
    for (a, b) in [
        (
            "Ask the user before you write files",
            "Ask users before writing the file",
        ),
        ("Read the response", "Read the reponse"),
        (
            "Read the answers of the server",
            "Read the anwsers of the server",
        ),
        (
            "Every page contains the total",
            "Each page includes the total",
        ),
        ("Modify the folder", "Please change the directory"),
        ("Set the timezone, the row", "Set the time zone, the row"),
        ("Set the time-zone", "Set the timezone"),
        (
            "In order to reduce load, cache it",
            "To reduce the load, cache it",
        ),
        ("Wait 5 s", "Wait five seconds"),
        ("Lies jede Zeile genau", "Lies jede Zeilen genau"),
        (
            "Проверь каждого пользователя",
            "Проверь каждого пользователю",
        ),
        ("Organise the files", "Organize the files"),
        ("Lies den Bericht genau", "Lies die Berichte genau"),
        ("Controlla l'ordine", "Controlla il ordine"),
        (
            "You can read and write, or wait",
            "You may wait, or write and read",
        ),
        ("请检查文件", "检查文件了"),
    ] {
        assert_eq!(replaced(a, b), None, "{a:?} {b:?}");
    }
}

#[test]
fn two_words_that_trade_places_are_found() {
    for (a, b) in [
        (
            "Move it from savings to checking",
            "Move it from checking to savings",
        ),
        (
            "Subtract costs from revenue",
            "Subtract the revenue from the costs",
        ),
        ("Report plan minus actual", "Report actual minus plan"),
        (
            "Run the tests, then tag it, then push",
            "Tag it, then run the tests, then push",
        ),
        (
            "Use the mobile form for renewals and the desktop form for orders",
            "Use the desktop form for renewals and the mobile form for orders",
        ),
        (
            "Copie os valores da planilha do armazém para a planilha da loja",
            "Copie os valores da planilha da loja para a planilha do armazém",
        ),
        (
            "Deduct the deposit first and the voucher second",
            "Deduct the voucher first and the deposit second",
        ),
        (
            "Put callers with outages ahead of callers with invoices",
            "Put callers with invoices ahead of callers with outages",
        ),
        (
            "Only the controller sends the audit",
            "The controller sends only the audit",
        ),
        (
            "Ask the nurse before the doctor",
            "Ask the doctor before the nurse",
        ),
        (
            "Kopiere vom Konto Nord auf das Konto Ost",
            "Kopiere vom Konto Ost auf das Konto Nord",
        ),
        ("把文件从测试机复制到生产机", "把文件从生产机复制到测试机"),
    ] {
        assert!(exchanged(a, b), "{a:?} {b:?}");
    }
}

#[test]
fn sentences_turned_around_and_lists_in_another_order_trade_nothing() {
    for (a, b) in [
        (
            "If tests fail, do not deploy",
            "Do not deploy if tests fail",
        ),
        (
            "Before calling it, read the guide",
            "Read the guide before calling it",
        ),
        (
            "Check the name and the address",
            "Check the address and the name",
        ),
        (
            "Show both the median and the mean of the times",
            "Show both the mean and the median of the times",
        ),
        ("Use it only for tests", "Only use it for trials"),
        (
            "Check name, address and date",
            "Check date, address and name",
        ),
        (
            "To find the cause of a slow query, look at its plan",
            "Look at the plan of a slow query to find its cause",
        ),
        (
            "Verifica l'indirizzo e il peso",
            "Verifica il peso e l'indirizzo",
        ),
        ("检查姓名和地址", "检查地址和姓名"),
    ] {
        assert!(!exchanged(a, b), "{a:?} {b:?}");
    }
}

#[test]
fn trades_are_found_as_by_comparing_all() {
    let mut rng = fastrand::Rng::with_seed(11);
    let words = [
        "pump", "valve", "engine", "the", "oil", "water", "gauge", "lever",
    ];
    let mut found = 0;
    for _ in 0..2_000 {
        let mut text: Vec<&str> = (0..rng.usize(2..14))
            .map(|_| words[rng.usize(..8)])
            .collect();
        let one = Wording::from_text(&text.join(" "));
        rng.shuffle(&mut text);
        let other = Wording::from_text(&text.join(" "));
        let moved = one.moved_in(&other);
        let pairs = moved.iter().enumerate().flat_map(|(at, a)| {
            let later = moved[at + 1..].iter();
            later.map(move |b| (a, b))
        });
        let by_all = pairs
            .filter(|(a, b)| a.trades_with(b))
            .map(|(a, b)| (a.word, b.word))
            .next();
        let by_places = first_trade(&moved).map(|(a, b)| (a.word, b.word));
        assert_eq!(by_places, by_all, "{text:?}");
        found += usize::from(by_all.is_some());
    }
    assert!(found > 100, "{found}");
}
