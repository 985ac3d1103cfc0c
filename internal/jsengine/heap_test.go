package jsengine

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestClasses(t *testing.T) {
	for n := uintptr(1); n < 1<<31; n += 1 + n/37 {
		c := class(n)
		if payload(c) < n {
			t.Fatalf("class %d of %d bytes holds %d", c, n, payload(c))
		}
		if c > 0 && payload(c-1) >= n {
			t.Fatalf("%d bytes got class %d, but %d would do", n, c, c-1)
		}
		if payload(c)%alignment != 0 {
			t.Fatalf("class %d has %d bytes, which is not aligned", c, payload(c))
		}
	}
	if class(payload(classes-1)) != classes-1 || payload(classes-1) < 1<<31 {
		t.Errorf("the last class has %d bytes", payload(classes-1))
	}
}

// block is memory of size bytes that all hold mark.
type block struct {
	at   uintptr
	size uintptr
	mark byte
}

func (b block) bytes() []byte { return unsafe.Slice(at[byte](b.at), b.size) }

func (b block) sound() bool { return bytes.Count(b.bytes(), []byte{b.mark}) == int(b.size) }

func fill(b block) block {
	for i := range b.bytes() {
		b.bytes()[i] = b.mark
	}
	return b
}

// TestHeapKeeps: blocks do not overlap, and freezing and thawing brings back what was.
func TestHeapKeeps(t *testing.T) {
	h, err := newHeap(16 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	rnd := rand.New(rand.NewPCG(1, 2))
	var live []block
	churn := func(n int) {
		for range n {
			if len(live) > 0 && rnd.IntN(5) < 2 {
				i := rnd.IntN(len(live))
				if !live[i].sound() {
					t.Fatalf("the block at %x was overwritten", live[i].at)
				}
				h.books().release(live[i].at)
				live[i] = live[len(live)-1]
				live = live[:len(live)-1]
				continue
			}
			size := uintptr(1 + rnd.IntN(1<<rnd.IntN(16)))
			if p := h.books().allocate(size); p != 0 {
				live = append(live, fill(block{p, size, byte(rnd.IntN(256))}))
			}
		}
	}
	for round := range 3 {
		churn(2000)
		if err := h.freeze(); err != nil {
			t.Fatal(err)
		}
		kept := append([]block(nil), live...)
		for range 3 {
			churn(3000)
			if err := h.thaw(); err != nil {
				t.Fatal(err)
			}
			live = append(live[:0], kept...)
			for _, b := range live {
				if !b.sound() {
					t.Fatalf("round %d: the block at %x did not come back", round, b.at)
				}
			}
		}
	}
}

func TestHeapEnds(t *testing.T) {
	h, err := newHeap(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	n := 0
	for h.books().allocate(1<<20) != 0 {
		n++
	}
	if n == 0 || n > 40 {
		t.Errorf("a heap of 1 MiB and some held %d MiB", n)
	}
	if h.books().allocate(1<<62) != 0 {
		t.Error("more than there is")
	}
	if h.books().allocate(10) == 0 {
		t.Error("no room for ten bytes beside what did not fit")
	}
}
