# Sourced by scripts/neo4j
