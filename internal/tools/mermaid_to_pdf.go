package tools

import (
	"regexp"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/diagram/mermaid"
)

var pdfFormat = &format{
	name: "pdf", mimeType: "application/pdf", extension: ".pdf",
	payload: map[string]*jsonschema.Schema{"pdf": {Type: "string", ContentEncoding: "base64", Description: "the document in base64"}},
	inline:  func(out *printed, picture []byte) { out.PDF = picture },
	paint: func(a *drawArguments, req *mermaid.Request) *painting {
		lang := a.text("lang")
		if lang == "" {
			lang = "en"
		} else if !languageTag.MatchString(lang) {
			a.refuse("INVALID_INPUT", "lang", "a BCP 47 tag", "lang is no language tag", "Pass one such as en, de-CH or zh-Hant.")
		}
		return &painting{Format: "pdf", Background: req.Background, Lang: lang}
	},
}

// languageTag is the form of BCP 47's tags (RFC 5646, section 2.1), simplified.
var languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,7}$`)

// MermaidToPDF is the tool mermaid_to_pdf.
func MermaidToPDF(d Drawer, o *Outputs) catalog.Tool {
	return mermaidPrinter(d, o, pdfFormat, catalog.Tool{
		Name:  "mermaid_to_pdf",
		Title: "Mermaid to PDF",
		Description: "Draws a Mermaid diagram as a PDF page of the picture's size: vector, with text that can be searched and copied, " +
			"embedded fonts and links that work. The same for the same arguments. To print it or to put it into a document.",
	}, "theme", "background", "config_json", "timeout_ms", "lang", "include_ast")
}
