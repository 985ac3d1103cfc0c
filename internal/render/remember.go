package render

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"sync"
)

// Memory is a Runner that remembers what another answered, up to a number of bytes,
// and gives an answer again where the same is asked: jobs have no state, so that an
// answer depends on its job alone. The least recently used are forgotten first.
// Failures are not remembered. Jobs for the same that come while one runs wait for
// that one.
type Memory struct {
	runner Runner
	limit  int

	mu      sync.Mutex
	size    int
	entries map[[sha256.Size]byte]*list.Element
	recent  *list.List // of *remembered, the latest first
	running map[[sha256.Size]byte]chan struct{}
}

type remembered struct {
	key    [sha256.Size]byte
	answer json.RawMessage
}

// Remember returns runner with a memory of limit bytes, which counts answers alone.
func Remember(runner Runner, limit int) (*Memory, error) {
	if limit <= 0 {
		return nil, errors.New("render: a memory of no bytes")
	}
	return &Memory{
		runner: runner, limit: limit, recent: list.New(),
		entries: map[[sha256.Size]byte]*list.Element{}, running: map[[sha256.Size]byte]chan struct{}{},
	}, nil
}

// Do answers from memory or has the job done. The answer must not be changed.
func (m *Memory) Do(ctx context.Context, job Job) (json.RawMessage, error) {
	key := sha256.Sum256(append(append([]byte(job.Kind), 0), job.Input...))
	for {
		answer, other := m.recall(key)
		if answer != nil {
			return answer, nil
		}
		if other == nil {
			break
		}
		// What the other asks is the same, but not how long it waits, so
		// its failure is not this one's.
		select {
		case <-other:
		case <-ctx.Done():
			return nil, &StoppedError{Err: context.Cause(ctx)}
		}
	}
	answer, err := m.runner.Do(ctx, job)
	m.keep(key, answer, err)
	return answer, err
}

// recall gives the answer to key, or what ends when the one who is at it has it, or
// neither: then the caller is at it, and must keep.
func (m *Memory) recall(key [sha256.Size]byte) (json.RawMessage, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.entries[key]; e != nil {
		m.recent.MoveToFront(e)
		return e.Value.(*remembered).answer, nil //nolint:forcetypeassert // nothing else is in the list
	}
	if other := m.running[key]; other != nil {
		return nil, other
	}
	m.running[key] = make(chan struct{})
	return nil, nil
}

func (m *Memory) keep(key [sha256.Size]byte, answer json.RawMessage, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	close(m.running[key])
	delete(m.running, key)
	if err != nil || len(answer) > m.limit/4 {
		return
	}
	m.entries[key] = m.recent.PushFront(&remembered{key, answer})
	m.size += len(answer)
	for m.size > m.limit {
		oldest := m.recent.Remove(m.recent.Back()).(*remembered) //nolint:forcetypeassert // as above
		delete(m.entries, oldest.key)
		m.size -= len(oldest.answer)
	}
}

// Close forgets everything and closes the other runner.
func (m *Memory) Close() error {
	m.mu.Lock()
	m.entries, m.size = map[[sha256.Size]byte]*list.Element{}, 0
	m.recent.Init()
	m.mu.Unlock()
	return m.runner.Close()
}

var _ Runner = (*Memory)(nil)
