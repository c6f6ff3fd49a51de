// Uses the types that openapi-typescript made: adds bullets, searches, pages and deletes. It has to compile, then to run.

import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

type Bullet = components["schemas"]["BulletResponse"];

const url = process.argv[2] ?? "http://127.0.0.1:7171";
const client = createClient<paths>({ baseUrl: url, headers: { "hindlore-learner": "typescript-client" } });

function known<T>(answer: { data?: T; error?: { code: string; detail: string } }): T {
  if (answer.data === undefined) throw new Error(`${answer.error?.code}: ${answer.error?.detail}`);
  return answer.data;
}

function check(holds: boolean, about: unknown): void {
  if (!holds) throw new Error(JSON.stringify(about));
}

const empty = known(await client.GET("/v1/bullets"));
check(empty.bullets.length === 0, empty);

const texts = ["north", "south", "east"].map((hall) => `Check the pump of hall ${hall} before the shift.`);
const ids: string[] = [];
for (const text of texts) {
  const made = known(await client.POST("/v1/bullets", { body: { text } }));
  check(made.content === text, made);
  ids.push(made.id);
}

const found = known(await client.GET("/v1/bullets/search", { params: { query: { words: "hall south" } } }));
check(found.bullets[0]?.content === texts[1], found);

const listed: Bullet[] = [];
let after: string | null | undefined;
do {
  const query = after ? { limit: 2, learned_only: true, after } : { limit: 2, learned_only: true };
  const page = known(await client.GET("/v1/bullets", { params: { query } }));
  listed.push(...page.bullets);
  after = page.next;
} while (after);
check(listed.map((one) => one.content).join() === texts.join(), listed);

const path = { id: ids[0] ?? "" };
const gone = known(await client.DELETE("/v1/bullets/{id}", { params: { path } }));
check(gone.archived.join() === path.id, gone);
const changed = known(await client.PATCH("/v1/bullets/{id}", { params: { path: { id: ids[1] ?? "" } }, body: { tags: ["pump"] } }));
check(changed.tags.join() === "pump", changed);
console.log("added, searched, paged, changed and deleted");
