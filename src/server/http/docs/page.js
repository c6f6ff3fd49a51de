// Shows the document of the API, and sends a request to one of its operations. Every text goes in as text, never as HTML.
"use strict";

const METHODS = ["get", "post", "patch", "delete"];

/** Makes an element with its attributes and its contents. */
function make(name, attributes, ...contents) {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(...contents.filter((one) => one !== undefined));
  return element;
}

const field = (name) => document.getElementById(name).value.trim();

function resolved(api, value) {
  const path = value && value.$ref;
  return path ? path.slice(2).split("/").reduce((at, part) => at[part], api) : value;
}

function kind(api, schema) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  const choices = schema.anyOf || schema.oneOf;
  if (choices) return choices.map((one) => kind(api, one)).join(" or ");
  if (schema.type === "array") return `list of ${kind(api, schema.items || {})}`;
  return [].concat(schema.type || "anything").join(" or ");
}

/** The fields of a schema, as a list of terms. */
function fields(api, schema) {
  const own = resolved(api, schema);
  const list = make("dl", {});
  for (const [name, one] of Object.entries(own.properties || {})) {
    const required = (own.required || []).includes(name);
    const term = make("dt", { className: required ? "required" : "" }, make("code", {}, name), ` ${kind(api, one)}`);
    list.append(term, make("dd", {}, one.description || ""));
  }
  return list;
}

async function send(method, path, inputs, body, shown) {
  const query = new URLSearchParams();
  let address = path;
  for (const { parameter, input } of inputs) {
    const value = input.value.trim();
    if (parameter.in === "path") address = address.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (value) query.append(parameter.name, value);
  }
  const headers = {};
  if (field("key")) headers.authorization = `Bearer ${field("key")}`;
  if (field("learner")) headers["hindlore-learner"] = field("learner");
  if (field("scope")) headers["hindlore-scope"] = field("scope");
  if (body) headers["content-type"] = "application/json";
  const search = query.size ? `?${query}` : "";
  try {
    const answer = await fetch(address + search, { method: method.toUpperCase(), headers, body: body && body.value });
    const text = await answer.text();
    let pretty = text;
    try {
      pretty = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Not every answer is JSON.
    }
    shown.textContent = `${answer.status} ${answer.statusText}\n${pretty}`;
  } catch (fault) {
    shown.textContent = `The request failed: ${fault.message}`;
  }
}

/** The contents of an operation: its fields, and the form that sends it. */
function opened(api, method, path, operation) {
  const inputs = operation.parameters
    .map((one) => resolved(api, one))
    .filter((parameter) => parameter.in !== "header")
    .map((parameter) => ({ parameter, input: make("input", { value: parameter.example === undefined ? "" : parameter.example }) }));
  const rows = inputs.map(({ parameter, input }) =>
    make("label", { title: parameter.description || "" }, make("code", { className: parameter.required ? "required" : "" }, parameter.name), " ", input));
  const content = operation.requestBody && operation.requestBody.content["application/json"];
  const body = content && make("textarea", { rows: 6, value: JSON.stringify(content.example, null, 2) });
  const shown = make("pre", { hidden: true });
  const button = make("button", { type: "button" }, "Send");
  button.addEventListener("click", () => {
    shown.hidden = false;
    send(method, path, inputs, body, shown);
  });
  const done = operation.responses["200"] || operation.responses["201"];
  const answer = done.content["application/json"].schema;
  return make("div", {},
    make("p", {}, operation.description || ""),
    content && make("h4", {}, "Request"), content && fields(api, content.schema),
    make("form", {}, ...rows), body, button, shown,
    make("h4", {}, `Answer: ${kind(api, answer)}`), fields(api, answer));
}

function line(api, method, path, operation) {
  const head = make("summary", {}, make("span", { className: "method" }, method.toUpperCase()), make("code", {}, path), ` ${operation.summary}`);
  const details = make("details", {}, head);
  details.dataset.words = `${path} ${operation.summary}`.toLowerCase();
  details.addEventListener("toggle", () => details.childElementCount > 1 || details.append(opened(api, method, path, operation)));
  return details;
}

async function show() {
  const api = await (await fetch("/v1/openapi.json")).json();
  document.getElementById("about").prepend(`Version ${api.info.version}. `);
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((one) => methods[one])) {
      const group = methods[method].tags[0];
      groups.set(group, [...(groups.get(group) || []), line(api, method, path, methods[method])]);
    }
  }
  const place = document.getElementById("operations");
  for (const [name, lines] of [...groups].sort()) place.append(make("section", {}, make("h2", {}, name), ...lines));
  document.getElementById("find").addEventListener("input", () => {
    const word = field("find").toLowerCase();
    for (const one of place.querySelectorAll("details")) one.hidden = !one.dataset.words.includes(word);
    for (const one of place.querySelectorAll("section")) one.hidden = !one.querySelector("details:not([hidden])");
  });
}

show().catch((fault) => document.getElementById("about").append(` It could not be read: ${fault.message}`));
