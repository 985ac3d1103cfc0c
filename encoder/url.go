package encoder

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Defaults of [Options].
const (
	DefaultBaseURL = "https://www.plantuml.com/plantuml"
	DefaultFormat  = "svg"
)

// Options say what a URL around a code looks like. The zero value, like a nil
// pointer, means the defaults.
type Options struct {
	// BaseURL is the address of a PlantUML server up to, and without, the
	// format: absolute, http or https, without user, query and fragment.
	// Slashes at its end do not matter.
	BaseURL string

	// Format is the path element that says what the server answers with, one of
	// those that [Formats] lists.
	Format string
}

// formats are the path elements of PlantUML server (its web.xml) and of the
// PicoWeb server in PlantUML itself that are followed by a code.
var formats = [...]string{
	"svg", "png", "txt", "utxt", "uml", "img", "map", "eps", "epstext", "pdf",
	"latex", "tikz", "base64", "xmi", "scxml", "html", "vdx",
}

// Formats returns the values that [Options].Format may have, the usual ones
// first. Not every server knows all of them.
func Formats() []string { return slices.Clone(formats[:]) }

// isFormat reports whether a path element is one of Formats.
func isFormat(element string) bool { return slices.Contains(formats[:], element) }

// URL returns the address under which a PlantUML server shows the diagram, and
// the code at its end. Both share one allocation. The errors are those of
// [Options.Validate] and [Encode].
//
// There is no limit on the length, but servers and browsers have theirs, often
// 8 KB; the public server answers 414 beyond it.
func URL(text string, opts *Options) (address, code string, err error) {
	base, format := DefaultBaseURL, DefaultFormat
	if opts != nil {
		if err := opts.Validate(); err != nil {
			return "", "", err
		}
		if opts.BaseURL != "" {
			base = strings.TrimRight(opts.BaseURL, "/")
		}
		if opts.Format != "" {
			format = opts.Format
		}
	}

	s := sessions.Get().(*session)
	defer s.release()
	chars := append(append(s.chars[:0], base...), '/')
	chars = append(append(chars, format...), '/')
	start := len(chars)
	chars, err = s.appendCode(chars, text)
	s.chars = chars
	if err != nil {
		return "", "", err
	}
	address = string(chars)
	return address, address[start:], nil
}

// Validate reports, as an [*Error] with [ReasonBaseURL] or [ReasonFormat],
// whether [URL] would refuse the options: a program can check its settings
// early. The offset is into the option at fault.
func (o *Options) Validate() error {
	if o == nil {
		return nil
	}
	if o.BaseURL != "" {
		if err := checkBaseURL(o.BaseURL); err != nil {
			return err
		}
	}
	if o.Format != "" && !isFormat(o.Format) {
		return &Error{
			Op:      opEncode,
			Reason:  ReasonFormat,
			Message: fmt.Sprintf("format %q is not one that PlantUML servers have", o.Format),
			Offset:  -1,
			Hint:    "use one of " + strings.Join(formats[:], ", "),
		}
	}
	return nil
}

// checkBaseURL returns nil or an *Error. Messages do not repeat the address: it
// may hold a password.
func checkBaseURL(base string) error {
	refuse := func(offset int, format string, args ...any) error {
		return &Error{
			Op:      opEncode,
			Reason:  ReasonBaseURL,
			Message: "the base URL " + fmt.Sprintf(format, args...),
			Offset:  offset,
			Hint:    "give an address such as " + DefaultBaseURL,
		}
	}
	// What net/url lets pass, but a browser's address bar or Markdown does not.
	if at := strings.IndexFunc(base, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r)
	}); at >= 0 {
		return refuse(at, "has a character at offset %d that must be percent-encoded", at)
	}
	if at := strings.IndexAny(base, "?#"); at >= 0 {
		return refuse(at, "has a query or fragment at offset %d, where the code would be lost", at)
	}
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return refuse(-1, "cannot be parsed")
	case u.Scheme != "http" && u.Scheme != "https":
		return refuse(0, "does not start with http:// or https://")
	case u.Hostname() == "":
		return refuse(-1, "names no host")
	case u.User != nil:
		return refuse(-1, "has a user name in it, which would be passed on with every link")
	}
	return nil
}
