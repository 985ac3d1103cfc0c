package jsengine

import (
	"encoding/json"
	"fmt"
	"math/big"

	"modernc.org/quickjs"
)

// HostFunc is a Go function that script calls.
//
// Arguments arrive as nil (null and undefined), bool, int, float64 (a number that
// is whole may arrive as either), string, [*big.Int], or [json.RawMessage] for
// objects and arrays. A lone surrogate in a string arrives as U+FFFD. Results are
// nil, bool, numbers, strings, and slices and maps of them. An error is thrown in
// script as a TypeError with that message; a panic fails the call.
//
// It must not call back into its realm.
type HostFunc = func(args []any) (any, error)

// register makes f callable under the global name.
func (r *Realm) register(name string, f HostFunc) error {
	err := r.vm.RegisterHostFunc(name, func(args []any) (any, error) {
		for i, a := range args {
			v, err := hostArgument(a)
			if err != nil {
				return nil, fmt.Errorf("%s: argument %d: %w", name, i, err)
			}
			args[i] = v
		}
		return f(args)
	})
	if err != nil {
		return fmt.Errorf("jsengine: host function %s: %w", name, err)
	}
	return nil
}

func hostArgument(a any) (any, error) {
	switch a := a.(type) {
	case nil, bool, int, float64, string, *big.Int:
		return a, nil
	case quickjs.Undefined:
		return nil, nil
	case *quickjs.Object:
		b, err := a.MarshalJSON()
		if err == nil && (len(b) == 0 || b[0] != '{' && b[0] != '[') {
			break // a function
		}
		return json.RawMessage(b), err
	}
	return nil, fmt.Errorf("a value of this kind cannot cross (%T)", a)
}
