package encoder

// A Reason says what class of problem an [Error] is. The values are stable and
// fit for logs and for programs to compare.
type Reason string

// Reasons to refuse what was passed.
const (
	ReasonEmpty      Reason = "empty"       // nothing but white space
	ReasonSource     Reason = "source"      // PlantUML text where a code was expected
	ReasonNoCode     Reason = "no_code"     // a URL without a code in its path
	ReasonHuffman    Reason = "huffman"     // a ~1 code, which is not supported
	ReasonPrefix     Reason = "prefix"      // another unknown ~ prefix
	ReasonCharacter  Reason = "character"   // a character outside the alphabet
	ReasonHex        Reason = "hex"         // no hexadecimal digit in a ~h code
	ReasonTruncated  Reason = "truncated"   // the code ends too early
	ReasonZlibHeader Reason = "zlib_header" // a zlib stream instead of raw deflate
	ReasonCorrupt    Reason = "corrupt"     // not a deflate stream, or something after it
	ReasonTooLarge   Reason = "too_large"   // more than the limit, see [MaxDecoded]
	ReasonUTF8       Reason = "utf8"        // not valid UTF-8
	ReasonBaseURL    Reason = "base_url"    // [Options].BaseURL cannot be used
	ReasonFormat     Reason = "format"      // [Options].Format cannot be used
)

// Values of [Error].Op.
const (
	opEncode = "encode"
	opDecode = "decode"
)

// An Error is the only type of error this package returns, always as *Error.
type Error struct {
	Op      string // "encode" or "decode"
	Reason  Reason
	Message string // what is wrong and where, lowercase, without a full stop
	Offset  int    // byte offset into the text, code, URL or option passed; -1 when unknown
	Hint    string // what to do about it; may be empty
}

// Error returns the operation and the message, without the hint.
func (e *Error) Error() string { return e.Op + ": " + e.Message }
