package jsengine

import (
	"time"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// Profile has sample called while script runs, every few hundred calls and turns of
// loops: with the names of the functions that run, innermost first, and the time since
// the last sample. It slows script down. For finding out what an engine spends its
// time on. Reset takes it back to what it was at Freeze, so it is set before that.
func (r *Realm) Profile(sample func(stack []string, spent time.Duration)) {
	r.m.sample = sample
	r.m.sampled = time.Now()
	lib.XJS_SetInterruptHandler(r.m.tls, r.m.rt, function(profiled), addressOf(r.m))
}

const sampleEvery = 300

func profiled(tls *libc.TLS, rt, opaque uintptr) int32 {
	m := at[machine](opaque)
	spent := time.Since(m.sampled)
	var stack []string
	for frame := at[lib.TJSRuntime](rt).Fcurrent_stack_frame; frame != 0; {
		f := at[lib.TJSStackFrame](frame)
		name := m.property(f.Fcur_func, "name\x00")
		stack = append(stack, name)
		frame = f.Fprev_frame
	}
	m.sample(stack, spent)
	at[lib.TJSContext](m.ctx).Finterrupt_counter = sampleEvery
	m.sampled = time.Now()
	return interrupted(tls, rt, opaque)
}
