// Package paint reads SVG with its CSS and paints it, as PDF or as PNG.
//
//	p, err := paint.Read(svg, nil)
//	pdf, err := p.PDF(&paint.PDFOptions{Title: "Orders"})
//	png, err := p.PNG(&paint.PNGOptions{Scale: 2})
//
// One reader resolves styles, references and text layout into a display list, which
// both painters paint; what it does not support it names in the picture's warnings. It
// reads what mermaid and PlantUML write, as Chromium shows it on a screen, with the
// embedded fonts: no scripts, no animations, no HTML, nothing from outside the picture.
package paint
