// Package httpcompat offers the catalogue's tools over plain HTTP and JSON, to
// callers that do not speak MCP:
//
//	GET  /api/tools         lists the tools
//	POST /api/tools/{name}  calls one with the JSON object in the body
//	GET  /api/openapi.json  describes all of it as OpenAPI 3.1
//
// The first two are at /api/v1/tools as well.
//
//	mux.Handle("/api/", httpcompat.New(cat, nil))
//
//	$ curl -d '{"plantumlCode":"A -> B"}' localhost:8080/api/tools/encodePlantUML
//	{"success":true,"result":{"url":"https://www.plantuml.com/plantuml/svg/…"}}
//
// Every answer but the one to a preflight is JSON: the list, the description,
// {"success":true,"result":…} or {"success":false,"error":{"code","message"}}.
//
// The package only translates. The catalogue finds tools, checks arguments and
// bounds time. The listener around the handler authenticates, checks Host and
// Origin, limits and logs; it answers in this package's shape by [WriteError],
// and tells by [Options.MayUseGuarded] whom to trust.
package httpcompat
