//! Resources over HTTP: bullets, lessons and chats at the addresses where people look for them, and the page of the API.

use hindlore_api::catalog;
use serde_json::{Value, json};

use super::served::{Answered, Served};

fn sent(served: &Served, method: &str, path: &str, body: Option<&Value>) -> Answered {
    let body = body.map(Value::to_string);
    served.send(&served.request(method, path, &[], body.as_deref()))
}

fn location(answered: &Answered) -> Option<String> {
    let line = answered
        .head
        .lines()
        .find(|line| line.starts_with("location:"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[test]
fn a_bullet_is_created_read_changed_and_deleted_at_its_address() {
    let served = Served::start(&[]);
    let body = json!({"text": "Close the valve after every run.", "tags": ["pump"]});
    let made = sent(&served, "POST", "/v1/bullets", Some(&body));
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(made.body["content"], body["text"]);
    let address = location(&made).unwrap();
    assert_eq!(
        address,
        format!("/v1/bullets/{}", made.body["id"].as_str().unwrap())
    );
    // A known text is no new record.
    let again = sent(&served, "POST", "/v1/bullets", Some(&body));
    assert_eq!(
        (again.status, &again.body["id"]),
        (200, &made.body["id"]),
        "{}",
        again.body
    );

    assert_eq!(served.get(&address).body["content"], body["text"]);
    let patch = json!({"text": "Close the valve after each run.", "section": "SHUTDOWN"});
    let changed = sent(&served, "PATCH", &address, Some(&patch));
    assert_eq!(
        (changed.status, &changed.body["section"]),
        (200, &patch["section"]),
        "{}",
        changed.body
    );
    let double = sent(
        &served,
        "PATCH",
        &address,
        Some(&json!({"id": "b_1", "text": "x"})),
    );
    assert_eq!(
        (double.status, &double.body["code"]),
        (422, &json!("invalid_request"))
    );

    let listed = served.get("/v1/bullets?learned_only=true").body;
    assert_eq!(listed["bullets"].as_array().unwrap().len(), 1, "{listed}");
    let gone = sent(&served, "DELETE", &format!("{address}?reason=old"), None);
    assert_eq!(
        (gone.status, &gone.body["archived"][0]),
        (200, &made.body["id"]),
        "{}",
        gone.body
    );
    assert_eq!(served.get(&address).body["status"], "archived");
    let none = served.get("/v1/bullets/b_00000000000000000000");
    assert_eq!(
        (none.status, &none.body["code"]),
        (404, &json!("no_bullet"))
    );
    let wrong = sent(&served, "PUT", &address, Some(&patch));
    assert_eq!(wrong.status, 405);
}

#[test]
fn a_chat_leaves_the_statements_of_its_user() {
    let served = Served::start(&[]);
    let chat = json!({"user_id": "ann", "messages": [
        {"role": "user", "content": "I am a vegetarian and allergic to nuts."},
        {"role": "assistant", "content": "Noted, no meat and no nuts."},
        {"role": "user", "content": "May I eat cake?"},
    ]});
    let kept = sent(&served, "POST", "/v1/memories", Some(&chat));
    assert_eq!(kept.status, 201, "{}", kept.body);
    assert_eq!(kept.body["added"].as_array().unwrap().len(), 1);
    let again = sent(&served, "POST", "/v1/memories", Some(&chat)).body;
    assert_eq!(again["repeated"], true, "{again}");
    let ann = [("Hindlore-Learner", "ann")];
    let listed = served.send(&served.request("GET", "/v1/bullets?learned_only=true", &ann, None));
    assert_eq!(
        listed.body["bullets"][0]["content"],
        chat["messages"][0]["content"]
    );
    let own = served.get("/v1/bullets?learned_only=true").body;
    assert_eq!(own["bullets"], json!([]));
    let body = chat.to_string();
    let bob = [("Hindlore-Learner", "bob")];
    let torn = served.send(&served.request("POST", "/v1/memories", &bob, Some(&body)));
    assert_eq!(torn.status, 422, "{}", torn.body);
}

#[test]
fn lessons_are_read_at_their_addresses() {
    let served = Served::start(&[]);
    let stated = json!({"text": "LESSON plot: WRONG plot --widht 3 -> CORRECT plot --width 3 (because: unknown option)"});
    served.post("/v1/lessons/state", &stated);
    let listed = served.get("/v1/lessons").body;
    assert_eq!(listed, served.get("/v1/lessons/list").body);
    if let Some(id) = listed["lessons"][0]["id"].as_str() {
        assert_eq!(served.get(&format!("/v1/lessons/{id}")).body["id"], id);
    }
    assert_eq!(served.get("/v1/lessons/l_00000000000000000000").status, 404);
}

#[test]
fn a_new_learner_has_empty_lists() {
    // They are about a memory as a whole, so that a mistyped name must not pass for an empty one.
    const WHOLE: [&str; 5] = [
        "digest",
        "memory.export",
        "memory.figures",
        "memory.page",
        "replay",
    ];
    let served = Served::start(&[]);
    served.post("/v1/bullets/add", &json!({"text": "Close the valve."}));
    let new = [("Hindlore-Learner", "ann")];
    for verb in catalog::all().iter().filter(|verb| verb.method() == "GET") {
        if verb.request()["required"].is_array() || WHOLE.contains(&verb.name) {
            continue;
        }
        let answered = served.call(verb, &json!({}), &new);
        let is_named = answered.body["code"] == "no_playbook";
        assert!(
            answered.status == 200 || is_named,
            "{}: {}",
            verb.name,
            answered.body
        );
    }
    let search = served.request("GET", "/v1/bullets/search?words=valve", &new, None);
    let found = served.send(&search);
    assert_eq!((found.status, &found.body["bullets"]), (200, &json!([])));
}

#[test]
fn the_page_of_the_api_asks_no_other_host() {
    let served = Served::start(&[]);
    let root = served.get("/");
    assert_eq!(
        (root.status, location(&root).as_deref()),
        (307, Some("/docs"))
    );
    for (path, kind) in [
        ("/docs", "text/html"),
        ("/docs/page.css", "text/css"),
        ("/docs/page.js", "text/javascript"),
    ] {
        let bytes = served.request("GET", path, &[], None);
        let page = served.text(&bytes);
        let (head, text) = page.split_once("\r\n\r\n").unwrap();
        let head = head.to_ascii_lowercase();
        assert!(head.contains(&format!("content-type: {kind}")), "{head}");
        assert!(
            head.contains("content-security-policy: default-src 'none';"),
            "{head}"
        );
        assert!(
            !text.contains("http://") && !text.contains("https://"),
            "{path}"
        );
        assert!(
            !text.contains("innerHTML") && !text.contains("<script>"),
            "{path}"
        );
    }
}
