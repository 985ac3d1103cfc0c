// Package pdf paints a display list as a PDF of one page: vectors and text alone,
// whatever shadows and gradients there are, with each font embedded as far as it is
// used.
//
//	data, err := pdf.Paint(ctx, list, pdf.Options{Title: "Orders", Lang: "en"})
//
// Equal lists give equal bytes: there are no dates, and the file's ID is made from its
// contents. It writes PDF 1.7 (ISO 32000-1). There are no tags and no bookmarks.
package pdf
