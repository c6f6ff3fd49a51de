//! Plans: no statement looks at more of the graph than it is about.

use hindlore_neo4j::Neo4jStore;
use serde_json::{Value, json};

use crate::files::read;
use crate::http::ask;
use crate::server::Server;

pub(crate) const FORBIDDEN: &[&str] = &[
    "AllNodesScan",
    "NodeByLabelScan",
    "UnionNodeByLabelsScan",
    "CartesianProduct",
    "RelationshipTypeScan",
    "DirectedRelationshipTypeScan",
    "UndirectedRelationshipTypeScan",
    "AllRelationshipsScan",
];

pub(crate) fn operators(plan: &Value, found: &mut Vec<String>) {
    let name = plan["operatorType"].as_str().unwrap();
    found.push(name.split('@').next().unwrap().to_owned());
    for child in plan["children"].as_array().into_iter().flatten() {
        operators(child, found);
    }
}

/// Statements that scan everything, since the nodes they look for may be attached to nothing or come from
/// other programs.
const SCANNING: &[&str] = &[
    "queries/doctor/repair.cypher",
    "queries/doctor/shape.cypher",
    "queries/maintenance/ace_states.cypher",
    "queries/maintenance/held.cypher",
    "queries/maintenance/mentions.cypher",
    "queries/maintenance/orphans.cypher",
    "queries/maintenance/rehang.cypher",
    "queries/maintenance/sweep_nodes.cypher",
    "queries/maintenance/sweep_relationships.cypher",
];

pub(crate) async fn no_statement_scans(server: Server) {
    Neo4jStore::connect(server.options()).await.unwrap();
    let mut explained = 0;
    for file in read("queries") {
        let body = file.body.trim();
        let about_data = !["SHOW ", "CREATE CONSTRAINT ", "DROP ", "CALL dbms."]
            .iter()
            .any(|start| body.starts_with(start));
        if !about_data {
            continue;
        }
        let answer = ask(&server, &format!("EXPLAIN {body}"), json!({}));
        let mut found = Vec::new();
        assert!(answer["queryPlan"].is_object(), "{}: {answer}", file.name);
        operators(&answer["queryPlan"], &mut found);
        if SCANNING.contains(&file.name.as_str()) {
            explained += 1;
            continue;
        }
        let bad: Vec<&String> = found
            .iter()
            .filter(|operator| FORBIDDEN.contains(&operator.as_str()))
            .collect();
        assert!(bad.is_empty(), "{}: {bad:?} in {found:?}", file.name);
        explained += 1;
    }
    assert!(explained >= 80, "{explained} statements");
}
