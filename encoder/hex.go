package encoder

import "fmt"

// decodeHex decodes the text given as two hexadecimal digits for each byte.
func (s span) decodeHex() (string, *Error) {
	if len(s.code)/2 > MaxDecoded {
		return "", tooLarge(s.start)
	}
	text := make([]byte, 0, len(s.code)/2)
	for i := 0; i < len(s.code); i++ {
		digit, ok := hexDigit(s.code[i])
		if !ok {
			return "", s.badCharacter(i, ReasonHex, "is no hexadecimal digit",
				"a code that starts with ~h is made of 0-9 and a-f only")
		}
		if i%2 == 0 {
			text = append(text, digit<<4)
		} else {
			text[i/2] |= digit
		}
	}
	if len(s.code)%2 != 0 {
		return "", &Error{
			Reason:  ReasonTruncated,
			Message: fmt.Sprintf("the code has %d hexadecimal digits, an odd number", len(s.code)),
			Offset:  s.offset(len(s.code)),
			Hint:    "copy the whole code",
		}
	}
	decoded := string(text)
	if bad := firstInvalid(decoded); bad >= 0 {
		return "", notUTF8(decoded, bad, s.offset(2*bad))
	}
	return decoded, nil
}

// hexDigit gives the value of a hexadecimal digit of either case.
func hexDigit(c byte) (value byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
