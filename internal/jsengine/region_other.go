//go:build !linux

package jsengine

// preferLarge asks for large pages, where the system can be asked.
func preferLarge([]byte) {}

// discard makes memory read as zero.
func discard(mem []byte) error {
	clear(mem)
	return nil
}
