// Package mermaid draws and checks diagrams with the official mermaid, in a realm of
// JavaScript with a document of our own:
//
//	realm, err := mermaid.Prepare(bundle) // ahead of the job
//	defer realm.Close()
//	drawing, err := mermaid.Render(ctx, realm, &mermaid.Request{Code: "flowchart TD\nA --> B"})
//
// A failure that the author of the diagram, or the caller, can act on is a
// [*Problem]: it has a code, the place in the text as it was submitted, what stood
// there, what was expected, and a hint. Everything else is a failure of the engine.
//
// Equal requests give equal bytes: the realm has no clock and no randomness, ids are
// derived from the request, and a realm does one job.
//
// # The model
//
// [Drawing.Model] is JSON: "type" (flowchart, sequenceDiagram, classDiagram,
// stateDiagram, erDiagram, gantt, pie, journey, or mermaid's own name for others) and
// "title", and for the eight types named:
//
//	flowchart        direction, vertices {id, text, shape, classes?, styles?, link?},
//	                 edges {from, to, arrow, stroke, text?}, subgraphs {id, title, nodes, direction?}
//	sequenceDiagram  actors {id, name, type}, boxes {name, actors},
//	                 messages {kind: message, from, to, text, arrow} | {kind: note, placement, from, to, text} |
//	                 {kind: block_start | block_next | block_end, block, text?} |
//	                 {kind: activate | deactivate, actor} | {kind: autonumber, visible}
//	classDiagram     direction, classes {id, label, attributes, methods, generic?, annotations?, namespace?},
//	                 relations {from, to, fromEnd, toEnd, line, label?, fromLabel?, toLabel?}, notes, namespaces
//	stateDiagram     direction, states {id, type, description?, note?, parent?, classes?}, transitions {from, to, label?}
//	erDiagram        direction, entities {id, name, attributes {name, type, keys?, comment?}},
//	                 relationships {from, to, label, fromCardinality, toCardinality, identifying}
//	gantt            dateFormat, excludes, sections, tasks {id, name, section, start, end, milestone?, done?, active?, critical?, vertical?}
//	pie              showData, slices {label, value}
//	journey          sections, actors, tasks {name, section, score, people}
//
// Members with a question mark are left out when they are empty. Members may be
// added; those named stay.
//
// The package knows nothing of processes, tools or transports.
package mermaid
