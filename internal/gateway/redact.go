package gateway

import (
	"strings"
	"sync/atomic"
)

// redactor takes secrets out of what is shown to people.
type redactor struct {
	current atomic.Pointer[strings.Replacer]
}

// shortestSecret is below what is taken for a setting rather than a secret:
// taking every "1" out of a log would help nobody.
const shortestSecret = 6

func (r *redactor) set(secrets []string) {
	var pairs []string
	for _, s := range secrets {
		if len(s) >= shortestSecret {
			pairs = append(pairs, s, "[redacted]")
			if scheme, token, ok := strings.Cut(s, " "); ok && len(token) >= shortestSecret && scheme != "" {
				pairs = append(pairs, token, "[redacted]") // of Bearer TOKEN
			}
		}
	}
	r.current.Store(strings.NewReplacer(pairs...))
}

func (r *redactor) clean(text string) string {
	if replacer := r.current.Load(); replacer != nil {
		return replacer.Replace(text)
	}
	return text
}
