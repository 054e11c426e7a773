"use strict";
// Shows openapi.json: every operation with its fields and answers, and a way to try it. Asks this server alone.

const element = (name, attributes = {}, ...children) => {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
};

let schemas = {};
const resolve = (schema) => (schema?.$ref ? schemas[schema.$ref.split("/").pop()] : schema) ?? {};

function typeOf(schema) {
  if (schema.$ref) return resolve(schema).enum ? typeOf(resolve(schema)) : schema.$ref.split("/").pop();
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === "object" && schema.additionalProperties) return `map to ${typeOf(schema.additionalProperties)}`;
  return { integer: "whole number", string: "text", boolean: "true or false", null: "nothing" }[schema.type]
    ?? schema.type ?? "anything";
}

function fieldsTable(schema, required = []) {
  const head = element("tr", {}, ...["field", "what", ""].map((text) => element("th", { scope: "col" }, text)));
  const rows = Object.entries(schema).map(([name, field]) =>
    element("tr", {},
      element("td", {}, element("code", {}, name), required.includes(name) ? " *" : ""),
      element("td", {}, typeOf(field)),
      element("td", {}, field.description ?? ""),
    ));
  return element("div", { className: "scroll" }, element("table", {}, element("thead", {}, head),
    element("tbody", {}, ...rows)));
}

function answersList(responses) {
  return element("ul", {}, ...Object.entries(responses).map(([status, response]) => {
    const schema = response.content?.["application/json"]?.schema ?? {};
    const names = (schema.anyOf ?? [schema]).map(typeOf).join(" or ");
    return element("li", {}, element("strong", {}, status), ` ${names}: ${response.description}`);
  }));
}

// The objects of an answer: itself, and those inside it, each once.
function objectsIn(schema, found = []) {
  const one = resolve(schema);
  if (one.properties) {
    if (found.includes(one)) return found;
    found.push(one);
  }
  const inside = [...(one.anyOf ?? []), ...Object.values(one.properties ?? {}), one.items, one.additionalProperties];
  inside.filter((part) => typeof part === "object").forEach((part) => objectsIn(part, found));
  return found;
}

function answerTables(schema) {
  const whole = (schema?.anyOf ?? [schema]).map(resolve);
  return objectsIn(schema).flatMap((found) => [
    element("h4", {}, `${whole.includes(found) ? "Answer: " : ""}${found.title}`),
    element("p", {}, found.description ?? ""), fieldsTable(found.properties)]);
}

function tryIt(path, method, body, parameters) {
  const inputs = parameters.map((parameter) =>
    [parameter.name, element("input", { value: parameter.schema?.examples?.[0] ?? parameter.example ?? "" })]);
  const text = body && element("textarea", { rows: 6, spellcheck: false, value: JSON.stringify(example(body), null, 2) });
  const output = element("pre", { hidden: true });
  const button = element("button", { type: "button" }, "Send");
  button.addEventListener("click", async () => {
    output.hidden = false;
    output.textContent = "…";
    const address = inputs.reduce((all, [name, input]) => all.replace(`{${name}}`, encodeURIComponent(input.value)), path);
    const options = { method: method.toUpperCase() };
    if (text) Object.assign(options, { headers: { "Content-Type": "application/json" }, body: text.value });
    try {
      const response = await fetch(address, options);
      output.textContent = `${response.status}\n${JSON.stringify(JSON.parse(await response.text()), null, 1)}`;
    } catch (error) {
      output.textContent = String(error);
    }
  });
  const labelled = (name, control) => element("label", {}, name, " ", control);
  return [element("h4", {}, "Try it"), ...inputs.map(([name, input]) => labelled(name, input)),
    ...(text ? [labelled("Body", text)] : []), button, output];
}

const example = (schema) => schema.examples?.[0] ?? {};

function operation(path, method, described) {
  const body = described.requestBody && resolve(described.requestBody.content["application/json"].schema);
  const made = element("details", { id: described.operationId },
    element("summary", {}, element("span", { className: "method" }, method.toUpperCase()), element("code", {}, path),
      element("span", {}, described.description ?? described.summary)));
  if (body) made.append(element("h4", {}, "Question"), fieldsTable(body.properties, body.required));
  made.append(element("h4", {}, "Answers"), answersList(described.responses),
    ...answerTables(described.responses["200"]?.content?.["application/json"]?.schema),
    ...tryIt(path, method, body, described.parameters ?? []));
  return made;
}

async function show() {
  const spec = await (await fetch("/api/openapi.json")).json();
  schemas = spec.components?.schemas ?? {};
  document.getElementById("about").textContent = spec.info.description;
  const main = document.getElementById("operations");
  main.replaceChildren();
  let topic = "";
  for (const [path, methods] of Object.entries(spec.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (described.tags?.[0] !== topic) {
        topic = described.tags?.[0];
        main.append(element("h2", {}, topic ?? ""));
      }
      main.append(operation(path, method, described));
    }
  }
}

show().catch((error) => { document.getElementById("operations").textContent = String(error); });
