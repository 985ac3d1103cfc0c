// Package svgout makes pictures safe to show: [Scrub] takes SVG that a drawing
// engine wrote under the hands of a stranger's diagram, and writes SVG 1.1 that runs
// no script, loads nothing, and touches nothing of the page it stands in.
//
//	clean, removed, err := svgout.Scrub(svg)
//
// What comes out is well-formed XML from <svg to </svg>, of elements and attributes
// that are known. Text that a careless search could take for a script is written with
// a character reference. Equal input gives equal output.
//
// It trusts nothing that ran before, a sanitiser in the engine included, and reads as
// leniently as browsers do: what it cannot read does not come out.
package svgout
